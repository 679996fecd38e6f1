package hooks

import "github.com/vitrine-crm/vitrine/core/kernel"

// Service is the use cases about webhooks and events.
type Service struct {
	API
	kernel.Area[API]
	// FindEvents looks for events, latest first, as operators do. It checks what
	// ListEvents checks, and leaves out what that leaves out.
	FindEvents kernel.UseCase[FindEvents, FoundEvents]

	k *kernel.Kernel
}

// New makes the area on a kernel.
func New(k *kernel.Kernel) *Service {
	s := &Service{k: k}
	s.FindEvents = kernel.Ruled(eventRule(), reads(s, unit.findEvents))
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
