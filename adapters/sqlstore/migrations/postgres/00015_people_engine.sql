-- +goose Up
CREATE SEQUENCE search_request_id;
CREATE SEQUENCE follow_up_id;
CREATE SEQUENCE lead_id;

-- +goose Down
DROP SEQUENCE lead_id;
DROP SEQUENCE follow_up_id;
DROP SEQUENCE search_request_id;
