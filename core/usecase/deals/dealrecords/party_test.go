package dealrecords_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

const (
	// she is the customer whom the tests are about, and he another one.
	she, he customer.ID = 7, 8
	// here is the site.
	here site.ID = 1
)

func newEngine(t *testing.T) apitest.Engine {
	t.Helper()
	e := apitest.NewEngine(t, memstore.New(), apitest.NewClock(), bytes.NewReader(make([]byte, 1024)))
	e.AddSites()
	return e
}

// full has something in every field.
func full(t *testing.T) (o offer.Offer, a agreement.Agreement, l letting.Lease) {
	t.Helper()
	apitest.Fill(t, &o)
	apitest.Fill(t, &a)
	apitest.Fill(t, &l)
	o.Site, a.Site, l.Site = here, here, here
	o.Ahead, a.Ahead, l.Ahead = nil, nil, nil // such statuses have nothing ahead
	return o, a, l
}

func stored(tx port.Tx) (o offer.Offer, a agreement.Agreement, l letting.Lease, err error) {
	o, err = tx.Offers().Get(here, 7)
	a, err2 := tx.Agreements().Get(here, 7)
	l, err3 := tx.Lettings().Get(here, 7)
	return o, a, l, kernel.FirstError(err, err2, err3)
}

// changes lists the fields in which two records differ.
func changes(path string, before, after reflect.Value) (all []string) {
	switch {
	case reflect.DeepEqual(before.Interface(), after.Interface()):
		return nil
	case before.Kind() == reflect.Struct && before.Type() != reflect.TypeFor[time.Time]() && !after.IsZero():
		for n := range before.NumField() {
			all = append(all, changes(path+"."+before.Type().Field(n).Name, before.Field(n), after.Field(n))...)
		}
		return all
	case before.Kind() == reflect.Slice && before.Len() == after.Len():
		for n := range before.Len() {
			all = append(all, changes(path+"[]", before.Index(n), after.Index(n))...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	empty := "is empty"
	if !after.IsZero() {
		empty = fmt.Sprintf("is %v", after.Interface())
	}
	return []string{path + " " + empty}
}

// shown are the differences that are not just those of any change.
func shown[T any](before, after T) []string {
	all := changes("", reflect.ValueOf(before), reflect.ValueOf(after))
	return slices.DeleteFunc(all, func(s string) bool { return strings.HasPrefix(s, ".Version ") || strings.HasPrefix(s, ".Modified ") })
}

func TestWhatIsPersonalGoesAndTheRestStays(t *testing.T) {
	e := newEngine(t)
	o, a, l := full(t)
	e.Update(func(tx port.Tx) error {
		return kernel.FirstError(tx.Offers().Put(o), tx.Agreements().Put(a), tx.Lettings().Put(l))
	})
	e.Write(here, func(u kernel.Unit) error {
		p, err := dealrecords.PartyOf(u, she)
		if err == nil {
			p, err = p.Held(u)
		}
		return kernel.FirstError(err, p.Anonymize(u))
	})
	if got := e.Events(here, 0); !slices.Equal(got, []string{"OFFER_UPDATE", "AGREEMENT_UPDATE", "LEASE_UPDATE"}) {
		t.Errorf("the events are %v", got)
	}
	e.View(func(tx port.Tx) error {
		o2, a2, l2, err := stored(tx)
		for what, c := range map[string]struct{ got, want []string }{
			"the offer":     {shown(o, o2), []string{".Financing is empty", ".Conditions is empty", ".Comment is empty"}},
			"the agreement": {shown(a, a2), []string{".Conditions[].Label is empty", ".Conditions[].Note is empty", ".Commissions[].Party is empty", ".Comment is empty"}},
			"the lease":     {shown(l, l2), []string{".ShortReason is empty", ".SupplementReason is empty", ".Comment is empty"}},
		} {
			if !slices.Equal(c.got, c.want) {
				t.Errorf("of %s %v, want %v", what, c.got, c.want)
			}
		}
		return err
	})
	// Once more changes nothing, and tells nobody.
	seq := e.Seq(here)
	e.Write(here, func(u kernel.Unit) error {
		p, err := dealrecords.PartyOf(u, she)
		return kernel.FirstError(err, p.Anonymize(u))
	})
	if got := e.Events(here, seq); len(got) > 0 {
		t.Errorf("again, the events are %v", got)
	}
}

// codes are the texts that are no words of anybody.
var codes = []string{
	".Number", ".Status", ".RefusalReason", ".CancellationReason", ".Fees.Payer", ".Negotiation[].Kind", ".Negotiation[].By",
	".Type", ".Mandate", ".Deposit.Holder", ".Notifications[].Method", ".Conditions[].Type", ".Conditions[].Status", ".Commissions[].Role",
	".Room", ".ChargesMode", ".Zone", ".Indexation.Index", ".Notice.By", ".Notice.Reason",
}

// A text that somebody adds to a record is either a code, or goes.
func TestNoWordsAreLeftButCodes(t *testing.T) {
	o, a, l := full(t)
	for _, record := range []any{o.Anonymous(), a.Anonymous(), l.Anonymous()} {
		for _, path := range texts("", reflect.ValueOf(record)) {
			if !slices.Contains(codes, path) {
				t.Errorf("%T%s keeps what was said", record, path)
			}
		}
	}
}

// texts lists the fields with a text in them.
func texts(path string, v reflect.Value) (all []string) {
	switch v.Kind() { //nolint:exhaustive // the others have no text within them
	case reflect.String:
		if v.Len() > 0 {
			all = append(all, path)
		}
	case reflect.Pointer:
		return texts(path, v.Elem())
	case reflect.Slice:
		for n := range v.Len() {
			all = append(all, texts(path+"[]", v.Index(n))...)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for n := range v.NumField() {
			all = append(all, texts(path+"."+v.Type().Field(n).Name, v.Field(n))...)
		}
	}
	return all
}

func TestAPartyWhoLeavesLeavesDraftsBehindOrTakesThemAlong(t *testing.T) {
	both, alone, other := []customer.ID{she, he}, []customer.ID{she}, []customer.ID{he}
	for _, c := range []struct {
		what   string
		put    func(port.Tx) error
		events string
		// left are the parties, and the comment.
		left string
	}{
		{
			"a buyer of two",
			func(tx port.Tx) error {
				return tx.Offers().Put(offer.Offer{ID: 7, Site: here, Status: offer.Draft, Buyers: both, Comment: "c"})
			},
			"[OFFER_UPDATE]", "offer [8] [] c",
		},
		{
			"the only buyer",
			func(tx port.Tx) error {
				return tx.Offers().Put(offer.Offer{ID: 7, Site: here, Status: offer.Draft, Buyers: alone, Sellers: other})
			},
			"[OFFER_DELETE]", "",
		},
		{
			"a seller",
			func(tx port.Tx) error {
				return tx.Offers().Put(offer.Offer{ID: 7, Site: here, Status: offer.Draft, Buyers: other, Sellers: alone, Comment: "c"})
			},
			"[OFFER_UPDATE]", "offer [8] [] c",
		},
		{
			"a buyer of an offer that is over",
			func(tx port.Tx) error {
				return tx.Offers().Put(offer.Offer{ID: 7, Site: here, Status: offer.Refused, Buyers: alone, Comment: "c"})
			},
			"[OFFER_UPDATE]", "offer [7] [] ",
		},
		{
			"a buyer of an offer that said nothing",
			func(tx port.Tx) error {
				return tx.Offers().Put(offer.Offer{ID: 7, Site: here, Status: offer.Refused, Buyers: alone})
			},
			"[]", "offer [7] [] ",
		},
		{
			"a buyer of two of an agreement",
			func(tx port.Tx) error {
				return tx.Agreements().Put(agreement.Agreement{ID: 7, Site: here, Status: agreement.Draft, Buyers: both, Comment: "c"})
			},
			"[AGREEMENT_UPDATE]", "agreement [8] [] c",
		},
		{
			"the only buyer of an agreement after an offer",
			func(tx port.Tx) error {
				return kernel.FirstError(
					tx.Offers().Put(offer.Offer{ID: 7, Site: here, Product: 1, Status: offer.Accepted, Buyers: other, Agreement: 7}),
					tx.Agreements().Put(agreement.Agreement{ID: 3, Site: here, Product: 1, Offer: 7, Status: agreement.Cancelled, Buyers: other}),
					tx.Agreements().Put(agreement.Agreement{ID: 7, Site: here, Product: 1, Offer: 7, Status: agreement.Draft, Buyers: alone}))
			},
			"[OFFER_UPDATE AGREEMENT_DELETE]", "offer [8] [] 3",
		},
		{
			"the only tenant",
			func(tx port.Tx) error {
				return tx.Lettings().Put(letting.Lease{ID: 7, Site: here, Status: letting.Draft, Tenants: alone, Landlords: other})
			},
			"[LEASE_DELETE]", "",
		},
		{
			"a guarantor",
			func(tx port.Tx) error {
				return tx.Lettings().Put(letting.Lease{ID: 7, Site: here, Status: letting.Draft, Tenants: other, Guarantors: alone})
			},
			"[LEASE_UPDATE]", "lease [8] [] []",
		},
		{
			"the landlord",
			func(tx port.Tx) error {
				return tx.Lettings().Put(letting.Lease{ID: 7, Site: here, Status: letting.Draft, Tenants: other, Landlords: alone})
			},
			"[LEASE_UPDATE]", "lease [8] [] []",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			e := newEngine(t)
			e.Update(c.put)
			e.Write(here, func(u kernel.Unit) error {
				p, err := dealrecords.PartyOf(u, she)
				if err == nil {
					p, err = p.Held(u)
				}
				return kernel.FirstError(err, p.Leave(u))
			})
			if got := fmt.Sprint(e.Events(here, 0)); got != c.events {
				t.Errorf("the events are %s, want %s", got, c.events)
			}
			e.View(func(tx port.Tx) error {
				if got := left(tx); got != c.left {
					t.Errorf("left is %q, want %q", got, c.left)
				}
				return nil
			})
		})
	}
}

func left(tx port.Tx) string {
	if o, err := tx.Offers().Get(here, 7); err == nil {
		if o.Agreement != 0 {
			return fmt.Sprint("offer ", o.Buyers, o.Sellers, o.Agreement)
		}
		return fmt.Sprintf("offer %v %v %s", o.Buyers, o.Sellers, o.Comment)
	}
	if a, err := tx.Agreements().Get(here, 7); err == nil {
		return fmt.Sprintf("agreement %v %v %s", a.Buyers, a.Sellers, a.Comment)
	}
	if l, err := tx.Lettings().Get(here, 7); err == nil {
		return fmt.Sprintf("lease %v %v %v", l.Tenants, l.Landlords, l.Guarantors)
	}
	return ""
}

func TestWhatBindsAPartyIsWhatTheStatusSays(t *testing.T) {
	e := newEngine(t)
	var p dealrecords.Party
	is := func(u kernel.Unit, what string, check func(kernel.Unit) error, code fault.Code, binds bool) {
		t.Helper()
		err := check(u)
		var known *fault.Error
		if errors.As(err, &known) != binds || binds && (known.Kind != fault.Conflict || known.Code != code || len(known.Details) != 1) {
			t.Errorf("%s: %v", what, err)
		}
	}
	e.Write(here, func(u kernel.Unit) error {
		both := func(what string, keeps, stays bool) {
			is(u, what+" that is deleted", p.CheckDeletable, fault.CodeConflict, keeps)
			is(u, what+" that is anonymised", p.CheckAnonymizable, fault.CodeInTransaction, stays)
		}
		for _, s := range offer.Transitions().Statuses() {
			open := s == offer.Open || s == offer.Countered || s == offer.Accepted
			p = dealrecords.Party{Customer: she, Offers: []offer.Offer{{ID: 1, Status: s, Buyers: []customer.ID{she}}}}
			both("a buyer of "+string(s), open, open)
			p.Offers[0].Expires = u.Now
			both("a buyer of an expired "+string(s), s == offer.Accepted, s == offer.Accepted)
		}
		for _, s := range agreement.Transitions().Statuses() {
			a := agreement.Agreement{ID: 1, Status: s, Buyers: []customer.ID{she}, WithdrawalEnd: 1 << 20}
			p = dealrecords.Party{Customer: she, Agreements: []agreement.Agreement{a}}
			both("a buyer of "+string(s), s != agreement.Draft, a.Live())
			if roles := p.Roles(u); (len(roles) == 1) != (a.Live() || s == agreement.Completed) {
				t.Errorf("a buyer of %s is %v", s, roles)
			}
		}
		for _, s := range letting.Transitions().Statuses() {
			l := letting.Lease{ID: 1, Status: s, Type: letting.Commercial, Months: 108, Tenants: []customer.ID{she}, Start: 1 << 20}
			p = dealrecords.Party{Customer: she, Leases: []letting.Lease{l}}
			both("a tenant of "+string(s), s != letting.Draft, l.Binding())
			if roles := p.Roles(u); (len(roles) == 1) != (s != letting.Draft && s != letting.Cancelled) {
				t.Errorf("a tenant of %s is %v", s, roles)
			}
		}
		// A lease that is over by now binds nobody, whatever is stored.
		p.Leases = []letting.Lease{{ID: 1, Status: letting.Running, Type: letting.CivilCode, Start: 1, Last: 2, Tenants: []customer.ID{she}}}
		both("a tenant of a lease that is over", true, false)
		return nil
	})
}

func TestWhatBindsAProductIsWhatTheStatusSays(t *testing.T) {
	for kind, c := range map[string]struct {
		statuses []string
		put      func(port.Tx, string) error
		binds    func(string) bool
	}{
		"offer": {
			names(offer.Transitions().Statuses()),
			func(tx port.Tx, s string) error {
				return tx.Offers().Put(offer.Offer{ID: 1, Site: here, Product: 5, Status: offer.Status(s)})
			},
			func(s string) bool { return s == string(offer.Accepted) },
		},
		"agreement": {
			names(agreement.Transitions().Statuses()),
			func(tx port.Tx, s string) error {
				return tx.Agreements().Put(agreement.Agreement{ID: 1, Site: here, Product: 5, Status: agreement.Status(s), WithdrawalEnd: 1 << 20})
			},
			func(s string) bool { return agreement.Agreement{Status: agreement.Status(s)}.Live() },
		},
		"lease": {
			names(letting.Transitions().Statuses()),
			func(tx port.Tx, s string) error {
				return tx.Lettings().Put(letting.Lease{ID: 1, Site: here, Product: 5, Status: letting.Status(s), Type: letting.Commercial, Months: 108, Start: 1 << 20})
			},
			func(s string) bool { return letting.Lease{Status: letting.Status(s)}.Binding() },
		},
	} {
		for _, s := range c.statuses {
			e := newEngine(t)
			e.Update(func(tx port.Tx) error { return c.put(tx, s) })
			e.Write(here, func(u kernel.Unit) error {
				if err := dealrecords.CheckDeletable(u, 5); errors.Is(err, fault.Conflict) != c.binds(s) {
					t.Errorf("%s %s: %v", kind, s, err)
				}
				if err := dealrecords.CheckDeletable(u, 6); err != nil {
					t.Errorf("another product: %v", err)
				}
				return nil
			})
		}
	}
}

func names[S ~string](statuses []S) (all []string) {
	for _, s := range statuses {
		all = append(all, string(s))
	}
	return all
}
