package catalogue

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Apply brings the index up to a sequence of the ledger. Searches see all of the
// changes or none. A product ends in the state of its last change; changes of
// products the index does not know, new ones or ones that are gone already, are
// fine.
//
// Changes may be applied again, and late: a state with a lower version than the
// one known is ignored, and so is one older than the news that the product is
// gone. The sequence never goes back.
func (x *Index) Apply(seq int64, changes []Change) {
	sheets := make([]*sheet, len(changes))
	for i, change := range changes {
		if change.Now != nil && change.Now.Product.Deleted.IsZero() {
			sheets[i] = new(sheet)
			sheets[i].read(change.Now, x.ignored, criteria.Fold)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, change := range changes {
		switch {
		case sheets[i] != nil:
			x.enter(sheets[i])
		case change.Now != nil:
			x.bury(change.ID, change.Now.Product.Version)
		default:
			x.bury(change.ID, seq)
		}
	}
	x.seq = max(x.seq, seq)
	x.changed += len(changes)
	x.tidy()
}

// enter takes in the present state of a product.
func (x *Index) enter(s *sheet) {
	p := s.product
	slot, known := x.find(p.ID)
	if known {
		old := x.records.get(slot)
		if p.Version < old.version {
			return
		}
		x.disown(slot, old.parent)
	} else {
		x.open(slot)
	}
	var moves [len(x.orders)]bool
	for i := range x.orders {
		value, some := p.SortValue(x.orders[i].key)
		moves[i] = x.orders[i].vacate(slot, value, some)
	}
	changesOwner := x.owners.vacate(slot, p.Customer, p.Customer != 0)
	changesParent := x.parents.vacate(slot, p.Parent, p.Parent != 0)
	changesPlace := x.places.vacate(slot, s.spot.place(), s.placed)
	x.note(slot, s)
	if known {
		x.relearn(slot, s)
	} else {
		x.learn(slot, s)
	}
	for i := range x.orders {
		if moves[i] {
			x.orders[i].join(slot)
		}
	}
	if changesOwner {
		x.owners.join(slot)
	}
	if changesParent {
		x.parents.join(slot)
	}
	if changesPlace {
		x.places.join(slot)
	}
	if p.Parent != 0 {
		x.lots[p.Parent]++
		x.miss(p.Parent)
	}
	delete(x.missing, p.ID)
}

// miss notes whether a product that has lots is gone.
func (x *Index) miss(parent product.ID) {
	if _, lives := x.lives(parent); !lives {
		x.missing[parent] = true
	}
}

// bury notes that a product is gone. Its slot stays as it is until the product
// comes back or the index is tidied.
func (x *Index) bury(id product.ID, version int64) {
	slot, known := x.find(id)
	if !known {
		return
	}
	r := x.records.get(slot)
	if version < r.version {
		return
	}
	x.disown(slot, r.parent)
	x.living.remove(slot)
	r.version = version
	x.records.put(slot, r)
	if x.lots[id] > 0 {
		x.missing[id] = true
	}
}

// disown counts a living product out of the lots of its parent.
func (x *Index) disown(slot uint32, parent product.ID) {
	if parent == 0 || !x.living.has(slot) {
		return
	}
	x.lots[parent]--
	if x.lots[parent] == 0 {
		delete(x.lots, parent)
		delete(x.missing, parent)
	}
}

// tidy keeps the index in shape after changes: texts get their trigrams when
// they have become many, and the slots of products that are gone are given up
// when there is one for every two products.
func (x *Index) tidy() {
	x.references.spell()
	x.names.spell()
	for _, c := range x.criteria {
		c.texts.spell()
	}
	if gone := int(x.slots) - x.living.size(); gone > x.tuning.compactFrom && 2*gone > x.living.size() {
		x.arrange(slices.Collect(x.living.all()))
	}
}
