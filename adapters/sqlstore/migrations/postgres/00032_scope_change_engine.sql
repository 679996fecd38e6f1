-- +goose Up
CREATE SEQUENCE scope_change_id;

-- +goose Down
DROP SEQUENCE scope_change_id;
