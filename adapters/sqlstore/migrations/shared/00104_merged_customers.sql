-- expands: which record a record of the same person was joined with. The id is the one that is gone.

-- +goose Up
CREATE TABLE merged_customer (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- +goose Down
DROP TABLE merged_customer;
