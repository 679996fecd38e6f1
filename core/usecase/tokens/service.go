package tokens

import "github.com/vitrine-crm/vitrine/core/kernel"

// Service is the use cases about tokens and clients of the API.
type Service struct {
	API
	kernel.Area[API]
	k       *kernel.Kernel
	bearers *sessions
	keys    *sessions
	uses    *uses
}

// New makes the area on a kernel.
func New(k *kernel.Kernel) *Service {
	s := &Service{
		k: k, bearers: newSessions(unit.openToken, unknownToken), keys: newSessions(unit.openKey, unknownKey), uses: newUses(),
	}
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
