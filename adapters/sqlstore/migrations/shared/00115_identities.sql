-- expands: accounts at a provider of OpenID Connect by which operators sign in.

-- +goose Up

-- id is the issuer and what it calls the account.
CREATE TABLE operator_identity (
    site_id     BIGINT NOT NULL,
    id          TEXT   NOT NULL,
    operator_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX operator_identity_by_operator ON operator_identity (operator_id);
