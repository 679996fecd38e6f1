package listing

import (
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/usecase/listing/internal/slab"
)

// recorder makes the records of products as one caller sees them, one after the other.
// Those that are kept have memory of their own; otherwise each takes that of the one
// before, and is good until the next.
type recorder struct {
	kernel.Basis
	parts   product.Parts
	related related
	kept    bool

	// of is the present product. Its criteria are all, and those that the caller is
	// shown; facts are the latter by the place of their definitions.
	of         *product.Row
	all, shown criteria.Facts
	facts      []*criteria.Fact

	record Product
	// hidden is memory for shown, labels for those of one value, and joined for the texts that
	// are made of several labels.
	hidden criteria.Facts
	labels []string
	joined strings.Builder
	texts  slab.Slab[string]
	reals  slab.Slab[float64]
	ids    slab.Slab[int64]
	counts slab.Slab[int]
	flags  slab.Slab[bool]
	places slab.Slab[Position]
	values slab.Slab[CriterionValue]
	blocks slab.Slab[[]CriterionValue]
	errors slab.Slab[[]SyncError]
}

// newRecorder makes records that are kept, or not, of products about which this is known
// besides.
func newRecorder(b kernel.Basis, parts product.Parts, r related, kept bool) *recorder {
	return &recorder{Basis: b, parts: parts, related: r, kept: kept, facts: make([]*criteria.Fact, b.Site.Dictionary.Len())}
}

// look turns to a product.
func (r *recorder) look(of *product.Row) {
	r.of, r.all, r.shown = of, of.Facts, of.Facts
	if veil := r.Veil(); veil.Addresses || len(veil.Private) > 0 {
		r.hidden = veil.AppendFacts(r.hidden[:0], r.all)
		r.shown = r.hidden
	}
	if r.kept {
		return
	}
	r.texts.Empty()
	r.reals.Empty()
	r.ids.Empty()
	r.counts.Empty()
	r.flags.Empty()
	r.places.Empty()
	r.values.Empty()
	r.blocks.Empty()
	r.errors.Empty()
}

// recordOf returns the record of a product. Its parent and lots are what the catalogue says,
// which knows whether the parent is there.
func (r *recorder) recordOf(of *product.Row, known catalogue.Entry) *Product {
	r.look(of)
	record := &r.record
	if r.kept {
		record = new(Product)
	}
	public, cover := publicPictures(of.Pictures)
	*record = Product{ID: int64(of.ID), ProductFields: ProductFields{
		Model: of.Reference, AgencyID: int64(of.Agency), UserID: slab.Nullable(&r.ids, int64(of.User)),
		ParentID: slab.Nullable(&r.ids, int64(known.Parent)), LotsCount: known.Lots, PhotosCount: public,
		Status: r.code(criteria.KeyStatus), PropertyType: r.code(criteria.KeyPropertyType), TransactionType: r.code(criteria.KeyTransactionType),
		Price: r.number(criteria.KeyPrice), Surface: r.number(criteria.KeySurface), RoomsNumber: r.number(criteria.KeyRooms),
		Title:   slab.Nullable(&r.texts, of.Title(r.Site.Settings().Language)),
		Address: r.text(criteria.KeyAddress), PostalCode: r.text(criteria.KeyPostalCode), City: r.text(criteria.KeyCity), Country: r.code(criteria.KeyCountry),
		Position: r.position(), Energy: r.energy(), HasVisit360: r.shown.Text(criteria.KeyVirtualVisit) != "",
		WebStatus: of.WebStatus, Intercabinet: of.Intercabinet,
		DateAdded: kernel.Instant{Time: of.Added}, LastModified: kernel.Instant{Time: of.Modified}, InternalFields: r.internalFields(),
	}}
	if cover != nil {
		record.CoverPhotoURL = r.texts.Keep(PhotoURL(r.Options, of.Product, *cover, 0, r.Now))
	}
	if r.parts != 0 {
		r.addBlocks(record)
	}
	record.addRejections(r.related.rejections[of.ID], r.related.hosts)
	record.addPlacements(r.related.placements[of.ID], r.Site.Portals)
	return record
}

func (r *recorder) code(key string) *string { return slab.Nullable(&r.texts, r.shown.Code(key)) }

func (r *recorder) text(key string) *string { return slab.Nullable(&r.texts, r.shown.Text(key)) }

func (r *recorder) number(key string) *float64 {
	n, ok := r.shown.Number(key)
	if !ok {
		return nil
	}
	return r.reals.Keep(n)
}

// place returns where the product is, which does not depend on what the caller sees.
func (r *recorder) place() (product.Place, bool) { return product.PlaceOf(&r.all, r.of.Geocoded) }

func (r *recorder) position() *Position {
	place, found := r.place()
	if !found {
		return nil
	}
	record := r.places.Keep(Position{Latitude: place.Latitude, Longitude: place.Longitude, Source: string(place.Source)})
	if place.Score > 0 {
		record.Score = r.reals.Keep(place.Score)
	}
	return record
}

func (r *recorder) energy() Energy {
	e := Energy{
		Derived: r.of.Derived.Any(), Regime: slab.Nullable(&r.texts, r.of.Derived.Regime),
		ConsoEnerg: r.number(criteria.KeyConsumption), ValeurGES: r.number(criteria.KeyEmission),
		ConsoEner: r.code(criteria.KeyEnergyLetter), GES: r.code(criteria.KeyClimateLetter),
	}
	if made := r.shown.Find(criteria.KeyEnergyDate); made != nil && made.Type == criteria.DATE {
		e.DateDPE = r.texts.Keep(made.Text[:len(time.DateOnly)])
	}
	return e
}

func (r *recorder) internalFields() InternalFields {
	if r.IsPublic() {
		return InternalFields{}
	}
	return InternalFields{
		CustomerID: slab.Nullable(&r.ids, int64(r.of.Customer)), SellerStatistics: r.flags.Keep(r.of.SellerStatistics),
		NextContact: slab.Nullable(&r.texts, r.of.NextContact), Color: slab.Nullable(&r.counts, r.of.Color), SyncErrors: r.errors.Keep([]SyncError{}),
	}
}

// criterionBlocks are the blocks that list criteria, each one in one of them.
const criterionBlocks = product.TextCriteria | product.NumberCriteria | product.FullTextCriteria | product.FlagCriteria

// blockOf returns the block that lists a criterion.
func blockOf(d *criteria.Definition) product.Parts {
	switch d.Type {
	case criteria.NUMBER:
		return product.NumberCriteria
	case criteria.FLAG:
		return product.FlagCriteria
	case criteria.TEXT:
		if d.FullText {
			return product.FullTextCriteria
		}
	case criteria.UNIQUE, criteria.MULTIPLE, criteria.DATE:
	}
	return product.TextCriteria
}

// sortFacts puts the facts that are shown in the places of their definitions.
func (r *recorder) sortFacts() {
	clear(r.facts)
	for i := range r.shown {
		if place, found := r.Site.Dictionary.Place(r.shown[i].Key); found {
			r.facts[place] = &r.shown[i]
		}
	}
}

// criterionValues lists the criteria in some blocks, in the order of their definitions,
// once facts are sorted.
func (r *recorder) criterionValues(blocks product.Parts) *[]CriterionValue {
	listed := func(i int) bool { return r.facts[i] != nil && blocks&blockOf(r.Site.Dictionary.At(i)) != 0 }
	n := 0
	for i := range r.facts {
		if listed(i) {
			n++
		}
	}
	values := r.values.List(n)
	for i, f := range r.facts {
		if listed(i) {
			d := r.Site.Dictionary.At(i)
			values = append(values, CriterionValue{ID: d.Key, Value: r.plain(f), Label: r.label(d, f), Derived: r.of.Derived.Has(d.Key)})
		}
	}
	return r.blocks.Keep(values)
}

// plain is criteria.Plain of a value, or a pointer to it where the record is not kept.
func (r *recorder) plain(f *criteria.Fact) any {
	if r.kept {
		return criteria.Plain(f.Value())
	}
	switch f.Type {
	case criteria.UNIQUE, criteria.TEXT, criteria.DATE:
		return &f.Text
	case criteria.NUMBER:
		return &f.Number
	case criteria.MULTIPLE:
		return &f.Codes
	case criteria.FLAG:
	}
	return criteria.Plain(criteria.Flag(f.Flag))
}

// label returns the label of a value: a choice's own, several joined, and none for values that
// speak for themselves.
func (r *recorder) label(d *criteria.Definition, f *criteria.Fact) *string {
	switch f.Type {
	case criteria.UNIQUE:
		label, _ := criteria.LabelOf(d.Choices, f.Text)
		return slab.Nullable(&r.texts, label)
	case criteria.MULTIPLE:
		r.labels = r.labels[:0]
		for _, code := range f.Codes {
			if label, found := criteria.LabelOf(d.Choices, code); found {
				r.labels = append(r.labels, label)
			}
		}
		return slab.Nullable(&r.texts, r.join())
	case criteria.NUMBER, criteria.FLAG, criteria.TEXT, criteria.DATE:
	}
	return nil
}

// join returns the labels as one text. The texts of records that are not kept follow each other in
// one memory.
func (r *recorder) join() string {
	if r.kept || len(r.labels) < 2 {
		return strings.Join(r.labels, ", ")
	}
	start := r.joined.Len()
	for i, label := range r.labels {
		if i > 0 {
			r.joined.WriteString(", ")
		}
		r.joined.WriteString(label)
	}
	return r.joined.String()[start:]
}
