-- expands: what operators are told of, and where.

-- +goose Up

-- What stands, in one row.
CREATE TABLE alert_board (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

-- due_at is NULL while nothing waits. body is sealed: an address may be a secret.
CREATE TABLE alert_channel (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    due_at  BIGINT,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX alert_channel_due ON alert_channel (due_at, site_id, id) WHERE due_at IS NOT NULL;

-- What a channel has yet to be told.
CREATE TABLE alert_notice (
    site_id    BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    channel_id BIGINT NOT NULL,
    body       TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX alert_notice_of_channel ON alert_notice (channel_id, site_id, id);
