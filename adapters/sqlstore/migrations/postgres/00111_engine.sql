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

-- Deliveries are kept in a table for each day, which goes whole. A day has a thousand million
-- ids of its own, beginning at the number of the day, since 1970, times that. Ids begin at 1,
-- and go on to those of a day tomorrow. One index finds deliveries by id and lists those of a
-- webhook. Pages are left with room for what becomes of the deliveries: a row that moves to
-- another page is written to the journal as a whole.
CREATE TABLE delivery_by_day (LIKE delivery INCLUDING DEFAULTS) PARTITION BY RANGE (id);
DROP TABLE delivery;
ALTER TABLE delivery_by_day RENAME TO delivery;
ALTER TABLE delivery ADD PRIMARY KEY (site_id, hook_id, id);
CREATE INDEX delivery_pending ON delivery (site_id, hook_id, event_seq, id) WHERE status = 'pending';
CREATE INDEX delivery_over ON delivery (added_at) WHERE status <> 'pending';
CREATE INDEX delivery_about ON delivery (site_id, resource_id)
    WHERE type <> 'PRODUCT_CREATE' AND type <> 'PRODUCT_UPDATE' AND type <> 'PRODUCT_DELETE';
CREATE TABLE delivery_before_days PARTITION OF delivery
    FOR VALUES FROM (MINVALUE) TO ((floor(extract(epoch FROM now()) / 86400)::bigint + 1) * 1000000000) WITH (fillfactor = 30);
ALTER INDEX delivery_before_days_site_id_hook_id_event_seq_id_idx RENAME TO delivery_before_days_pending;
ALTER INDEX delivery_before_days_added_at_idx RENAME TO delivery_before_days_over;
ALTER INDEX delivery_before_days_site_id_resource_id_idx RENAME TO delivery_before_days_about;
CREATE TABLE delivery_of_no_day PARTITION OF delivery DEFAULT WITH (fillfactor = 30);
