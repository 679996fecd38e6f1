-- What was answered to requests with an Idempotency-Key. Answers are sealed: they
-- may hold secrets and personal data.

-- +goose Up
CREATE TABLE receipt (
    site_id       BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    operation     TEXT   NOT NULL,
    request_key   TEXT   NOT NULL,
    fingerprint   TEXT   NOT NULL,
    answer        TEXT   NOT NULL,
    added_at      BIGINT,
    PRIMARY KEY (site_id, credential_id, operation, request_key)
);
CREATE INDEX receipt_by_age ON receipt (added_at);

-- +goose Down
DROP TABLE receipt;
