package siteapi

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/port"
)

// UpdateLead says how a lead gets on (extension: PATCH /leads/{leadId}). Whoever
// gives a new lead an agent need not say that it is assigned.
func (s *Service) UpdateLead(ctx context.Context, c Caller, in UpdateLead) (Changed, error) {
	return write(ctx, s, c, func(tx port.Tx) (Changed, error) {
		before, err := c.lead(tx, in.ID)
		if err != nil {
			return Changed{}, err
		}
		var problems fault.Problems
		after := c.leadChange(before, in, &problems)
		if err := firstError(problems.Err(), in.IfMatch.check(Version(before.Version))); err != nil {
			return Changed{}, err
		}
		if after.Status == before.Status && after.User == before.User {
			return Changed{Version(before.Version)}, nil
		}
		recorded, err := s.recordLead(tx, c.author(), event.LeadUpdate, after)
		if err != nil {
			return Changed{}, err
		}
		after.Version, after.Modified = recorded.Seq, latest(recorded.At, before.Modified)
		return Changed{Version(after.Version)}, tx.Leads().Put(after)
	})
}

// leadChange applies a request to a lead.
func (c Caller) leadChange(l lead.Lead, in UpdateLead, problems *fault.Problems) lead.Lead {
	f := form.Form{Problems: problems}
	f.Code("status", &l.Status, in.Status, lead.Statuses())
	if in.Status.Set && in.Status.Or("") == "" {
		problems.Add("status", fault.CodeRequired, "a lead always has a status")
	}
	c.checkUser(in.UserID, problems)
	form.ID(f, "user_id", &l.User, in.UserID)
	if in.UserID.Set && !in.Status.Set {
		l.Settle()
	}
	return l
}
