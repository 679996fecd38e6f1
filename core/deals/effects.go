package deals

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Codes of Statut that sales and lettings lead to.
const (
	underOffer     = "SousOffre"
	underAgreement = "SousCompromis"
	optioned       = "Option"
	sold           = "Vendu"
	let            = "Loue"
)

// notAvailable are the codes of Statut of products that nobody can promise.
var notAvailable = []string{sold, "VenduParTiers", let, "Archive"}

// step is a change of Statut: from any of some codes to another.
type step struct {
	from []string
	to   string
}

var (
	offered  = step{[]string{criteria.StatusActive}, underOffer}
	unoffer  = step{[]string{underOffer}, criteria.StatusActive}
	agreed   = step{[]string{criteria.StatusActive, underOffer, optioned}, underAgreement}
	disagree = step{[]string{underAgreement}, criteria.StatusActive}
	deeded   = step{[]string{underAgreement}, sold}
	letOut   = step{[]string{criteria.StatusActive, underOffer, optioned}, let}
	unlet    = step{[]string{let}, criteria.StatusActive}
)

// advance takes a product through changes of its status, as one change. A step
// from another status is none, and neither is one to a code that the site does not
// know or has switched off. A product that is gone stays as it is.
func (u Unit) advance(id product.ID, steps ...step) error {
	status, known := u.Site.Dictionary.ByKey(criteria.KeyStatus)
	before, err := u.Products().Get(u.Site.ID, id)
	if err != nil || !known {
		return api.AbsentIs(err, nil)
	}
	now := before.Status()
	for _, s := range steps {
		if choice, found := status.Choice(s.to); found && choice.Active && slices.Contains(s.from, now) {
			now = s.to
		}
	}
	if now == before.Status() {
		return nil
	}
	_, err = u.Change(id, api.IfMatch{}, func(p product.Product) (product.Product, error) {
		after := p.Clone()
		after.Criteria[criteria.KeyStatus] = criteria.Unique(now)
		return after, nil
	})
	return err
}

// Statuses of follow-ups that sales and lettings lead to.
const (
	followUpOffer    = "OFFRE"
	followUpAcquired = "ACQUIS"
)

// wanted is a product that some customers want, some of them by a search request.
type wanted struct {
	product product.ID
	by      []customer.ID
	search  demand.SearchID
	user    site.UserID
}

// reach gives the follow-ups of those who want a product a status: of each the one
// for the search request, else the first for the product. Where there is none, one
// is made if that is asked for. What is acquired stays so, and a status that the
// site does not know is not given.
func (u Unit) reach(w wanted, status string, make bool) error {
	list, found := u.Site.Dictionary.List(criteria.FollowUpStatuses)
	if found && !slices.Contains(criteria.ActiveCodes(list.Choices), status) {
		return nil
	}
	for _, id := range sorted(w.by) {
		owner, err := u.Customers().Get(u.Site.ID, id)
		if api.IsAbsent(err) {
			continue
		}
		if err == nil {
			err = u.reachOf(owner, w, status, make)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (u Unit) reachOf(owner customer.Customer, w wanted, status string, make bool) error {
	all, err := u.FollowUps().Of(owner.Site, owner.ID)
	if err != nil {
		return err
	}
	theirs := slices.DeleteFunc(all, func(f demand.FollowUp) bool { return f.Product != w.product })
	n := slices.IndexFunc(theirs, func(f demand.FollowUp) bool { return f.Search == w.search })
	if n < 0 {
		n = 0
	}
	if len(theirs) > 0 {
		if theirs[n].Status == followUpAcquired {
			return nil
		}
		_, err := people.FollowUpsOf(owner).Change(u, theirs[n], api.IfMatch{}, func(f demand.FollowUp) (demand.FollowUp, error) {
			f.Reach(status, u.Now, w.user)
			return f, nil
		})
		return err
	}
	if !make {
		return nil
	}
	made := demand.FollowUp{Product: w.product, User: w.user}
	search, err := u.SearchRequests().Many(u.Site.ID, []demand.SearchID{w.search})
	if err != nil {
		return err
	}
	if len(search) > 0 && search[0].Customer == owner.ID {
		made.Search = w.search
	}
	made.Reach(status, u.Now, w.user)
	_, err = u.Attach(owner, made)
	return err
}

// achieve says that a search request has found what it was for; 0 is none.
func (u Unit) achieve(id demand.SearchID) error {
	if id == 0 {
		return nil
	}
	before, err := u.SearchRequests().Get(u.Site.ID, id)
	if err != nil {
		return api.AbsentIs(err, nil)
	}
	_, err = people.Searches.Change(u, before, api.IfMatch{}, func(r demand.SearchRequest) (demand.SearchRequest, error) {
		r.Status, r.Active = demand.StatusDone, false
		return r, nil
	})
	return err
}
