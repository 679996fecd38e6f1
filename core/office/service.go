package office

import "github.com/vitrine-crm/vitrine/core/api"

// Service is the use cases about a site, its agencies, users and vocabulary.
type Service struct {
	API
	api.Area[API]
	// Changes are for operators.
	Changes Changes

	k *api.Kernel
}

// New makes the area on a kernel.
func New(k *api.Kernel) *Service {
	s := &Service{k: k}
	s.Changes = s.changes()
	s.Area = api.NewArea(&s.API, s.table)
	return s
}
