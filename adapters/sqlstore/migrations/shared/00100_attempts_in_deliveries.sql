-- expands: the attempts of a delivery are in its row, a line of JSON each.

-- +goose Up
ALTER TABLE delivery ADD COLUMN attempts TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE delivery DROP COLUMN attempts;
