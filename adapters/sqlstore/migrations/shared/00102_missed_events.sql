-- expands: the first event that a webhook missed, and since which suspension. Of webhooks that are suspended it is the
-- first whose delivery failed or was cancelled since the last success, or in the hour before it: retries take as long.

-- +goose Up
ALTER TABLE webhook ADD COLUMN missed_from BIGINT NOT NULL DEFAULT 0;
ALTER TABLE webhook ADD COLUMN missed_at BIGINT;
UPDATE webhook SET missed_at = suspended_at, missed_from = COALESCE((
    SELECT min(d.event_seq) FROM delivery AS d
    WHERE d.site_id = webhook.site_id AND d.hook_id = webhook.id AND d.status IN ('failed', 'cancelled') AND d.event_seq > 0
        AND d.added_at >= COALESCE(webhook.last_success_at - 3600000000, 0)
), 0) WHERE state = 'suspended';

-- +goose Down
ALTER TABLE webhook DROP COLUMN missed_at;
ALTER TABLE webhook DROP COLUMN missed_from;
