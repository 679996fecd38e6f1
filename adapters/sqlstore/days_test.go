package sqlstore_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// dayLog is a log of deliveries that counts days from the one on which the tables were made.
type dayLog struct {
	t     testing.TB
	p     place
	s     *sqlstore.Store
	first time.Time
}

func newDayLog(t testing.TB) dayLog {
	p := postgresPlace(t)
	s := p.migrated(t)
	return dayLog{t, p, s, time.Now().UTC().Truncate(24 * time.Hour)}
}

// day is a moment of a day.
func (c dayLog) day(n int, at time.Duration) time.Time { return c.first.AddDate(0, 0, n).Add(at) }

// keep does what a server does now and then.
func (c dayLog) keep(now, before time.Time) (until time.Time) {
	c.t.Helper()
	_, until, err := c.s.DeliveryDays().KeepDays(c.t.Context(), now, before)
	if err != nil {
		c.t.Fatal(err)
	}
	return until
}

// add adds a delivery with an attempt.
func (c dayLog) add(at time.Time, status webhook.Status) webhook.Delivery {
	c.t.Helper()
	var d webhook.Delivery
	update(c.t, c.s, func(tx port.Tx) error {
		ids, err := tx.NextIDs(port.DeliveryIDs, 1)
		if err != nil {
			return err
		}
		d = webhook.Delivery{ID: webhook.DeliveryID(ids[0]), Site: 1, Hook: 1, Event: ids[0], Type: "PRODUCT_UPDATE", Number: 1, Due: at, Added: at}
		if err := tx.Deliveries().Add([]webhook.Delivery{d}); err != nil {
			return err
		}
		d.Status = status
		return tx.Deliveries().Settle([]webhook.Settled{{Delivery: d, Attempt: &webhook.Attempt{Number: 1, At: at}}})
	})
	return d
}

// has reports whether a delivery is there with its attempt; one without the other is wrong.
func (c dayLog) has(d webhook.Delivery) (there bool) {
	c.t.Helper()
	err := c.s.View(c.t.Context(), func(tx port.Tx) error {
		found, err := tx.Deliveries().Get(1, 1, d.ID)
		there = err == nil && found == d
		if err != nil && !errors.Is(err, fault.NotFound) {
			return err
		}
		tries, err := tx.Deliveries().Attempts(1, 1, []webhook.DeliveryID{d.ID})
		if got := len(tries[d.ID]) == 1; got != there {
			c.t.Errorf("delivery %d is there: %t, its attempt: %t", d.ID, there, got)
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return there
}

// in is the table that a delivery is in.
func (c dayLog) in(d webhook.Delivery) (table string) {
	c.t.Helper()
	if err := c.p.raw(c.t).QueryRowContext(c.t.Context(), "SELECT tableoid::regclass::text FROM delivery WHERE id = $1", int64(d.ID)).Scan(&table); err != nil {
		c.t.Fatal(err)
	}
	return table
}

func (c dayLog) tables() []string {
	c.t.Helper()
	return texts(c.t, c.p.raw(c.t), "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'delivery'::regclass")
}

// A row that moves to another page is written to the journal as a whole.
func TestWhatBecomesOfADeliveryFitsItsPage(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	for day := range 2 {
		if day > 0 {
			c.keep(c.day(day, time.Hour), time.Time{})
		}
		at := c.day(day, time.Hour)
		var added []webhook.Delivery
		update(t, c.s, func(tx port.Tx) error {
			ids, err := tx.NextIDs(port.DeliveryIDs, 500)
			if err != nil {
				return err
			}
			for _, id := range ids {
				added = append(added, webhook.Delivery{
					ID: webhook.DeliveryID(id), Site: 1, Hook: 1, Event: id, Message: fmt.Sprintf("evt_1_%d", id), Type: "PRODUCT_UPDATE", Due: at, Added: at,
				})
			}
			return tx.Deliveries().Add(added)
		})
		table := c.in(added[0])
		pages := "SELECT id || ' ' || split_part(ctid::text, ',', 1) FROM " + table + " ORDER BY id"
		before := texts(t, c.p.raw(t), pages)
		update(t, c.s, func(tx port.Tx) error {
			var settled []webhook.Settled
			for _, d := range added {
				d.Status, d.Number = webhook.Rejected, 1
				settled = append(settled, webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{Number: 1, At: at}})
			}
			return tx.Deliveries().Settle(settled)
		})
		moved := 0
		for i, place := range texts(t, c.p.raw(t), pages) {
			if place != before[i] {
				moved++
			}
		}
		if moved > len(added)/20 {
			t.Errorf("in %s %d of %d move to another page", table, moved, len(added))
		}
	}
}

func TestADayOfDeliveriesGoesWhole(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	var over, pending []webhook.Delivery
	for day := range 6 {
		c.keep(c.day(day, time.Hour), time.Time{})
		over = append(over, c.add(c.day(day, 2*time.Hour), webhook.Succeeded))
		pending = append(pending, c.add(c.day(day, 3*time.Hour), webhook.Pending))
	}
	for day, d := range over[1:] {
		if want := "delivery_" + c.day(day+1, 0).Format("20060102"); c.in(d) != want {
			t.Errorf("delivery %d of day %d is in %s", d.ID, day+1, c.in(d))
		}
	}

	until := c.keep(c.day(33, 0), c.day(3, 90*time.Minute))
	if !until.Equal(c.day(3, 0)) {
		t.Errorf("what is left goes one by one until %v", until)
	}
	for day := range 6 {
		if c.has(over[day]) != (day >= 3) {
			t.Errorf("the delivery of day %d that is over is there: %t", day, day < 3)
		}
		if !c.has(pending[day]) {
			t.Errorf("the delivery of day %d that is pending is gone", day)
		}
	}
	if found := pendingDeliveries(t, c.s); !slices.Equal(found, pending) {
		t.Errorf("pending are %+v", found)
	}
	for _, table := range c.tables() {
		if strings.Contains(table, "before") || strings.Contains(table, c.day(1, 0).Format("20060102")) {
			t.Errorf("%s is still there", table)
		}
	}

	// What stayed is settled and purged like everything else, and its day does not come back.
	pending[1].Status = webhook.Failed
	update(t, c.s, func(tx port.Tx) error { return tx.Deliveries().Settle([]webhook.Settled{{Delivery: pending[1]}}) })
	before := len(c.tables())
	until = c.keep(c.day(33, 0), c.day(3, 90*time.Minute))
	if len(c.tables()) != before || c.in(pending[1]) != "delivery_of_no_day" {
		t.Errorf("the tables are %q", c.tables())
	}
	update(t, c.s, func(tx port.Tx) error {
		n, err := tx.Deliveries().Purge(until, 10)
		if n != 1 {
			t.Errorf("%d are purged", n)
		}
		return err
	})
	if c.has(pending[1]) {
		t.Error("what stayed is not purged when it is over")
	}
}

func pendingDeliveries(t *testing.T, s *sqlstore.Store) (found []webhook.Delivery) {
	t.Helper()
	err := s.View(t.Context(), func(tx port.Tx) (err error) {
		found, err = tx.Deliveries().Pending(1, 1, 100)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A day ends for its ids when somebody moves them on. What was added meanwhile is of the
// next day, and stays as long as that.
func TestWhatWasAddedLaterStaysWhenItsDayGoes(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	early := c.add(c.day(0, time.Hour), webhook.Succeeded)
	late := c.add(c.day(9, time.Hour), webhook.Succeeded)
	c.keep(c.day(10, 0), c.day(9, 0))
	if c.has(early) || !c.has(late) || c.in(late) != "delivery_of_no_day" {
		t.Errorf("early: %t, late: %t", c.has(early), c.has(late))
	}
}

// What is kept for less than a day is not kept until the day is over.
func TestWhatIsKeptForHoursGoesByTheHour(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	if until := c.keep(c.day(0, 8*time.Hour), c.day(0, 6*time.Hour)); !until.Equal(c.day(0, 6*time.Hour)) {
		t.Errorf("until %v", until)
	}
}

// Nothing depends on the table of a day: what comes before it moves there.
func TestWhatIsOfNoDayMovesToItsDay(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	var strays []webhook.Delivery
	for _, day := range []int{20, 19, 5} {
		update(t, c.s, func(tx port.Tx) error {
			return tx.ReserveID(port.DeliveryIDs, c.day(day, 0).Unix()/86_400*1_000_000_000)
		})
		execute(t, c.p.raw(t), fmt.Sprintf("SELECT setval('delivery_id', %d)", c.day(day, 0).Unix()/86_400*1_000_000_000))
		strays = append(strays, c.add(c.day(day, time.Hour), webhook.Succeeded))
	}
	for _, d := range strays {
		if table := c.in(d); table != "delivery_of_no_day" {
			t.Fatalf("delivery %d is in %s", d.ID, table)
		}
	}
	c.keep(c.day(20, 2*time.Hour), c.day(10, 0))
	for i, want := range []string{c.day(20, 0).Format("delivery_20060102"), c.day(19, 0).Format("delivery_20060102"), "delivery_of_no_day"} {
		if table := c.in(strays[i]); table != want || !c.has(strays[i]) {
			t.Errorf("delivery %d is in %s, want %s", strays[i].ID, table, want)
		}
	}
}

// Whoever reads for long is not disturbed, and holds up nobody.
func TestADayInUseGoesLater(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	d := c.add(c.day(0, time.Hour), webhook.Succeeded)
	c.keep(c.day(1, 0), time.Time{})
	release := c.reading("delivery")
	_, _, err := c.s.DeliveryDays().KeepDays(t.Context(), c.day(1, 0), c.day(3, 0))
	if !errors.Is(err, fault.Unavailable) || !c.has(d) {
		t.Errorf("while somebody reads: %v", err)
	}
	c.add(c.day(1, 0), webhook.Succeeded)
	release()
	c.keep(c.day(1, 0), c.day(3, 0))
	if c.has(d) {
		t.Error("it is still there")
	}
}

// reading is somebody who reads a table until release.
func (c dayLog) reading(table string) (release func()) {
	c.t.Helper()
	reader, err := c.p.raw(c.t).BeginTx(c.t.Context(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := reader.ExecContext(c.t.Context(), "SELECT count(*) FROM "+table); err != nil {
		c.t.Fatal(err)
	}
	return func() {
		c.t.Helper()
		if err := reader.Rollback(); err != nil {
			c.t.Error(err)
		}
	}
}

// A lock that was refused is tried for again, so that those who read for a moment put nothing
// off until the next time.
func TestADayInUseForAMomentGoesAtOnce(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	d := c.add(c.day(0, time.Hour), webhook.Succeeded)
	c.keep(c.day(1, 0), time.Time{})
	const waiting = "FROM pg_locks WHERE NOT granted AND relation = 'delivery'::regclass"
	// This one reads until somebody has waited for it in vain.
	raw, read := c.p.raw(t), make(chan error, 1)
	go func() {
		_, err := raw.ExecContext(t.Context(), `DO $$ DECLARE one TIMESTAMPTZ; BEGIN
			LOCK TABLE delivery IN ACCESS SHARE MODE;
			LOOP SELECT min(waitstart) INTO one `+waiting+`; EXIT WHEN one IS NOT NULL; PERFORM pg_sleep(0.001); END LOOP;
			LOOP EXIT WHEN NOT EXISTS (SELECT `+waiting+` AND waitstart = one); PERFORM pg_sleep(0.001); END LOOP;
		END $$`)
		read <- err
	}()
	for len(texts(t, raw, "SELECT 'reads' FROM pg_locks WHERE granted AND relation = 'delivery'::regclass AND pid <> pg_backend_pid()")) == 0 {
		time.Sleep(time.Millisecond)
	}
	c.keep(c.day(1, 0), c.day(3, 0))
	if err := <-read; err != nil {
		t.Error(err)
	}
	if c.has(d) {
		t.Error("it is still there")
	}
}

// Who reads for long does not keep ids from going on to the next day: there are tables ahead.
// Where there is none, they stay where they are.
func TestIDsGoOnToADayThatHasATable(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	c.keep(c.day(0, time.Hour), time.Time{})
	if first := c.add(c.day(0, time.Hour), webhook.Succeeded); first.ID > 1000 {
		t.Errorf("ids went on to %d on the day on which the tables were made", first.ID)
	}
	c.keep(c.day(1, 0), time.Time{})
	defer c.reading("delivery")()
	for _, day := range []int{4, 5} {
		if _, _, err := c.s.DeliveryDays().KeepDays(t.Context(), c.day(day, 0), time.Time{}); !errors.Is(err, fault.Unavailable) {
			t.Errorf("while somebody reads: %v", err)
		}
		if table := c.in(c.add(c.day(day, 0), webhook.Succeeded)); table != c.day(4, 0).Format("delivery_20060102") {
			t.Errorf("a delivery of day %d is in %s", day, table)
		}
	}
}

// While one process changes tables, others leave it to that one and do not wait.
func TestDaysAreKeptByOneProcessAtATime(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	d := c.add(c.day(0, time.Hour), webhook.Succeeded)
	other, err := c.p.raw(t).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.ExecContext(t.Context(), "SELECT pg_advisory_xact_lock(hashtextextended('vitrine days ' || current_schema(), 2))"); err != nil {
		t.Fatal(err)
	}
	before := c.tables()
	c.keep(c.day(1, 0), c.day(3, 0))
	if after := c.tables(); !slices.Equal(after, before) || !c.has(d) {
		t.Errorf("the tables are %q, and were %q", after, before)
	}
	if err := other.Rollback(); err != nil {
		t.Fatal(err)
	}
	c.keep(c.day(1, 0), c.day(3, 0))
	if after := c.tables(); slices.Equal(after, before) || c.has(d) {
		t.Errorf("then the tables are %q", after)
	}
}

// Deliveries are added with the ids of a day until somebody moves these on: there is an hour
// for that, and the day does not go before.
func TestADayGoesAnHourAfterItsEnd(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	c.keep(c.day(1, 0), time.Time{})
	d := c.add(c.day(1, time.Hour), webhook.Succeeded)
	if until := c.keep(c.day(9, 0), c.day(2, 59*time.Minute)); !until.Equal(c.day(1, 0)) || !c.has(d) {
		t.Errorf("59 minutes after the end of the day: until %v, it is there: %t", until, c.has(d))
	}
	if until := c.keep(c.day(9, 0), c.day(2, 60*time.Minute)); !until.Equal(c.day(2, 0)) || c.has(d) {
		t.Errorf("an hour after it: until %v, it is there: %t", until, c.has(d))
	}
}

// What stays of a day when its table goes is moved while everybody waits. If that is too much
// the day stays, until it is less.
func TestADayOfWhichMuchIsPendingStays(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	c.keep(c.day(1, 0), time.Time{})
	at := c.day(1, time.Hour)
	var added []webhook.Delivery
	update(t, c.s, func(tx port.Tx) error {
		ids, err := tx.NextIDs(port.DeliveryIDs, 10_001)
		added = nil
		for _, id := range ids {
			added = append(added, webhook.Delivery{ID: webhook.DeliveryID(id), Site: 1, Hook: 1, Event: id, Type: "PRODUCT_UPDATE", Due: at, Added: at})
		}
		if err != nil {
			return err
		}
		return tx.Deliveries().Add(added)
	})
	table := c.in(added[0])
	c.keep(c.day(9, 0), c.day(8, 0))
	if now := c.in(added[0]); now != table {
		t.Errorf("10,001 deliveries were moved from %s to %s", table, now)
	}
	added[0].Status, added[0].Number = webhook.Succeeded, 1
	update(t, c.s, func(tx port.Tx) error { return tx.Deliveries().Settle([]webhook.Settled{{Delivery: added[0]}}) })
	c.keep(c.day(9, 0), c.day(8, 0))
	if now := c.in(added[1]); now != "delivery_of_no_day" || slices.Contains(c.tables(), table) {
		t.Errorf("10,000 are left in %s; the tables are %q", now, c.tables())
	}
}

func TestItIsToldAboutHowManyDeliveriesWentWithADay(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	c.keep(c.day(1, 0), time.Time{})
	for range 3 {
		c.add(c.day(1, time.Hour), webhook.Succeeded)
	}
	execute(t, c.p.raw(t), "ANALYZE "+c.day(1, 0).Format("delivery_20060102"))
	about, _, err := c.s.DeliveryDays().KeepDays(t.Context(), c.day(9, 0), c.day(8, 0))
	if about != 3 || err != nil {
		t.Errorf("about %d: %v", about, err)
	}
}

// Whoever knows the id of a delivery looks in one table, however many days there are.
func TestADeliveryIsLookedForInTheTableOfItsDay(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	var d webhook.Delivery
	for day := range 20 {
		c.keep(c.day(day, time.Hour), time.Time{})
		if day == 10 {
			d = c.add(c.day(day, time.Hour), webhook.Succeeded)
		}
	}
	many, args := sqlstore.DeliveriesByKeys(c.s, 1, 1, int64(d.ID))
	for name, plan := range map[string]string{
		"one":     planOf(t, c.p, fmt.Sprintf("SELECT status FROM delivery WHERE site_id = 1 AND hook_id = 1 AND id = %d", d.ID)),
		"many":    planOf(t, c.p, many, args...),
		"settled": planOf(t, c.p, "UPDATE delivery SET status = 'failed' FROM ("+many+") AS d WHERE delivery.id = d.id AND delivery.id BETWEEN $4 AND $5", args...),
	} {
		for _, table := range c.tables() {
			of := strings.HasSuffix(table, c.day(10, 0).Format("20060102"))
			if asked := strings.Contains(plan, " on "+table+" "); asked && !of {
				t.Errorf("%s: %s is asked in\n%s", name, table, plan)
			}
		}
		if !strings.Contains(plan, c.day(10, 0).Format("20060102")) {
			t.Errorf("%s: the table of the day is not asked in\n%s", name, plan)
		}
	}
}
