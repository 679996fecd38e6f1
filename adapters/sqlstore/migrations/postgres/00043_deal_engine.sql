-- +goose Up
CREATE SEQUENCE sale_offer_id;
CREATE SEQUENCE sale_agreement_id;
CREATE SEQUENCE letting_id;

-- +goose Down
DROP SEQUENCE letting_id;
DROP SEQUENCE sale_agreement_id;
DROP SEQUENCE sale_offer_id;
