package hooks

import (
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Service is the use cases about webhooks and events.
type Service struct {
	API
	kernel.Area[API]
	// FindEvents looks for events, latest first, as operators do. It checks what
	// ListEvents checks, and leaves out what that leaves out.
	FindEvents kernel.UseCase[FindEvents, FoundEvents]
	// CountDeliveries counts the deliveries of a webhook over time. It checks what ListDeliveries
	// checks.
	CountDeliveries kernel.UseCase[CountDeliveries, DeliveryCounts]
	// ResumeHook reactivates a suspended webhook and sends, in one unit of work, what it
	// has not received since its last success, as a replay does. It checks what
	// UpdateHook checks. It is a Conflict when the webhook is active.
	ResumeHook kernel.UseCase[HookPath, Replayed]

	k *kernel.Kernel
}

// New makes the area on a kernel.
func New(k *kernel.Kernel) *Service {
	s := &Service{k: k}
	s.FindEvents = kernel.Ruled(eventRule(), reads(s, unit.findEvents))
	s.CountDeliveries = kernel.Ruled(kernel.Needs(webhooks, hookRead, access.HookGet), reads(s, unit.countDeliveries))
	s.ResumeHook = kernel.Ruled(kernel.Needs(webhooks, hookWrite, access.HookUpdate), writes(s, unit.resume))
	s.Area = kernel.NewArea(&s.API, s.table)
	return s
}

// unit is a unit of work of the area.
type unit struct{ kernel.Unit }

func newUnit(u kernel.Unit) unit { return unit{u} }

func reads[In, Out any](s *Service, use func(unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Reads(s.k, newUnit, use)
}

func writes[In, Out any](s *Service, use func(unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Writes(s.k, newUnit, use)
}
