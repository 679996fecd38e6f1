-- expands: import sources and which products they named, publication targets and what they got.

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

-- Portals that get listings. due_at is NULL while a target is paused. body is sealed.
CREATE TABLE publication_target (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    due_at  BIGINT,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX publication_target_due ON publication_target (due_at, site_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE publication_run (
    site_id   BIGINT NOT NULL,
    id        BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    body      TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX publication_run_of_target ON publication_run (site_id, target_id, id);

-- The portals that a product is on. The id is that of the product.
CREATE TABLE placement (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE TABLE placement_link (
    site_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    linked_id BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    from_at   BIGINT NOT NULL,
    record_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, linked_id, until_at, from_at, record_id)
);
CREATE INDEX link_of_placement ON placement_link (site_id, record_id);
