package sqlstore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// accepted is what became of a delivery that got through at the first attempt.
func accepted(d webhook.Delivery) webhook.Settled {
	d.Status, d.Number = webhook.Succeeded, 1
	return webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{
		Number: 1, At: d.At.Add(time.Duration(d.ID%1000) * 1700 * time.Microsecond), URL: "https://crm.example.org/hooks/vitrine", Status: 200,
		Duration: 2*time.Millisecond + time.Duration(d.ID*7919%100_000)*time.Nanosecond, Excerpt: "ok",
	}}
}

// firstAttempts are deliveries of a webhook, as they usually are, and what became of them.
func firstAttempts(id site.ID, first, n int64) (added []webhook.Delivery, settled []webhook.Settled) {
	for i := first; i < first+n; i++ {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(i%1000) * 1300 * time.Microsecond)
		d := webhook.Delivery{
			ID: webhook.DeliveryID(i), Site: id, Hook: 1, Event: 1000 + i, Message: fmt.Sprintf("evt_%d_%d", id, 1000+i), Type: event.ProductUpdate,
			Resource: 500 + i*37%91, At: at, Epoch: 1, Due: at, Added: at,
		}
		added, settled = append(added, d), append(settled, accepted(d))
	}
	return added, settled
}

// gotThrough adds deliveries, which then get through.
func gotThrough(t testing.TB, s *sqlstore.Store, id site.ID, first, n int64) []webhook.Settled {
	t.Helper()
	added, settled := firstAttempts(id, first, n)
	update(t, s, func(tx port.Tx) error { return tx.Deliveries().Add(added) })
	update(t, s, func(tx port.Tx) error { return tx.Deliveries().Settle(settled) })
	return settled
}

// countOf counts the rows of a table.
func countOf(t testing.TB, p place, table string) (n int) {
	t.Helper()
	if err := p.raw(t).QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// rowsOfLog are how many rows there are of deliveries, attempts and bundles.
func rowsOfLog(t testing.TB, p place) [3]int {
	t.Helper()
	return [3]int{countOf(t, p, "delivery"), countOf(t, p, "delivery_attempt"), countOf(t, p, "delivery_bundle")}
}

// reads checks what the log says of deliveries.
func reads(t testing.TB, s *sqlstore.Store, want []webhook.Settled) {
	t.Helper()
	err := s.View(t.Context(), func(tx port.Tx) error {
		for _, w := range want {
			d, err := tx.Deliveries().Get(w.Site, w.Hook, w.ID)
			if err != nil {
				return err
			}
			made, err := tx.DeliveryLog().Attempts(w.Site, []webhook.DeliveryID{w.ID})
			if err != nil {
				return err
			}
			if d := cmp.Diff(w.Delivery, d) + cmp.Diff([]webhook.Attempt{*w.Attempt}, made[w.ID]); d != "" {
				return fmt.Errorf("delivery %d (-want +got):\n%s", w.ID, d)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWhatGotThroughAtTheFirstAttemptIsBundled(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		want := gotThrough(t, s, 1, 1, 100)
		if rows := rowsOfLog(t, p); rows != [3]int{0, 0, 2} {
			t.Errorf("there are %d deliveries, attempts and bundles", rows)
		}
		reads(t, s, want)
		// One alone, those that may be about a person and one that was refused stay as they are.
		added, settled := firstAttempts(1, 1000, 5)
		for i, about := range []event.Type{event.CustomerUpdate, event.ActionCreate} {
			added[i].Type, settled[i].Type = about, about
		}
		for i := range 2 {
			settled[i+2].Attempt.Status, settled[i+2].Status, settled[i+2].Reason = 422, webhook.Rejected, "no"
		}
		update(t, s, func(tx port.Tx) error { return tx.Deliveries().Add(added) })
		update(t, s, func(tx port.Tx) error { return tx.Deliveries().Settle(settled) })
		if rows := rowsOfLog(t, p); rows != [3]int{5, 5, 2} {
			t.Errorf("then there are %d deliveries, attempts and bundles", rows)
		}
		reads(t, s, slices.Concat(want, settled))
	})
}

// Between two deliveries of a webhook there may be any number of bundles of others.
func TestFarDeliveriesAreReadWithoutWhatIsBetweenThem(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		first, _, last := gotThrough(t, s, 1, 1, 10), gotThrough(t, s, 1, 1_000_000, 10), gotThrough(t, s, 1, 2_000_000, 10)
		execute(t, p.raw(t), "UPDATE delivery_bundle SET url = 'damaged' WHERE first_id = 1000000")
		err := s.View(t.Context(), func(tx port.Tx) error {
			made, err := tx.DeliveryLog().Attempts(1, []webhook.DeliveryID{last[3].ID, first[3].ID})
			if d := cmp.Diff(map[webhook.DeliveryID][]webhook.Attempt{first[3].ID: {*first[3].Attempt}, last[3].ID: {*last[3].Attempt}}, made); d != "" {
				t.Errorf("attempts (-want +got):\n%s", d)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// A server of the version before would miss what is bundled.
func TestNothingIsBundledWhileThereMayBeServersThatCannotReadIt(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		p.migrated(t)
		execute(t, p.raw(t), "DELETE FROM meta WHERE key = 'least_schema'")
		s := p.open(t)
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := gotThrough(t, s, 1, 1, 10)
		if rows := rowsOfLog(t, p); rows != [3]int{10, 10, 0} {
			t.Errorf("there are %d deliveries, attempts and bundles", rows)
		}
		if err := s.Finalize(t.Context()); err != nil {
			t.Fatal(err)
		}
		want = append(want, gotThrough(t, s, 1, 11, 10)...)
		if rows := rowsOfLog(t, p); rows != [3]int{10, 10, 1} {
			t.Errorf("when it is finalized there are %d deliveries, attempts and bundles", rows)
		}
		reads(t, s, want)
		if err := p.with(t, sqlstore.Knowing(97)).Migrate(t.Context()); err == nil {
			t.Error("one that cannot read bundles starts")
		}
	})
}

func TestFinalizingTakesNothingBack(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		p.migrated(t)
		p.contract(t, 97)
		if err := p.with(t).Finalize(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.contract(t, 500)
		if err := p.with(t, sqlstore.Knowing(600)).Finalize(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := p.with(t, sqlstore.Knowing(600)).Migrate(t.Context()); err != nil {
			t.Error(err)
		}
		var least string
		if err := p.raw(t).QueryRowContext(t.Context(), "SELECT value FROM meta WHERE key = 'least_schema'").Scan(&least); err != nil || least != "00600" {
			t.Errorf("programs have to know %s, %v", least, err)
		}
	})
}

// settledDeliveries draws deliveries of one webhook, in the order of their ids.
func settledDeliveries(r *rapid.T) []webhook.Settled {
	moment := rapid.Custom(func(r *rapid.T) time.Time {
		if rapid.IntRange(0, 5).Draw(r, "zero") == 0 {
			return time.Time{}
		}
		return time.UnixMicro(rapid.Int64Range(-1<<55, 1<<55).Draw(r, "moment")).UTC()
	})
	words := rapid.StringMatching(`[a-zé=_ ]{0,6}`)
	id := rapid.SampledFrom([]site.ID{1, 7}).Draw(r, "site")
	var settled []webhook.Settled
	last := webhook.DeliveryID(0)
	for range rapid.IntRange(1, 64).Draw(r, "deliveries") {
		last += webhook.DeliveryID(rapid.Int64Range(1, 300).Draw(r, "id"))
		d := webhook.Delivery{
			ID: last, Site: id, Hook: 3, Event: rapid.Int64().Draw(r, "event"), Type: event.Type(words.Draw(r, "type")), Resource: rapid.Int64().Draw(r, "resource"),
			Subject: words.Draw(r, "subject"), At: moment.Draw(r, "at"), Status: webhook.Succeeded, Epoch: rapid.Int64().Draw(r, "epoch"), Number: 1,
			Due: moment.Draw(r, "due"), Added: moment.Draw(r, "added"),
		}
		d.Message = rapid.SampledFrom([]string{"", "=", fmt.Sprintf("evt_%d_%d", id, d.Event), words.Draw(r, "message")}).Draw(r, "which message")
		settled = append(settled, webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{
			Number: 1, At: moment.Draw(r, "attempted"), URL: "u", Status: rapid.Int().Draw(r, "status"), Duration: time.Duration(rapid.Int64().Draw(r, "duration")),
			Excerpt: words.Draw(r, "excerpt"),
		}})
	}
	return settled
}

func TestWhatIsBundledIsReadAsItWas(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		want := settledDeliveries(r)
		body, err := sqlstore.Bundled(want)
		if err != nil {
			r.Fatal(err)
		}
		got, err := sqlstore.Unbundled(want, body)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			r.Fatalf("%v (-want +got):\n%s", err, d)
		}
	})
}

func TestADamagedBundleIsAnError(t *testing.T) {
	_, settled := firstAttempts(1, 1, 20)
	body, err := sqlstore.Bundled(settled)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(body) {
		if got, err := sqlstore.Unbundled(settled, body[:n]); err == nil {
			t.Fatalf("of %d bytes there are %d deliveries", n, len(got))
		}
	}
	if _, err := sqlstore.Unbundled(settled, body+"AAAA"); err == nil {
		t.Error("with something behind it there is no error")
	}
	rapid.Check(t, func(r *rapid.T) {
		// Whatever it is, reading it ends.
		changed := []byte(body)
		changed[rapid.IntRange(0, len(body)-1).Draw(r, "place")] = rapid.SampledFrom([]byte("AZaz09+/")).Draw(r, "byte")
		_, _ = sqlstore.Unbundled(settled, string(changed))
	})
}

func TestTextThatCannotBeStoredIsNotBundled(t *testing.T) {
	for _, text := range []string{"a\x00b", "\xff"} {
		_, settled := firstAttempts(1, 1, 2)
		settled[1].Attempt.Excerpt = text
		if _, err := sqlstore.Bundled(settled); err == nil || strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestABundleTakesFewBytes(t *testing.T) {
	_, settled := firstAttempts(1, dayOfTest, 64)
	body, err := sqlstore.Bundled(settled)
	if each := len(body) / len(settled); err != nil || each > 32 {
		t.Errorf("a delivery takes %d bytes, %v", each, err)
	}
}

// dayOfTest is the first id of a day.
const dayOfTest = 20_000_000_000_000

// What is stored is read by every later version.
func TestTheBundledFormIsWhatItWas(t *testing.T) {
	_, settled := firstAttempts(9, dayOfTest, 3)
	settled[1].Message, settled[2].Subject, settled[2].Attempt.Excerpt, settled[2].Added = "test_1", "KEY", "", time.Time{}
	const form = "gICqzpOMCdCPqs6TjAmACIDN5+Te16MGAAACgM3n5N7XowaQA4CS9AEAAAEOUFJPRFVDVF9VUERBVEUAAgJvawICSqgUAAAA8C4A3nsDBz10ZXN0XzEBAAICAkqoFLCKmJuhqNz5/wEAAPAuAN57AAEEA0tFWQA"
	body, err := sqlstore.Bundled(settled)
	if err != nil || body != form {
		t.Errorf("the form is %q, %v", body, err)
	}
	got, err := sqlstore.Unbundled(settled, form)
	if d := cmp.Diff(settled, got); err != nil || d != "" {
		t.Errorf("it is read as (-want +got), %v:\n%s", err, d)
	}
}

func TestBundlesAreSealedAnew(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		want := gotThrough(t, s, 1, 1, 100)
		for _, url := range texts(t, p.raw(t), "SELECT url FROM delivery_bundle") {
			if !strings.HasPrefix(url, "v1:") {
				t.Errorf("an address is in the clear: %s", url)
			}
		}
		if n, err := p.with(t, sqlstore.Sealed(keyring(t, 2, 1))).Reseal(t.Context()); err != nil || n != 2 {
			t.Errorf("%d rows were sealed anew, %v", n, err)
		}
		reads(t, p.with(t, sqlstore.Sealed(keyring(t, 2))), want)
	})
}

func TestBundlesMoveWithTheirSite(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		from := p.migrated(t)
		update(t, from, putSite(1))
		want := gotThrough(t, from, 1, 1, 100)
		to := sqlitePlace(t)
		there := to.migrated(t)
		as := site.Move{Site: 1, State: site.Arriving, ID: "m"}
		if err := sqlstore.CopySite(t.Context(), from, there, as, func(int) {}); err != nil {
			t.Fatal(err)
		}
		reads(t, there, want)
		// A server there that cannot read them would miss them.
		execute(t, to.raw(t), "DELETE FROM meta WHERE key = 'least_schema'")
		if err := sqlstore.CopySite(t.Context(), from, there, as, func(int) {}); err == nil || !strings.Contains(err.Error(), "--finalize") {
			t.Errorf("to where they cannot be read: %v", err)
		}
	})
}

func TestBundlesGoWithTheirDay(t *testing.T) {
	t.Parallel()
	c := newDayLog(t)
	bundled := func(day int, late time.Duration) (settled []webhook.Settled) {
		c.keep(c.day(day, time.Hour), time.Time{})
		for range 2 {
			at := c.day(day, 2*time.Hour+late)
			var added []webhook.Delivery
			update(t, c.s, func(tx port.Tx) error {
				ids, err := tx.NextIDs(port.DeliveryIDs, 3)
				for _, id := range ids {
					added = append(added, webhook.Delivery{ID: webhook.DeliveryID(id), Site: 1, Hook: 1, Event: id, Type: "PRODUCT_UPDATE", Due: at, Added: at})
				}
				if err != nil {
					return err
				}
				return tx.Deliveries().Add(added)
			})
			var some []webhook.Settled
			for _, d := range added {
				some = append(some, accepted(d))
			}
			update(t, c.s, func(tx port.Tx) error { return tx.Deliveries().Settle(some) })
			settled = append(settled, some...)
		}
		return settled
	}
	first, late, second := bundled(1, 0), bundled(1, 96*time.Hour), bundled(2, 0)
	tables := func() []string {
		return texts(t, c.p.raw(t), "SELECT DISTINCT tableoid::regclass::text FROM delivery_bundle ORDER BY 1")
	}
	if got := tables(); len(got) != 2 || got[0] != "delivery_bundle_"+c.day(1, 0).Format("20060102") {
		t.Errorf("they are in %q", got)
	}
	about, until, err := c.s.DeliveryDays().KeepDays(t.Context(), c.day(33, 0), c.day(2, 90*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if about < 0 || !until.Equal(c.day(2, 0)) {
		t.Errorf("about %d went, and the rest goes until %v", about, until)
	}
	for _, s := range first {
		if c.has(s.Delivery) {
			t.Errorf("delivery %d is there after its day", s.ID)
		}
	}
	reads(t, c.s, slices.Concat(late, second))
	if got := tables(); len(got) != 2 || got[1] != "delivery_bundle_of_no_day" {
		t.Errorf("then they are in %q", got)
	}
	update(t, c.s, func(tx port.Tx) error {
		n, err := tx.DeliveryLog().Purge(c.day(9, 0), 100)
		if n != len(late)+len(second) {
			t.Errorf("%d are purged", n)
		}
		return err
	})
}
