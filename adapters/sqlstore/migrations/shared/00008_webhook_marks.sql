-- A webhook can have updates gathered, and the head of a site counts the changes
-- to its marks (table rejection).

-- +goose Up
ALTER TABLE webhook ADD COLUMN coalesce_nanoseconds BIGINT NOT NULL DEFAULT 0;
ALTER TABLE site_head ADD COLUMN marks BIGINT NOT NULL DEFAULT 0;

-- Marks from before count as a change.
UPDATE site_head SET marks = 1 WHERE site_id IN (SELECT site_id FROM rejection);

-- +goose Down
ALTER TABLE site_head DROP COLUMN marks;
ALTER TABLE webhook DROP COLUMN coalesce_nanoseconds;
