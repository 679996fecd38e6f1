package office

import "github.com/vitrine-crm/vitrine/core/kernel"

// Service is the use cases about a site, its agencies, users and vocabulary.
type Service struct {
	API
	kernel.Area[API]
	// Settings reads what can be changed of a site, as operators do. It checks what
	// ListCriteria checks.
	Settings kernel.UseCase[kernel.Nothing, SiteSettings]
	// Changes are for operators.
	Changes Changes

	k *kernel.Kernel
}

// New makes the area on a kernel.
func New(k *kernel.Kernel) *Service {
	s := &Service{k: k}
	s.Settings, s.Changes = kernel.Ruled(settingsRule(), readSettings), s.changes()
	s.Area = kernel.NewArea(&s.API, s.table)
	return s
}
