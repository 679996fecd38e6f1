-- Whether a product has lots is asked when it is to become one itself.

-- +goose Up
CREATE INDEX product_of_parent ON product (site_id, parent_id) WHERE parent_id <> 0 AND deleted_at IS NULL;

-- +goose Down
DROP INDEX product_of_parent;
