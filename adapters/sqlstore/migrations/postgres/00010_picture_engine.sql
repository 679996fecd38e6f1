-- +goose Up
CREATE SEQUENCE picture_id;

-- +goose Down
DROP SEQUENCE picture_id;
