package listing

import (
	"context"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

func (s *Service) getProduct(ctx context.Context, c kernel.Caller, in ReadProduct) (Record[Product], error) {
	entry, err := s.entry(ctx, c, product.ID(in.ID))
	if err != nil {
		return Record[Product]{}, err
	}
	parts, err := parseFetch(c, in.Fetch)
	if err != nil {
		return Record[Product]{}, err
	}
	found, err := s.records(ctx, c, []catalogue.Entry{entry}, parts)
	if parts.Has(product.OnlineBooking) {
		found.build = s.withNextSlots(found.build, c)
	}
	return Record[Product]{found, kernel.Version(entry.Version)}, err
}

// withNextSlots adds the next slots to the products that build returns, which takes too long
// for a list.
func (s *Service) withNextSlots(build func(context.Context, []int) ([]*Product, error), c kernel.Caller) func(context.Context, []int) ([]*Product, error) {
	return func(ctx context.Context, places []int) ([]*Product, error) {
		built, err := build(ctx, places)
		if err != nil {
			return built, err
		}
		for _, record := range built {
			if record == nil || record.OnlineBooking == nil || !record.OnlineBooking.Enabled {
				continue
			}
			if record.OnlineBooking.NextSlots, err = reads(s, Unit.nextSlotsOf)(ctx, c, product.ID(record.ID)); err != nil {
				return nil, err
			}
		}
		return built, nil
	}
}

// entry returns a product of the caller's site from the search index, with the errors of
// Products.Get.
func (s *Service) entry(ctx context.Context, c kernel.Caller, id product.ID) (catalogue.Entry, error) {
	index, err := s.Index(ctx, c)
	if err != nil {
		return catalogue.Entry{}, err
	}
	entry, found := index.Entry(id)
	if !found {
		return entry, kernel.Unknown("%s", Products.Unknown)
	}
	return entry, c.Sees(entry.Agency)
}

func (u Unit) listProductCriteria(in ProductPath) (ProductCriteria, error) {
	p, err := Products.Get(u, product.ID(in.ID))
	if err != nil {
		return ProductCriteria{}, err
	}
	list := ProductCriteria{Data: []ProductCriterion{}, Version: kernel.Version(p.Version)}
	r := newRecorder(u.Basis, criterionBlocks, related{}, true)
	r.look(&product.Row{Product: p, Facts: criteria.AppendFacts(nil, p.Criteria)})
	r.sortFacts()
	for _, v := range *r.criterionValues(criterionBlocks) {
		list.Data = append(list.Data, ProductCriterion{ID: v.ID, Value: v.Value, Label: v.Label})
	}
	return list, nil
}

// maxLots bounds the list of lots, which is one page.
const maxLots = 1000

// Page returns a page of the products in scope that a filter finds, by id.
func (s *Service) Page(ctx context.Context, c kernel.Caller, fetch Fetch, filter product.Filter, p kernel.SearchPage) (SearchResult, error) {
	found, parts, err := s.find(ctx, c, fetch, catalogue.Query{Filter: filter, After: product.ID(p.After), Limit: p.Limit})
	if err != nil {
		return SearchResult{}, err
	}
	result := resultOf(found, p)
	result.Data, err = s.summaries(ctx, c, found.Entries, parts)
	return result, err
}

// find returns the products in scope that match a query, by id, and the requested blocks.
func (s *Service) find(ctx context.Context, c kernel.Caller, fetch Fetch, q catalogue.Query) (catalogue.Page, product.Parts, error) {
	parts, err := parseFetch(c, fetch)
	if err != nil {
		return catalogue.Page{}, parts, err
	}
	index, err := s.Index(ctx, c)
	if err != nil {
		return catalogue.Page{}, parts, err
	}
	q.Filter.Agencies, q.Order = c.Scope.Agencies(), product.Order{Key: product.ByID}
	return index.Search(q), parts, nil
}

func (s *Service) listLots(ctx context.Context, c kernel.Caller, in ReadProduct) (Lots, error) {
	parent, err := s.entry(ctx, c, product.ID(in.ID))
	if err != nil {
		return Lots{}, err
	}
	found, parts, err := s.find(ctx, c, in.Fetch, catalogue.Query{Filter: product.Filter{Parent: &parent.ID}, Limit: maxLots})
	if err != nil {
		return Lots{}, err
	}
	entries, err := reads(s, Unit.byReference)(ctx, c, found.Entries)
	if err != nil {
		return Lots{}, err
	}
	lots := Lots{HasMore: found.More}
	lots.Data, err = s.records(ctx, c, entries, parts)
	return lots, err
}

// byReference orders entries by the reference of their products, then by id.
func (u Unit) byReference(entries []catalogue.Entry) ([]catalogue.Entry, error) {
	references := make(map[product.ID]string, len(entries))
	ids := make([]product.ID, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	products, err := u.Products().Many(u.Site.ID, ids)
	for _, p := range products {
		references[p.ID] = p.Reference
	}
	slices.SortStableFunc(entries, func(a, b catalogue.Entry) int {
		return strings.Compare(references[a.ID], references[b.ID])
	})
	return entries, err
}

// ids returns records that contain only the id.
func ids(entries []catalogue.Entry) Records[ProductSummary] {
	return Records[ProductSummary]{
		keys: make([]RenderKey, len(entries)),
		build: func(_ context.Context, places []int) ([]*ProductSummary, error) {
			built := make([]*ProductSummary, len(places))
			for i, place := range places {
				built[i] = &ProductSummary{ID: int64(entries[place].ID)}
			}
			return built, nil
		},
	}
}

// unversioned are the blocks that change without the product's version changing.
const unversioned = product.Owner | product.ActionsHistory | product.LogActions | product.SaleAgreement |
	product.ActiveSaleAgreement | product.Statistic | product.OnlineBooking | product.LiveVisit

// unversionedFor returns the blocks that change for a caller without the product's version changing: what is on
// portals is shown to software of the agency.
func unversionedFor(c kernel.Caller) product.Parts {
	if len(c.Site.Portals) > 0 && !c.IsPublic() {
		return unversioned | namingReceivers
	}
	return unversioned
}

// records returns the products of some entries, which are read when they are built.
func (s *Service) records(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, parts product.Parts) (Records[Product], error) {
	known, err := s.rejectedFor(ctx, c)
	if err != nil {
		return Records[Product]{}, err
	}
	keys := make([]RenderKey, len(entries))
	// URLs of private pictures expire.
	expires := parts.Has(product.Photos) && seesPrivatePictures(c)
	if parts&unversionedFor(c) == 0 && !expires {
		for i, e := range entries {
			if parts&namingReceivers != 0 && known.of(e.ID) != 0 {
				continue // a receiver may move, and the rejections stay
			}
			keys[i] = RenderKey{
				Site: c.Site.ID, Product: e.ID, Version: e.Version, Settings: c.Site.Revision,
				Lots: e.Lots, Parts: parts, Public: c.IsPublic(), Rejections: known.of(e.ID),
			}
		}
	}
	found := Records[Product]{keys: keys, guarded: expires || parts&personal != 0, build: func(ctx context.Context, places []int) ([]*Product, error) {
		return s.hydrate(ctx, c, entries, places, parts, known)
	}}
	rejected := slices.ContainsFunc(entries, func(e catalogue.Entry) bool { return known.of(e.ID) != 0 })
	if s.renders(c, parts) && !rejected {
		found.render = func(ctx context.Context, places []int, take func(int, *Product) error) error {
			return s.render(ctx, c, entries, places, parts, take)
		}
	}
	return found, nil
}

// summaries returns the products of some entries as searches show them.
func (s *Service) summaries(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, parts product.Parts) (Records[ProductSummary], error) {
	of, err := s.records(ctx, c, entries, parts)
	found := Records[ProductSummary]{keys: of.keys, guarded: of.guarded, build: func(ctx context.Context, places []int) ([]*ProductSummary, error) {
		products, err := of.build(ctx, places)
		built := make([]*ProductSummary, len(products))
		for i, p := range products {
			if p != nil {
				built[i] = &ProductSummary{p.ID, &p.ProductFields}
			}
		}
		return built, err
	}}
	if of.render != nil {
		found.render = func(ctx context.Context, places []int, take func(int, *ProductSummary) error) error {
			var summary ProductSummary
			return of.render(ctx, places, func(i int, p *Product) error {
				summary = ProductSummary{p.ID, &p.ProductFields}
				return take(i, &summary)
			})
		}
	}
	return found, err
}

// wanted are the products to read, and the requested blocks.
type wanted struct {
	entries  []catalogue.Entry
	parts    product.Parts
	rejected *rejected
}

// hydrated are products and their records, nil for a deleted product.
type hydrated struct {
	products []product.Product
	Records  []*Product
}

func (u Unit) hydrate(w wanted) (h hydrated, err error) {
	ids := make([]product.ID, len(w.entries))
	for i, e := range w.entries {
		ids[i] = e.ID
	}
	slices.Sort(ids)
	if h.products, err = u.Products().Many(u.Site.ID, ids); err != nil {
		return h, err
	}
	r, err := u.related(h.products, w.rejected, w.parts)
	if err != nil {
		return h, err
	}
	byID := make(map[product.ID]*product.Product, len(h.products))
	for i := range h.products {
		byID[h.products[i].ID] = &h.products[i]
	}
	h.Records = make([]*Product, len(w.entries))
	records := newRecorder(u.Basis, w.parts, r, true)
	var row product.Row
	for i, e := range w.entries {
		if p := byID[e.ID]; p != nil && u.Scope.Has(p.Agency) {
			row.Product, row.Facts = *p, criteria.AppendFacts(row.Facts[:0], p.Criteria)
			h.Records[i] = records.recordOf(&row, e)
		}
	}
	return h, nil
}

// hydrate reads and builds the products at some places of entries.
func (s *Service) hydrate(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, places []int, parts product.Parts, known *rejected) ([]*Product, error) {
	w := wanted{entries: make([]catalogue.Entry, len(places)), parts: parts, rejected: known}
	for i, place := range places {
		w.entries[i] = entries[place]
	}
	h, err := reads(s, Unit.hydrate)(ctx, c, w)
	if err != nil || !parts.Has(product.Statistic) {
		return h.Records, err
	}
	// This takes a unit of work of its own, so it comes after the other.
	matching, err := s.matching(ctx, c, h.products)
	for _, record := range h.Records {
		if record != nil && record.Statistic != nil {
			record.Statistic.MatchingSearches = matching[product.ID(record.ID)]
		}
	}
	return h.Records, err
}
