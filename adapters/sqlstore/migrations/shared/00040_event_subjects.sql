-- What an action is about, a product or a customer, which its event does not name.

-- +goose Up
ALTER TABLE ledger ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE delivery ADD COLUMN subject TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE delivery DROP COLUMN subject;
ALTER TABLE ledger DROP COLUMN subject;
