-- One index finds deliveries by id and lists those of a webhook. The engine writes
-- to each index when a row changes, whatever changed.

-- +goose Up
ALTER TABLE delivery DROP CONSTRAINT delivery_pkey;
ALTER TABLE delivery ADD PRIMARY KEY (site_id, hook_id, id);
DROP INDEX delivery_of_hook;

-- +goose Down
CREATE INDEX delivery_of_hook ON delivery (site_id, hook_id, id);
ALTER TABLE delivery DROP CONSTRAINT delivery_pkey;
ALTER TABLE delivery ADD PRIMARY KEY (site_id, id);
