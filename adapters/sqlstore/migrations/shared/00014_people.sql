-- Search requests, follow-ups and leads are read and written whole: body is one
-- JSON value, the other columns are what they are looked for by. Users get a
-- group, a type and a gender.

-- +goose Up
ALTER TABLE site ADD COLUMN user_groups TEXT NOT NULL DEFAULT '[]';
ALTER TABLE site_user ADD COLUMN group_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE site_user ADD COLUMN type_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE site_user ADD COLUMN gender_id BIGINT NOT NULL DEFAULT 0;

CREATE TABLE search_request (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX search_request_of_customer ON search_request (site_id, customer_id, id);

CREATE TABLE follow_up (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX follow_up_of_customer ON follow_up (site_id, customer_id, id);

CREATE TABLE lead (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    agency_id   BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    status      TEXT   NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX lead_of_customer ON lead (site_id, customer_id, id);

CREATE TABLE lead_claim (
    site_id    BIGINT NOT NULL,
    claim_key  TEXT   NOT NULL,
    lead_id    BIGINT NOT NULL,
    claimed_at BIGINT NOT NULL,
    PRIMARY KEY (site_id, claim_key)
);

-- +goose Down
DROP TABLE lead_claim;
DROP TABLE lead;
DROP TABLE follow_up;
DROP TABLE search_request;
ALTER TABLE site_user DROP COLUMN gender_id;
ALTER TABLE site_user DROP COLUMN type_id;
ALTER TABLE site_user DROP COLUMN group_id;
ALTER TABLE site DROP COLUMN user_groups;
