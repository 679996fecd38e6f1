package people

import (
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/listing"
)

// Service is the use cases about people.
type Service struct {
	API
	api.Area[API]

	k       *api.Kernel
	listing *listing.Service
}

// New makes the area on a kernel, together with that of products.
//
// The two know each other: products count the search requests they match.
func New(k *api.Kernel) *Service {
	s := &Service{k: k}
	s.listing = listing.New(k, s.CountMatching)
	s.Area = api.NewArea(&s.API, s.table)
	return s
}

// Listing is the area of products.
func (s *Service) Listing() *listing.Service { return s.listing }
