-- Most records of the agenda are read and written whole: body is one JSON value, the
-- other columns are what they are found and sorted by. from_at and until_at bound the
-- time of all occurrences, and until_at is the largest number where there is no end.
-- The id of a schedule and of a feed is that of the user, and the id of settings that
-- of the agency. A row of calendar is there to be held, and says nothing.

-- +goose Up
CREATE TABLE appointment_type (
    site_id       BIGINT  NOT NULL,
    id            BIGINT  NOT NULL,
    model         TEXT    NOT NULL,
    label         TEXT    NOT NULL,
    active        BOOLEAN NOT NULL,
    busy          BOOLEAN NOT NULL,
    is_leave      BOOLEAN NOT NULL,
    duration      BIGINT  NOT NULL,
    buffer_before BIGINT  NOT NULL,
    buffer_after  BIGINT  NOT NULL,
    color         TEXT    NOT NULL,
    position      BIGINT  NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE calendar (
    site_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, user_id)
);

CREATE TABLE appointment (
    site_id     BIGINT  NOT NULL,
    id          BIGINT  NOT NULL,
    agency_id   BIGINT  NOT NULL,
    type        TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    recurs      BOOLEAN NOT NULL,
    start_at    BIGINT  NOT NULL,
    from_at     BIGINT  NOT NULL,
    until_at    BIGINT  NOT NULL,
    due_at      BIGINT,
    modified_at BIGINT  NOT NULL,
    body        TEXT    NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX appointment_of_agency ON appointment (site_id, agency_id, until_at, from_at, recurs);
CREATE INDEX appointment_due ON appointment (due_at, site_id, id) WHERE due_at IS NOT NULL;

-- The users, customers and products of an appointment, with its bounds: of those who
-- have years of appointments, only the ones of some weeks are looked at.
CREATE TABLE appointment_link (
    site_id        BIGINT NOT NULL,
    kind           TEXT   NOT NULL,
    linked_id      BIGINT NOT NULL,
    until_at       BIGINT NOT NULL,
    from_at        BIGINT NOT NULL,
    appointment_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, linked_id, until_at, from_at, appointment_id)
);
CREATE INDEX link_of_appointment ON appointment_link (site_id, appointment_id);

CREATE TABLE permanence (
    site_id   BIGINT NOT NULL,
    id        BIGINT NOT NULL,
    agency_id BIGINT NOT NULL,
    user_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    from_at   BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    body      TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX permanence_of_agency ON permanence (site_id, agency_id, until_at, from_at);
CREATE INDEX permanence_of_user ON permanence (site_id, user_id, until_at, from_at);

CREATE TABLE schedule (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE imported_busy (
    site_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    source  TEXT   NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, user_id, source)
);

CREATE TABLE booking_settings (
    site_id BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE booking_hold (
    site_id       BIGINT NOT NULL,
    id            BIGINT NOT NULL,
    user_id       BIGINT NOT NULL,
    product_id    BIGINT NOT NULL,
    credential_id TEXT   NOT NULL,
    expires_at    BIGINT,
    body          TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX booking_hold_of_user ON booking_hold (site_id, user_id, expires_at);
CREATE INDEX booking_hold_of_product ON booking_hold (site_id, product_id, credential_id, expires_at);
CREATE INDEX booking_hold_expiry ON booking_hold (expires_at, site_id, id);

CREATE TABLE booking (
    site_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    customer_id BIGINT NOT NULL,
    body        TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX booking_of_customer ON booking (site_id, customer_id, id);

CREATE TABLE calendar_feed (
    site_id    BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    token_hash TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX calendar_feed_by_token ON calendar_feed (token_hash, site_id, id);

-- +goose Down
DROP TABLE calendar_feed;
DROP TABLE booking;
DROP TABLE booking_hold;
DROP TABLE booking_settings;
DROP TABLE imported_busy;
DROP TABLE schedule;
DROP TABLE permanence;
DROP TABLE appointment_link;
DROP TABLE appointment;
DROP TABLE calendar;
DROP TABLE appointment_type;
