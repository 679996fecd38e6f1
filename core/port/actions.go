package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Actions holds what was done about products and customers. Nothing in it ever
// changes, but that results are forgotten, and whose an action is when two records of
// one person are joined.
type Actions interface {
	// Append stores an action, whose id is drawn.
	Append(customer.Action) error
	// Page lists actions about one subject, latest first. To a customer also
	// belongs what was done with them about something else.
	Page(ActionQuery) ([]customer.Action, error)
	// LastContact is when something was last done about a customer or with them,
	// up to a moment, as the zero time if never. What the system logs is no
	// contact.
	LastContact(id site.ID, of customer.ID, now time.Time) (time.Time, error)
	// Latest lists the latest n actions about each of several subjects of one
	// kind, by subject, latest first. types narrows it as in ActionQuery.
	Latest(id site.ID, k customer.ActionKind, subjects []int64, types []customer.ActionTypeID, n int) ([]customer.Action, error)
	// Tally counts the actions about each of several subjects of one kind, by
	// subject, leaving out those without any. visits are the types that are
	// visits, and now parts those that were done from those that are planned.
	Tally(id site.ID, k customer.ActionKind, subjects []int64, visits []customer.ActionTypeID, now time.Time) ([]customer.ActionTally, error)
	// Move makes the actions about a customer, or done with them, those of another, and
	// reports how many. One that the other has already, but for its id and who wrote it
	// down when, goes: it is a double.
	Move(of site.ID, from, to customer.ID) (moved, doubles int, err error)
	// Forget empties the results of the actions about a customer or done with
	// them, and tells what these were about, each once, in any order.
	Forget(id site.ID, c customer.ID) ([]customer.ActionSubject, error)
	// ForgetAbout empties the results of the actions about subjects of one kind that
	// were with no customer.
	ForgetAbout(id site.ID, k customer.ActionKind, subjects []int64) error
}

// ActionQuery says which actions about a subject are wanted.
type ActionQuery struct {
	Site    site.ID
	Subject customer.ActionSubject
	// Types are the types wanted; nil stands for all of them, and for what the
	// system logs.
	Types  []customer.ActionTypeID
	Before customer.ActionID // only ids below; 0 is no bound
	Limit  int
}
