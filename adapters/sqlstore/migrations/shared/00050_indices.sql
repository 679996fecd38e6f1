-- Sites get the values of the indices that rents follow, and caps of fees.

-- +goose Up
ALTER TABLE site ADD COLUMN indices TEXT NOT NULL DEFAULT '[]';
ALTER TABLE site ADD COLUMN fee_caps TEXT NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE site DROP COLUMN fee_caps;
ALTER TABLE site DROP COLUMN indices;
