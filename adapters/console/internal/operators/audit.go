package operators

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// auditPages returns what operators did.
func auditPages() []kit.Page {
	return []kit.Page{{
		Path: "/audit", Siteless: true, Title: "Audit log", Template: "audit", Show: showAudit, Filters: auditFilters[:], Powers: operator.ReadAudit | operator.ReadPersonsAudit,
		Menu: &kit.Menu{Section: kit.Network, Label: "Audit log", Icon: "clock"},
	}}
}

// auditPage is entries of the audit.
type auditPage struct {
	Filters  []kit.Field
	Filtered bool
	Rows     []auditRow
	Empty    kit.Empty
	Older    string
}

type auditRow struct {
	At                                    kit.Moment
	Who                                   kit.Ref
	Did                                   kit.Text
	Operation, Subject, About, Site, Peer string
	// Summary counts the changes.
	Summary string
	Changes []edit.Edit
}

// auditFilters are the names of the parameters of the address that narrow the list.
var auditFilters = [...]string{"operation", "operator", "from", "to"}

func showAudit(v *kit.Request) (any, error) {
	asked := v.HTTP.URL.Query()
	in := backoffice.ListAudit{Operation: asked.Get("operation")}
	in.Operator, _ = strconv.ParseInt(asked.Get("operator"), 10, 64)
	in.After, _ = strconv.ParseInt(asked.Get("after"), 10, 64)
	in.From, _ = time.ParseInLocation(time.DateOnly, asked.Get("from"), v.Time.Location())
	if to, err := time.ParseInLocation(time.DateOnly, asked.Get("to"), v.Time.Location()); err == nil {
		in.To = to.AddDate(0, 0, 1)
	}
	found, err := v.Backoffice.ListAudit(v.Ctx, v.Actor, in)
	if err != nil {
		return nil, err
	}
	f := kit.NewForm(v.Language, asked, nil)
	who, err := whoField(v, &f)
	if err != nil {
		return nil, err
	}
	p := auditPage{
		Filters: []kit.Field{
			who, f.One("operation", "Did", "", "", auditedOperations(v)), f.Text("from", "On or after", "", "").As("date"), f.Text("to", "Until", "", "").As("date"),
		},
		Filtered: in.Operation != "" || in.Operator != 0 || !in.From.IsZero() || !in.To.IsZero(),
		Empty:    kit.Empty{Title: "Nothing was done yet", Text: "Whatever operators change appears here, and each time they look at a secret."},
	}
	if p.Filtered {
		p.Empty = kit.Empty{Title: "Nothing like that was done", Clear: v.Link("audit")}
	}
	for _, e := range found.Entries {
		p.Rows = append(p.Rows, newAuditRow(v, e))
	}
	if found.Next != 0 {
		older := filters.Narrowed(asked, auditFilters[:])
		older.Set("after", strconv.FormatInt(found.Next, 10))
		p.Older = v.Link("audit") + "?" + older.Encode()
	}
	return p, nil
}

// auditedOperations returns what can be filtered for.
func auditedOperations(v *kit.Request) []kit.Choice {
	choices := []kit.Choice{{Label: v.Say("anything")}}
	for _, o := range v.Backoffice.Operations() {
		if o.Audited && v.Actor.May(o.Powers) {
			choices = append(choices, kit.Choice{Value: o.ID, Label: v.Show(kit.Text(o.Summary))})
		}
	}
	if v.Actor.May(operator.ReadAudit) {
		for _, id := range []string{backoffice.SignedInEntry, backoffice.SignedInByProviderEntry, backoffice.RefusedEntry, backoffice.AcceptedEntry} {
			choices = append(choices, kit.Choice{Value: id, Label: v.Show(didWhat(v, id))})
		}
	}
	return choices
}

// whoField returns the filter by operator. An operator who may not see which operators there are
// keeps the one that the address names.
func whoField(v *kit.Request, f *kit.Form) (kit.Field, error) {
	choices := []kit.Choice{{Label: v.Say("anybody")}}
	listed, err := v.Backoffice.ListOperators(v.Ctx, v.Actor, kernel.Nothing{})
	if errors.Is(err, fault.Forbidden) {
		return f.Text("operator", "Who", "", "").As("hidden"), nil
	}
	for _, o := range listed.Operators {
		choices = append(choices, kit.Choice{Value: strconv.FormatInt(o.ID, 10), Label: o.Name})
	}
	return f.One("operator", "Who", "", "", choices), err
}

// inWords returns the name of a field of a record as people read it: RevokedAt is revoked
// at, and Former.Until is former until.
func inWords(field string) string {
	var words strings.Builder
	runes := []rune(strings.ReplaceAll(field, ".", " "))
	for i, r := range runes {
		begins := unicode.IsUpper(r) && i > 0 && runes[i-1] != ' ' && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			words.WriteByte(' ')
		}
		if alone := i+1 < len(runes) && unicode.IsUpper(runes[i+1]) || i > 0 && unicode.IsUpper(runes[i-1]) && !begins; !alone {
			r = unicode.ToLower(r)
		}
		words.WriteRune(r)
	}
	return words.String()
}

func newAuditRow(v *kit.Request, e backoffice.AuditRecord) auditRow {
	row := auditRow{At: v.When(e.At), Who: kit.Ref{Label: v.Say("not signed in")}, Did: didWhat(v, e.Operation), Operation: e.Operation, Subject: e.Subject, About: e.About, Peer: e.Peer}
	if e.Operator != 0 {
		row.Who = kit.Ref{Label: e.Name, Href: v.Link("audit") + "?" + url.Values{"operator": {strconv.FormatInt(int64(e.Operator), 10)}}.Encode()}
	}
	if e.Client != "" {
		row.Who = v.ToCredential(e.Client)
	}
	for _, c := range e.Changes {
		row.Changes = append(row.Changes, edit.Edit{Field: inWords(c.Field), Before: c.Before, After: c.After})
	}
	if e.Site != 0 {
		row.Site = strconv.FormatInt(int64(e.Site), 10)
	}
	row.Summary = v.Counted(int64(len(e.Changes)), "field", "fields")
	return row
}

// didWhat returns what an operation is, in words.
func didWhat(v *kit.Request, id string) kit.Text {
	operations := v.Backoffice.Operations()
	if i := slices.IndexFunc(operations, func(o backoffice.Operation) bool { return o.ID == id }); i >= 0 {
		return kit.Text(operations[i].Summary)
	}
	switch id {
	case backoffice.SignedInEntry:
		return "Sign in"
	case backoffice.SignedInByProviderEntry:
		return "Sign in by OpenID Connect"
	case backoffice.RefusedEntry:
		return "Fail to sign in"
	case backoffice.AcceptedEntry:
		return "Sign in by a link"
	}
	return kit.Text(id)
}
