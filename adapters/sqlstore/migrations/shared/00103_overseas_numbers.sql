-- expands: numbers of the departments overseas that were taken for numbers of the mainland get their own codes.

-- +goose Up
INSERT INTO customer_contact (site_id, contact_key, customer_id)
    SELECT site_id, '+596' || substr(contact_key, 4), customer_id FROM customer_contact WHERE contact_key LIKE '+33596______' ON CONFLICT DO NOTHING;
INSERT INTO customer_contact (site_id, contact_key, customer_id)
    SELECT site_id, '+262' || substr(contact_key, 4), customer_id FROM customer_contact WHERE contact_key LIKE '+33263______' OR contact_key LIKE '+33269______' ON CONFLICT DO NOTHING;
INSERT INTO customer_contact (site_id, contact_key, customer_id)
    SELECT site_id, '+508' || substr(contact_key, 7), customer_id FROM customer_contact WHERE contact_key LIKE '+33508______' ON CONFLICT DO NOTHING;
DELETE FROM customer_contact
    WHERE contact_key LIKE '+33596______' OR contact_key LIKE '+33263______' OR contact_key LIKE '+33269______' OR contact_key LIKE '+33508______';
UPDATE customer SET profile = replace(replace(replace(replace(profile,
    '"E164":"+33596', '"E164":"+596596'), '"E164":"+33263', '"E164":"+262263'), '"E164":"+33269', '"E164":"+262269'), '"E164":"+33508', '"E164":"+508')
WHERE profile LIKE '%"E164":"+33596%' OR profile LIKE '%"E164":"+33263%' OR profile LIKE '%"E164":"+33269%' OR profile LIKE '%"E164":"+33508%';

-- +goose Down
SELECT 1;
