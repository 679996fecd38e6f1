-- +goose Up
CREATE SEQUENCE action_id;

-- +goose Down
DROP SEQUENCE action_id;
