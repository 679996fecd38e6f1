package backoffice

import (
	"context"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// auditPage is how many entries a page of the audit has.
const auditPage = 50

// ListAudit says which entries of the audit are wanted; zero fields do not narrow.
type ListAudit struct {
	Site      int64
	Operator  int64
	Operation string
	// From is the first moment, To the moment after the last.
	From, To time.Time
	// After is the Next of the page before.
	After int64
}

// AuditRecord is an entry with names that the audit itself does not have.
type AuditRecord struct {
	operator.Entry
	// Name is that of who did it, empty when nobody had signed in.
	Name string
	// About is whom it was done to, where that is an operator, or somebody invited who has
	// come or still can; empty otherwise.
	About string
}

// AuditPage is entries of the audit, latest first. Next is 0 on the last page.
type AuditPage struct {
	Entries []AuditRecord
	Next    int64
}

func (s *Service) listAudit(ctx context.Context, a Actor, in ListAudit) (AuditPage, error) {
	return view(ctx, s, func(u unit) (AuditPage, error) {
		page := AuditPage{Entries: []AuditRecord{}}
		found, err := u.Audit().List(s.auditQuery(a, in))
		if err != nil {
			return page, err
		}
		names, err := u.names()
		if err != nil {
			return page, err
		}
		about, err := u.namesOfSubjects(names)
		if err != nil {
			return page, err
		}
		if len(found) > auditPage {
			found = found[:auditPage]
			page.Next = int64(found[auditPage-1].ID)
		}
		for _, e := range found {
			page.Entries = append(page.Entries, AuditRecord{e, names[e.Operator], about[e.Subject]})
		}
		return page, nil
	})
}

// auditQuery returns what the actor may see of what they ask for: entries about their
// sites, and of those who handle persons only what was done about persons.
func (s *Service) auditQuery(a Actor, in ListAudit) port.AuditQuery {
	q := port.AuditQuery{
		Operator: operator.ID(in.Operator), From: in.From, To: in.To, Before: operator.EntryID(in.After), Limit: auditPage + 1,
	}
	if !a.Operator.Everywhere {
		q.Sites = append([]site.ID{}, a.Operator.Sites...)
	}
	if in.Site != 0 {
		q.Sites = []site.ID{}
		if a.Operator.Reaches(site.ID(in.Site)) {
			q.Sites = append(q.Sites, site.ID(in.Site))
		}
	}
	if in.Operation != "" {
		q.Operations = []string{in.Operation}
	}
	if !a.May(operator.ReadAudit) {
		q.Operations = []string{}
		for _, o := range s.operations {
			if o.Audited && o.Powers == operator.HandlePersons && (in.Operation == "" || in.Operation == o.ID) {
				q.Operations = append(q.Operations, o.ID)
			}
		}
	}
	return q
}

// namesOfSubjects returns those of operators, and of who is invited or came by an
// invitation, by the subject of an entry.
func (u unit) namesOfSubjects(names map[operator.ID]string) (map[string]string, error) {
	about := map[string]string{}
	for id, name := range names {
		about["operator "+strconv.FormatInt(int64(id), 10)] = name
	}
	invited, err := u.Invitations().All()
	if err != nil {
		return about, err
	}
	for _, i := range invited {
		about[invitationOf(i.Hash)] = i.Name
	}
	const enough = 1000
	came, err := u.Audit().List(port.AuditQuery{Operations: []string{AcceptedEntry}, Limit: enough})
	for _, e := range came {
		if _, back := about[e.Subject]; e.Subject != "" && !back {
			about[e.Subject] = names[e.Operator]
		}
	}
	return about, err
}

// names returns those of the operators.
func (u unit) names() (map[operator.ID]string, error) {
	everybody, err := u.Operators().All()
	names := make(map[operator.ID]string, len(everybody))
	for _, o := range everybody {
		names[o.ID] = o.Name
	}
	return names, err
}
