-- Passkeys of operators, and what browsers were asked and have yet to answer.

-- +goose Up
CREATE TABLE passkey (
    id          TEXT    NOT NULL PRIMARY KEY,
    operator_id BIGINT  NOT NULL,
    name        TEXT    NOT NULL,
    record      TEXT    NOT NULL,
    added_at    BIGINT,
    used_at     BIGINT,
    copied      BOOLEAN NOT NULL
);
CREATE INDEX passkey_by_operator ON passkey (operator_id);

CREATE TABLE passkey_challenge (
    hash        TEXT   NOT NULL PRIMARY KEY,
    purpose     TEXT   NOT NULL,
    operator_id BIGINT NOT NULL,
    state       TEXT   NOT NULL,
    expires_at  BIGINT
);
CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);

-- +goose Down
DROP TABLE passkey_challenge;
DROP TABLE passkey;
