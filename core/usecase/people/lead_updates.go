package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func (u Unit) updateLead(in UpdateLead) (kernel.Changed, error) {
	before, err := leads.GetUnlocked(u, demand.LeadID(in.ID))
	if err != nil {
		return kernel.Changed{}, err
	}
	return leads.Change(u, before, in.IfMatch, func(l demand.Lead) (demand.Lead, error) {
		var problems fault.Problems
		f := form.Form{Problems: &problems}
		f.Code("status", &l.Status, in.Status, demand.LeadStatuses())
		if in.Status.Set && in.Status.Or("") == "" {
			problems.Add("status", fault.CodeRequired, "a lead always has a status")
		}
		u.CheckUser(in.UserID, l.User, &problems)
		form.ID(f, "user_id", &l.User, in.UserID)
		if in.UserID.Set && !in.Status.Set {
			l.AlignStatus()
		}
		return l, problems.Err()
	})
}
