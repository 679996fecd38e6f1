-- API keys, the secret of a credential before the last rotation, and when
-- credentials and keys were last used.

-- +goose Up
CREATE TABLE api_key (
    site_id       BIGINT NOT NULL,
    id            BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    name          TEXT   NOT NULL,
    hash          TEXT   NOT NULL,
    beginning     TEXT   NOT NULL,
    packs         TEXT   NOT NULL,
    addresses     TEXT   NOT NULL,
    added_at      BIGINT,
    expires_at    BIGINT,
    revoked_at    BIGINT,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX api_key_by_hash ON api_key (hash, site_id, id);
CREATE INDEX api_key_by_credential ON api_key (credential_id, site_id, id);

CREATE TABLE credential_use (
    credential_id TEXT   NOT NULL,
    key_id        BIGINT NOT NULL,
    used_at       BIGINT,
    PRIMARY KEY (credential_id, key_id)
);

ALTER TABLE credential ADD COLUMN former_secret TEXT NOT NULL DEFAULT '';
ALTER TABLE credential ADD COLUMN former_until BIGINT;
CREATE INDEX token_family_by_credential ON token_family (credential_id);

-- +goose Down
DROP INDEX token_family_by_credential;
ALTER TABLE credential DROP COLUMN former_until;
ALTER TABLE credential DROP COLUMN former_secret;
DROP TABLE credential_use;
DROP TABLE api_key;
