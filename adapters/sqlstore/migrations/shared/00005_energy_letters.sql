-- Which energy letters of a product were computed, and off which scale. Letters
-- stored before were sent by somebody.

-- +goose Up
ALTER TABLE product ADD COLUMN energy_derived  BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE product ADD COLUMN climate_derived BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE product ADD COLUMN energy_regime   TEXT    NOT NULL DEFAULT '';

ALTER TABLE site ADD COLUMN energy_scales TEXT NOT NULL DEFAULT 'null';

-- +goose Down
ALTER TABLE site DROP COLUMN energy_scales;
ALTER TABLE product DROP COLUMN energy_regime;
ALTER TABLE product DROP COLUMN climate_derived;
ALTER TABLE product DROP COLUMN energy_derived;
