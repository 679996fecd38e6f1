package siteapi

import (
	"context"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// GetProduct reads one product with the blocks asked for (contract: GET
// /products/{productId}). Whether it is active or published makes no
// difference.
func (s *Service) GetProduct(ctx context.Context, c Caller, in ReadProduct) (Record[Product], error) {
	entry, err := s.entry(ctx, c, product.ID(in.ID))
	if err != nil {
		return Record[Product]{}, err
	}
	var problems fault.Problems
	parts := parseFetch(in.Fetch, &problems)
	if err := firstError(problems.Err(), c.mayFetch(parts)); err != nil {
		return Record[Product]{}, err
	}
	found, err := s.records(ctx, c, []catalogue.Entry{entry}, parts)
	return Record[Product]{found, Version(entry.Version)}, err
}

// entry finds a product of the caller's site: NotFound when there is none,
// Forbidden when its agency is outside the scope.
func (s *Service) entry(ctx context.Context, c Caller, id product.ID) (catalogue.Entry, error) {
	index, err := s.catalogue(ctx, c)
	if err != nil {
		return catalogue.Entry{}, err
	}
	entry, found := index.Entry(id)
	if !found {
		return entry, unknownProduct()
	}
	return entry, c.seesAgency(entry.Agency)
}

func unknownProduct() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "no product has this id")
}

// ListProductCriteria lists the criteria of a product, in the order of their
// definitions (contract: GET /products/{productId}/criteria).
func (s *Service) ListProductCriteria(ctx context.Context, c Caller, in ProductPath) (ProductCriteria, error) {
	var p product.Product
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		var err error
		p, err = c.product(tx, product.ID(in.ID))
		return err
	})
	if err != nil {
		return ProductCriteria{}, err
	}
	list := ProductCriteria{Data: []ProductCriterion{}, Version: Version(p.Version)}
	for _, v := range criterionValues(p, c.settings, func(*criteria.Definition) bool { return true }) {
		list.Data = append(list.Data, ProductCriterion{ID: v.ID, Value: v.Value, Label: v.Label})
	}
	return list, nil
}

// product reads a product of the caller's site in a unit of work, with the
// errors of entry.
func (c Caller) product(tx port.Tx, id product.ID) (product.Product, error) {
	p, err := tx.Products().Get(c.Site(), id)
	if err != nil {
		return p, absentIs(err, unknownProduct())
	}
	return p, c.sees(p)
}

// maxFamily bounds the lists of the products that belong to something.
const maxFamily = 1000

// family finds the products in scope that belong to something, as a filter says,
// by id, and reads which of their blocks are asked for.
func (s *Service) family(ctx context.Context, c Caller, fetch Fetch, of product.Filter) ([]catalogue.Entry, product.Parts, error) {
	var problems fault.Problems
	parts := parseFetch(fetch, &problems)
	if err := firstError(problems.Err(), c.mayFetch(parts)); err != nil {
		return nil, parts, err
	}
	index, err := s.catalogue(ctx, c)
	if err != nil {
		return nil, parts, err
	}
	of.Agencies = c.Scope.Agencies()
	found := index.Search(catalogue.Query{Filter: of, Order: product.Order{Key: product.ByID}, Limit: maxFamily})
	return found.Entries, parts, nil
}

// ListLots lists the lots of a product by reference (contract: GET
// /products/{productId}/lots).
func (s *Service) ListLots(ctx context.Context, c Caller, in ReadProduct) (Records[Product], error) {
	parent, err := s.entry(ctx, c, product.ID(in.ID))
	if err != nil {
		return Records[Product]{}, err
	}
	entries, parts, err := s.family(ctx, c, in.Fetch, product.Filter{Parent: &parent.ID})
	if err != nil {
		return Records[Product]{}, err
	}
	entries, err = s.byReference(ctx, c, entries)
	if err != nil {
		return Records[Product]{}, err
	}
	return s.records(ctx, c, entries, parts)
}

// byReference orders entries by the reference of their products, then by id.
func (s *Service) byReference(ctx context.Context, c Caller, entries []catalogue.Entry) ([]catalogue.Entry, error) {
	references := make(map[product.ID]string, len(entries))
	ids := make([]product.ID, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		products, err := tx.Products().Many(c.Site(), ids)
		for _, p := range products {
			references[p.ID] = p.Reference
		}
		return err
	})
	slices.SortStableFunc(entries, func(a, b catalogue.Entry) int {
		return strings.Compare(references[a.ID], references[b.ID])
	})
	return entries, err
}

// ids are records that carry nothing but the id.
func (s *Service) ids(entries []catalogue.Entry) Records[Product] {
	return Records[Product]{
		names: make([]Rendition, len(entries)),
		build: func(_ context.Context, places []int) ([]*Product, error) {
			built := make([]*Product, len(places))
			for i, place := range places {
				built[i] = &Product{ID: int64(entries[place].ID)}
			}
			return built, nil
		},
	}
}

// unkept are the blocks that change without the product's version changing.
const unkept = product.Owner | product.ActionsHistory | product.LogActions | product.SaleAgreement |
	product.ActiveSaleAgreement | product.Statistic | product.OnlineBooking

// records are the products behind some entries, hydrated when somebody wants
// them.
func (s *Service) records(ctx context.Context, c Caller, entries []catalogue.Entry, parts product.Parts) (Records[Product], error) {
	marked, err := s.marked(ctx, c)
	if err != nil {
		return Records[Product]{}, err
	}
	names := make([]Rendition, len(entries))
	// URLs of private pictures expire.
	expires := parts.Has(product.Photos) && c.seesPrivatePictures()
	if parts&unkept == 0 && !expires {
		for i, e := range entries {
			if parts&namingReceivers != 0 && marked.of(e.ID) != 0 {
				continue // a receiver may move, and the marks stay
			}
			names[i] = Rendition{
				Site: c.Site(), Product: e.ID, Version: e.Version, Settings: c.settings.revision,
				Lots: e.Lots, Parts: parts, Public: c.public(), Marks: marked.of(e.ID),
			}
		}
	}
	return Records[Product]{names: names, build: func(ctx context.Context, places []int) ([]*Product, error) {
		return s.hydrate(ctx, c, entries, places, parts, marked)
	}}, nil
}

// hydrate reads and builds the products at some places of entries.
func (s *Service) hydrate(ctx context.Context, c Caller, entries []catalogue.Entry, places []int, parts product.Parts, marked *marks) ([]*Product, error) {
	ids := make([]product.ID, len(places))
	for i, place := range places {
		ids[i] = entries[place].ID
	}
	slices.Sort(ids)
	var products []product.Product
	var around beside
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		var err error
		if products, err = tx.Products().Many(c.Site(), ids); err != nil {
			return err
		}
		around, err = c.readBeside(tx, products, marked, parts, s.now())
		return err
	})
	if err != nil {
		return nil, err
	}
	if parts.Has(product.Statistic) {
		if around.wanting, err = s.wanting(ctx, c, products); err != nil {
			return nil, err
		}
	}
	byID := make(map[product.ID]*product.Product, len(products))
	for i := range products {
		byID[products[i].ID] = &products[i]
	}
	now := s.now()
	built := make([]*Product, len(places))
	for i, place := range places {
		if p := byID[entries[place].ID]; p != nil && c.Scope.Has(p.Agency) {
			built[i] = productRecord(*p, entries[place].Lots, around, c, parts)
			built[i].addMarks(around.rejections[p.ID], around.hosts)
			s.showPictures(built[i].ProductFields, *p, c, parts, now)
		}
	}
	return built, nil
}

func productRecord(p product.Product, lots int, around beside, c Caller, parts product.Parts) *Product {
	whole, p := p, c.shown(p)
	v := p.Criteria
	fields := &ProductFields{
		Model: p.Reference, AgencyID: int64(p.Agency), UserID: nullable(int64(p.User)), CustomerID: nullable(int64(p.Customer)),
		ParentID: nullable(int64(p.Parent)), LotsCount: lots, PhotosCount: len(p.PublicPictures()),
		Status: nullable(p.Status()), PropertyType: nullable(v.Code(criteria.KeyPropertyType)),
		TransactionType: nullable(v.Code(criteria.KeyTransactionType)),
		Price:           number(v, criteria.KeyPrice), Surface: number(v, criteria.KeySurface), RoomsNumber: number(v, criteria.KeyRooms),
		Title:   nullable(p.Title(c.settings.site.Settings.Language)),
		Address: nullable(v.Text(criteria.KeyAddress)), PostalCode: nullable(v.Text(criteria.KeyPostalCode)),
		City: nullable(v.Text(criteria.KeyCity)), Country: nullable(v.Code(criteria.KeyCountry)),
		Position: positionRecord(whole), Energy: energyRecord(p), HasVisit360: p.HasVisit360(),
		WebStatus: p.WebStatus, Intercabinet: p.Intercabinet, SellerStatistics: p.SellerStatistics,
		NextContact: nullable(p.NextContact), Color: nullable(p.Color),
		DateAdded: Instant{p.Added}, LastModified: Instant{p.Modified}, SyncErrors: []SyncError{},
	}
	if parts != 0 {
		fields.addBlocks(p, whole, around, c, parts)
	}
	return &Product{ID: int64(p.ID), ProductFields: fields}
}

func number(v criteria.Values, key string) *float64 {
	n, ok := v.Number(key)
	if !ok {
		return nil
	}
	return &n
}

func positionRecord(p product.Product) *Position {
	place, found := p.Place()
	if !found {
		return nil
	}
	record := &Position{Latitude: place.Latitude, Longitude: place.Longitude, Source: string(place.Source)}
	if place.Score > 0 {
		record.Score = &place.Score
	}
	return record
}

func energyRecord(p product.Product) Energy {
	v := p.Criteria
	e := Energy{
		Derived: p.Derived.Any(), Regime: nullable(p.Derived.Regime),
		ConsoEnerg: number(v, criteria.KeyConsumption), ValeurGES: number(v, criteria.KeyEmission),
		ConsoEner: nullable(v.Code(criteria.KeyEnergyLetter)), GES: nullable(v.Code(criteria.KeyClimateLetter)),
	}
	if made, ok := v[criteria.KeyEnergyDate].(criteria.Date); ok {
		day := criteria.Date{At: made.At}.String()
		e.DateDPE = &day
	}
	return e
}

// addBlocks fills in the blocks asked for of a product as the caller sees it.
// What the whole product lacks, and where it is, does not depend on that. Blocks
// whose content comes with later parts of the system are empty in their
// documented type.
func (f *ProductFields) addBlocks(p, whole product.Product, around beside, c Caller, parts product.Parts) {
	values := func(kind func(*criteria.Definition) bool) *[]CriterionValue {
		return pointer(criterionValues(p, c.settings, kind))
	}
	set(parts, product.TextCriteria, &f.CriteresText, func() *[]CriterionValue {
		return values(func(d *criteria.Definition) bool {
			return d.Type == criteria.UNIQUE || d.Type == criteria.MULTIPLE || d.Type == criteria.DATE || d.Type == criteria.TEXT && !d.FullText
		})
	})
	set(parts, product.NumberCriteria, &f.CriteresNumber, func() *[]CriterionValue {
		return values(func(d *criteria.Definition) bool { return d.Type == criteria.NUMBER })
	})
	set(parts, product.FullTextCriteria, &f.CriteresFulltext, func() *[]CriterionValue {
		return values(func(d *criteria.Definition) bool { return d.Type == criteria.TEXT && d.FullText })
	})
	set(parts, product.FlagCriteria, &f.CriteresFlag, func() *[]CriterionValue {
		return values(func(d *criteria.Definition) bool { return d.Type == criteria.FLAG })
	})
	set(parts, product.Descriptions, &f.Descriptions, func() *[]Description { return descriptionRecords(p) })
	set(parts, product.Rooms, &f.Rooms, func() *[]Room { return roomRecords(p) })
	set(parts, product.Owner, &f.Customer, func() **CustomerSummary { return pointer(customerSummary(around.owners[p.Customer])) })
	set(parts, product.AssignedTo, &f.AssignedTo, func() **UserSummary { return pointer(c.settings.user(p.User)) })
	set(parts, product.CreatedBy, &f.CreatedBy, func() **UserSummary { return pointer(c.settings.user(p.CreatedBy)) })
	set(parts, product.Scopes, &f.Scopes, func() *[]ScopeItem { return scopeRecords(p, c.settings) })

	set(parts, product.PublicationErrors, &f.CriteresPublicationErrors, func() *[]PublicationError { return publicationErrors(whole, f.PhotosCount, c) })
	set(parts, product.Publications, &f.Publications, func() *[]Publication { return publications(whole) })
	set(parts, product.ActionsHistory, &f.ActionsHistory, func() *[]ActionHistoryItem {
		return pointer(historyRecords(around.history[int64(p.ID)], c.settings))
	})
	set(parts, product.LogActions, &f.LogActions, func() *[]ActionLogItem { return pointer(logRecords(around.log[int64(p.ID)], c.settings)) })
	set(parts, product.SaleAgreement, &f.SaleAgreement, none[SaleAgreement])
	set(parts, product.ActiveSaleAgreement, &f.ActiveSaleAgreement, null[SaleAgreement])
	set(parts, product.LiveVisit, &f.LiveVisit, func() **LiveVisit { return liveVisit(p, c.settings) })
	set(parts, product.Statistic, &f.Statistic, func() *Statistic {
		return statistic(p, around.tallies[int64(p.ID)], around.wanting[p.ID], c.settings.zone)
	})
	set(parts, product.INSEE, &f.INSEE, func() **INSEE {
		place, _ := whole.Place()
		return commune(p, place, c.settings)
	})
	set(parts, product.OnlineBooking, &f.OnlineBooking, func() *OnlineBooking { return &OnlineBooking{NextSlots: []BookingSlot{}} })
	set(parts, product.Category, &f.Category, func() **Category { return category(p, c.settings) })
	set(parts, product.Themes, &f.Themes, func() *[]Theme { return themes(p, c.settings) })
}

func set[T any](parts, part product.Parts, block **T, content func() *T) {
	if parts.Has(part) {
		*block = content()
	}
}

func none[T any]() *[]T { return &[]T{} }

func null[T any]() **T { return new(*T) }

func pointer[T any](v T) *T { return &v }

// criterionValues lists the values of a product whose definitions are wanted,
// in the order of the definitions.
func criterionValues(p product.Product, known *settings, wanted func(*criteria.Definition) bool) []CriterionValue {
	values := []CriterionValue{}
	for d := range known.dictionary.All() {
		value, has := p.Criteria[d.Key]
		if has && wanted(d) {
			values = append(values, CriterionValue{ID: d.Key, Value: criteria.Plain(value), Label: valueLabel(d, value), Derived: p.Derived.Has(d.Key)})
		}
	}
	return values
}

// valueLabel is the label of a value: a choice's own, several joined, and none
// for values that speak for themselves.
func valueLabel(d *criteria.Definition, value criteria.Value) *string {
	var labels []string
	for _, code := range criteria.Codes(value) {
		if choice, found := d.Choice(code); found {
			labels = append(labels, choice.Label)
		}
	}
	return nullable(strings.Join(labels, ", "))
}

func descriptionRecords(p product.Product) *[]Description {
	records := []Description{}
	for _, d := range p.Descriptions {
		records = append(records, Description{Language: d.Language, Title: nullable(d.Title), Text: d.Text, ShortText: nullable(d.ShortText)})
	}
	return &records
}

func roomRecords(p product.Product) *[]Room {
	records := []Room{}
	for i, r := range p.Rooms {
		records = append(records, Room{
			ID: int64(r.ID), Type: r.Type, Surface: r.Surface, Niveau: r.Niveau, Exposition: nullable(r.Exposition),
			Vue: nullable(r.Vue), Sol: nullable(r.Sol), Commentaire: nullable(r.Commentaire), Position: i + 1,
		})
	}
	return &records
}

func customerSummary(c customer.Customer) *CustomerSummary {
	if c.ID == 0 {
		return nil
	}
	return &CustomerSummary{
		ID: int64(c.ID), Type: c.Type, Civility: nullable(c.Civility), Firstname: nullable(c.Firstname), Lastname: nullable(c.Lastname),
		Company: nullable(c.Company), Email: nullable(c.Email()), Phone: nullable(c.Phone()), AgencyID: int64(c.Agency),
		UserID: nullable(int64(c.User)), Color: nullable(c.Color), LastModified: Instant{c.Modified},
	}
}

func (s *settings) user(id site.UserID) *UserSummary {
	u, found := s.users[id]
	if !found {
		return nil
	}
	summary := userSummary(u)
	return &summary
}

// scopeRecords lists the agencies that see a product: its own, and with
// inter-agency sharing the others of the site.
func scopeRecords(p product.Product, known *settings) *[]ScopeItem {
	records := []ScopeItem{{SiteID: int64(p.Site), AgencyID: int64(p.Agency), Access: "owner"}}
	for _, id := range known.scope.Agencies() {
		if p.Intercabinet && id != p.Agency {
			records = append(records, ScopeItem{SiteID: int64(p.Site), AgencyID: int64(id), Access: "intercabinet"})
		}
	}
	return &records
}
