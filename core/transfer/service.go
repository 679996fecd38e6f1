package transfer

import (
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/listing"
)

// Service brings whole sites and portfolios in and out.
type Service struct {
	k       *api.Kernel
	listing *listing.Service
}

// New makes the area on a kernel.
func New(k *api.Kernel, l *listing.Service) *Service { return &Service{k: k, listing: l} }
