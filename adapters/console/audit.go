package console

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// auditPages returns what operators did.
func auditPages() []page {
	return []page{{
		path: "/audit", siteless: true, title: "Audit log", template: "audit", show: showAudit, powers: operator.ReadAudit | operator.ReadPersonsAudit,
		menu: &menu{section: network, label: "Audit log", icon: "clock"},
	}}
}

// auditPage is entries of the audit.
type auditPage struct {
	Filters  []field
	Filtered bool
	Rows     []auditRow
	Empty    empty
	Older    string
}

type auditRow struct {
	At                                         moment
	Who                                        ref
	Did, Operation, Subject, About, Site, Peer string
	// Summary counts the changes.
	Summary string
	Changes []operator.Change
}

func showAudit(v *pageRequest) (any, error) {
	asked := v.r.URL.Query()
	in := backoffice.ListAudit{Operation: asked.Get("operation")}
	in.Operator, _ = strconv.ParseInt(asked.Get("operator"), 10, 64)
	in.After, _ = strconv.ParseInt(asked.Get("after"), 10, 64)
	in.From, _ = time.Parse(time.DateOnly, asked.Get("from"))
	if to, err := time.Parse(time.DateOnly, asked.Get("to")); err == nil {
		in.To = to.AddDate(0, 0, 1)
	}
	found, err := v.Backoffice.ListAudit(v.ctx, v.actor, in)
	if err != nil {
		return nil, err
	}
	f := newForm(asked, nil)
	who, err := v.whoField(&f)
	if err != nil {
		return nil, err
	}
	p := auditPage{
		Filters: []field{
			who, f.one("operation", "Did", "", "", v.auditedOperations()), f.text("from", "On or after", "", "").as("date"), f.text("to", "Until", "", "").as("date"),
		},
		Filtered: in.Operation != "" || in.Operator != 0 || !in.From.IsZero() || !in.To.IsZero(),
		Empty:    empty{Title: "Nothing was done yet", Text: "Whatever operators change appears here, and each time they look at a secret."},
	}
	if p.Filtered {
		p.Empty = empty{Title: "Nothing like that was done", Clear: link(v.Prefix, "audit")}
	}
	for _, e := range found.Entries {
		p.Rows = append(p.Rows, v.auditRow(e))
	}
	if found.Next != 0 {
		older := url.Values{}
		for _, name := range []string{"operation", "operator", "from", "to"} {
			if value := asked.Get(name); value != "" {
				older.Set(name, value)
			}
		}
		older.Set("after", strconv.FormatInt(found.Next, 10))
		p.Older = link(v.Prefix, "audit") + "?" + older.Encode()
	}
	return p, nil
}

// auditedOperations returns what can be filtered for.
func (v *pageRequest) auditedOperations() []choice {
	choices := []choice{{Label: "anything"}}
	for _, o := range v.Backoffice.Operations() {
		if o.Audited && v.actor.May(o.Powers) {
			choices = append(choices, choice{Value: o.ID, Label: o.Summary})
		}
	}
	if v.actor.May(operator.ReadAudit) {
		for _, id := range []string{backoffice.SignedInEntry, backoffice.RefusedEntry, backoffice.AcceptedEntry} {
			choices = append(choices, choice{Value: id, Label: v.didWhat(id)})
		}
	}
	return choices
}

// whoField returns the filter by operator. An operator who may not see which operators there are
// keeps the one that the address names.
func (v *pageRequest) whoField(f *form) (field, error) {
	choices := []choice{{Label: "anybody"}}
	listed, err := v.Backoffice.ListOperators(v.ctx, v.actor, kernel.Nothing{})
	if errors.Is(err, fault.Forbidden) {
		return f.text("operator", "Who", "", "").as("hidden"), nil
	}
	for _, o := range listed.Operators {
		choices = append(choices, choice{Value: strconv.FormatInt(o.ID, 10), Label: o.Name})
	}
	return f.one("operator", "Who", "", "", choices), err
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

func (v *pageRequest) auditRow(e backoffice.AuditRecord) auditRow {
	row := auditRow{At: v.when(e.At), Who: ref{Label: "not signed in"}, Did: v.didWhat(e.Operation), Operation: e.Operation, Subject: e.Subject, About: e.About, Peer: e.Peer}
	if e.Operator != 0 {
		row.Who = ref{e.Name, link(v.Prefix, "audit") + "?" + url.Values{"operator": {strconv.FormatInt(int64(e.Operator), 10)}}.Encode()}
	}
	for _, c := range e.Changes {
		row.Changes = append(row.Changes, operator.Change{Field: inWords(c.Field), Before: c.Before, After: c.After})
	}
	if e.Site != 0 {
		row.Site = strconv.FormatInt(int64(e.Site), 10)
	}
	row.Summary = counted(len(e.Changes), "field")
	return row
}

// didWhat returns what an operation is, in words.
func (v *pageRequest) didWhat(id string) string {
	operations := v.Backoffice.Operations()
	if i := slices.IndexFunc(operations, func(o backoffice.Operation) bool { return o.ID == id }); i >= 0 {
		return operations[i].Summary
	}
	switch id {
	case backoffice.SignedInEntry:
		return "Sign in"
	case backoffice.RefusedEntry:
		return "Fail to sign in"
	case backoffice.AcceptedEntry:
		return "Come in by a link"
	}
	return id
}
