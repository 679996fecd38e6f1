package geocode

import (
	"context"
	"errors"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Either asks the second geocoder about what the first does not know. When the
// first fails, the second is not asked: an answer is kept while the address
// stays, so it is worth waiting for the better one.
type Either struct{ First, Second port.Geocoder }

var _ port.Geocoder = Either{}

// Locate implements port.Geocoder.
func (e Either) Locate(ctx context.Context, a product.Address) (product.Place, error) {
	place, err := e.First.Locate(ctx, a)
	if errors.Is(err, fault.NotFound) {
		return e.Second.Locate(ctx, a)
	}
	return place, err
}
