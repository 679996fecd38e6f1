package kit

import (
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/history"
)

// HistoryRow is something that happened to a record, for the template "history".
type HistoryRow struct {
	ID      int64
	Type    string
	At      Moment
	Who     Ref
	Request string
	Changes []FieldChange
}

// FieldChange is a field with its value before and after, as text; empty for none.
type FieldChange struct{ Field, Before, After string }

// History reads what happened to a record of a kind, latest first, from before an event on; 0
// is the latest. next is 0 where there is no more. Kinds without a history have none.
func (v *Request) History(c kernel.Caller, kind string, id, before int64) (rows []HistoryRow, next int64, err error) {
	var page history.Page
	if before > 0 {
		page.Cursor = opt.Of(before)
	}
	var found history.RecordHistory
	switch kind {
	case event.ProductUpdate.Resource(), event.MandateUpdate.Resource():
		found, err = v.Site.History.ListProductHistory(v.Ctx, c, history.ReadProduct{ID: id, Page: page})
	case event.CustomerUpdate.Resource():
		found, err = v.Site.History.ListCustomerHistory(v.Ctx, c, history.ReadCustomer{ID: id, Page: page})
	case event.OfferUpdate.Resource():
		found, err = v.Site.History.ListOfferHistory(v.Ctx, c, history.ReadOffer{ID: id, Page: page})
	case event.AgreementUpdate.Resource():
		found, err = v.Site.History.ListAgreementHistory(v.Ctx, c, history.ReadAgreement{ID: id, Page: page})
	case event.LeaseUpdate.Resource():
		found, err = v.Site.History.ListLeaseHistory(v.Ctx, c, history.ReadLease{ID: id, Page: page})
	case event.AppointmentUpdate.Resource():
		found, err = v.Site.History.ListEventHistory(v.Ctx, c, history.ReadEvent{ID: id, Page: page})
	}
	for _, e := range found.Data {
		rows = append(rows, v.HistoryRow(c, e))
	}
	if found.NextCursor != nil {
		next = *found.NextCursor
	}
	return rows, next, err
}

// HistoryRow returns an entry of a history as pages show it: criteria by their labels.
func (v *Request) HistoryRow(c kernel.Caller, e history.RecordEvent) HistoryRow {
	row := HistoryRow{ID: e.ID, Type: e.EventType, At: v.When(e.Timestamp.Time), Who: v.toActor(e.By)}
	if e.RequestID != nil && v.Actor.May(operator.SeeRequests) {
		row.Request = *e.RequestID
	}
	for _, change := range e.Changes {
		field := change.Field
		if d, known := c.Site.Dictionary.ByKey(field); known {
			field = d.Label
		}
		row.Changes = append(row.Changes, FieldChange{field, Said(change.Before), Said(change.After)})
	}
	return row
}

// toActor returns who did something, with their page where the operator's role has it.
func (v *Request) toActor(by history.EventActor) Ref {
	kind, id := Said(by.Kind), Said(by.ID)
	switch kind {
	case "":
		return Ref{Label: v.Say("not known")}
	case "client":
		return v.ToCredential(access.CredentialID(id))
	}
	r := Ref{Label: v.Show(Text(kind)) + " " + id}
	for _, place := range []struct {
		kind, path string
		powers     operator.Powers
	}{{"operator", "operators", operator.ManageOperators}, {"source", "import-sources", operator.ManageImports}, {"import", "imports", operator.ManageImports}} {
		if _, err := strconv.ParseInt(id, 10, 64); err == nil && place.kind == kind && v.Actor.May(place.powers) {
			r.Href = v.Link(place.path, id)
		}
	}
	return r
}
