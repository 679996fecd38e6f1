package deals

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
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
		return kernel.AbsentIs(err, nil)
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
	_, err = u.Change(id, kernel.IfMatch{}, func(p product.Product) (product.Product, error) {
		after := p.Clone()
		after.Criteria[criteria.KeyStatus] = criteria.Unique(now)
		return after, nil
	})
	return err
}

// reach gives the follow-ups of those who want a product a status. Where the site
// does not know it, nothing is made either.
func (u Unit) reach(w people.Wanted, status string, make bool) error {
	if !u.KnowsFollowUp(status) {
		return nil
	}
	return u.Reach(w, make, func(f *demand.FollowUp) { u.Step(f, status, w.User) })
}

// achieve says that a search request has found what it was for; 0 is none.
func (u Unit) achieve(id demand.SearchID) error {
	if id == 0 {
		return nil
	}
	before, err := u.SearchRequests().Get(u.Site.ID, id)
	if err != nil {
		return kernel.AbsentIs(err, nil)
	}
	_, err = people.Searches.Change(u, before, kernel.IfMatch{}, func(r demand.SearchRequest) (demand.SearchRequest, error) {
		r.Status, r.Active = demand.StatusDone, false
		return r, nil
	})
	return err
}
