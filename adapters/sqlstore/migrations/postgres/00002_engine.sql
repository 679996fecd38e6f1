-- Ids come from native sequences: a row that counts would make every writer of
-- every site wait for the one before it.

-- +goose Up
CREATE SEQUENCE product_id;
CREATE SEQUENCE room_id;
CREATE SEQUENCE customer_id;
CREATE SEQUENCE family_id;

-- Room for the new version of a row on the page of the old one.
ALTER TABLE site_head SET (fillfactor = 50);
ALTER TABLE product SET (fillfactor = 85);

-- +goose Down
DROP SEQUENCE family_id;
DROP SEQUENCE customer_id;
DROP SEQUENCE room_id;
DROP SEQUENCE product_id;
