-- What was done with a customer is found from the customer, too.

-- +goose Up
CREATE INDEX action_with ON action (site_id, customer_id, id) WHERE customer_id <> 0;

-- +goose Down
DROP INDEX action_with;
