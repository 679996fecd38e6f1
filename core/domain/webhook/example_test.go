package webhook_test

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// A receiver that fails is tried again after 1, 5 and 25 minutes; then its webhook is
// suspended.
func ExamplePolicy_Settle() {
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	var hook webhook.Webhook
	var delivery webhook.Delivery
	for range 4 {
		hook, delivery = webhook.DefaultPolicy().Settle(hook, delivery, webhook.Outcome{Verdict: webhook.Failure, Reason: "status 503"}, now)
		fmt.Println(delivery.Status, delivery.Due.Sub(now), hook.State)
		now = delivery.Due
	}
	// Output:
	// pending 1m0s active
	// pending 5m0s active
	// pending 25m0s active
	// failed 0s suspended
}
