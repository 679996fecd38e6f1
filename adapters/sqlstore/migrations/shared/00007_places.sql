-- What a geocoder said about the address of a product, empty until somebody has
-- asked; and how far those who follow the ledgers have come.

-- +goose Up
ALTER TABLE product ADD COLUMN geocoded TEXT NOT NULL DEFAULT '';

-- until and served_at are 0 for "never", because they are compared.
CREATE TABLE follower (
    site_id    BIGINT  NOT NULL,
    name       TEXT    NOT NULL,
    holder     TEXT    NOT NULL,
    seq        BIGINT  NOT NULL,
    scanning   BOOLEAN NOT NULL,
    scanned_id BIGINT  NOT NULL,
    until      BIGINT  NOT NULL,
    served_at  BIGINT  NOT NULL,
    PRIMARY KEY (site_id, name)
);

-- +goose Down
DROP TABLE follower;
ALTER TABLE product DROP COLUMN geocoded;
