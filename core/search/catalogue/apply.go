package catalogue

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Apply brings the index up to a sequence of the ledger. Searches see all of the
// changes or none. A product ends in the state of its last change; it may be new, or
// deleted already.
//
// Changes may be applied again, and late: a state with a lower version than the
// one known is ignored, and so is one older than the deletion of the product. The
// sequence never goes back.
func (x *Index) Apply(seq int64, changes []Change) {
	products := make([]*normalised, len(changes))
	for i, change := range changes {
		if change.Now != nil && change.Now.Product.Deleted.IsZero() {
			products[i] = new(normalised)
			products[i].read(change.Now, x.ignored, criteria.Fold)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, change := range changes {
		switch {
		case products[i] != nil:
			x.put(products[i])
		case change.Now != nil:
			x.delete(change.ID, change.Now.Product.Version)
		default:
			x.delete(change.ID, seq)
		}
	}
	x.seq = max(x.seq, seq)
	x.changed += len(changes)
	x.compact()
}

// put stores the present state of a product.
func (x *Index) put(s *normalised) {
	p := s.product
	slot, known := x.find(p.ID)
	if known {
		old := x.records.get(slot)
		if p.Version < old.version {
			return
		}
		x.removeLot(slot, old.parent)
	} else {
		x.open(slot)
	}
	var moves [len(x.orders)]bool
	for i := range x.orders {
		value, some := p.SortValue(x.orders[i].key)
		moves[i] = x.orders[i].detach(slot, value, some)
	}
	changesOwner := x.byOwner.detach(slot, p.Customer, p.Customer != 0)
	changesParent := x.byParent.detach(slot, p.Parent, p.Parent != 0)
	changesPlace := x.byPosition.detach(slot, s.point.sortKey(), s.located)
	x.putFields(slot, s)
	if known {
		x.replaceCriteria(slot, s)
	} else {
		x.putCriteria(slot, s)
	}
	for i := range x.orders {
		if moves[i] {
			x.orders[i].attach(slot)
		}
	}
	if changesOwner {
		x.byOwner.attach(slot)
	}
	if changesParent {
		x.byParent.attach(slot)
	}
	if changesPlace {
		x.byPosition.attach(slot)
	}
	if p.Parent != 0 {
		x.lots[p.Parent]++
		x.checkParent(p.Parent)
	}
	delete(x.missing, p.ID)
}

// checkParent adds a product with lots to the missing ones if it does not exist.
func (x *Index) checkParent(parent product.ID) {
	if _, lives := x.lives(parent); !lives {
		x.missing[parent] = true
	}
}

// delete marks a product as deleted. Its slot keeps its content until the product comes
// back or the index is compacted.
func (x *Index) delete(id product.ID, version int64) {
	slot, known := x.find(id)
	if !known {
		return
	}
	r := x.records.get(slot)
	if version < r.version {
		return
	}
	x.removeLot(slot, r.parent)
	x.living.remove(slot)
	r.version = version
	x.records.put(slot, r)
	if x.lots[id] > 0 {
		x.missing[id] = true
	}
}

// removeLot subtracts a product from the lots of its parent, if it is not deleted.
func (x *Index) removeLot(slot uint32, parent product.ID) {
	if parent == 0 || !x.living.has(slot) {
		return
	}
	x.lots[parent]--
	if x.lots[parent] == 0 {
		delete(x.lots, parent)
		delete(x.missing, parent)
	}
}

// compact maintains the index after changes: texts get trigrams when they have become
// many, and the slots of deleted products are removed when there is one for every two
// products.
func (x *Index) compact() {
	x.references.indexTrigrams()
	x.names.indexTrigrams()
	for _, c := range x.criteria {
		c.texts.indexTrigrams()
	}
	if gone := int(x.slots) - x.living.size(); gone > x.tuning.compactFrom && 2*gone > x.living.size() {
		x.arrange(slices.Collect(x.living.all()))
	}
}
