-- Changes of scope that are yet to be told of. They are read and written whole:
-- body is one JSON value.

-- +goose Up
CREATE TABLE scope_change (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- +goose Down
DROP TABLE scope_change;
