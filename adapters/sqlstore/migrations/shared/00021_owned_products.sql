-- What a customer owns is asked for whenever the customer is read. Many products
-- have no owner.

-- +goose Up
CREATE INDEX product_of_customer ON product (site_id, customer_id, id) WHERE customer_id <> 0 AND deleted_at IS NULL;

-- +goose Down
DROP INDEX product_of_customer;
