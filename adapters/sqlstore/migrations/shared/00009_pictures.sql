-- What is known of the pictures of a product, in order. Their content is kept
-- elsewhere.

-- +goose Up
ALTER TABLE product ADD COLUMN pictures TEXT NOT NULL DEFAULT 'null';

-- +goose Down
ALTER TABLE product DROP COLUMN pictures;
