-- Customers can be anonymised. Whatever is about them must be found for that:
-- receipts by whom they are about, deliveries by what they are about, keys of leads
-- by the lead.

-- +goose Up
ALTER TABLE customer ADD COLUMN anonymized_at BIGINT;

ALTER TABLE receipt ADD COLUMN customer_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX receipt_of_customer ON receipt (site_id, customer_id) WHERE customer_id <> 0;
-- Nearly all deliveries are of this one type, and are not looked for.
CREATE INDEX delivery_about ON delivery (site_id, resource_id) WHERE type <> 'PRODUCT_UPDATE';

-- Keys were e-mail addresses and phone numbers in plain text, and are digests now.
DELETE FROM lead_claim;
CREATE INDEX lead_claim_of_lead ON lead_claim (site_id, lead_id);

-- Resources about which nothing is kept of what receivers say.
CREATE TABLE hushed (
    site_id     BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, resource_id)
);

-- +goose Down
DROP TABLE hushed;
DROP INDEX lead_claim_of_lead;
DROP INDEX delivery_about;
DROP INDEX receipt_of_customer;
ALTER TABLE receipt DROP COLUMN customer_id;
ALTER TABLE customer DROP COLUMN anonymized_at;
