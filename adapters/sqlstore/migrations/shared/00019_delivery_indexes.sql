-- Every result of an attempt writes to the indexes of deliveries: there are as few
-- as can be. When turns are due is in hook_turn; which events got through is asked
-- about one webhook at a time, and seldom.

-- +goose Up
DROP INDEX delivery_due;
DROP INDEX delivery_succeeded;
DROP INDEX delivery_over;
CREATE INDEX delivery_over ON delivery (added_at) WHERE status <> 'pending';
-- Nearly all deliveries are about products, and are not looked for by these.
DROP INDEX delivery_about;
CREATE INDEX delivery_about ON delivery (site_id, resource_id)
    WHERE type <> 'PRODUCT_CREATE' AND type <> 'PRODUCT_UPDATE' AND type <> 'PRODUCT_DELETE';

-- +goose Down
DROP INDEX delivery_about;
CREATE INDEX delivery_about ON delivery (site_id, resource_id) WHERE type <> 'PRODUCT_UPDATE';
DROP INDEX delivery_over;
CREATE INDEX delivery_over ON delivery (added_at, site_id, id) WHERE status <> 'pending';
CREATE INDEX delivery_succeeded ON delivery (site_id, hook_id, event_seq) WHERE status = 'succeeded';
CREATE INDEX delivery_due ON delivery (site_id, hook_id, due_at) WHERE status = 'pending';
