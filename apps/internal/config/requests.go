package config

import (
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/usecase/requests"
)

// Requests says what is kept of requests.
type Requests struct {
	RequestsMax    int           `env:"VITRINE_REQUESTS_MAX" default:"1000000" help:"Requests that are kept to be looked up, the latest ones, about 1 KB each; 0 keeps none and counts none."`
	RetainRequests time.Duration `env:"VITRINE_RETAIN_REQUESTS" default:"168h" help:"How long requests that succeeded can be looked up."`
	RetainRefusals time.Duration `env:"VITRINE_RETAIN_REFUSALS" default:"720h" help:"How long requests that were refused can be looked up."`
}

// Validate reports everything that cannot be right.
func (r Requests) Validate() error {
	switch {
	case r.RequestsMax < 0:
		return errors.New("--requests-max cannot be negative")
	case r.RequestsMax > 0 && (r.RetainRequests < time.Hour || r.RetainRefusals < time.Hour):
		return errors.New("--retain-requests and --retain-refusals must be at least 1h")
	}
	return nil
}

// Retention returns how long requests are kept, and how many.
func (r Requests) Retention() requests.Retention {
	return requests.Retention{Requests: r.RetainRequests, Refusals: r.RetainRefusals, Most: r.RequestsMax}
}
