package hooks

import "github.com/vitrine-crm/vitrine/core/api"

// Service is the use cases about webhooks and events.
type Service struct {
	API
	api.Area[API]
	// FindEvents looks for events, latest first, as operators do. It checks what
	// ListEvents checks, and leaves out what that leaves out.
	FindEvents api.UseCase[FindEvents, FoundEvents]

	k *api.Kernel
}

// New makes the area on a kernel.
func New(k *api.Kernel) *Service {
	s := &Service{k: k}
	s.FindEvents = api.Ruled(eventRule(), reads(s, unit.findEvents))
	s.Area = api.NewArea(&s.API, s.table)
	return s
}

// unit is a unit of work of the area.
type unit struct{ api.Unit }

func newUnit(u api.Unit) unit { return unit{u} }

func reads[In, Out any](s *Service, use func(unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Reads(s.k, newUnit, use)
}

func writes[In, Out any](s *Service, use func(unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Writes(s.k, newUnit, use)
}
