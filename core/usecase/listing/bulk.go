package listing

import (
	"maps"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// AddAll is Add for several products, each of which has a reference, by few statements. Their
// events follow each other in the ledger. Return its errors, as those of port.AddAll.
func (u Unit) AddAll(added []product.Product) ([]product.Product, error) {
	added = slices.Clone(added)
	if err := u.number(added); err != nil {
		return nil, err
	}
	if err := u.referAll(added); err != nil {
		return nil, err
	}
	told := telling{}
	for _, p := range added {
		told.add(Products.Event(Products.Created, p))
		told.mandate(u, product.Product{}, p)
	}
	if err := told.record(u); err != nil {
		return nil, err
	}
	for i := range added {
		p, recorded := &added[i], told.events[told.first[i]]
		p.Version = recorded.Seq
		if p.Added.IsZero() {
			p.Added = recorded.At
		}
		if p.Modified.IsZero() {
			p.Modified = recorded.At
		}
	}
	return added, port.AddAll(u.Products(), added)
}

// ChangeAll is Change for several products that are locked, each of which shows a difference. It
// returns the new states as they are stored. Return its errors, as those of port.ReplaceAll.
func (u Unit) ChangeAll(changes []Edit) ([]product.Product, error) {
	told := telling{}
	after := make([]product.Product, len(changes))
	for i, c := range changes {
		if err := Products.Changing(u.Unit, c.Before, c.After); err != nil {
			return nil, err
		}
		told.add(Products.ChangeEvent(c.Before, c.After))
		told.mandate(u, c.Before, c.After)
		after[i] = c.After
	}
	return after, u.replaceAll(after, told)
}

// replaceAll records the events of changed products, and stores the products with their versions
// and times, which it sets in after.
func (u Unit) replaceAll(after []product.Product, told telling) error {
	if err := told.record(u); err != nil {
		return err
	}
	for i := range after {
		recorded := told.events[told.first[i]]
		after[i].Version, after[i].Modified = recorded.Seq, kernel.Latest(recorded.At, after[i].Modified)
	}
	return port.ReplaceAll(u.Products(), after)
}

// Edit is a product as it is, and as it is to be.
type Edit struct{ Before, After product.Product }

// number gives ids to products and rooms without one.
func (u Unit) number(added []product.Product) error {
	var nameless []*product.Product
	for i := range added {
		if added[i].ID == 0 {
			nameless = append(nameless, &added[i])
		}
	}
	ids, err := u.NextIDs(Products.IDs, len(nameless))
	if err != nil {
		return err
	}
	for i, p := range nameless {
		p.ID = product.ID(ids[i])
	}
	var rooms []*product.Room
	for i := range added {
		added[i].Rooms = slices.Clone(added[i].Rooms)
		for j := range added[i].Rooms {
			if added[i].Rooms[j].ID == 0 {
				rooms = append(rooms, &added[i].Rooms[j])
			}
		}
	}
	if len(rooms) == 0 {
		return nil
	}
	ids, err = u.NextIDs(port.RoomIDs, len(rooms))
	if err != nil {
		return err
	}
	for i, r := range rooms {
		r.ID = product.RoomID(ids[i])
	}
	return nil
}

// referAll keeps later references of each agency above those that are given.
func (u Unit) referAll(added []product.Product) error {
	pattern := product.ReferencePattern(u.Site.Settings().ReferencePattern)
	highest := map[site.AgencyID]int64{}
	for _, p := range added {
		if n, ok := pattern.Number(p.Agency, p.Reference); ok {
			highest[p.Agency] = max(highest[p.Agency], n)
		}
	}
	// In one order, so that two units do not wait for each other in a circle.
	for _, agency := range slices.Sorted(maps.Keys(highest)) {
		if err := u.RaiseReference(u.Site.ID, agency, highest[agency]); err != nil {
			return err
		}
	}
	return nil
}

// telling are the events of several products.
type telling struct {
	events []event.Event
	// first is where the event of each product is, which gives it its version.
	first []int
}

func (t *telling) add(e event.Event) {
	t.first, t.events = append(t.first, len(t.events)), append(t.events, e)
}

// mandate adds what became of the mandate of a product.
func (t *telling) mandate(u Unit, before, after product.Product) {
	if e, is := mandateEvent(u.Unit, before, after); is {
		t.events = append(t.events, e)
	}
}

// record records the events, and fills in what the ledger makes of them.
func (t *telling) record(u Unit) error {
	last, err := u.RecordAll(t.events)
	for i := range t.events {
		t.events[i].Seq, t.events[i].At = last.Seq-int64(len(t.events)-1-i), last.At
	}
	return err
}
