-- +goose Up
CREATE SEQUENCE api_key_id;

-- +goose Down
DROP SEQUENCE api_key_id;
