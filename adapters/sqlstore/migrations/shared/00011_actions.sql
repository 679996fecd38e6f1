-- What was done about products and customers, and what the system logs about
-- them (type_id 0).

-- +goose Up
CREATE TABLE action (
    site_id       BIGINT NOT NULL,
    id            BIGINT NOT NULL,
    subject_kind  TEXT   NOT NULL,
    subject_id    BIGINT NOT NULL,
    type_id       BIGINT NOT NULL,
    child_id      BIGINT NOT NULL,
    label         TEXT   NOT NULL,
    user_id       BIGINT NOT NULL,
    customer_id   BIGINT NOT NULL,
    result        TEXT   NOT NULL,
    credential_id TEXT   NOT NULL,
    performed_at  BIGINT,
    added_at      BIGINT,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX action_about ON action (site_id, subject_kind, subject_id, id);

-- +goose Down
DROP TABLE action;
