package people

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// MergedCustomers is the answer to POST /customers/{customerId}/merge.
type MergedCustomers struct {
	Customer Customer       `json:"customer" doc:"who stays, afterwards"`
	Preview  bool           `json:"preview" doc:"nothing was done"`
	Moved    []MovedRecords `json:"moved" doc:"what named the one that goes, kind by kind"`
}

// MovedRecords counts records of a kind.
type MovedRecords struct {
	Kind    string `json:"kind" enum:"searches,follow_ups,leads,products,sale_offers,sale_agreements,leases,appointments,bookings,actions,mentions"`
	Moved   int    `json:"moved" doc:"that name the one who stays from now on"`
	Doubles int    `json:"doubles" doc:"that the one who stays had already"`
}

// previewed is a merge that is to be undone.
type previewed struct{ MergedCustomers }

func (previewed) Error() string { return "only a preview" }

// mergeCustomers does all that a merge does for a preview too, and has it undone.
func (s *Service) mergeCustomers(ctx context.Context, c kernel.Caller, in MergeCustomers) (MergedCustomers, error) {
	done, err := writes(s, func(u Unit, in MergeCustomers) (MergedCustomers, error) {
		done, err := u.mergeCustomers(in)
		if err == nil && done.Preview {
			err = previewed{done}
		}
		return done, err
	})(ctx, c, in)
	var seen previewed
	if errors.As(err, &seen) {
		return seen.MergedCustomers, nil
	}
	return done, err
}

// merge moves what names one customer to another.
type merge struct {
	Unit
	stays customer.Customer
	// of is the one that is removed, with all records about them. It is locked.
	of footprint
	// followUps are those that stay for those that were doubles.
	followUps map[demand.FollowUpID]demand.FollowUpID
}

// moves are the kinds of record that name customers, and how each moves.
var moves = []struct {
	kind string
	move func(*merge) (moved, doubles int, err error)
}{
	{"searches", func(m *merge) (int, int, error) { return moveAll(m, Searches, m.of.searches, nil) }},
	{"follow_ups", (*merge).moveFollowUps},
	{"leads", func(m *merge) (int, int, error) { return moveAll(m, leads, m.of.leads, m.lead) }},
	{"products", func(m *merge) (int, int, error) { return moveAll(m, listing.Products, m.of.owned, nil) }},
	{"sale_offers", func(m *merge) (int, int, error) {
		return moveAll(m, dealrecords.Offers(), m.of.deals.Offers, nil)
	}},
	{"sale_agreements", (*merge).moveAgreements},
	{"leases", func(m *merge) (int, int, error) {
		return moveAll(m, dealrecords.Leases(m.Site.ZoneOf), m.of.deals.Leases, nil)
	}},
	{"appointments", func(m *merge) (int, int, error) {
		return moveAll(m, agendarecords.Appointments(m.Location), m.of.agenda.Appointments, m.appointment)
	}},
	{"bookings", (*merge).moveBookings},
	{"actions", func(m *merge) (int, int, error) { return m.Actions().Move(m.Site.ID, m.of.person.ID, m.stays.ID) }},
	{"mentions", func(m *merge) (int, int, error) { return moveAll(m, Customers, m.mentioning(), nil) }},
}

// mergeCustomers locks both customers, the lower id first, as every unit that adds to
// one of them locks it: what is written meanwhile moves, or is refused.
func (u Unit) mergeCustomers(in MergeCustomers) (MergedCustomers, error) {
	id := customer.ID(in.Goes.Or(0))
	if id > 0 && id < customer.ID(in.ID) {
		if _, err := u.Customers().Get(u.Site.ID, id); err != nil && !kernel.IsAbsent(err) {
			return MergedCustomers{}, err
		}
	}
	stays, err := u.knownCustomer(in.ID)
	if err != nil {
		return MergedCustomers{}, err
	}
	var problems fault.Problems
	kernel.ID[customer.ID]("customer_id", in.Goes, &problems)
	switch {
	case !in.Goes.Given():
		problems.Add("customer_id", fault.CodeRequired, "%s is required", "customer_id")
	case id == stays.ID:
		problems.Wrong("customer_id", fault.CodeOutOfRange, in.ID, "a customer is not joined with itself")
	case id > 0:
		if err := u.CheckCustomer("customer_id", id, &problems); err != nil {
			return MergedCustomers{}, err
		}
	}
	if err := problems.Err(); err != nil {
		return MergedCustomers{}, err
	}
	goes, err := u.Customers().Get(u.Site.ID, id)
	if err != nil {
		return MergedCustomers{}, err
	}
	m := &merge{Unit: u, stays: stays, followUps: map[demand.FollowUpID]demand.FollowUpID{}}
	if m.of, err = u.footprint(goes); err != nil {
		return MergedCustomers{}, err
	}
	joined := stays.Joined(goes)
	if m.check(joined, &problems); !problems.Empty() {
		return MergedCustomers{}, problems.Err()
	}
	return m.carryOut(joined, in.Preview.Or(false))
}

// check reports what keeps the two from being one.
func (m *merge) check(joined customer.Customer, problems *fault.Problems) {
	if list, limit := joined.Crowded(); list != "" {
		problems.Wrong("customer_id", fault.CodeOutOfRange, int64(m.of.person.ID), "together the two have more than %d entries of %s", limit, list)
	}
	checkSides := func(what string, id int64, one, other []customer.ID) {
		for _, both := range [][2]customer.ID{{m.stays.ID, m.of.person.ID}, {m.of.person.ID, m.stays.ID}} {
			if slices.Contains(one, both[0]) && slices.Contains(other, both[1]) {
				problems.Wrong("customer_id", fault.CodePartyOnBothSides, id, "the two are on both sides of %s %d", what, id)
			}
		}
	}
	for _, o := range m.of.deals.Offers {
		checkSides("sale_offers", int64(o.ID), o.Buyers, o.Sellers)
	}
	for _, a := range m.of.deals.Agreements {
		checkSides("sale_agreements", int64(a.ID), a.Buyers, a.Sellers)
	}
	for _, l := range m.of.deals.Leases {
		checkSides("leases", int64(l.ID), l.Landlords, slices.Concat(l.Tenants, l.Guarantors))
	}
}

// carryOut moves everything, removes the one that goes as a deletion does, and ends with
// the one that stays, so that the receipt of this very request is about them.
func (m *merge) carryOut(joined customer.Customer, preview bool) (done MergedCustomers, err error) {
	goes := m.of.person
	done.Preview = preview
	for _, kind := range moves {
		moved, doubles, err := kind.move(m)
		if err != nil {
			return done, err
		}
		done.Moved = append(done.Moved, MovedRecords{kind.kind, moved, doubles})
	}
	left := footprint{person: goes, deals: dealrecords.Party{Customer: goes.ID}, agenda: agendarecords.Agenda{Customer: goes.ID}}
	if err := m.remove(left); err != nil {
		return done, err
	}
	if err := m.Merged().Put(customer.Merged{ID: goes.ID, Site: goes.Site, Into: joined.ID, At: m.Now}); err != nil {
		return done, err
	}
	if joined, err = Customers.Replace(m, joined); err != nil {
		return done, err
	}
	done.Customer, err = m.customerRecord(joined)
	return done, err
}

// moveAll changes records as edit says, and as rename where it is nil, each locked.
func moveAll[ID ~int64, T any](m *merge, r kernel.Resource[ID, T], records []T, edit func(T) T) (moved, doubles int, err error) {
	if edit == nil {
		edit = func(v T) T { return renamed(m, v) }
	}
	for _, one := range records {
		before, err := r.Table(m.Tx).Get(m.Site.ID, *r.Stamp(&one).ID)
		if kernel.IsAbsent(err) {
			continue
		}
		if err != nil {
			return moved, 0, err
		}
		after := edit(before)
		if reflect.DeepEqual(before, after) {
			continue
		}
		if _, err := r.Change(m, before, kernel.IfMatch{}, func(T) (T, error) { return after, nil }); err != nil {
			return moved, 0, err
		}
		moved++
	}
	return moved, 0, nil
}

// renamed returns a record that names the one who stays for the one who goes.
func renamed[T any](m *merge, record T) T {
	return customer.Renamed(record, m.of.person.ID, m.stays.ID)
}

// moveFollowUps makes one of two that attach the same product.
func (m *merge) moveFollowUps() (moved, doubles int, err error) {
	theirs, err := m.FollowUps().Of(m.Site.ID, m.stays.ID)
	if err != nil {
		return 0, 0, err
	}
	of := FollowUpsOf(m.stays)
	for _, one := range m.of.followUps {
		after := renamed(m, one)
		n := slices.IndexFunc(theirs, after.Attaches)
		if n < 0 {
			if _, err := of.Change(m, one, kernel.IfMatch{}, func(demand.FollowUp) (demand.FollowUp, error) { return after, nil }); err != nil {
				return moved, doubles, err
			}
			moved++
			continue
		}
		kept := theirs[n].Joined(after)
		if _, err := of.Change(m, theirs[n], kernel.IfMatch{}, func(demand.FollowUp) (demand.FollowUp, error) { return kept, nil }); err != nil {
			return moved, doubles, err
		}
		if err := FollowUpsOf(m.of.person).Remove(m, one, kernel.IfMatch{}); err != nil {
			return moved, doubles, err
		}
		m.followUps[one.ID] = kept.ID
		doubles++
	}
	return moved, doubles, nil
}

func (m *merge) lead(l demand.Lead) demand.Lead {
	if kept, doubled := m.followUps[l.FollowUp]; doubled {
		l.FollowUp = kept
	}
	return renamed(m, l)
}

// moveAgreements reads all agreements of the site, because there is no index of where
// somebody is the notary.
func (m *merge) moveAgreements() (moved, doubles int, err error) {
	goes, records := m.of.person.ID, []agreement.Agreement{}
	err = kernel.ScanAll(m.Site.ID, m.Agreements().Scan, func(a agreement.Agreement) agreement.ID {
		if a.Has(goes) || a.SellerNotary == goes || a.BuyerNotary == goes {
			records = append(records, a)
		}
		return a.ID
	})
	if err != nil {
		return 0, 0, err
	}
	return moveAll(m, dealrecords.Agreements(m.Site.ZoneOf), records, m.agreement)
}

// agreement keeps the later of two notifications of one person.
func (m *merge) agreement(a agreement.Agreement) agreement.Agreement {
	a = renamed(m, a)
	slices.SortStableFunc(a.Notifications, func(n, o agreement.Notification) int {
		return cmp.Or(cmp.Compare(n.Customer, o.Customer), cmp.Compare(o.LastDay, n.LastDay))
	})
	a.Notifications = slices.CompactFunc(a.Notifications, func(n, o agreement.Notification) bool { return n.Customer == o.Customer })
	return a
}

// appointment lets nobody attend twice. No reminder that was due before gets an event later.
func (m *merge) appointment(a planning.Appointment) planning.Appointment {
	if a.Attends(m.stays.ID) {
		a = a.Without(m.of.person.ID)
	}
	a.Told = m.Now
	return renamed(m, a)
}

func (m *merge) moveBookings() (moved, doubles int, err error) {
	for _, b := range m.of.agenda.Bookings {
		if err := m.Bookings().Put(renamed(m, b)); err != nil {
			return moved, 0, err
		}
		moved++
	}
	return moved, 0, nil
}

// mentioning returns the customers who name the one that goes, but for the one that stays,
// who names themselves no more.
func (m *merge) mentioning() []customer.Customer {
	return slices.DeleteFunc(m.of.mentioning, func(c customer.Customer) bool { return c.ID == m.stays.ID })
}
