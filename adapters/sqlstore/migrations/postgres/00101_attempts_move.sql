-- Attempts move to the rows of their deliveries. No version was released that had them elsewhere.

-- +goose Up
UPDATE delivery SET attempts = moved.lines FROM (
    SELECT site_id, delivery_id, string_agg(json_strip_nulls(json_build_object('number', number, 'at', attempted_at, 'url', url,
        'status', http_status, 'nanoseconds', nanoseconds, 'error', error, 'excerpt', nullif(excerpt, ''))) || E'\n', '' ORDER BY number) AS lines
    FROM delivery_attempt GROUP BY site_id, delivery_id
) AS moved WHERE delivery.site_id = moved.site_id AND delivery.id = moved.delivery_id;
DROP TABLE delivery_attempt;
-- Pages of deliveries are left with room for what becomes of them.
-- +goose StatementBegin
DO $$
DECLARE
    part REGCLASS;
BEGIN
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'delivery'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (fillfactor = 30)', part);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
CREATE TABLE delivery_attempt (
    site_id      BIGINT NOT NULL,
    delivery_id  BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    attempted_at BIGINT,
    url          TEXT   NOT NULL,
    http_status  BIGINT NOT NULL,
    nanoseconds  BIGINT NOT NULL,
    error        TEXT   NOT NULL,
    excerpt      TEXT   NOT NULL,
    PRIMARY KEY (site_id, delivery_id, number)
);
