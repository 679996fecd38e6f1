-- expands: bundles of deliveries are kept in a table for each day, as deliveries are. The table has nothing in it yet.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
    part RECORD;
BEGIN
    IF EXISTS (SELECT FROM delivery_bundle) THEN
        RAISE EXCEPTION 'there are bundles of deliveries already';
    END IF;
    DROP TABLE delivery_bundle;
    CREATE TABLE delivery_bundle (
        site_id     BIGINT NOT NULL,
        hook_id     BIGINT NOT NULL,
        last_id     BIGINT NOT NULL,
        first_id    BIGINT NOT NULL,
        size        BIGINT NOT NULL,
        url         TEXT   NOT NULL,
        first_added BIGINT,
        last_added  BIGINT,
        first_event BIGINT NOT NULL,
        last_event  BIGINT NOT NULL,
        body        TEXT   NOT NULL,
        PRIMARY KEY (site_id, hook_id, last_id)
    ) PARTITION BY RANGE (last_id);
    CREATE INDEX delivery_bundle_ids ON delivery_bundle (site_id, first_id, last_id);
    CREATE INDEX delivery_bundle_age ON delivery_bundle (first_added);
    FOR part IN SELECT substr(c.relname, length('delivery') + 1) AS suffix, pg_get_expr(c.relpartbound, c.oid) AS bounds
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = 'delivery'::regclass
    LOOP
        EXECUTE format('CREATE TABLE delivery_bundle%s PARTITION OF delivery_bundle %s', part.suffix, part.bounds);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- What made these tables removes them.
SELECT 1;
