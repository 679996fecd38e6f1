-- expands: pages of deliveries are left half empty when these are added, with room for what becomes of
-- them. A row that moves to another page is written to the journal as a whole.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
    part REGCLASS;
BEGIN
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'delivery'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DO $$
DECLARE
    part REGCLASS;
BEGIN
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'delivery'::regclass LOOP
        EXECUTE format('ALTER TABLE %s RESET (fillfactor)', part);
    END LOOP;
END $$;
-- +goose StatementEnd
