package people

import (
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Service is the use cases about people.
type Service struct {
	API
	kernel.Area[API]

	k       *kernel.Kernel
	listing *listing.Service
	changed kernel.UseCase[kernel.Adopted, kernel.None]
}

// New makes the area on a kernel, together with that of products.
//
// The two know each other: products count the search requests they match.
func New(k *kernel.Kernel) *Service {
	s := &Service{k: k}
	s.listing = listing.New(k, s.CountMatching)
	s.changed = kernel.Ruled(updateRule(), writes(s, Unit.changed))
	s.Area = kernel.NewArea(&s.API, s.table)
	return s
}

// Listing returns the area of products.
func (s *Service) Listing() *listing.Service { return s.listing }
