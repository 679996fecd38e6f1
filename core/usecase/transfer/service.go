package transfer

import (
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Service brings whole sites and portfolios in and out.
type Service struct {
	k       *kernel.Kernel
	listing *listing.Service
}

// New makes the area on a kernel.
func New(k *kernel.Kernel, l *listing.Service) *Service { return &Service{k: k, listing: l} }
