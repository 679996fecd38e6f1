package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// Number returns the value of a NUMBER criterion, or null.
func Number(v criteria.Values, key string) *float64 {
	n, ok := v.Number(key)
	if !ok {
		return nil
	}
	return &n
}

// addBlocks fills in the blocks asked for of the product as the caller sees it.
// What the whole product lacks, and where it is, does not depend on that.
func (r *recorder) addBlocks(f *Product) {
	p, c, parts := r.of.Product, r.Caller, r.parts
	if c.IsPublic() {
		p.Customer = 0
	}
	if parts&criterionBlocks != 0 {
		r.sortFacts()
	}
	values := func(block product.Parts) func() *[]CriterionValue {
		return func() *[]CriterionValue { return r.criterionValues(block) }
	}
	set(parts, product.TextCriteria, &f.CriteresText, values(product.TextCriteria))
	set(parts, product.NumberCriteria, &f.CriteresNumber, values(product.NumberCriteria))
	set(parts, product.FullTextCriteria, &f.CriteresFulltext, values(product.FullTextCriteria))
	set(parts, product.FlagCriteria, &f.CriteresFlag, values(product.FlagCriteria))
	set(parts, product.Descriptions, &f.Descriptions, func() *[]Description { return descriptionRecords(p) })
	set(parts, product.Rooms, &f.Rooms, func() *[]Room { return roomRecords(p) })
	set(parts, product.Photos, &f.ProductsPhotos, func() *[]Photo { return pointer(photos(p, c, r.Options, r.Now)) })
	set(parts, product.Owner, &f.Customer, func() **CustomerSummary { return pointer(CustomerSummaryOf(r.related.owners[p.Customer])) })
	set(parts, product.AssignedTo, &f.AssignedTo, func() **office.UserSummary { return pointer(office.UserSummaryOf(c.Site.SiteView, p.User)) })
	set(parts, product.CreatedBy, &f.CreatedBy, func() **office.UserSummary { return pointer(office.UserSummaryOf(c.Site.SiteView, p.CreatedBy)) })
	set(parts, product.Scopes, &f.Scopes, func() *[]ScopeItem { return scopeRecords(p, c.Site.SiteView) })

	set(parts, product.PublicationErrors, &f.CriteresPublicationErrors, func() *[]PublicationError {
		return publicationErrors(r.all.Values(), f.PhotosCount, p.Agency, c, r.Now)
	})
	set(parts, product.Publications, &f.Publications, func() *[]Publication { return publications(p, r.all.Code(criteria.KeyStatus)) })
	set(parts, product.ActionsHistory, &f.ActionsHistory, func() *[]ActionHistoryItem {
		return pointer(historyRecords(r.related.history[int64(p.ID)], c.Site.SiteView))
	})
	set(parts, product.LogActions, &f.LogActions, func() *[]ActionLogItem { return pointer(logRecords(r.related.log[int64(p.ID)], c.Site.SiteView)) })
	set(parts, product.SaleAgreement, &f.SaleAgreement, func() *[]dealrecords.SaleAgreement { return pointer(r.related.agreements.of(p, c)) })
	set(parts, product.ActiveSaleAgreement, &f.ActiveSaleAgreement, func() **dealrecords.SaleAgreement {
		return pointer(r.related.agreements.active(p, c))
	})
	set(parts, product.LiveVisit, &f.LiveVisit, func() **LiveVisit {
		if next := r.related.agenda.liveVisitAt(p.ID); next != nil {
			return &next
		}
		return r.liveVisit()
	})
	set(parts, product.Statistic, &f.Statistic, func() *Statistic {
		return statistic(p, r.related.tallies[int64(p.ID)], r.related.agenda.planned[p.ID], c.Site.ZoneOf(p.Agency))
	})
	set(parts, product.INSEE, &f.INSEE, r.commune)
	set(parts, product.OnlineBooking, &f.OnlineBooking, func() *OnlineBooking {
		record := r.related.agenda.bookings[p.ID]
		return &record
	})
	set(parts, product.Category, &f.Category, r.category)
	set(parts, product.Themes, &f.Themes, r.themes)
}

func set[T any](parts, part product.Parts, block **T, content func() *T) {
	if parts.Has(part) {
		*block = content()
	}
}

func null[T any]() **T { return new(*T) }

func pointer[T any](v T) *T { return &v }

func descriptionRecords(p product.Product) *[]Description {
	records := []Description{}
	for _, d := range p.Descriptions {
		records = append(records, Description{Language: d.Language, Title: kernel.Nullable(d.Title), Text: d.Text, ShortText: kernel.Nullable(d.ShortText)})
	}
	return &records
}

func roomRecords(p product.Product) *[]Room {
	records := []Room{}
	for i, r := range p.Rooms {
		records = append(records, Room{
			ID: int64(r.ID), Type: r.Type, Surface: r.Surface, Niveau: r.Niveau, Exposition: kernel.Nullable(r.Exposition),
			Vue: kernel.Nullable(r.Vue), Sol: kernel.Nullable(r.Sol), Commentaire: kernel.Nullable(r.Commentaire), Position: i + 1,
		})
	}
	return &records
}

// scopeRecords lists the agencies that see a product: its own, and with
// inter-agency sharing the others of the site.
func scopeRecords(p product.Product, known *kernel.SiteView) *[]ScopeItem {
	records := []ScopeItem{{SiteID: int64(p.Site), AgencyID: int64(p.Agency), Access: "owner"}}
	for _, id := range known.Scope.Agencies() {
		if p.Intercabinet && id != p.Agency {
			records = append(records, ScopeItem{SiteID: int64(p.Site), AgencyID: int64(id), Access: "intercabinet"})
		}
	}
	return &records
}
