package deals_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
)

// waiting is a world in which the clock will soon do something with so many
// records of each kind at each of the sites 1 and 2.
func waiting(t *testing.T, store port.Store, each int) *world {
	t.Helper()
	w := &world{apitest.Over(t, store)}
	w.Update(func(tx port.Tx) error {
		var err error
		for of, agency := range map[site.ID]site.AgencyID{1: 11, 2: 21} {
			for n := range each {
				err = kernel.FirstError(err, w.putOffer(tx, of, agency, n+1, w.Clock.Now().Add(time.Hour)), w.putAgreement(tx, of, agency, n+1), w.putLease(tx, of, agency, n+1))
			}
		}
		return err
	})
	return w
}

func (w *world) putOffer(tx port.Tx, of site.ID, agency site.AgencyID, n int, expires time.Time) error {
	o := offer.Offer{ID: offer.ID(n), Site: of, Agency: agency, Number: fmt.Sprintf("%d-O%d", agency, n), Status: offer.Open, Amount: 1, Expires: expires}
	return tx.Offers().Put(o.Foresee())
}

func (w *world) today() calendar.Day { return calendar.On(w.Clock.Now(), paris) }

func (w *world) putAgreement(tx port.Tx, of site.ID, agency site.AgencyID, n int) error {
	a := agreement.Agreement{ID: agreement.ID(n), Site: of, Agency: agency, Number: fmt.Sprintf("%d-C%d", agency, n), Status: agreement.Withdrawal, WithdrawalEnd: w.today()}
	return tx.Agreements().Put(a.Foresee(paris))
}

func (w *world) putLease(tx port.Tx, of site.ID, agency site.AgencyID, n int) error {
	l := letting.Lease{ID: letting.ID(n), Site: of, Agency: agency, Number: fmt.Sprintf("%d-B%d", agency, n), Status: letting.Signed, Type: letting.Furnished, Months: 12, Start: w.today() + 1}
	return tx.Lettings().Put(l.Foresee(paris))
}

var paris = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		panic(err)
	}
	return zone
}()

// stored are the statuses of all records of a site as they are stored, and how
// many events there are about each.
func (w *world) stored(of site.ID) (all []string) {
	w.View(func(tx port.Tx) error {
		offers, err := tx.Offers().Scan(of, 0, 1000)
		agreements, err2 := tx.Agreements().Scan(of, 0, 1000)
		leases, err3 := tx.Lettings().Scan(of, 0, 1000)
		events, err4 := tx.Ledger().After(of, 0, 1000)
		told := map[string]int{}
		for _, e := range events {
			told[fmt.Sprintf("%s %d", e.Type, e.Resource)]++
		}
		for _, o := range offers {
			all = append(all, fmt.Sprintf("%s %s %d", o.Number, o.Status, told[fmt.Sprintf("%s %d", event.OfferUpdate, o.ID)]))
		}
		for _, a := range agreements {
			all = append(all, fmt.Sprintf("%s %s %d", a.Number, a.Status, told[fmt.Sprintf("%s %d", event.AgreementUpdate, a.ID)]))
		}
		for _, l := range leases {
			all = append(all, fmt.Sprintf("%s %s %d", l.Number, l.Status, told[fmt.Sprintf("%s %d", event.LeaseUpdate, l.ID)]))
		}
		return kernel.FirstError(err, err2, err3, err4)
	})
	return all
}

// undone and once are how each record of a waiting world begins and ends.
var (
	undone = []string{" EN_COURS 0", " RETRACTATION 0", " SIGNE 0"}
	once   = []string{" EXPIREE 1", " CONDITIONS_LEVEES 1", " EN_COURS 1"}
)

// all counts the records that ended as they must; others are Errors, unless they may
// still be undone.
func (w *world) all(mayWait bool) (done int) {
	w.T.Helper()
	for _, of := range []site.ID{1, 2} {
		for _, record := range w.stored(of) {
			is := func(state string) bool { return strings.HasSuffix(record, state) }
			switch {
			case slices.ContainsFunc(once, is):
				done++
			case !mayWait || !slices.ContainsFunc(undone, is):
				w.T.Errorf("at site %d: %s", of, record)
			}
		}
	}
	return done
}

func TestTheClockStoresEachTransitionOnce(t *testing.T) {
	store := memstore.New()
	w := waiting(t, store, 60)
	if n, err := w.Deals.StoreDue(t.Context()); n != 0 || err != nil {
		t.Fatalf("before anything is due, %d records change, %v", n, err)
	}
	w.Clock.Advance(24 * time.Hour)
	var total, failed = make([]int, 4), make([]error, 4)
	var processes sync.WaitGroup
	for n := range total {
		process := apitest.Empty(t, store, w.Clock)
		processes.Go(func() { total[n], failed[n] = process.Deals.StoreDue(t.Context()) })
	}
	processes.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	if sum, done := total[0]+total[1]+total[2]+total[3], w.all(false); sum != 2*3*60 || done != sum {
		t.Errorf("the processes changed %v, and %d are as they must be", total, done)
	}
	if n, err := w.Deals.StoreDue(t.Context()); n != 0 || err != nil {
		t.Errorf("afterwards %d records change, %v", n, err)
	}
}

func TestAFaultOfTheClockLeavesTransitionsUndone(t *testing.T) {
	for at := 1; ; at++ {
		faulty := &porttest.Faulty{Store: memstore.New()}
		w := waiting(t, faulty, 2)
		w.Clock.Advance(24 * time.Hour)
		faulty.Writes, faulty.FailAt = 0, at
		n, err := w.Deals.StoreDue(t.Context())
		reached := faulty.Writes >= at
		if done := w.all(true); done != n || err != nil && !errors.Is(err, porttest.ErrFault) {
			t.Fatalf("fault %d: %d changed, %d done: %v", at, n, done, err)
		}
		faulty.FailAt = 0
		again, err := w.Deals.StoreDue(t.Context())
		if done := w.all(false); n+again != done || done != 12 || err != nil {
			t.Fatalf("fault %d: %d changed, and then %d, %d are done: %v", at, n, again, done, err)
		}
		if !reached {
			return
		}
	}
}

// poisoned is a store that does not take some offers.
type poisoned struct {
	port.Store
	refused func(offer.Offer) bool
}

var errPoison = errors.New("this record cannot be stored")

func (s *poisoned) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: poisonedTx{tx.Roles, s}}) })
}

type poisonedTx struct {
	port.Roles
	s *poisoned
}

func (t poisonedTx) Records() port.Records { return poisonedRecords{t.Roles.Records(), t.s} }

type poisonedRecords struct {
	port.Records
	s *poisoned
}

func (r poisonedRecords) Put(k port.Kind, record any) error {
	if o, is := record.(*offer.Offer); is && r.s.refused != nil && r.s.refused(*o) {
		return errPoison
	}
	return r.Records.Put(k, record)
}

func TestRecordsThatCannotBeChangedDoNotBlockTheOthers(t *testing.T) {
	store := &poisoned{Store: memstore.New()}
	w := &world{apitest.Over(t, store)}
	const bad, good = 130, 70
	w.Update(func(tx port.Tx) error {
		var err error
		for n := range bad + good {
			// Those that cannot be changed are due first, but for one.
			err = kernel.FirstError(err, w.putOffer(tx, 1, 11, n+1, w.Clock.Now().Add(time.Duration(n)*time.Second)))
		}
		return kernel.FirstError(err, w.putAgreement(tx, 1, 11, 1))
	})
	store.refused = func(o offer.Offer) bool { return o.ID != 3 && o.ID <= bad+1 }
	w.Clock.Advance(24 * time.Hour)
	n, err := w.Deals.StoreDue(t.Context())
	if n != good+1 || !errors.Is(err, errPoison) {
		t.Errorf("%d records changed, want %d: %v", n, good+1, err)
	}
	store.refused = nil
	if n, err = w.Deals.StoreDue(t.Context()); n != bad || err != nil {
		t.Errorf("%d records changed at last, want %d: %v", n, bad, err)
	}
	if done := w.all(false); done != bad+good+1 {
		t.Errorf("%d are done", done)
	}
}

func TestTheClockFollowsTheZoneOfTheSite(t *testing.T) {
	for name, midnight := range map[string]time.Duration{
		"Indian/Reunion": 20 * time.Hour, "America/Martinique": 28 * time.Hour, "Pacific/Kiritimati": 10 * time.Hour, "Pacific/Niue": 35 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			w := waiting(t, memstore.New(), 1)
			w.Update(func(tx port.Tx) error {
				of, err := tx.Sites().Get(1)
				of.Settings.TimeZone = name
				return kernel.FirstError(err, tx.Sites().Put(of), tx.Ledger().Touch(1, port.AspectSettings))
			})
			// The days end at midnight there, after 16 September 2026.
			end := time.Date(2026, 9, 16, 0, 0, 0, 0, time.UTC).Add(midnight)
			for _, c := range []struct {
				at   time.Time
				want string
			}{
				{end.Add(-time.Second), "[11-C1 RETRACTATION 0 11-B1 SIGNE 0]"},
				{end, "[11-C1 CONDITIONS_LEVEES 1 11-B1 EN_COURS 1]"},
				{end.Add(30 * time.Hour), "[11-C1 CONDITIONS_LEVEES 1 11-B1 EN_COURS 1]"},
			} {
				w.Clock.Advance(max(0, c.at.Sub(w.Clock.Now())))
				if _, err := w.Deals.StoreDue(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := fmt.Sprint(w.stored(1)[1:]); got != c.want {
					t.Errorf("at %v: %s, want %s", c.at, got, c.want)
				}
				found, err := w.Deals.Unchecked().SearchAgreements(t.Context(), w.As("full", 1), deals.SearchAgreements{
					DealFilters: deals.DealFilters{Status: opt.Of(kernel.Codes{"RETRACTATION"})},
				})
				if waits := strings.Contains(c.want, "RETRACTATION"); err != nil || (len(found.Data) == 1) != waits {
					t.Errorf("at %v a search finds %d: %v", c.at, len(found.Data), err)
				}
			}
		})
	}
}

func TestTheClockIsFollowedUntilTheContextEnds(t *testing.T) {
	store := &poisoned{Store: memstore.New()}
	w := waiting(t, store, 1)
	w.Clock.Advance(24 * time.Hour)
	var broken atomic.Bool
	broken.Store(true)
	store.refused = func(o offer.Offer) bool { return o.Site == 2 && broken.Load() }
	ctx, stop := context.WithCancel(t.Context())
	tick, troubles, ended := make(chan time.Time), make(chan error, 9), make(chan error, 1)
	go func() { ended <- w.Deals.FollowClock(ctx, tick, func(err error) { troubles <- err }) }()
	// Whoever takes a tick has done what was due before.
	tick <- time.Time{}
	if done := w.all(true); done != 5 {
		t.Errorf("at once, %d are done", done)
	}
	tick <- time.Time{}
	broken.Store(false)
	tick <- time.Time{}
	tick <- time.Time{}
	if done := w.all(false); done != 6 {
		t.Errorf("in the end %d are done", done)
	}
	for range 2 {
		if err := <-troubles; !errors.Is(err, errPoison) {
			t.Errorf("the trouble is %v", err)
		}
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

func TestTheClockStopsAtOnceWhenItsContextEnds(t *testing.T) {
	w := waiting(t, memstore.New(), 2)
	w.Clock.Advance(24 * time.Hour)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := w.Deals.FollowClock(ctx, nil, func(err error) { t.Errorf("it has trouble: %v", err) }); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	if done := w.all(true); done != 0 {
		t.Errorf("%d are done", done)
	}
}
