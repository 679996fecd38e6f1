-- +goose Up
-- Whom a request says it is from that was refused before its site was known.
ALTER TABLE request ADD COLUMN claimed TEXT NOT NULL DEFAULT '';
ALTER TABLE request ADD COLUMN unknown_client TEXT NOT NULL DEFAULT '';
CREATE INDEX request_claimed ON request (claimed, at, id) WHERE claimed <> '';

-- +goose Down
DROP INDEX request_claimed;
ALTER TABLE request DROP COLUMN unknown_client;
ALTER TABLE request DROP COLUMN claimed;
