-- expands: import sources, and which products they named.

-- +goose Up

-- Where listings come from again and again. due_at is NULL while a source is paused. body is
-- sealed: an address may have a password.
CREATE TABLE import_source (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    due_at  BIGINT,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX import_source_due ON import_source (due_at, site_id, id) WHERE due_at IS NOT NULL;

-- The id is that of the product.
CREATE TABLE sourced_product (
    site_id   BIGINT NOT NULL,
    id        BIGINT NOT NULL,
    source_id BIGINT NOT NULL,
    body      TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX sourced_product_of_source ON sourced_product (site_id, source_id, id);
