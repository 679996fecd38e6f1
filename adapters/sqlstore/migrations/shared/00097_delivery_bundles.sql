-- expands: deliveries that got through at the first attempt are kept many in a row, with their attempts. Nobody
-- writes such rows while there are servers that cannot read them.

-- +goose Up
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

-- +goose Down
DROP TABLE delivery_bundle;
