-- Events tell what an update changed, by name, and are found by what they are about.

-- +goose Up
ALTER TABLE ledger ADD COLUMN changed TEXT NOT NULL DEFAULT '';
CREATE INDEX ledger_by_resource ON ledger (site_id, resource_id, seq);

-- +goose Down
DROP INDEX ledger_by_resource;
ALTER TABLE ledger DROP COLUMN changed;
