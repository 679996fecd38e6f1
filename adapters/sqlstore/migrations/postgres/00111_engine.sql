-- What PostgreSQL does in a way of its own.

-- +goose Up

-- Ids come from native sequences: a row that counts would make every writer of
-- every site wait for the one before it.
CREATE SEQUENCE action_id;
CREATE SEQUENCE api_key_id;
CREATE SEQUENCE app_log_id;
CREATE SEQUENCE appointment_id;
CREATE SEQUENCE audit_id;
CREATE SEQUENCE booking_hold_id;
CREATE SEQUENCE booking_id;
CREATE SEQUENCE customer_id;
CREATE SEQUENCE delivery_id;
CREATE SEQUENCE family_id;
CREATE SEQUENCE follow_up_id;
CREATE SEQUENCE import_id;
CREATE SEQUENCE lead_id;
CREATE SEQUENCE letting_id;
CREATE SEQUENCE operator_id;
CREATE SEQUENCE permanence_id;
CREATE SEQUENCE picture_id;
CREATE SEQUENCE product_id;
CREATE SEQUENCE room_id;
CREATE SEQUENCE sale_agreement_id;
CREATE SEQUENCE sale_offer_id;
CREATE SEQUENCE scope_change_id;
CREATE SEQUENCE search_request_id;
CREATE SEQUENCE webhook_auth_id;
CREATE SEQUENCE webhook_id;

-- Room for the new version of a row on the page of the old one.
ALTER TABLE site_head SET (fillfactor = 50);
ALTER TABLE product SET (fillfactor = 85);
ALTER TABLE webhook SET (fillfactor = 70);
ALTER TABLE hook_turn SET (fillfactor = 50);

-- One index finds deliveries by id and lists those of a webhook. Pages are left with room for
-- what becomes of the deliveries: a row that moves to another page is written to the journal as a
-- whole.
ALTER TABLE delivery SET (fillfactor = 30);
ALTER TABLE delivery DROP CONSTRAINT delivery_pkey;
ALTER TABLE delivery ADD PRIMARY KEY (site_id, hook_id, id);
DROP INDEX delivery_of_hook;
