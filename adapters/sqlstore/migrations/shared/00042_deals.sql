-- Offers, sale agreements and leases are read and written whole: body is one JSON
-- value, the other columns are what they are found and sorted by. The three have
-- the same columns. day counts the days from 1 January of year 1, amount is in
-- cents, due_at and later_at are when the clock next changes the status and to
-- what. Each has a row per party.

-- +goose Up
CREATE TABLE sale_offer (
    site_id      BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    agency_id    BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    product_id   BIGINT NOT NULL,
    offer_id     BIGINT NOT NULL,
    type         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    due_at       BIGINT,
    due_status   TEXT   NOT NULL,
    later_at     BIGINT,
    later_status TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    added_at     BIGINT NOT NULL,
    modified_at  BIGINT NOT NULL,
    body         TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX sale_offer_of_agency ON sale_offer (site_id, agency_id, id);
CREATE INDEX sale_offer_of_product ON sale_offer (site_id, product_id, id);
CREATE INDEX sale_offer_due ON sale_offer (due_at, site_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE sale_offer_party (
    site_id     BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    record_id   BIGINT NOT NULL,
    PRIMARY KEY (site_id, customer_id, record_id)
);
CREATE INDEX party_of_sale_offer ON sale_offer_party (site_id, record_id, customer_id);

CREATE TABLE sale_agreement (
    site_id      BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    agency_id    BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    product_id   BIGINT NOT NULL,
    offer_id     BIGINT NOT NULL,
    type         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    due_at       BIGINT,
    due_status   TEXT   NOT NULL,
    later_at     BIGINT,
    later_status TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    added_at     BIGINT NOT NULL,
    modified_at  BIGINT NOT NULL,
    body         TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX sale_agreement_of_agency ON sale_agreement (site_id, agency_id, id);
CREATE INDEX sale_agreement_of_product ON sale_agreement (site_id, product_id, id);
CREATE INDEX sale_agreement_due ON sale_agreement (due_at, site_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE sale_agreement_party (
    site_id     BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    record_id   BIGINT NOT NULL,
    PRIMARY KEY (site_id, customer_id, record_id)
);
CREATE INDEX party_of_sale_agreement ON sale_agreement_party (site_id, record_id, customer_id);

CREATE TABLE letting (
    site_id      BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    agency_id    BIGINT NOT NULL,
    user_id      BIGINT NOT NULL,
    product_id   BIGINT NOT NULL,
    offer_id     BIGINT NOT NULL,
    type         TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    due_at       BIGINT,
    due_status   TEXT   NOT NULL,
    later_at     BIGINT,
    later_status TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    amount       BIGINT NOT NULL,
    added_at     BIGINT NOT NULL,
    modified_at  BIGINT NOT NULL,
    body         TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX letting_of_agency ON letting (site_id, agency_id, id);
CREATE INDEX letting_of_product ON letting (site_id, product_id, id);
CREATE INDEX letting_due ON letting (due_at, site_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE letting_party (
    site_id     BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    record_id   BIGINT NOT NULL,
    PRIMARY KEY (site_id, customer_id, record_id)
);
CREATE INDEX party_of_letting ON letting_party (site_id, record_id, customer_id);

-- The last number that was drawn of each kind.
CREATE TABLE deal_number (
    site_id     BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    last_number BIGINT NOT NULL,
    PRIMARY KEY (site_id, agency_id, kind)
);

-- +goose Down
DROP TABLE deal_number;
DROP TABLE letting_party;
DROP TABLE letting;
DROP TABLE sale_agreement_party;
DROP TABLE sale_agreement;
DROP TABLE sale_offer_party;
DROP TABLE sale_offer;
