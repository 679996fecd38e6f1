package hooks

import "github.com/vitrine-crm/vitrine/core/api"

// Service is the use cases about webhooks and events.
type Service struct {
	API
	unchecked  API
	operations []api.Operation
	k          *api.Kernel
}

// New makes the area on a kernel.
func New(k *api.Kernel) *Service {
	s := &Service{k: k}
	s.operations = s.table(&s.API)
	s.unchecked = s.API
	api.Check(s.operations)
	return s
}

// Operations are the lines of the area in the table of operations.
func (s *Service) Operations() []api.Operation { return s.operations }

// Unchecked are the use cases without the check of pack, permission and right,
// for those who have made sure themselves.
func (s *Service) Unchecked() API { return s.unchecked }

// unit is a unit of work of the area.
type unit struct{ api.Unit }

func newUnit(u api.Unit) unit { return unit{u} }

func reads[In, Out any](s *Service, use func(unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Reads(s.k, newUnit, use)
}

func writes[In, Out any](s *Service, use func(unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Writes(s.k, newUnit, use)
}
