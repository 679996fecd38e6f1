-- How many requests each credential sent on a day, which its daily quota is
-- compared with.

-- +goose Up
CREATE TABLE credential_usage (
    day           BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    requests      BIGINT NOT NULL,
    PRIMARY KEY (day, credential_id)
);

-- +goose Down
DROP TABLE credential_usage;
