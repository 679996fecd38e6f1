-- expands: an agency may have a time zone of its own; where it is empty it has that of its site.

-- +goose Up
ALTER TABLE agency ADD COLUMN time_zone TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE agency DROP COLUMN time_zone;
