package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

// agendaKinds are the kinds of record of the agenda.
func agendaKinds() []entity {
	return []entity{
		appointments(),
		permanences(),
		inTable[site.UserID, slot.Schedule]{
			name: "Schedules", table: port.Tx.Schedules, sample: sampleSchedule,
			key: func(s *slot.Schedule) (*site.ID, *site.UserID, *int64) { return &s.Site, &s.User, &s.Version },
		},
		importedKind{},
		inTable[site.AgencyID, planning.BookingSettings]{
			name: "BookingSettings", table: port.Tx.BookingSettings, sample: sampleSettings,
			key: func(s *planning.BookingSettings) (*site.ID, *site.AgencyID, *int64) {
				return &s.Site, &s.Agency, &s.Version
			},
		},
		holds(),
		ofCustomers("Bookings", port.Tx.Bookings, sampleBooking,
			func(b *planning.Booking) (*site.ID, *planning.BookingID, *int64, *customer.ID) {
				return &b.Site, &b.ID, &b.Version, &b.Customer
			}),
		feeds(),
	}
}

// agendaRaces are about what several do at once.
func agendaRaces() []example {
	return []example{
		{"TimeOfHeldCalendarsIsGivenAwayOnce", heldOnce},
		{"UnitsThatHoldCalendarsCrosswiseAllEnd", heldCrosswise},
		{"TheLastWhoAttendAreFound", lastAttendees},
	}
}

// agendaExamples are about calendars, of which there are no records.
func agendaExamples() []example {
	return []example{
		{"AnyCalendarCanBeHeld", anyCalendar},
		{"AHeldCalendarIsWaitedFor", heldIsWaitedFor},
	}
}

func anyCalendar(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Calendars().Hold(id, nil) },
			func() error { return tx.Calendars().Hold(id, []site.UserID{3, 1, 3}) },
			func() error { return tx.Calendars().Hold(id, []site.UserID{1, 2}) },
			func() error { return tx.Calendars().Hold(other, []site.UserID{1}) },
			func() error { return tx.Schedules().Put(sampleSchedule(id, 1)) },
		)
	})
	// What is held once is free afterwards, whatever became of the unit.
	err := w.Update(t.Context(), func(tx port.Tx) error {
		return errors.Join(tx.Calendars().Hold(id, []site.UserID{1, 2, 4}), errAborted)
	})
	if !errors.Is(err, errAborted) {
		t.Error(err)
	}
	w.update(t, func(tx port.Tx) error { return tx.Calendars().Hold(id, []site.UserID{4, 3, 2, 1}) })
}

// heldIsWaitedFor lets a unit wait for one of two calendars that another one holds,
// until it may wait no longer.
func heldIsWaitedFor(t *testing.T, w *world) {
	id := w.site(t)
	held, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- w.Update(t.Context(), func(tx port.Tx) error {
			err := tx.Calendars().Hold(id, []site.UserID{1, 2})
			close(held)
			<-release
			return err
		})
	}()
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := w.Update(ctx, func(tx port.Tx) error {
		return errors.Join(tx.Calendars().Hold(id, []site.UserID{3, 2}), tx.Schedules().Put(sampleSchedule(id, 2)))
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting ended with %v, want context.DeadlineExceeded", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Errorf("the unit that was waited for: %v", err)
	}
	w.notFound(t, "what the unit that waited would have written", func(tx port.Tx) error { _, err := tx.Schedules().Get(id, 2); return err })
}

// heldOnce lets workers give away the time of the same users, of which each has as
// much as a few: none is given away twice, and none is left. They name the users in
// different orders, and some units fail. Those that wait for each other in a circle
// have to run again; a few may for reasons of the store.
func heldOnce(t *testing.T, w *world) {
	const few = 2
	id, now := w.site(t), instant(0)
	var runs atomic.Int64
	for round := range rounds {
		users := make([]site.UserID, 4)
		for n := range users {
			users[n] = site.UserID(10*round + n + 1)
		}
		together(t, workers, func(ctx context.Context, i int) error {
			asked := slices.Concat(users[i%4:], users[:i%4])
			if i%2 == 0 {
				slices.Reverse(asked)
			}
			asked = asked[:2+i%3]
			err := w.Update(ctx, func(tx port.Tx) error {
				runs.Add(1)
				if _, err := tx.Sites().Get(id); err != nil { // what is no calendar may be read before
					return err
				}
				if err := tx.Calendars().Hold(id, asked); err != nil {
					return err
				}
				for _, user := range asked {
					taken, err := tx.Holds().Of(id, []site.UserID{user}, now)
					if err != nil {
						return err
					}
					if len(taken) == few {
						continue
					}
					if err := tx.Holds().Put(holds().made(id, planning.HoldID(100*int(user)+i), user, instant(1))); err != nil {
						return err
					}
				}
				if i%4 == 3 {
					return errAborted
				}
				return nil
			})
			if errors.Is(err, errAborted) {
				return nil
			}
			return err
		})
		w.view(t, func(tx port.Tx) error {
			for _, user := range users {
				taken, err := tx.Holds().Of(id, []site.UserID{user}, now)
				if err != nil {
					return err
				}
				same(t, fmt.Sprint("how often the time of user ", user, " was given away"), few, len(taken))
			}
			return nil
		})
	}
	if again := runs.Load() - workers*rounds; again > 3 {
		t.Errorf("%d of %d units ran again", again, workers*rounds)
	}
}

// heldCrosswise lets units hold the same two calendars in opposite orders, one by
// one. There are few, because an engine may look for deadlocks once a second.
func heldCrosswise(t *testing.T, w *world) {
	id := w.site(t)
	together(t, 2, func(ctx context.Context, i int) error {
		for round := range 2 {
			err := w.Update(ctx, func(tx port.Tx) error {
				for n := range 2 {
					if err := tx.Calendars().Hold(id, []site.UserID{site.UserID((i+n)%2 + 1)}); err != nil {
						return err
					}
				}
				return tx.Holds().Put(holds().bare(id, planning.HoldID(10*i+round+1)))
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		made, err := tx.Holds().Existing(id, []planning.HoldID{1, 2, 11, 12})
		same(t, "what was made", []planning.HoldID{1, 2, 11, 12}, made)
		return err
	})
}

// permanenceKind is the permanences, which are found by their bounds.
type permanenceKind struct {
	inTable[planning.DutyID, planning.Duty]
}

func permanences() permanenceKind {
	return permanenceKind{inTable[planning.DutyID, planning.Duty]{
		name: "Permanences", table: func(tx port.Tx) port.Table[planning.DutyID, planning.Duty] { return tx.Permanences() }, sample: samplePermanence,
		key: func(p *planning.Duty) (*site.ID, *planning.DutyID, *int64) { return &p.Site, &p.ID, &p.Version },
	}}
}

func (k permanenceKind) examples() []example {
	return append(k.inTable.examples(),
		example{"PermanencesAreFoundByTheirBounds", k.bounded},
		example{"PermanencesAreFoundByWhatIsKnownOfThem", k.searched},
		example{"FoundPermanencesAreCopies", k.foundCopies})
}

// of makes a permanence, with bounds that are not the time of the first duty.
func (k permanenceKind) of(s site.ID, id planning.DutyID, bounds calendar.Interval) planning.Duty {
	p := k.bare(s, id)
	p.Agency, p.User, p.Kind, p.Start, p.End, p.From, p.Until = 1, 1, planning.DutyWeb, instant(50), instant(51), bounds.Start, bounds.End
	return p
}

func (k permanenceKind) within(t *testing.T, w *world, what string, q port.PermanenceQuery, want ...int64) {
	t.Helper()
	k.finds(t, w, what, func(tx port.Tx) ([]planning.Duty, error) { return tx.Permanences().Within(q) }, want...)
}

func (k permanenceKind) bounded(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	for n, b := range bounds() {
		k.puts(t, w, k.of(id, planning.DutyID(n+1), b), k.of(other, planning.DutyID(n+11), b))
	}
	for _, of := range append(windows(), timeless()...) {
		k.within(t, w, of.what, port.PermanenceQuery{Site: id, Window: of.Interval}, of.want...)
	}
	// Bounds are those of the last state.
	k.puts(t, w, k.of(id, 2, span(0, 4)), k.of(id, 3, span(15, 16)))
	w.update(t, func(tx port.Tx) error { return tx.Permanences().Delete(id, 1) })
	k.within(t, w, "after a change", port.PermanenceQuery{Site: id, Window: span(12, 40)}, 3, 5)
	k.within(t, w, "where it went", port.PermanenceQuery{Site: id, Window: span(1, 2)}, 2)
}

func (k permanenceKind) searched(t *testing.T, w *world) {
	id := w.site(t)
	of := func(n planning.DutyID, agency site.AgencyID, user site.UserID, kind planning.DutyKind) planning.Duty {
		p := k.of(id, n, span(1, 2))
		p.Agency, p.User, p.Kind = agency, user, kind
		return p
	}
	elsewhere := of(4, 1, 1, planning.DutyWeb)
	elsewhere.From, elsewhere.Until = instant(2), instant(3)
	k.puts(t, w, of(11, 1, 1, planning.DutyWeb), of(2, 1, 2, planning.DutyOnCall), of(3, 2, 1, planning.DutyWeb), of(5, 2, 3, awkward), elsewhere)
	for _, c := range []struct {
		agencies []site.AgencyID
		users    []site.UserID
		kinds    []planning.DutyKind
		want     []int64
	}{
		{nil, nil, nil, []int64{2, 3, 5, 11}},
		{[]site.AgencyID{1}, nil, nil, []int64{2, 11}},
		{[]site.AgencyID{2, 1, 9}, nil, nil, []int64{2, 3, 5, 11}},
		{[]site.AgencyID{9}, nil, nil, nil},
		{nil, []site.UserID{1}, nil, []int64{3, 11}},
		{nil, []site.UserID{3, 2, 3}, nil, []int64{2, 5}},
		{nil, []site.UserID{9}, nil, nil},
		{nil, nil, []planning.DutyKind{planning.DutyWeb}, []int64{3, 11}},
		{nil, nil, []planning.DutyKind{awkward, planning.DutyOnCall}, []int64{2, 5}},
		{nil, nil, []planning.DutyKind{"web", ""}, nil},
		{[]site.AgencyID{1}, []site.UserID{1}, []planning.DutyKind{planning.DutyWeb, planning.DutyOnCall}, []int64{11}},
		{[]site.AgencyID{2}, []site.UserID{1, 2}, []planning.DutyKind{planning.DutyOnCall}, nil},
	} {
		q := port.PermanenceQuery{Site: id, Window: span(0, 2), Agencies: c.agencies, Users: c.users, Kinds: c.kinds}
		k.within(t, w, fmt.Sprintf("%+v", c), q, c.want...)
	}
}

func (k permanenceKind) foundCopies(t *testing.T, w *world) {
	id := w.site(t)
	k.puts(t, w, k.sample(id, 1))
	read := func(tx port.Tx) error {
		found, err := tx.Permanences().Within(port.PermanenceQuery{Site: id, Window: span(1, 2)})
		same(t, "found", []planning.Duty{k.sample(id, 1)}, found)
		spoil(&found)
		return err
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

func (k permanenceKind) picture(tx port.Tx, s site.ID) (any, error) {
	table, err := k.inTable.picture(tx, s)
	found, err2 := tx.Permanences().Within(port.PermanenceQuery{Site: s, Window: span(0, 100)})
	return []any{table, found}, errors.Join(err, err2)
}

// holdKind is the holds, which are over after a while.
type holdKind struct {
	inTable[planning.HoldID, planning.Hold]
}

func holds() holdKind {
	return holdKind{inTable[planning.HoldID, planning.Hold]{
		name: "Holds", table: func(tx port.Tx) port.Table[planning.HoldID, planning.Hold] { return tx.Holds() }, sample: sampleHold,
		// Holds never change; to see that no change is lost, that of the product does.
		key: func(h *planning.Hold) (*site.ID, *planning.HoldID, *int64) {
			return &h.Site, &h.ID, (*int64)(&h.Product)
		},
		least: func(h *planning.Hold) { h.Expires = instant(0) },
	}}
}

func (k holdKind) examples() []example {
	return append(k.inTable.examples(),
		example{"HoldsAreListedByUserWhileTheyLast", k.listed},
		example{"HoldsOfAClientAreCountedWhileTheyLast", k.counts},
		example{"ExpiredHoldsArePurged", k.purges})
}

// made is a hold on the time of a user.
func (k holdKind) made(s site.ID, id planning.HoldID, user site.UserID, expires time.Time) planning.Hold {
	h := k.bare(s, id)
	h.User, h.Expires = user, expires
	return h
}

func (k holdKind) listed(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	for _, s := range []site.ID{other, id} {
		k.puts(t, w, k.made(s, 12, 1, instant(10)), k.made(s, 3, 1, instant(20)), k.made(s, 5, 2, instant(10)), k.made(s, 7, 3, instant(5)))
	}
	before := func(n int) time.Time { return instant(n).Add(-time.Microsecond) }
	is := func(of site.ID, users []site.UserID, now time.Time, want ...int64) {
		t.Helper()
		k.finds(t, w, fmt.Sprintf("of %d at %v", users, now), func(tx port.Tx) ([]planning.Hold, error) { return tx.Holds().Of(of, users, now) }, want...)
	}
	is(id, []site.UserID{1}, instant(0), 3, 12)
	is(id, []site.UserID{1}, before(10), 3, 12)
	is(id, []site.UserID{1}, instant(10), 3)
	is(id, []site.UserID{1}, before(20), 3)
	is(id, []site.UserID{1}, instant(20))
	is(id, []site.UserID{3, 2, 9, 2}, before(5), 5, 7)
	is(id, []site.UserID{3, 2, 9, 2}, instant(5), 5)
	is(id, []site.UserID{9}, instant(0))
	is(id, nil, instant(0))
	k.puts(t, w, k.made(id, 12, 2, instant(10)), k.made(id, 7, 3, instant(6)))
	w.update(t, func(tx port.Tx) error { return tx.Holds().Delete(id, 5) })
	is(id, []site.UserID{1}, instant(5), 3)
	is(id, []site.UserID{2}, instant(5), 12)
	is(id, []site.UserID{3}, instant(5), 7)
	is(other, []site.UserID{1, 2}, instant(5), 3, 5, 12)
	full := k.sample(id, 9)
	k.puts(t, w, full)
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Holds().Of(id, []site.UserID{full.User}, before(10))
		same(t, "the record", []planning.Hold{full, k.made(id, 12, 2, instant(10))}, found)
		return err
	})
}

func (k holdKind) counts(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	made := func(s site.ID, n planning.HoldID, p product.ID, by access.CredentialID, expires int) planning.Hold {
		h := k.made(s, n, site.UserID(n), instant(expires))
		h.Product, h.Credential = p, by
		return h
	}
	k.puts(t, w, made(id, 1, 1, "a", 10), made(id, 2, 1, "a", 20), made(id, 3, 1, "A", 10), made(id, 4, 2, "a", 10), made(id, 5, 1, awkward, 10),
		made(other, 1, 1, "a", 10))
	is := func(p product.ID, by access.CredentialID, now time.Time, want int) {
		t.Helper()
		check := func(tx port.Tx) error {
			n, err := tx.Holds().Count(id, p, by, now)
			same(t, fmt.Sprintf("the number of %q on %d at %v", by, p, now), want, n)
			return err
		}
		w.view(t, check)
		w.update(t, check)
	}
	is(1, "a", instant(0), 2)
	is(1, "a", instant(10).Add(-time.Microsecond), 2)
	is(1, "a", instant(10), 1)
	is(1, "a", instant(20), 0)
	is(1, "A", instant(0), 1)
	is(2, "a", instant(0), 1)
	is(1, awkward, instant(0), 1)
	is(3, "a", instant(0), 0)
	is(1, "b", instant(0), 0)
	k.puts(t, w, made(id, 1, 2, "a", 10))
	w.update(t, func(tx port.Tx) error { return tx.Holds().Delete(id, 5) })
	is(1, "a", instant(0), 1)
	is(2, "a", instant(0), 2)
	is(1, awkward, instant(0), 0)
}

// purges looks at a time before that of every other example: what is over is
// purged at any site.
func (k holdKind) purges(t *testing.T, w *world) {
	at := func(n int) time.Time { return time.Date(1970, 1, 2, 0, 0, n, 1000, time.UTC) }
	id, other := w.site(t), w.site(t)
	k.puts(t, w, k.made(id, 1, 1, at(4)), k.made(id, 2, 1, at(1)), k.made(other, 1, 1, at(2)), k.made(id, 3, 1, at(3)), k.made(other, 2, 1, at(9)))
	for _, c := range []struct {
		before         time.Time
		n, gone        int
		here, anywhere []planning.HoldID
	}{
		{at(0), 9, 0, []planning.HoldID{1, 2, 3}, []planning.HoldID{1, 2}},
		{at(1), 9, 0, []planning.HoldID{1, 2, 3}, []planning.HoldID{1, 2}}, // it was over just then, and not before
		{at(5), 0, 0, []planning.HoldID{1, 2, 3}, []planning.HoldID{1, 2}},
		{at(5), -1, 0, []planning.HoldID{1, 2, 3}, []planning.HoldID{1, 2}},
		{at(1).Add(time.Microsecond), 9, 1, []planning.HoldID{1, 3}, []planning.HoldID{1, 2}},
		{at(5), 2, 2, []planning.HoldID{1}, []planning.HoldID{2}}, // the first expired first, wherever it is
		{at(4), 9, 0, []planning.HoldID{1}, []planning.HoldID{2}},
		{at(5), 9, 1, nil, []planning.HoldID{2}},
		{at(5), 9, 0, nil, []planning.HoldID{2}},
		{at(10), 9, 1, nil, nil},
	} {
		w.update(t, func(tx port.Tx) error {
			gone, err := tx.Holds().Purge(c.before, c.n)
			same(t, "the number that went", c.gone, gone)
			return err
		})
		w.view(t, func(tx port.Tx) error {
			here, err := tx.Holds().Existing(id, []planning.HoldID{1, 2, 3})
			same(t, "what is left", c.here, here)
			there, err2 := tx.Holds().Existing(other, []planning.HoldID{1, 2, 3})
			same(t, "what is left of another site", c.anywhere, there)
			return errors.Join(err, err2)
		})
	}
}

func (k holdKind) picture(tx port.Tx, s site.ID) (any, error) {
	table, err := k.inTable.picture(tx, s)
	sample := k.sample(s, 1)
	of, err2 := tx.Holds().Of(s, []site.UserID{sample.User}, instant(0))
	n, err3 := tx.Holds().Count(s, sample.Product, sample.Credential, instant(0))
	return []any{table, of, n}, errors.Join(err, err2, err3)
}

// feedKind is the feeds, which are found by their tokens.
type feedKind struct {
	inTable[site.UserID, planning.Feed]
}

func feeds() feedKind {
	return feedKind{inTable[site.UserID, planning.Feed]{
		name: "Feeds", table: func(tx port.Tx) port.Table[site.UserID, planning.Feed] { return tx.Feeds() }, sample: sampleFeed,
		key:    func(f *planning.Feed) (*site.ID, *site.UserID, *int64) { return &f.Site, &f.User, nil },
		moment: func(f *planning.Feed) *time.Time { return &f.Added },
		least:  func(f *planning.Feed) { f.Token = "bare-" + feedToken(f.Site, f.User) },
	}}
}

func (k feedKind) examples() []example {
	return append(k.inTable.examples(), example{"FeedsAreFoundByToken", k.byToken})
}

func (k feedKind) byToken(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	k.puts(t, w, k.sample(id, 1), k.sample(id, 2), k.sample(other, 1))
	is := func(token access.Hash, want planning.Feed) {
		t.Helper()
		check := func(tx port.Tx) error {
			found, err := tx.Feeds().ByToken(token)
			same(t, fmt.Sprintf("the feed with %q", token), want, found)
			return err
		}
		w.view(t, check)
		w.update(t, check)
	}
	none := func(token access.Hash) {
		t.Helper()
		w.notFound(t, fmt.Sprintf("the feed with %q", token), func(tx port.Tx) error { _, err := tx.Feeds().ByToken(token); return err })
	}
	is(feedToken(id, 1), k.sample(id, 1))
	is(feedToken(id, 2), k.sample(id, 2))
	is(feedToken(other, 1), k.sample(other, 1))
	none(feedToken(other, 2))
	none("FEED" + feedToken(id, 1)[len("feed"):])
	// A new token takes the place of the one before.
	renewed := k.sample(id, 1)
	renewed.Token = "renewed-" + feedToken(id, 1)
	k.puts(t, w, renewed)
	is(renewed.Token, renewed)
	none(feedToken(id, 1))
	w.update(t, func(tx port.Tx) error { return tx.Feeds().Delete(id, 2) })
	none(feedToken(id, 2))
	is(feedToken(other, 1), k.sample(other, 1))
	// What nobody has any more can be another's.
	given := k.sample(other, 2)
	given.Token = feedToken(id, 2)
	k.puts(t, w, given)
	is(feedToken(id, 2), given)
}

func (k feedKind) picture(tx port.Tx, s site.ID) (any, error) {
	table, err := k.inTable.picture(tx, s)
	found, err2 := tx.Feeds().ByToken(feedToken(s, 1))
	if errors.Is(err2, fault.NotFound) {
		err2 = nil
	}
	return []any{table, found}, errors.Join(err, err2)
}

// agendaCommand makes up one command about the agenda.
func (p program) agendaCommand() command {
	return draw(p, "about", p.appointmentCommand, p.appointmentCommand, p.appointmentCommand, p.permanenceCommand, p.holdCommand, p.feedCommand,
		p.agendaRecordCommand, p.agendaRecordCommand)()
}

func (p program) agendaRecordCommand() command {
	if draw(p, "hold", false, false, false, true) {
		var users []site.UserID
		for _, n := range p.numbers("users", 3) {
			users = append(users, site.UserID(n))
		}
		return command{fmt.Sprint("hold the calendars of ", users), func(tx port.Tx) (any, error) { return nil, tx.Calendars().Hold(p.site, users) }}
	}
	return draw(p, "kind", agendaKinds()...).command(p)
}

func (p program) permanenceCommand() command {
	made := permanences().of(p.site, planning.DutyID(p.number("id", 4)), calendar.Interval{})
	made.Agency, made.User = site.AgencyID(p.number("agency", 2)), site.UserID(p.number("user", 2))
	made.Kind = draw(p, "kind", planning.DutyWeb, planning.DutyOnCall, "")
	from := int(p.number("from", 4)) - 1
	made.From, made.Until = instant(from), instant(from+int(p.number("length", 3)))
	if draw(p, "endless", false, false, true) {
		made.Until = time.Time{}
	}
	q := port.PermanenceQuery{
		Site: p.site, Window: p.window(), Agencies: draw(p, "agencies", nil, nil, []site.AgencyID{1}, []site.AgencyID{2, 1}),
		Users: draw(p, "users", nil, nil, []site.UserID{1}, []site.UserID{3, 2}),
		Kinds: draw(p, "kinds", nil, nil, []planning.DutyKind{planning.DutyWeb}, []planning.DutyKind{"", planning.DutyOnCall}),
	}
	return draw(p, "way",
		command{fmt.Sprintf("put permanence %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Permanences().Put(made) }},
		command{fmt.Sprintf("permanences %+v", q), func(tx port.Tx) (any, error) { return tx.Permanences().Within(q) }})
}

func (p program) holdCommand() command {
	made := sampleHold(p.site, planning.HoldID(p.number("id", 4)))
	made.Product, made.User = product.ID(p.number("product", 2)), site.UserID(p.number("user", 2))
	made.Credential, made.Expires = draw[access.CredentialID](p, "credential", "a", "A"), instant(int(p.number("expires", 4)))
	now, users := instant(int(p.number("now", 5))-1), draw(p, "users", nil, []site.UserID{made.User}, []site.UserID{2, 1, 2})
	return draw(p, "way",
		command{fmt.Sprintf("put hold %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Holds().Put(made) }},
		command{fmt.Sprintf("put a hold %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Holds().Put(made) }},
		command{fmt.Sprintf("holds of %d at %v", users, now), func(tx port.Tx) (any, error) { return tx.Holds().Of(p.site, users, now) }},
		command{fmt.Sprintf("count holds of %s on %d at %v", made.Credential, made.Product, now), func(tx port.Tx) (any, error) {
			return tx.Holds().Count(p.site, made.Product, made.Credential, now)
		}},
		// Those of other programs go as well.
		command{fmt.Sprintf("purge holds before %v", now), func(tx port.Tx) (any, error) { return tx.Holds().Purge(now, 1<<20) }})
}

func (p program) feedCommand() command {
	user, other := site.UserID(p.number("user", 4)), site.UserID(p.number("other", 4))
	renewed := sampleFeed(p.site, user)
	renewed.Token = "renewed-" + renewed.Token
	return draw(p, "way",
		command{fmt.Sprint("renew the feed of ", user), func(tx port.Tx) (any, error) { return nil, tx.Feeds().Put(renewed) }},
		command{fmt.Sprint("put the feed of ", user), func(tx port.Tx) (any, error) { return nil, tx.Feeds().Put(sampleFeed(p.site, user)) }},
		command{fmt.Sprint("feed by the token of ", other), func(tx port.Tx) (any, error) { return tx.Feeds().ByToken(feedToken(p.site, other)) }},
		command{fmt.Sprint("feed by the new token of ", other), func(tx port.Tx) (any, error) {
			return tx.Feeds().ByToken("renewed-" + feedToken(p.site, other))
		}})
}
