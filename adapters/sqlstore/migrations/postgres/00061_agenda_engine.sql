-- +goose Up
CREATE SEQUENCE appointment_id;
CREATE SEQUENCE permanence_id;
CREATE SEQUENCE booking_hold_id;
CREATE SEQUENCE booking_id;

-- +goose Down
DROP SEQUENCE booking_id;
DROP SEQUENCE booking_hold_id;
DROP SEQUENCE permanence_id;
DROP SEQUENCE appointment_id;
