-- +goose Up
CREATE SEQUENCE webhook_id;
CREATE SEQUENCE webhook_auth_id;
CREATE SEQUENCE delivery_id;
CREATE SEQUENCE app_log_id;

-- Room for the new version of a row on the page of the old one.
ALTER TABLE webhook SET (fillfactor = 70);
ALTER TABLE hook_turn SET (fillfactor = 50);

-- +goose Down
DROP SEQUENCE app_log_id;
DROP SEQUENCE delivery_id;
DROP SEQUENCE webhook_auth_id;
DROP SEQUENCE webhook_id;
