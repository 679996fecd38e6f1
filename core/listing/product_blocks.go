package listing

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/dealrecords"
	"github.com/vitrine-crm/vitrine/core/office"
	"github.com/vitrine-crm/vitrine/core/product"
)

// Number is the value of a NUMBER criterion, or null.
func Number(v criteria.Values, key string) *float64 {
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
		Derived: p.Derived.Any(), Regime: api.Nullable(p.Derived.Regime),
		ConsoEnerg: Number(v, criteria.KeyConsumption), ValeurGES: Number(v, criteria.KeyEmission),
		ConsoEner: api.Nullable(v.Code(criteria.KeyEnergyLetter)), GES: api.Nullable(v.Code(criteria.KeyClimateLetter)),
	}
	if made, ok := v[criteria.KeyEnergyDate].(criteria.Date); ok {
		day := criteria.Date{At: made.At}.String()
		e.DateDPE = &day
	}
	return e
}

// addBlocks fills in the blocks asked for of a product as the caller sees it.
// What the whole product lacks, and where it is, does not depend on that.
func (f *ProductFields) addBlocks(p, whole product.Product, r related, c api.Caller, parts product.Parts) {
	values := func(kind func(*criteria.Definition) bool) *[]CriterionValue {
		return pointer(criterionValues(p, c.Site.SiteView, kind))
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
	set(parts, product.Owner, &f.Customer, func() **CustomerSummary { return pointer(CustomerSummaryOf(r.owners[p.Customer])) })
	set(parts, product.AssignedTo, &f.AssignedTo, func() **office.UserSummary { return pointer(office.UserSummaryOf(c.Site.SiteView, p.User)) })
	set(parts, product.CreatedBy, &f.CreatedBy, func() **office.UserSummary { return pointer(office.UserSummaryOf(c.Site.SiteView, p.CreatedBy)) })
	set(parts, product.Scopes, &f.Scopes, func() *[]ScopeItem { return scopeRecords(p, c.Site.SiteView) })

	set(parts, product.PublicationErrors, &f.CriteresPublicationErrors, func() *[]PublicationError { return publicationErrors(whole, f.PhotosCount, c) })
	set(parts, product.Publications, &f.Publications, func() *[]Publication { return publications(whole) })
	set(parts, product.ActionsHistory, &f.ActionsHistory, func() *[]ActionHistoryItem {
		return pointer(historyRecords(r.history[int64(p.ID)], c.Site.SiteView))
	})
	set(parts, product.LogActions, &f.LogActions, func() *[]ActionLogItem { return pointer(logRecords(r.log[int64(p.ID)], c.Site.SiteView)) })
	set(parts, product.SaleAgreement, &f.SaleAgreement, func() *[]dealrecords.SaleAgreement { return pointer(r.agreements.of(whole, c)) })
	set(parts, product.ActiveSaleAgreement, &f.ActiveSaleAgreement, func() **dealrecords.SaleAgreement { return pointer(r.agreements.active(whole, c)) })
	set(parts, product.LiveVisit, &f.LiveVisit, func() **LiveVisit {
		if next := r.agenda.liveVisitAt(p.ID); next != nil {
			return &next
		}
		return liveVisit(p, c.Site.SiteView)
	})
	set(parts, product.Statistic, &f.Statistic, func() *Statistic {
		return statistic(p, r.tallies[int64(p.ID)], r.agenda.planned[p.ID], c.Site.Zone)
	})
	set(parts, product.INSEE, &f.INSEE, func() **INSEE {
		place, _ := whole.Place()
		return commune(p, place, c.Site.SiteView)
	})
	set(parts, product.OnlineBooking, &f.OnlineBooking, func() *OnlineBooking {
		record := r.agenda.bookings[p.ID]
		return &record
	})
	set(parts, product.Category, &f.Category, func() **Category { return category(p, c.Site.SiteView) })
	set(parts, product.Themes, &f.Themes, func() *[]Theme { return themes(p, c.Site.SiteView) })
}

func set[T any](parts, part product.Parts, block **T, content func() *T) {
	if parts.Has(part) {
		*block = content()
	}
}

func null[T any]() **T { return new(*T) }

func pointer[T any](v T) *T { return &v }

// criterionValues lists the values of a product whose definitions are wanted,
// in the order of the definitions.
func criterionValues(p product.Product, known *api.SiteView, wanted func(*criteria.Definition) bool) []CriterionValue {
	values := []CriterionValue{}
	for d := range known.Dictionary.All() {
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
	return api.Nullable(strings.Join(labels, ", "))
}

func descriptionRecords(p product.Product) *[]Description {
	records := []Description{}
	for _, d := range p.Descriptions {
		records = append(records, Description{Language: d.Language, Title: api.Nullable(d.Title), Text: d.Text, ShortText: api.Nullable(d.ShortText)})
	}
	return &records
}

func roomRecords(p product.Product) *[]Room {
	records := []Room{}
	for i, r := range p.Rooms {
		records = append(records, Room{
			ID: int64(r.ID), Type: r.Type, Surface: r.Surface, Niveau: r.Niveau, Exposition: api.Nullable(r.Exposition),
			Vue: api.Nullable(r.Vue), Sol: api.Nullable(r.Sol), Commentaire: api.Nullable(r.Commentaire), Position: i + 1,
		})
	}
	return &records
}

// scopeRecords lists the agencies that see a product: its own, and with
// inter-agency sharing the others of the site.
func scopeRecords(p product.Product, known *api.SiteView) *[]ScopeItem {
	records := []ScopeItem{{SiteID: int64(p.Site), AgencyID: int64(p.Agency), Access: "owner"}}
	for _, id := range known.Scope.Agencies() {
		if p.Intercabinet && id != p.Agency {
			records = append(records, ScopeItem{SiteID: int64(p.Site), AgencyID: int64(id), Access: "intercabinet"})
		}
	}
	return &records
}
