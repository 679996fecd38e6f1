-- Webhooks, the outbox of their deliveries, and what is kept of both. Whatever
-- is sealed (headers, secrets) can be read only with the operator's keys.

-- +goose Up
CREATE TABLE webhook (
    site_id          BIGINT  NOT NULL,
    id               BIGINT  NOT NULL,
    url              TEXT    NOT NULL,
    origins          TEXT    NOT NULL,
    headers          TEXT    NOT NULL,
    auth_id          BIGINT  NOT NULL,
    format           TEXT    NOT NULL,
    skip_own         BOOLEAN NOT NULL,
    created_by       TEXT    NOT NULL,
    state            TEXT    NOT NULL,
    epoch            BIGINT  NOT NULL,
    suspended_at     BIGINT,
    suspended_reason TEXT    NOT NULL,
    last_success_at  BIGINT,
    last_failure_at  BIGINT,
    added_at         BIGINT,
    modified_at      BIGINT,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE webhook_signing (
    site_id         BIGINT NOT NULL,
    hook_id         BIGINT NOT NULL,
    current_secret  TEXT   NOT NULL,
    previous_secret TEXT   NOT NULL,
    previous_until  BIGINT,
    PRIMARY KEY (site_id, hook_id)
);

CREATE TABLE webhook_auth (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    name        TEXT   NOT NULL,
    type        TEXT   NOT NULL,
    username    TEXT   NOT NULL,
    header      TEXT   NOT NULL,
    token_url   TEXT   NOT NULL,
    client_id   TEXT   NOT NULL,
    scope       TEXT   NOT NULL,
    public_key  TEXT   NOT NULL,
    secret      TEXT   NOT NULL,
    added_at    BIGINT,
    modified_at BIGINT,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE delivery (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    hook_id     BIGINT NOT NULL,
    event_seq   BIGINT NOT NULL,
    message     TEXT   NOT NULL,
    type        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    happened_at BIGINT,
    status      TEXT   NOT NULL,
    epoch       BIGINT NOT NULL,
    failures    BIGINT NOT NULL,
    number      BIGINT NOT NULL,
    due_at      BIGINT,
    reason      TEXT   NOT NULL,
    added_at    BIGINT,
    PRIMARY KEY (site_id, id)
);
-- Nearly all deliveries are over: the indexes of those that are not stay small.
CREATE INDEX delivery_pending ON delivery (site_id, hook_id, event_seq, id) WHERE status = 'pending';
CREATE INDEX delivery_due ON delivery (site_id, hook_id, due_at) WHERE status = 'pending';
CREATE INDEX delivery_of_hook ON delivery (site_id, hook_id, id);
CREATE INDEX delivery_succeeded ON delivery (site_id, hook_id, event_seq) WHERE status = 'succeeded';
CREATE INDEX delivery_over ON delivery (added_at, site_id, id) WHERE status <> 'pending';

CREATE TABLE delivery_attempt (
    site_id      BIGINT NOT NULL,
    delivery_id  BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    attempted_at BIGINT,
    url          TEXT   NOT NULL,
    http_status  BIGINT NOT NULL,
    nanoseconds  BIGINT NOT NULL,
    error        TEXT   NOT NULL,
    excerpt      TEXT   NOT NULL,
    PRIMARY KEY (site_id, delivery_id, number)
);

-- due_at is NULL while nothing is pending; until and served_at are 0 for "never",
-- because they are compared.
CREATE TABLE hook_turn (
    site_id   BIGINT NOT NULL,
    hook_id   BIGINT NOT NULL,
    due_at    BIGINT,
    holder    TEXT   NOT NULL,
    until     BIGINT NOT NULL,
    served_at BIGINT NOT NULL,
    PRIMARY KEY (site_id, hook_id)
);
CREATE INDEX hook_turn_due ON hook_turn (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE rejection (
    site_id     BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    resource_id BIGINT NOT NULL,
    hook_id     BIGINT NOT NULL,
    type        TEXT   NOT NULL,
    reason      TEXT   NOT NULL,
    rejected_at BIGINT,
    PRIMARY KEY (site_id, kind, resource_id, hook_id)
);

CREATE TABLE app_log (
    site_id   BIGINT NOT NULL,
    id        BIGINT NOT NULL,
    logged_at BIGINT,
    kind      TEXT   NOT NULL,
    hook_id   BIGINT NOT NULL,
    message   TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX app_log_by_age ON app_log (logged_at, site_id, id);

CREATE INDEX ledger_by_age ON ledger (happened_at, site_id, seq);

-- +goose Down
DROP INDEX ledger_by_age;
DROP TABLE app_log;
DROP TABLE rejection;
DROP TABLE hook_turn;
DROP TABLE delivery_attempt;
DROP TABLE delivery;
DROP TABLE webhook_auth;
DROP TABLE webhook_signing;
DROP TABLE webhook;
