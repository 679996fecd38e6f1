-- expands: how sites stand that move from one database to another. state is 0 for all that
-- do not.

-- +goose Up
ALTER TABLE site_head ADD COLUMN state BIGINT NOT NULL DEFAULT 0;
ALTER TABLE site_head ADD COLUMN move_id TEXT NOT NULL DEFAULT '';
ALTER TABLE site_head ADD COLUMN moved_to TEXT NOT NULL DEFAULT '';
ALTER TABLE site_head ADD COLUMN moved_until BIGINT;

-- +goose Down
ALTER TABLE site_head DROP COLUMN moved_until;
ALTER TABLE site_head DROP COLUMN moved_to;
ALTER TABLE site_head DROP COLUMN move_id;
ALTER TABLE site_head DROP COLUMN state;
