-- +goose Up
CREATE SEQUENCE import_id;

-- +goose Down
DROP SEQUENCE import_id;
