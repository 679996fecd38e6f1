-- A refresh token knows which one it came from, how many pairs it gave, and whether
-- its successors went on, instead of how far its family got.

-- +goose Up
ALTER TABLE token ADD COLUMN parent_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE token ADD COLUMN pairs BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN succeeded BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE token SET pairs = 1, succeeded = generation < (SELECT used_generation FROM token_family WHERE token_family.id = token.family_id)
    WHERE rotated_at IS NOT NULL AND EXISTS (SELECT 1 FROM token_family WHERE token_family.id = token.family_id);
ALTER TABLE token DROP COLUMN generation;
ALTER TABLE token DROP COLUMN parent_generation;
ALTER TABLE token_family DROP COLUMN issued_generation;
ALTER TABLE token_family DROP COLUMN used_generation;

-- +goose Down
ALTER TABLE token_family ADD COLUMN used_generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token_family ADD COLUMN issued_generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN parent_generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token DROP COLUMN succeeded;
ALTER TABLE token DROP COLUMN pairs;
ALTER TABLE token DROP COLUMN parent_hash;
