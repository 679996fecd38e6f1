-- A deleted product is kept for a while, whole; after that only what keeps its id
-- and reference taken is.

-- +goose Up
ALTER TABLE product ADD COLUMN purged BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX product_deleted ON product (deleted_at) WHERE deleted_at IS NOT NULL AND NOT purged;

-- +goose Down
DROP INDEX product_deleted;
ALTER TABLE product DROP COLUMN purged;
