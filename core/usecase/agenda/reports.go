package agenda

import (
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// reportVisit writes down what came of a visit, with everything that follows: the
// follow-up of the customer, and an action about the product.
func (u Unit) reportVisit(in ReportVisit) (Reported, error) {
	before, err := u.heldEvent(in.ID, planning.Appointment{})
	if err != nil {
		return Reported{}, err
	}
	r, o, err := u.readReport(in, before)
	if err != nil {
		return Reported{}, err
	}
	if err := u.checkReport(before, r, o); err != nil {
		return Reported{}, err
	}
	if err := in.IfMatch.Check(kernel.Version(before.Version)); err != nil {
		return Reported{}, err
	}
	if !r.Signed.IsZero() {
		n, err := u.NextDeal(u.Site.ID, before.Agency, deal.VisitSlips)
		if err != nil {
			return Reported{}, err
		}
		r.Slip = fmt.Sprintf("%d-%s%d", before.Agency, deal.VisitSlips, n)
	}
	if err := u.followVisit(before, r); err != nil {
		return Reported{}, err
	}
	if err := u.performVisit(before, r, o); err != nil {
		return Reported{}, err
	}
	r.Added = u.Now
	after := before.WithReport(r)
	changed, err := agendarecords.Change(u.kernel(), before, kernel.IfMatch{}, func(planning.Appointment) (planning.Appointment, error) { return after, nil })
	return Reported{ID: after.LastReport, Location: u.Options.URL(fmt.Sprintf("/agenda/events/%d", before.ID)), Version: changed.Version}, err
}

// readReport reads a report, and which occurrence it is about.
func (u Unit) readReport(in ReportVisit, of planning.Appointment) (r planning.Report, o planning.Occurrence, err error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	o, found := u.readOccurrence(of, in.Occurrence, true, &problems)
	if !found {
		o = planning.Occurrence{Interval: of.Interval(), Status: of.Status}
	}
	at := of
	if zone, err := u.zoneOf(of); err == nil && found {
		at = of.At(o, zone)
	}
	r.Occurrence = o.Original
	r.Customer = oneOf(f, "customer_id", fault.CodeUnknownCustomer, in.CustomerID.Or(0), in.CustomerID.Given(), at.Customers())
	r.Product = oneOf(f, "product_id", fault.CodeUnknownProduct, in.ProductID.Or(0), in.ProductID.Given(), at.Products)
	f.Required("outcome", in.Outcome.Or("") == "")
	form.OneOf(f, "outcome", &r.Outcome, in.Outcome, planning.Outcomes())
	f.Between("rating", &r.Rating, in.Rating, 1, 5)
	f.Listed("refusal_reason", &r.RefusalReason, in.RefusalReason, u.Site.Dictionary, criteria.RefusalReasons)
	f.Text("comment", &r.Comment, in.Comment, form.MaxComment)
	if f.Moment("signed_at", &r.Signed, in.SignedAt, u.Site.ZoneOf(of.Agency)); r.Signed.After(u.Now) {
		f.Wrong("signed_at", fault.CodeOutOfRange, in.SignedAt.Value, "signed_at is in the future")
	}
	return r, o, problems.Err()
}

// oneOf returns the id that a request names among those of an event, or the only one.
func oneOf[ID ~int64](f form.Form, field string, unknown fault.Code, named int64, given bool, among []ID) ID {
	switch {
	case !given && len(among) == 1:
		return among[0]
	case !given:
		f.Required(field, true)
		return 0
	}
	for _, id := range among {
		if int64(id) == named {
			return id
		}
	}
	f.Wrong(field, unknown, named, "the event is not about one with this id")
	return 0
}

// checkReport is a Conflict when what is reported was cancelled, lies ahead, was
// reported before, or is about somebody whom nobody may know.
func (u Unit) checkReport(a planning.Appointment, r planning.Report, o planning.Occurrence) error {
	switch {
	case o.Status == planning.Cancelled:
		return transition.Refused(o.Status, "a cancelled event is not reported")
	case o.Start.After(u.Now):
		return transition.Refused(o.Status, "the event lies ahead")
	}
	if known, reported := a.Reported(r.Customer, r.Product, r.Occurrence); reported {
		return fault.New(fault.Conflict, fault.CodeAlreadyReported, "there is a report about this customer, product and occurrence").At("report_id", known.ID)
	}
	found, err := u.Customers().Many(u.Site.ID, []customer.ID{r.Customer})
	if err == nil && len(found) > 0 && found[0].IsAnonymous() {
		return fault.New(fault.Conflict, fault.CodeCustomerAnonymized, "the customer was anonymised: nothing can be added")
	}
	return err
}

// firstUser returns the first user who attends an event.
func firstUser(a planning.Appointment) site.UserID {
	if users := a.Users(); len(users) > 0 {
		return users[0]
	}
	return 0
}

// followVisit says in the follow-up of a customer what came of a visit.
func (u Unit) followVisit(a planning.Appointment, r planning.Report) error {
	by := firstUser(a)
	w := people.Wanted{Product: r.Product, By: []customer.ID{r.Customer}, Search: a.Search, User: by}
	return u.Reach(w, true, func(f *demand.FollowUp) {
		u.Step(f, people.FollowUpVisited, by)
		if then := r.Outcome.FollowUp(); then != "" {
			u.Step(f, then, by)
		}
		if r.RefusalReason != "" && r.Outcome == planning.NoInterest {
			f.RefusalReason = r.RefusalReason
		}
		if r.Rating != 0 {
			f.Rating = r.Rating
		}
		if r.Comment != "" {
			f.Comment = r.Comment
		}
	})
}

// performVisit writes a visit down in the history of the product, where the site
// has a type of action for that.
func (u Unit) performVisit(a planning.Appointment, r planning.Report, o planning.Occurrence) error {
	var kind customer.ActionType
	for _, id := range u.Site.ActionTypes.Visits() {
		if known := u.Site.ActionTypes[id]; kind.ID == 0 && known.Active && known.Fits(customer.AimedAtProduct) {
			kind = known
		}
	}
	about, err := u.Products().Many(u.Site.ID, []product.ID{r.Product})
	if err != nil || kind.ID == 0 || len(about) == 0 {
		return err
	}
	_, err = u.Perform(customer.Action{
		Site: u.Site.ID, Subject: customer.ActionSubject{Kind: customer.AimedAtProduct, ID: int64(r.Product)}, Type: kind.ID, Label: kind.Label, User: firstUser(a),
		Customer: r.Customer, Result: r.Comment, Credential: u.Grant.Credential, Performed: o.Start,
	}, about[0].Agency)
	return err
}
