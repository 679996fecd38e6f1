package demand

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// FollowUpID identifies a follow-up.
type FollowUpID int64

// FollowUp ("suivi") keeps track of what a customer thinks of one product, for
// one of their search requests or for none. Zero ids mean "none".
type FollowUp struct {
	ID       FollowUpID
	Site     site.ID
	Customer customer.ID
	Product  product.ID
	Search   SearchID
	User     site.UserID
	// Status is a code of list 9.
	Status        string
	RefusalReason string // list 15
	Rating        int    // 1 to 5; 0 is none
	Comment       string
	NextContact   string // YYYY-MM-DD
	// History lists the statuses it has had, the present one last.
	History []Step

	Added, Modified time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64
}

// Step is a status a follow-up got.
type Step struct {
	Status string
	At     time.Time
	User   site.UserID // 0: nobody in particular
}

// StatusProposed is the status of a follow-up created without one.
const StatusProposed = "PROPOSE"

// Reach gives the follow-up a status, unless it has it already.
func (f *FollowUp) Reach(status string, at time.Time, by site.UserID) {
	if f.Status == status {
		return
	}
	f.Status = status
	f.History = append(slices.Clip(f.History), Step{status, at, by})
}

// Joined returns the follow-up with what another of the same product and person says: the
// steps of both, of which the last is the status. Where both say something, this one is
// right, and comments are both kept.
func (f FollowUp) Joined(g FollowUp) FollowUp {
	f.History = slices.Concat(f.History, g.History)
	slices.SortStableFunc(f.History, func(a, b Step) int { return a.At.Compare(b.At) })
	if n := len(f.History); n > 0 {
		f.Status = f.History[n-1].Status
	}
	f.User, f.Rating, f.Comment = cmp.Or(f.User, g.User), cmp.Or(f.Rating, g.Rating), customer.BothSaid(f.Comment, g.Comment)
	f.RefusalReason, f.NextContact = cmp.Or(f.RefusalReason, g.RefusalReason), cmp.Or(f.NextContact, g.NextContact)
	return f
}

// Attaches reports whether two follow-ups are about the same product, for the
// same customer and search request: only one of them may exist.
func (f FollowUp) Attaches(g FollowUp) bool {
	return f.Customer == g.Customer && f.Product == g.Product && f.Search == g.Search
}
