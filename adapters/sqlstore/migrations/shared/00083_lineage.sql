-- expands: where the database was when its numbers were last moved on: its one row says so, and how
-- often they were. The engine says where it is now.

-- +goose Up
CREATE TABLE lineage (
    id        BIGINT NOT NULL PRIMARY KEY,
    place     TEXT   NOT NULL,
    cluster   TEXT   NOT NULL,
    forks     BIGINT NOT NULL,
    forked_at BIGINT
);

-- +goose Down
DROP TABLE lineage;
