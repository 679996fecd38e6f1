package tokens

import "github.com/vitrine-crm/vitrine/core/api"

// Service is the use cases about tokens and clients of the API.
type Service struct {
	API
	unchecked  API
	operations []api.Operation
	k          *api.Kernel
	sessions   *sessions
}

// New makes the area on a kernel.
func New(k *api.Kernel) *Service {
	s := &Service{k: k, sessions: newSessions()}
	s.operations = s.table(&s.API)
	s.unchecked = s.API
	api.Check(s.operations)
	return s
}

// Operations are the lines of the area in the table of operations. Their paths
// are relative to {auth_url}.
func (s *Service) Operations() []api.Operation { return s.operations }

// Unchecked are the use cases as they are: none has a pack, permission or right
// to check, because callers have no token yet.
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
