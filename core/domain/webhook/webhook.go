// Package webhook has the subscription, the delivery of events, the state machine that
// settles attempts, the payloads, the signature, and the rules for addresses. It performs no
// I/O and reads no clock.
package webhook

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ID identifies a webhook.
type ID int64

// Key names a webhook among those of all sites.
type Key struct {
	Site site.ID
	Hook ID
}

// AuthID identifies a webhook authentication configuration.
type AuthID int64

// State is whether a webhook receives events.
type State uint8

const (
	// Active: events are delivered.
	Active State = iota
	// Suspended: nothing is sent until the webhook is updated.
	Suspended
)

// String returns the state as responses write it.
func (s State) String() string {
	if s == Suspended {
		return "suspended"
	}
	return "active"
}

// Webhook is a subscription (contract: Webhook subscription).
type Webhook struct {
	ID   ID
	Site site.ID
	URL  string
	// Origins are the event types that it subscribes to, called origines on the wire.
	Origins []event.Type `trace:"keep"`
	// Headers are sent with every delivery, spelt as they were given.
	Headers map[string]string
	Auth    AuthID // 0: none
	Format  Format `trace:"keep"`
	// SkipOwn leaves out events that its own credential caused.
	SkipOwn bool
	// Coalesce is how long updates of one resource are gathered into one request, at most
	// MaxCoalesce; 0 sends each.
	Coalesce time.Duration
	// CreatedBy owns the webhook: it gets only events that this credential may read.
	CreatedBy access.CredentialID `trace:"keep"`

	State State
	// Epoch counts the configurations. The result of an attempt with an earlier one does not
	// count for the present one.
	Epoch           int64
	SuspendedAt     time.Time
	SuspendedReason string
	LastSuccess     time.Time
	LastFailure     time.Time
	// MissedFrom is the first event that it may not have received, 0 when there is none.
	// It stays when the webhook is reactivated, until a replay sends the missed events.
	MissedFrom int64
	// MissedAt is the suspension since which it misses events.
	MissedAt        time.Time
	Added, Modified time.Time
}

// Key returns the key of the webhook.
func (w Webhook) Key() Key { return Key{w.Site, w.ID} }

// Wants reports whether the webhook subscribes to events of the type.
func (w Webhook) Wants(t event.Type) bool { return slices.Contains(w.Origins, t) }

// Reconfigured returns the webhook after an update: active, whatever it was before,
// and in a new epoch (contract: PUT /hooks/{hookId}).
func (w Webhook) Reconfigured(now time.Time) Webhook {
	w.State, w.SuspendedAt, w.SuspendedReason = Active, time.Time{}, ""
	w.Epoch++
	w.Modified = now
	return w
}

// Suspend stops the webhook for a reason.
func (w Webhook) Suspend(reason string, now time.Time) Webhook {
	w.State, w.SuspendedAt, w.SuspendedReason = Suspended, now, reason
	return w
}

// Misses returns a webhook that was just suspended with the first event that it has not
// received. Events that it missed before count as well, unless it had a success since.
func (w Webhook) Misses(first int64) Webhook {
	if w.MissedFrom == 0 || w.LastSuccess.After(w.MissedAt) {
		w.MissedFrom, w.MissedAt = first, w.SuspendedAt
	}
	w.MissedFrom = min(w.MissedFrom, first)
	return w
}

// Catches returns the webhook after a replay of the missed events from one up to another one,
// or of all that follow.
func (w Webhook) Catches(from, last int64, all bool) Webhook {
	switch {
	case w.MissedFrom == 0 || from > w.MissedFrom:
	case all:
		w.MissedFrom, w.MissedAt = 0, time.Time{}
	default:
		w.MissedFrom = max(w.MissedFrom, last+1)
	}
	return w
}
