package people

import (
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/listing"
)

// Service is the use cases about people.
type Service struct {
	API
	unchecked  API
	operations []api.Operation

	k       *api.Kernel
	listing *listing.Service
}

// New makes the area on a kernel, together with that of products.
//
// The two know each other: products count the search requests they match.
func New(k *api.Kernel) *Service {
	s := &Service{k: k}
	s.listing = listing.New(k, s.CountMatching)
	s.operations = s.table(&s.API)
	s.unchecked = s.API
	api.Check(s.operations)
	return s
}

// Listing is the area of products.
func (s *Service) Listing() *listing.Service { return s.listing }

// Operations are the area's lines in the table of operations.
func (s *Service) Operations() []api.Operation { return s.operations }

// Unchecked are the use cases without the check of pack, permission and right,
// for those who have made sure themselves.
func (s *Service) Unchecked() API { return s.unchecked }
