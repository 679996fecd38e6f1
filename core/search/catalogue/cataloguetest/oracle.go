package cataloguetest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// Oracle answers every question an Index answers by looking at every product:
// slowly, and in nothing but the words of the specification.
type Oracle struct {
	products map[product.ID]product.Candidate
	// gone are the products that were deleted, and at which sequence.
	gone map[product.ID]int64
}

// NewOracle makes an oracle that knows no product.
func NewOracle() *Oracle {
	return &Oracle{products: map[product.ID]product.Candidate{}, gone: map[product.ID]int64{}}
}

// Add takes in a product, as Builder.Add does.
func (o *Oracle) Add(c product.Candidate) {
	if c.Product.Deleted.IsZero() {
		o.products[c.Product.ID] = c
	}
}

// Apply takes in changes, as Index.Apply does.
func (o *Oracle) Apply(seq int64, changes []catalogue.Change) {
	for _, change := range changes {
		version := seq
		if change.Now != nil {
			version = change.Now.Product.Version
		}
		known, lives := o.products[change.ID]
		died, dead := o.gone[change.ID]
		switch {
		case lives && version < known.Product.Version, dead && version < died:
		case change.Now != nil && change.Now.Product.Deleted.IsZero():
			o.products[change.ID] = *change.Now
			delete(o.gone, change.ID)
		case lives, dead:
			delete(o.products, change.ID)
			o.gone[change.ID] = version
		}
	}
}

// Search is Index.Search.
func (o *Oracle) Search(q catalogue.Query) catalogue.Page {
	matches := o.matches(q.Filter)
	matches = slices.DeleteFunc(matches, func(p product.Product) bool { return p.ID <= q.After })
	slices.SortFunc(matches, q.Order.Compare)
	matches = matches[min(q.Skip, len(matches)):]
	page := catalogue.Page{More: len(matches) > q.Limit}
	lots := o.lots()
	for _, p := range matches[:min(q.Limit, len(matches))] {
		page.Entries = append(page.Entries, entry(p, lots))
	}
	return page
}

// Count is Index.Count.
func (o *Oracle) Count(f product.Filter) int { return len(o.matches(f)) }

// Facets is Index.Facets.
func (o *Oracle) Facets(f product.Filter, facets []product.Facet) (count int, counts [][]int) {
	return product.CountFacets(f, facets, maps.Values(o.shown()))
}

// Entry is Index.Entry.
func (o *Oracle) Entry(id product.ID) (catalogue.Entry, bool) {
	c, ok := o.products[id]
	if !ok {
		return catalogue.Entry{}, false
	}
	return entry(o.withParent(c).Product, o.lots()), true
}

// Owned is Index.Owned.
func (o *Oracle) Owned(owner customer.ID) []product.ID {
	var ids []product.ID
	for id, c := range o.products {
		if c.Product.Customer == owner {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Candidates lists the products by id.
func (o *Oracle) Candidates() []product.Candidate { return byID(o.products) }

// Shown lists the products by id, as a search looks at them.
func (o *Oracle) Shown() []product.Candidate { return byID(o.shown()) }

func byID(products map[product.ID]product.Candidate) []product.Candidate {
	return slices.SortedFunc(maps.Values(products), func(a, b product.Candidate) int { return cmp.Compare(a.Product.ID, b.Product.ID) })
}

func (o *Oracle) matches(f product.Filter) []product.Product {
	var found []product.Product
	for _, c := range o.shown() {
		if f.Matches(c) {
			found = append(found, c.Product)
		}
	}
	return found
}

// shown are the products as a search looks at them.
func (o *Oracle) shown() map[product.ID]product.Candidate {
	shown := make(map[product.ID]product.Candidate, len(o.products))
	for id, c := range o.products {
		shown[id] = o.withParent(c)
	}
	return shown
}

// withParent is a product without a parent that is gone.
func (o *Oracle) withParent(c product.Candidate) product.Candidate {
	if _, lives := o.products[c.Product.Parent]; !lives {
		c.Product.Parent = 0
	}
	return c
}

func (o *Oracle) lots() map[product.ID]int {
	lots := map[product.ID]int{}
	for _, c := range o.products {
		if c.Product.Parent != 0 {
			lots[c.Product.Parent]++
		}
	}
	return lots
}

func entry(p product.Product, lots map[product.ID]int) catalogue.Entry {
	return catalogue.Entry{
		ID: p.ID, Agency: p.Agency, Customer: p.Customer, Parent: p.Parent, Version: p.Version, Lots: lots[p.ID],
	}
}
