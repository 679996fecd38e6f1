-- Who looks after the installation through its console, who has signed in, who is
-- invited, and what they did. Secrets are here as hashes alone. The audit is only
-- added to, and purged by age.

-- +goose Up
CREATE TABLE operator (
    id           BIGINT  NOT NULL PRIMARY KEY,
    email        TEXT    NOT NULL UNIQUE,
    name         TEXT    NOT NULL,
    role         TEXT    NOT NULL,
    sites        TEXT    NOT NULL,
    everywhere   BOOLEAN NOT NULL,
    password     TEXT    NOT NULL,
    disabled     BOOLEAN NOT NULL,
    added_at     BIGINT,
    signed_in_at BIGINT
);

CREATE TABLE operator_session (
    hash        TEXT   NOT NULL PRIMARY KEY,
    operator_id BIGINT NOT NULL,
    started_at  BIGINT,
    seen_at     BIGINT,
    proved_at   BIGINT,
    peer        TEXT   NOT NULL,
    agent       TEXT   NOT NULL
);
CREATE INDEX operator_session_by_operator ON operator_session (operator_id);
CREATE INDEX operator_session_by_age ON operator_session (seen_at, hash);

CREATE TABLE operator_invitation (
    hash        TEXT    NOT NULL PRIMARY KEY,
    operator_id BIGINT  NOT NULL,
    email       TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    role        TEXT    NOT NULL,
    sites       TEXT    NOT NULL,
    everywhere  BOOLEAN NOT NULL,
    invited_by  BIGINT  NOT NULL,
    added_at    BIGINT,
    expires_at  BIGINT
);

CREATE TABLE audit (
    id          BIGINT NOT NULL PRIMARY KEY,
    done_at     BIGINT,
    operator_id BIGINT NOT NULL,
    peer        TEXT   NOT NULL,
    operation   TEXT   NOT NULL,
    site_id     BIGINT NOT NULL,
    subject     TEXT   NOT NULL,
    changes     TEXT   NOT NULL
);
CREATE INDEX audit_by_age ON audit (done_at, id);
CREATE INDEX audit_by_operator ON audit (operator_id, id);

-- +goose Down
DROP TABLE audit;
DROP TABLE operator_invitation;
DROP TABLE operator_session;
DROP TABLE operator;
