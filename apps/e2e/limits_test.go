package e2e_test

import (
	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// limited makes a world with limits: requests a second and at once, failed token
// calls a minute, and what becomes of polling.
func limited(perSecond float64, burst, failures int, polling string) choice {
	return configured(func(c *config.Server) {
		c.RateLimit, c.RateBurst, c.TokenFailures, c.Polling = perSecond, burst, failures, polling
	})
}
