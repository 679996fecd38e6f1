package tokens

import "github.com/vitrine-crm/vitrine/core/api"

// Service is the use cases about tokens and clients of the API.
type Service struct {
	API
	api.Area[API]
	k       *api.Kernel
	bearers *sessions
	keys    *sessions
	uses    *uses
}

// New makes the area on a kernel.
func New(k *api.Kernel) *Service {
	s := &Service{
		k: k, bearers: newSessions(unit.openToken, unknownToken), keys: newSessions(unit.openKey, unknownKey), uses: newUses(),
	}
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
