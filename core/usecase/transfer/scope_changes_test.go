package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// reaching is a setup of site 1 with these agencies in scope.
func reaching(setup transfer.Setup, agencies ...int64) transfer.Setup {
	setup.Sites = slices.Clone(setup.Sites[:1])
	setup.Credentials = nil
	described := slices.Clone(setup.Sites[0].Agencies)
	for i := range described {
		in := slices.Contains(agencies, described[i].ID)
		described[i].InScope = &in
	}
	setup.Sites[0].Agencies = described
	return setup
}

// told are the events that a caller hears after one, with their resources.
func told(w *apitest.World, after int64) (news []string) {
	for _, e := range w.ListEvents(w.As("full", 1), hooks.ListEvents{After: opt.Of(after), Limit: opt.Of(1000)}).Data {
		news = append(news, fmt.Sprintf("%s %d", e.EventType, e.ResourceID))
	}
	return news
}

func TestV6_WhatBelongsToAnAgencyGoesAndComesWithIt(t *testing.T) {
	w := apitest.New(t)
	setup := seeking()
	w.Provision(setup)
	full := w.As("full", 1)
	stays := w.CreateProductAs(full, apitest.InAgency(12))
	in := listing.SearchProducts{}
	in.AgencyID = opt.Of(int64(11))
	of11 := w.FindProducts(full, in)
	hook := w.Subscribe(full, apitest.HookFor(string(event.ProductDelete), string(event.CustomerCreate)))
	search := firstOf(w, func(tx port.Tx) (int64, error) {
		found, err := tx.SearchRequests().Scan(1, 0, 1)
		return int64(found[0].ID), err
	})
	draft := deals.CreateOffer{}
	draft.ProductID, draft.Buyers, draft.Amount = opt.Of(of11[0]), opt.Of([]int64{1101}), opt.Of(1.0)
	made, err := w.Deals.CreateOffer(t.Context(), full, draft)
	if err != nil {
		t.Fatal(err)
	}
	visit, duty := visitAndDuty(w, 101, 11)
	w.Clock.Advance(time.Minute)

	seq := w.Seq(1)
	leaving := reaching(setup, 12)
	leaving.Sites[0].Products = nil
	w.Provision(leaving)
	gone := []string{
		"AGENCY_UPDATE 11", "USER_DELETE 101", fmt.Sprintf("PERMANENCE_DELETE %d", duty), fmt.Sprintf("APPOINTMENT_DELETE %d", visit),
		fmt.Sprintf("OFFER_DELETE %d", made.ID), "FOLLOWUP_DELETE 1", fmt.Sprintf("SEARCH_DELETE %d", search), "CUSTOMER_DELETE 1001", "CUSTOMER_DELETE 1101",
	}
	for _, id := range of11 {
		gone = append(gone, fmt.Sprintf("PRODUCT_DELETE %d", id))
	}
	if got := told(w, seq); !slices.Equal(got, gone) {
		t.Errorf("on leaving\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(gone, "\n"))
	}
	if got := w.Statuses(w.As("full", 1), hook); len(got) != len(of11) {
		t.Errorf("%d deliveries of deletions, want %d", len(got), len(of11))
	}
	if got := w.FindProducts(w.As("full", 1), listing.SearchProducts{}); !slices.Equal(got, []int64{stays}) {
		t.Errorf("searches find %v", got)
	}
	w.Clock.Advance(time.Minute)

	seq = w.Seq(1)
	back := reaching(setup, 11, 12)
	back.Sites[0].Customers = append(slices.Clone(back.Sites[0].Customers), transfer.SetupCustomer{ID: 900, AgencyID: 11, Type: "VENDEUR", Lastname: "Neuf"})
	back.Sites[0].Products = append(slices.Clone(back.Sites[0].Products), transfer.SetupProduct{Model: "11-99", AgencyID: 11, DateAdded: time.Unix(0, 0)})
	w.Provision(back)
	got := told(w, seq)
	news := w.FindProducts(w.As("full", 1), in)
	want := []string{"AGENCY_UPDATE 11", "USER_CREATE 101", "CUSTOMER_CREATE 900", fmt.Sprintf("PRODUCT_CREATE %d", news[len(news)-1])}
	for _, id := range of11 {
		want = append(want, fmt.Sprintf("PRODUCT_CREATE %d", id))
	}
	want = append(want, "CUSTOMER_CREATE 1001", "CUSTOMER_CREATE 1101", fmt.Sprintf("SEARCH_CREATE %d", search), "FOLLOWUP_CREATE 1",
		fmt.Sprintf("OFFER_CREATE %d", made.ID), fmt.Sprintf("APPOINTMENT_CREATE %d", visit), fmt.Sprintf("PERMANENCE_CREATE %d", duty))
	if !slices.Equal(got, want) {
		t.Errorf("on return\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	seq = w.Seq(1)
	w.Provision(back)
	if got := told(w, seq); len(got) > 0 {
		t.Errorf("the same setup again tells %v", got)
	}
}

// visitAndDuty writes down a visit by a user, and a duty at an agency.
func visitAndDuty(w *apitest.World, user, agency int64) (visit, duty int64) {
	w.T.Helper()
	full := w.As("full", 1)
	start, end := opt.Of("2026-09-17T10:00:00"), opt.Of("2026-09-17T11:00:00")
	var event agenda.CreateEvent
	event.Type, event.Title, event.StartAt, event.EndAt, event.UserIDs = opt.Of("VISITE"), opt.Of("Visite"), start, end, opt.Of([]int64{user})
	made, err := w.Agenda.CreateCalendarEvent(w.T.Context(), full, event)
	if err != nil {
		w.T.Fatal(err)
	}
	var on agenda.CreatePermanence
	on.AgencyID, on.UserID, on.Type, on.StartAt, on.EndAt = opt.Of(agency), opt.Of(user), opt.Of("TELEPHONE"), start, end
	put, err := w.Agenda.CreatePermanence(w.T.Context(), full, on)
	if err != nil {
		w.T.Fatal(err)
	}
	return made.ID, put.ID
}

// An agency that is not described any more is out of scope as well, one that is
// not active stays in it.
func TestV6_NotDescribedAndNotActive(t *testing.T) {
	w := apitest.New(t)
	id, no := w.CreateProduct(), false
	seq := w.Seq(1)
	asleep := reaching(apitest.Network(), 11, 12)
	asleep.Sites[0].Agencies[0].IsActive = &no
	w.Provision(asleep)
	if got := told(w, seq); !slices.Equal(got, []string{"AGENCY_UPDATE 11"}) {
		t.Errorf("an agency that sleeps: %v", got)
	}
	seq = w.Seq(1)
	left := reaching(apitest.Network(), 12)
	left.Sites[0].Agencies = left.Sites[0].Agencies[1:]
	left.Sites[0].Users, left.Sites[0].Customers = nil, nil
	w.Provision(left)
	if got := told(w, seq); !slices.Contains(got, fmt.Sprintf("PRODUCT_DELETE %d", id)) {
		t.Errorf("an agency that is not named: %v", got)
	}
	_, err := w.Listing.GetProduct(t.Context(), w.As("full", 1), listing.ReadProduct{ID: id})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeResourceOutOfScope)
}

// metered notes how many events one unit of work recorded at most.
type metered struct {
	port.Store
	most int
}

func (m *metered) Update(ctx context.Context, fn func(port.Tx) error) error {
	return m.Store.Update(ctx, func(tx port.Tx) error {
		unit := &meteredTx{Roles: tx.Roles}
		err := fn(port.Tx{Roles: unit})
		m.most = max(m.most, unit.recorded)
		return err
	})
}

type meteredTx struct {
	port.Roles
	recorded int
}

func (m *meteredTx) Ledger() port.Ledger { return meteredLedger{m.Roles.Ledger(), m} }

type meteredLedger struct {
	port.Ledger
	unit *meteredTx
}

func (m meteredLedger) Append(id site.ID, at time.Time, happened []event.Event) (event.Event, error) {
	m.unit.recorded += len(happened)
	return m.Ledger.Append(id, at, happened)
}

// However often the telling is cut short, and wherever, in the end each product
// was told of once, and no unit of work told of many.
func TestV6_ACrashLeavesNothingUntoldAndNothingToldTwice(t *testing.T) {
	const products = 230
	rapid.Check(t, func(r *rapid.T) {
		faulty := &porttest.Faulty{Store: memstore.New()}
		store := &metered{Store: faulty}
		w := apitest.Over(t, store)
		w.Update(func(tx port.Tx) error {
			ids, err := tx.NextIDs(port.ProductIDs, products)
			for i, id := range ids {
				p := product.Product{ID: product.ID(id), Site: 1, Agency: site.AgencyID(11 + i%2), Reference: fmt.Sprint(i)}
				err = errors.Join(err, tx.Products().Add(p))
			}
			return err
		})
		w.Clock.Advance(time.Minute)
		seq := w.Seq(1)
		store.most = 0
		var wanted []string
		left := false
		for range rapid.IntRange(1, 3).Draw(r, "changes") {
			left = !left
			in := []int64{11, 12}
			if left {
				in = []int64{12}
			}
			for crashes := rapid.IntRange(0, 3).Draw(r, "crashes"); ; crashes-- {
				faulty.FailAt = 0
				if crashes > 0 {
					faulty.FailAt = faulty.Writes + rapid.IntRange(1, 12).Draw(r, "fails after")
				}
				_, err := w.Transfer.Provision(t.Context(), reaching(apitest.Network(), in...))
				if err == nil {
					break
				}
				if !errors.Is(err, porttest.ErrFault) {
					r.Fatal(err)
				}
				// Sometimes a server goes on with it, and not who provisions.
				if faulty.FailAt = 0; rapid.Bool().Draw(r, "a server") {
					if err := w.Transfer.TellScopeChanges(t.Context()); err != nil {
						r.Fatal(err)
					}
				}
			}
			what := event.ProductCreate
			if left {
				what = event.ProductDelete
			}
			for i := range products / 2 {
				wanted = append(wanted, fmt.Sprintf("%s %d", what, 2*i+1))
			}
		}
		var got []string
		w.View(func(tx port.Tx) error {
			events, err := tx.Ledger().After(1, seq, 10_000)
			for _, e := range events {
				if e.Type.Resource() == "PRODUCT" {
					got = append(got, fmt.Sprintf("%s %d", e.Type, e.Resource))
				}
			}
			return err
		})
		if !slices.Equal(got, wanted) {
			r.Errorf("%d events, want %d: %.200v", len(got), len(wanted), got)
		}
		if store.most > 200 {
			r.Errorf("one unit of work told of %d", store.most)
		}
	})
}

func firstOf(w *apitest.World, read func(port.Tx) (int64, error)) (found int64) {
	w.View(func(tx port.Tx) (err error) {
		found, err = read(tx)
		return err
	})
	return found
}

func TestV6_ServersShareTheTelling(t *testing.T) {
	store, clock := memstore.New(), apitest.NewClock()
	w := apitest.Empty(t, store, clock)
	w.Provision(apitest.Network())
	for range 250 {
		w.CreateProduct()
	}
	clock.Advance(time.Minute)
	seq := w.Seq(1)
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	w.Update(func(tx port.Tx) error {
		home, err := tx.Sites().Get(1)
		home.Agencies = []site.AgencyID{12}
		return kernel.FirstError(err, tx.Sites().Put(home), tx.Ledger().Touch(1, port.AspectSettings), tx.ScopeChanges().Put(site.ScopeChange{
			ID: 1, Site: 1, Agencies: []site.AgencyID{11}, At: clock.Now(), Products: 1000,
		}))
	})
	if err := w.Transfer.TellScopeChanges(cut); !errors.Is(err, context.Canceled) {
		t.Errorf("a server that is stopped: %v", err)
	}
	done := make(chan error)
	for range 3 {
		go func() { done <- apitest.Empty(t, store, clock).Transfer.TellScopeChanges(t.Context()) }()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	deleted := 0
	for _, e := range told(w, seq) {
		if strings.HasPrefix(e, "PRODUCT_DELETE ") {
			deleted++
		}
	}
	if deleted != 250 {
		t.Errorf("%d deletions, want 250", deleted)
	}
}
