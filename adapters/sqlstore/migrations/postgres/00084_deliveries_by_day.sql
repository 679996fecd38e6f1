-- expands: deliveries and their attempts are kept in a table for each day, which goes whole. Tables, columns
-- and keys have the names they had. What there is becomes the first of these tables as it is: nothing is copied.

-- Each step can be applied again, and only the last one locks the tables, for a moment.
-- +goose NO TRANSACTION

-- +goose Up
-- A day has a thousand million ids of its own, beginning at the number of the day, since 1970,
-- times that. Ids until now are below those of tomorrow.
-- +goose StatementBegin
DO $$
DECLARE
    tomorrow BIGINT := (floor(extract(epoch FROM now()) / 86400)::bigint + 1) * 1000000000;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = 'delivery'::regclass) THEN
        PERFORM set_config('lock_timeout', '200ms', true);
        ALTER TABLE delivery DROP CONSTRAINT IF EXISTS delivery_until;
        ALTER TABLE delivery_attempt DROP CONSTRAINT IF EXISTS delivery_attempt_until;
        EXECUTE format('ALTER TABLE delivery ADD CONSTRAINT delivery_until CHECK (id < %s) NOT VALID', tomorrow);
        EXECUTE format('ALTER TABLE delivery_attempt ADD CONSTRAINT delivery_attempt_until CHECK (delivery_id < %s) NOT VALID', tomorrow);
    END IF;
END $$;
-- +goose StatementEnd

-- This reads all that there is, beside those who read and write.
-- +goose StatementBegin
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = 'delivery'::regclass) THEN
        ALTER TABLE delivery VALIDATE CONSTRAINT delivery_until;
        ALTER TABLE delivery_attempt VALIDATE CONSTRAINT delivery_attempt_until;
    END IF;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE
    until BIGINT;
BEGIN
    IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = 'delivery'::regclass) THEN
        RETURN;
    END IF;
    SELECT substring(pg_get_constraintdef(oid) FROM '\d{10,}')::bigint INTO until
        FROM pg_constraint WHERE conrelid = 'delivery'::regclass AND conname = 'delivery_until';
    PERFORM set_config('lock_timeout', '200ms', true);
    LOCK TABLE delivery, delivery_attempt IN ACCESS EXCLUSIVE MODE;

    ALTER TABLE delivery RENAME TO delivery_before_days;
    ALTER TABLE delivery_before_days RENAME CONSTRAINT delivery_pkey TO delivery_before_days_pkey;
    ALTER INDEX delivery_pending RENAME TO delivery_before_days_pending;
    ALTER INDEX delivery_over RENAME TO delivery_before_days_over;
    ALTER INDEX delivery_about RENAME TO delivery_before_days_about;
    CREATE TABLE delivery (LIKE delivery_before_days INCLUDING DEFAULTS) PARTITION BY RANGE (id);
    ALTER TABLE delivery ADD PRIMARY KEY (site_id, hook_id, id);
    CREATE INDEX delivery_pending ON delivery (site_id, hook_id, event_seq, id) WHERE status = 'pending';
    CREATE INDEX delivery_over ON delivery (added_at) WHERE status <> 'pending';
    CREATE INDEX delivery_about ON delivery (site_id, resource_id)
        WHERE type <> 'PRODUCT_CREATE' AND type <> 'PRODUCT_UPDATE' AND type <> 'PRODUCT_DELETE';
    EXECUTE format('ALTER TABLE delivery ATTACH PARTITION delivery_before_days FOR VALUES FROM (MINVALUE) TO (%s)', until);
    ALTER TABLE delivery_before_days DROP CONSTRAINT delivery_until;
    CREATE TABLE delivery_of_no_day PARTITION OF delivery DEFAULT;

    ALTER TABLE delivery_attempt RENAME TO delivery_attempt_before_days;
    ALTER TABLE delivery_attempt_before_days RENAME CONSTRAINT delivery_attempt_pkey TO delivery_attempt_before_days_pkey;
    CREATE TABLE delivery_attempt (LIKE delivery_attempt_before_days INCLUDING DEFAULTS) PARTITION BY RANGE (delivery_id);
    ALTER TABLE delivery_attempt ADD PRIMARY KEY (site_id, delivery_id, number);
    EXECUTE format('ALTER TABLE delivery_attempt ATTACH PARTITION delivery_attempt_before_days FOR VALUES FROM (MINVALUE) TO (%s)', until);
    ALTER TABLE delivery_attempt_before_days DROP CONSTRAINT delivery_attempt_until;
    CREATE TABLE delivery_attempt_of_no_day PARTITION OF delivery_attempt DEFAULT;
END $$;
-- +goose StatementEnd

-- +goose Down
-- What made these tables removes them, with those of the days.
SELECT 1;
