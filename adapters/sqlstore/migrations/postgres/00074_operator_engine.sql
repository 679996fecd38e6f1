-- +goose Up
CREATE SEQUENCE operator_id;
CREATE SEQUENCE audit_id;

-- +goose Down
DROP SEQUENCE audit_id;
DROP SEQUENCE operator_id;
