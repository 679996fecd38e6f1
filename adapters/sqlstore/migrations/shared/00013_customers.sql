-- Customers get a profile, one JSON value that is read and written whole, and
-- what they are searched by: folded text, and a row per e-mail address and phone
-- number.

-- +goose Up
ALTER TABLE customer ADD COLUMN archived BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE customer ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE customer ADD COLUMN haystack TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN sort_name TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';

CREATE TABLE customer_contact (
    site_id     BIGINT NOT NULL,
    contact_key TEXT   NOT NULL,
    customer_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, contact_key, customer_id)
);
CREATE INDEX contact_of_customer ON customer_contact (site_id, customer_id);

-- What there is moves over as well as SQL can fold text and write JSON; the
-- next change of a customer does it properly.
UPDATE customer SET
    haystack = lower(trim(firstname || ' ' || lastname) || '
' || trim(lastname || ' ' || firstname) || '
' || company || '
' || email),
    sort_name = lower(CASE WHEN lastname = '' THEN company ELSE lastname END),
    profile = '{"Emails":[' || CASE WHEN email = '' THEN '' ELSE '{"ID":1,"Address":"' ||
        replace(replace(email, '\', '\\'), '"', '\"') || '","Primary":true}' END ||
        '],"Phones":[' || CASE WHEN phone = '' THEN '' ELSE '{"ID":1,"Number":"' ||
        replace(replace(phone, '\', '\\'), '"', '\"') || '","Primary":true}' END || ']}';
INSERT INTO customer_contact (site_id, contact_key, customer_id)
    SELECT site_id, lower(email), id FROM customer WHERE email <> '';
ALTER TABLE customer DROP COLUMN email;
ALTER TABLE customer DROP COLUMN phone;

-- +goose Down
ALTER TABLE customer ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN phone TEXT NOT NULL DEFAULT '';
DROP TABLE customer_contact;
ALTER TABLE customer DROP COLUMN profile;
ALTER TABLE customer DROP COLUMN sort_name;
ALTER TABLE customer DROP COLUMN haystack;
ALTER TABLE customer DROP COLUMN version;
ALTER TABLE customer DROP COLUMN archived;
