-- Deliveries that got through at the first attempt are kept in rows again, like all others. No version that was
-- released had this table. What a trial database has in it goes with it: entries of the log, nothing that is pending.

-- +goose Up
DROP TABLE delivery_bundle;

-- +goose Down
CREATE TABLE delivery_bundle (
    site_id     BIGINT NOT NULL,
    hook_id     BIGINT NOT NULL,
    last_id     BIGINT NOT NULL,
    first_id    BIGINT NOT NULL,
    size        BIGINT NOT NULL,
    url         TEXT   NOT NULL,
    first_added BIGINT,
    last_added  BIGINT,
    first_event BIGINT NOT NULL,
    last_event  BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, hook_id, last_id)
);
CREATE INDEX delivery_bundle_ids ON delivery_bundle (site_id, first_id, last_id);
CREATE INDEX delivery_bundle_age ON delivery_bundle (first_added);
