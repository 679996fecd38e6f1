-- expands: who caused an event, and what an update changed.

-- +goose Up

-- done_by is who caused the event, request_id by which request. edits are the values that an
-- update changed, sealed, and empty where there are none.
ALTER TABLE ledger ADD COLUMN done_by TEXT NOT NULL DEFAULT '';
ALTER TABLE ledger ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE ledger ADD COLUMN edits TEXT NOT NULL DEFAULT '';
