package port

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// Sender makes one attempt to deliver. It has no error: failing to reach the
// receiver is an outcome like any other. It must bound the attempt in time and
// in what it reads, follow no redirect, and connect to permitted addresses
// only.
type Sender interface {
	Send(context.Context, webhook.Request) webhook.Answer
}

// Geocoder finds out where an address is. Without a street it is asked about
// the town. The Source of its answer is FromAddress or FromCity: how near it
// came. It paces itself and bounds every request in time. It is asked several
// questions at once.
//
// Errors: an address nobody knows is fault.NotFound; one that would be refused
// whenever it is asked about is fault.Invalid. After any other error the address
// is asked about again: for ever when the error is fault.Unavailable or
// fault.Limited, which say that no address would be answered now; otherwise until
// it has failed several times while others were answered.
type Geocoder interface {
	Locate(context.Context, product.Address) (product.Place, error)
}
