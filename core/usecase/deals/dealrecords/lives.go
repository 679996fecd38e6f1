package dealrecords

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Offers returns the life of the offers of a site. What is stored says what
// the clock makes of it.
func Offers() kernel.Resource[offer.ID, offer.Offer] {
	return kernel.Resource[offer.ID, offer.Offer]{
		Unknown: fault.Textf("no offer has this id"),
		IDs:     port.OfferIDs,
		Table: func(tx port.Tx) kernel.Table[offer.ID, offer.Offer] {
			return foreseeing[offer.ID, offer.Offer]{tx.Offers(), offer.Offer.Foresee}
		},
		Created: event.OfferCreate, Updated: event.OfferUpdate, Deleted: event.OfferDelete,
		Stamp: func(o *offer.Offer) kernel.Stamp[offer.ID] {
			return kernel.Stamp[offer.ID]{ID: &o.ID, Version: &o.Version, Added: &o.Added, Modified: &o.Modified}
		},
		Agency: func(o offer.Offer) site.AgencyID { return o.Agency },
		Same:   offer.Offer.Same,

		Differences: edit.Closed[offer.Offer],
	}
}

// Zones finds the time zone of an agency.
type Zones = func(site.AgencyID) *time.Location

// Agreements returns the life of the sale agreements of a site, each in the zone of its agency.
func Agreements(zones Zones) kernel.Resource[agreement.ID, agreement.Agreement] {
	return kernel.Resource[agreement.ID, agreement.Agreement]{
		Unknown: fault.Textf("no sale agreement has this id"),
		IDs:     port.AgreementIDs,
		Table: func(tx port.Tx) kernel.Table[agreement.ID, agreement.Agreement] {
			return foreseeing[agreement.ID, agreement.Agreement]{tx.Agreements(), func(a agreement.Agreement) agreement.Agreement { return a.Foresee(zones(a.Agency)) }}
		},
		Created: event.AgreementCreate, Updated: event.AgreementUpdate, Deleted: event.AgreementDelete,
		Stamp: func(a *agreement.Agreement) kernel.Stamp[agreement.ID] {
			return kernel.Stamp[agreement.ID]{ID: &a.ID, Version: &a.Version, Added: &a.Added, Modified: &a.Modified}
		},
		Agency: func(a agreement.Agreement) site.AgencyID { return a.Agency },
		Same:   agreement.Agreement.Same,

		Differences: edit.Closed[agreement.Agreement],
	}
}

// Leases returns the life of the leases of a site, each in the zone of its agency.
func Leases(zones Zones) kernel.Resource[letting.ID, letting.Lease] {
	return kernel.Resource[letting.ID, letting.Lease]{
		Unknown: fault.Textf("no lease has this id"),
		IDs:     port.LeaseIDs,
		Table: func(tx port.Tx) kernel.Table[letting.ID, letting.Lease] {
			return foreseeing[letting.ID, letting.Lease]{tx.Lettings(), func(l letting.Lease) letting.Lease { return l.Foresee(zones(l.Agency)) }}
		},
		Created: event.LeaseCreate, Updated: event.LeaseUpdate, Deleted: event.LeaseDelete,
		Stamp: func(l *letting.Lease) kernel.Stamp[letting.ID] {
			return kernel.Stamp[letting.ID]{ID: &l.ID, Version: &l.Version, Added: &l.Added, Modified: &l.Modified}
		},
		Agency: func(l letting.Lease) site.AgencyID { return l.Agency },
		Same:   letting.Lease.Same,

		Differences: edit.Closed[letting.Lease],
	}
}

// foreseeing is a table whose records are stored with what the clock makes of
// them, so that searches and the clock find them by it.
type foreseeing[ID ~int64, T any] struct {
	kernel.Table[ID, T]
	foresee func(T) T
}

// Put implements kernel.Table.
func (t foreseeing[ID, T]) Put(v T) error { return t.Table.Put(t.foresee(v)) }
