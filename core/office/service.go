package office

import "github.com/vitrine-crm/vitrine/core/api"

// Service is the use cases about a site, its agencies, users and vocabulary.
type Service struct {
	API
	api.Area[API]
	// Settings reads what can be changed of a site, as operators do. It checks what
	// ListCriteria checks.
	Settings api.UseCase[api.Nothing, SiteSettings]
	// Changes are for operators.
	Changes Changes

	k *api.Kernel
}

// New makes the area on a kernel.
func New(k *api.Kernel) *Service {
	s := &Service{k: k}
	s.Settings, s.Changes = api.Ruled(settingsRule(), readSettings), s.changes()
	s.Area = api.NewArea(&s.API, s.table)
	return s
}
