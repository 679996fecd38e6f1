-- Numbers of the departments overseas that were taken for numbers of the mainland get
-- their own codes.

-- +goose Up
UPDATE customer_contact SET contact_key = '+596' || substr(contact_key, 4) WHERE contact_key LIKE '+33596______';
UPDATE customer_contact SET contact_key = '+262' || substr(contact_key, 4) WHERE contact_key LIKE '+33263______' OR contact_key LIKE '+33269______';
UPDATE customer_contact SET contact_key = '+508' || substr(contact_key, 7) WHERE contact_key LIKE '+33508______';
UPDATE customer SET profile = replace(replace(replace(replace(profile,
    '"E164":"+33596', '"E164":"+596596'), '"E164":"+33263', '"E164":"+262263'), '"E164":"+33269', '"E164":"+262269'), '"E164":"+33508', '"E164":"+508')
WHERE profile LIKE '%"E164":"+33596%' OR profile LIKE '%"E164":"+33263%' OR profile LIKE '%"E164":"+33269%' OR profile LIKE '%"E164":"+33508%';

-- +goose Down
SELECT 1;
