package people

import (
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/lead"
)

func (u Unit) updateLead(in UpdateLead) (api.Changed, error) {
	before, err := leads.Expect(u, lead.ID(in.ID))
	if err != nil {
		return api.Changed{}, err
	}
	return leads.Change(u, before, in.IfMatch, func(l lead.Lead) (lead.Lead, error) {
		var problems fault.Problems
		f := form.Form{Problems: &problems}
		f.Code("status", &l.Status, in.Status, lead.Statuses())
		if in.Status.Set && in.Status.Or("") == "" {
			problems.Add("status", fault.CodeRequired, "a lead always has a status")
		}
		u.CheckUser(in.UserID, &problems)
		form.ID(f, "user_id", &l.User, in.UserID)
		if in.UserID.Set && !in.Status.Set {
			l.Settle()
		}
		return l, problems.Err()
	})
}
