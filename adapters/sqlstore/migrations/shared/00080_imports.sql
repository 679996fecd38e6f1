-- Imports that run in the background, and the report of each, a row per listing. Both
-- are read and written whole: body is one JSON value.

-- +goose Up
CREATE TABLE import_run (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    seen_at BIGINT,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX import_run_by_age ON import_run (seen_at, site_id, id);

CREATE TABLE import_line (
    site_id BIGINT NOT NULL,
    run_id  BIGINT NOT NULL,
    number  BIGINT NOT NULL,
    action  TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, run_id, number)
);

-- +goose Down
DROP TABLE import_line;
DROP TABLE import_run;
