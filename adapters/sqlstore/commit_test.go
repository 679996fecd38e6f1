package sqlstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	listings "github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// A creation is two statements: one reads the head of the site, and one stores all that is
// written.
func TestACreationIsOneStatement(t *testing.T) {
	t.Parallel()
	for _, hooks := range []int{0, 1} {
		t.Run(strconv.Itoa(hooks)+" webhooks", func(t *testing.T) {
			t.Parallel()
			store := postgresPlace(t).migrated(t)
			w := apitest.Over(t, store)
			c := w.As("full", 1)
			for range hooks {
				w.Subscribe(c, apitest.HookFor(string(event.ProductCreate)))
			}
			for range 5 { // by then ids are drawn ahead
				w.CreateProductAs(w.Again(c), apitest.InAgency(11))
			}
			statements := watched(store)
			w.CreateProductAs(w.Again(c), apitest.InAgency(11))
			said := statements()
			slices.Sort(said)
			if len(said) != 2 || !strings.HasPrefix(said[0], "SELECT seq, ") || !strings.HasPrefix(said[1], "WITH assumed ") {
				t.Errorf("%d statements:\n%s", len(said), strings.Join(said, "\n"))
			}
			w.View(func(tx port.Tx) error {
				pending, err := tx.Deliveries().Pending(1, 1, 100)
				if len(pending) != 6*hooks || slices.ContainsFunc(pending, func(d webhook.Delivery) bool { return d.ID < 1 }) {
					t.Errorf("pending are %v", pending)
				}
				return err
			})
		})
	}
}

// A creation before which another process has written to the site, after its head was read, is
// planned once more, and stored by a second statement without a transaction.
func TestACreationBeforeWhichAnotherProcessWrites(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	store := p.migrated(t)
	w := apitest.Over(t, store)
	c := w.As("full", 1)
	for range 5 { // by then ids are drawn ahead
		w.CreateProductAs(w.Again(c), apitest.InAgency(11))
	}
	c = w.Again(c)
	update(t, p.open(t), func(tx port.Tx) error {
		_, err := tx.Ledger().Append(1, time.Now(), []event.Event{{Type: event.ProductUpdate, Resource: 1, Agency: 11}})
		return err
	})
	for _, want := range []string{"SELECT last_number, SELECT seq,, SELECT site_id,, WITH assumed, WITH assumed", "WITH assumed"} {
		statements := watched(store)
		w.CreateProductAs(c, apitest.InAgency(11))
		said := statements()
		if slices.Sort(said); strings.Join(beginnings(said), ", ") != want {
			t.Errorf("want %s, not:\n%s", want, strings.Join(said, "\n"))
		}
		c = w.Again(c)
	}
}

// beginnings are the first two words of statements that are not about ids, which are drawn
// ahead now and then.
func beginnings(statements []string) (of []string) {
	for _, s := range statements {
		if words := strings.Fields(s); !strings.HasPrefix(words[1], "nextval") {
			of = append(of, words[0]+" "+words[1])
		}
	}
	return of
}

// A change is one statement more, which reads the product and does not lock it.
func TestAChangeIsOneStatementMore(t *testing.T) {
	t.Parallel()
	store := postgresPlace(t).migrated(t)
	w := apitest.Over(t, store)
	c := w.As("full", 1)
	w.Subscribe(c, apitest.HookFor(string(event.ProductUpdate)))
	id := w.CreateProduct("Prix", 100_000)
	change := func(price int, more ...any) {
		t.Helper()
		in := listings.UpdateProduct{ID: id, ProductID: opt.Of(id)}
		in.Criteria = apitest.Criteria(append(more, "Prix", price)...)
		if _, err := w.Listing.UpdateProduct(t.Context(), w.Again(c), in); err != nil {
			t.Fatal(err)
		}
	}
	for price := range 3 {
		change(price + 1)
	}
	for name, more := range map[string][]any{
		"a price": {}, "a status, which is logged": {"Statut", "Vendu"},
	} {
		statements := watched(store)
		change(len(name), more...)
		said := statements()
		slices.Sort(said)
		if len(said) != 3+len(more)/2 || !strings.HasPrefix(said[len(said)-1], "WITH assumed ") {
			t.Errorf("%s: %d statements:\n%s", name, len(said), strings.Join(said, "\n"))
		}
	}
}

// writer is a process that writes to sites.
type writer struct {
	t     *testing.T
	store *sqlstore.Store
}

// create adds a product with the next reference, as a use case does; the unit has a
// transaction from the start if it first reads.
func (w writer) create(id site.ID, reads bool) error {
	return w.store.Update(w.t.Context(), func(tx port.Tx) error {
		if reads {
			if _, err := tx.Sites().Get(id); err != nil {
				return err
			}
		}
		ids, err := tx.NextIDs(port.ProductIDs, 1)
		if err != nil {
			return err
		}
		number, err := tx.NextReference(id, site.AgencyID(id))
		if err != nil {
			return err
		}
		at := time.UnixMicro(1_000_000 - ids[0]) // clocks differ
		e, err := tx.Ledger().Append(id, at, []event.Event{{Type: event.ProductCreate, Resource: ids[0], Agency: site.AgencyID(id)}})
		if err != nil {
			return err
		}
		hooks, err := tx.Webhooks().Of(id)
		if err != nil {
			return err
		}
		var sent []webhook.Delivery
		for _, h := range hooks {
			ids, err := tx.NextIDs(port.DeliveryIDs, 1)
			if err != nil {
				return err
			}
			sent = append(sent, webhook.Delivery{ID: webhook.DeliveryID(ids[0]), Site: id, Hook: h.ID, Event: e.Seq, Type: e.Type, At: e.At, Due: e.At, Added: e.At})
		}
		if err := tx.Deliveries().Add(sent); err != nil {
			return err
		}
		return tx.Products().Add(product.Product{
			ID: product.ID(ids[0]), Site: id, Agency: site.AgencyID(id), Reference: strconv.FormatInt(number, 10), Version: e.Seq, Added: e.At,
		})
	})
}

// twoProcesses are a store, and another process that has written to some sites.
func twoProcesses(t *testing.T, sites ...site.ID) (p place, first *sqlstore.Store, second writer) {
	t.Helper()
	p = postgresPlace(t)
	first = p.migrated(t)
	second = writer{t, p.few(t, 4, time.Minute)}
	second.writesTo(sites...)
	return p, first, second
}

// awaits waits until so many plans wait for the next statement.
func (w writer) awaits(n int) {
	for sqlstore.QueuedPlans(w.store) < n {
		time.Sleep(time.Millisecond)
	}
}

// writesTo makes sites with a webhook, and has the process write to them, so that it knows
// something of them.
func (w writer) writesTo(sites ...site.ID) {
	w.t.Helper()
	for _, id := range sites {
		update(w.t, w.store, putSite(id))
		update(w.t, w.store, func(tx port.Tx) error { return tx.Webhooks().Put(webhook.Webhook{ID: 1, Site: id, Epoch: 1}) })
		for range 3 {
			if _, err := w.store.Head(w.t.Context(), id); err != nil {
				w.t.Fatal(err)
			}
			if err := w.create(id, false); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// Whatever processes write at once, and however: the ledger has no gap, times do not fall,
// references follow each other, and deliveries are in the order of their events.
func TestUnitsOfSeveralProcessesAreStoredTogether(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	p.migrated(t)
	const processes, sites, rounds = 3, 3, 12
	seen := &witness{statements: map[int][]string{}}
	setup := p.open(t)
	for id := range site.ID(sites) {
		update(t, setup, putSite(id+1))
		update(t, setup, func(tx port.Tx) error { return tx.Webhooks().Put(webhook.Webhook{ID: 1, Site: id + 1, Epoch: 1}) })
	}
	var group sync.WaitGroup
	for n := range processes {
		w := writer{t, p.open(t)}
		sqlstore.Observed(seen)(w.store)
		for i := range 2 * sites {
			group.Go(func() {
				id := site.ID(i%sites + 1)
				for round := range rounds {
					if _, err := w.store.Head(t.Context(), id); err != nil {
						t.Error(err)
					}
					if err := w.create(id, (n+i+round)%5 == 0); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	together := 0
	for _, s := range slices.Concat(slices.Collect(maps.Values(seen.statements))...) {
		if strings.HasPrefix(s, "WITH assumed ") {
			together++
		}
	}
	if together == 0 {
		t.Error("no unit was stored without a transaction")
	}
	const each = processes * 2 * rounds
	for id := range site.ID(sites) {
		checkWritten(t, setup, id+1, each)
	}
}

func checkWritten(t *testing.T, s *sqlstore.Store, id site.ID, each int64) {
	t.Helper()
	head, err := s.Head(t.Context(), id)
	if err != nil || head.Seq != each {
		t.Errorf("site %d: the head is at %d, %v", id, head.Seq, err)
	}
	err = s.View(t.Context(), func(tx port.Tx) error {
		events, err := tx.Ledger().After(id, 0, 10_000)
		if err != nil {
			return err
		}
		var last event.Event
		for i, e := range events {
			if e.Seq != int64(i+1) || e.At.Before(last.At) {
				t.Errorf("site %d: after %v comes %v", id, last, e)
			}
			last = e
			p, err := tx.Products().Get(id, product.ID(e.Resource))
			if err != nil || p.Version != e.Seq || !p.Added.Equal(e.At) {
				t.Errorf("site %d, event %d: version %d, added at %v, %v", id, e.Seq, p.Version, p.Added, err)
			}
		}
		for n := range each {
			if _, err := tx.Products().Holder(id, site.AgencyID(id), strconv.FormatInt(n+1, 10)); err != nil {
				t.Errorf("site %d: %v", id, err)
			}
		}
		pending, err := tx.Deliveries().Pending(id, 1, 10_000)
		if int64(len(pending)) != each || !slices.IsSortedFunc(pending, func(a, b webhook.Delivery) int { return int(a.ID - b.ID) }) {
			t.Errorf("site %d: %d deliveries, or not in their order", id, len(pending))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What a plan assumes may have changed when it is committed: webhooks, what a client may
// hear, the counter of references, the ids that are taken, the reference that is taken.
func TestNothingIsStoredOfAPlanThatAssumesWhatIsNotSo(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	s, other := p.migrated(t), p.open(t)
	w := writer{t, s}
	update(t, s, putSite(1))
	const aWebhookCame = "a webhook came"
	create := func() {
		t.Helper()
		if _, err := s.Head(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if err := w.create(1, false); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		create()
	}
	n, hooked, wanted := int64(4), false, 0
	for name, change := range map[string]func(port.Tx) error{
		aWebhookCame:                 func(tx port.Tx) error { return tx.Webhooks().Put(webhook.Webhook{ID: 1, Site: 1, Epoch: 1}) },
		"references went on":         func(tx port.Tx) error { return tx.RaiseReference(1, 1, 100) },
		"the next reference is used": func(tx port.Tx) error { return addProduct(1, 9_000, "102")(tx) },
		"ids came from elsewhere": func(tx port.Tx) error {
			for id := range product.ID(100) {
				if found, err := tx.Products().Existing(1, []product.ID{id + 1}); err != nil || len(found) > 0 {
					continue
				}
				if err := addProduct(1, id+1, fmt.Sprint("own ", id))(tx); err != nil {
					return err
				}
			}
			return tx.ReserveID(port.ProductIDs, 100)
		},
	} {
		t.Log(name)
		update(t, other, change)
		create()
		n++
		if head, err := s.Head(t.Context(), 1); err != nil || head.Seq != n {
			t.Errorf("%s: the head is at %d, %v", name, head.Seq, err)
		}
		if hooked = hooked || name == aWebhookCame; hooked {
			wanted++
		}
		err := s.View(t.Context(), func(tx port.Tx) error {
			pending, err := tx.Deliveries().Pending(1, 1, 100)
			if len(pending) != wanted {
				t.Errorf("%s: %d deliveries, want %d", name, len(pending), wanted)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// few opens a store that has few connections, and waits for so long for an answer.
func (p place) few(t *testing.T, connections int, patience time.Duration) *sqlstore.Store {
	t.Helper()
	return closing(t)(postgres.Open(t.Context(), p.url, postgres.With(sqlstore.Sealed(keyring(t, 1))),
		postgres.Connections(connections), postgres.Patience(patience)))
}

// A unit with a connection never waits for one that waits for a connection.
func TestUnitsNeedNoMoreThanTheConnectionsThereAre(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	update(t, p.migrated(t), putSite(1))
	w := writer{t, p.few(t, 2, 20*time.Second)}
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for round := range 20 {
				if _, err := w.store.Head(t.Context(), 1); err != nil {
					t.Error(err)
				}
				if err := w.create(1, (n+round)%2 == 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// Plans of several sites share a statement. One that assumes what is not so of its site is in
// the way of no other.
func TestAPlanThatAssumesWhatIsNotSoHindersNoOtherSite(t *testing.T) {
	t.Parallel()
	p, first, w := twoProcesses(t, 1, 2, 3)
	open := p.shut(t)
	seen := &witness{statements: map[int][]string{}}
	sqlstore.Observed(seen)(w.store)
	var group sync.WaitGroup
	create := func(id site.ID) {
		group.Go(func() {
			if err := w.create(id, false); err != nil {
				t.Errorf("site %d: %v", id, err)
			}
		})
	}
	create(3)
	p.waitsAtTheGate(t)
	create(1)
	create(2)
	w.awaits(2)
	if err := (writer{t, first}).create(1, false); err != nil {
		t.Fatal(err)
	}
	open()
	group.Wait()
	said := beginnings(slices.Concat(slices.Collect(maps.Values(seen.statements))...))
	said = slices.DeleteFunc(said, func(s string) bool { return s != "WITH assumed" && s != "UPDATE site_head" })
	if want := []string{"WITH assumed", "WITH assumed", "WITH assumed"}; !slices.Equal(said, want) {
		t.Errorf("it is stored by %v", said)
	}
	for id, each := range map[site.ID]int64{1: 5, 2: 4, 3: 4} {
		checkWritten(t, first, id, each)
	}
}

// A process reads a head that another process has moved, while a plan is being made: that plan is
// void, and nothing else is.
func TestAHeadThatIsReadWhileAPlanIsBeingMade(t *testing.T) {
	t.Parallel()
	_, elsewhere, w := twoProcesses(t, 1)
	moved := false
	err := w.store.Update(t.Context(), func(tx port.Tx) error {
		ids, err := tx.NextIDs(port.ProductIDs, 1)
		if err != nil {
			return err
		}
		number, err := tx.NextReference(1, 1)
		if err != nil {
			return err
		}
		if !moved {
			moved = true
			if err := (writer{t, elsewhere}).create(1, false); err != nil {
				return err
			}
			if _, err := w.store.Head(t.Context(), 1); err != nil {
				return err
			}
		}
		e, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Type: event.ProductUpdate, Resource: ids[0], Agency: 1}})
		if err != nil {
			return err
		}
		return tx.Products().Add(product.Product{ID: product.ID(ids[0]), Site: 1, Agency: 1, Reference: strconv.FormatInt(number, 10), Version: e.Seq})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.create(1, false); err != nil {
		t.Fatal(err)
	}
	if head, err := elsewhere.Head(t.Context(), 1); err != nil || head.Seq != 6 {
		t.Errorf("the head is at %d, %v", head.Seq, err)
	}
}

// What is not stored of one site leaves no trace, whatever is stored of others: a customer
// is not looked up by what was not stored of them.
func TestWhatIsNotStoredOfOneSiteLeavesNoTrace(t *testing.T) {
	t.Parallel()
	p, first, w := twoProcesses(t, 1, 2, 3)
	update(t, first, func(tx port.Tx) error { return tx.Customers().Put(known(1, 9, "before@example.org")) })
	if _, err := w.store.Head(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	open := p.shut(t)
	var group sync.WaitGroup
	group.Go(func() {
		if err := w.create(3, false); err != nil {
			t.Error(err)
		}
	})
	p.waitsAtTheGate(t)
	errGivenUp, runs := errors.New("given up"), 0
	group.Go(func() {
		err := w.store.Update(t.Context(), func(tx port.Tx) error {
			if runs++; runs > 1 {
				return errGivenUp
			}
			if _, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Type: event.CustomerUpdate, Resource: 9}}); err != nil {
				return err
			}
			return tx.Customers().Put(known(1, 9, "after@example.org"))
		})
		if !errors.Is(err, errGivenUp) || runs != 2 {
			t.Errorf("after %d runs: %v", runs, err)
		}
	})
	w.awaits(1)
	group.Go(func() {
		if err := w.create(2, false); err != nil {
			t.Error(err)
		}
	})
	w.awaits(2)
	update(t, first, func(tx port.Tx) error {
		_, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Type: event.ProductUpdate, Resource: 1}})
		return err
	})
	open()
	group.Wait()
	update(t, first, func(tx port.Tx) error {
		for email, want := range map[string]int{"before@example.org": 1, "after@example.org": 0} {
			found, err := tx.Customers().Find(port.CustomerQuery{Site: 1, Filter: customer.Filter{Agencies: []site.AgencyID{1}, Email: customer.EmailKey(email)}, Limit: 10})
			if err != nil || len(found) != want {
				t.Errorf("%d customers are found by %s, %v", len(found), email, err)
			}
		}
		return nil
	})
}

// known is a customer with an e-mail address.
func known(of site.ID, id customer.ID, email string) customer.Customer {
	return customer.Customer{Site: of, ID: id, Agency: site.AgencyID(of), Type: "ACQUEREUR", Profile: customer.Profile{Emails: []customer.Email{{ID: 1, Address: email}}}}
}

// gate is the advisory lock that stands for a gate.
const gate = "8061"

// shut has all that add a product to site 3 wait until open is called.
func (p place) shut(t *testing.T) (open func()) {
	t.Helper()
	execute(t, p.raw(t), "CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock_shared("+gate+"); RETURN NEW; END'",
		"CREATE TRIGGER waits BEFORE INSERT ON product FOR EACH ROW WHEN (NEW.site_id = 3) EXECUTE FUNCTION waits()")
	conn, err := p.raw(t).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	run := func(statement string) {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	run("SELECT pg_advisory_lock(" + gate + ")")
	return func() { run("SELECT pg_advisory_unlock(" + gate + ")") }
}

// waitsAtTheGate waits until somebody does.
func (p place) waitsAtTheGate(t *testing.T) {
	t.Helper()
	untilSomebodyWaits(t, p.raw(t), "wait_event_type = 'Lock'")
}

// untilSomebodyWaits waits until somebody waits in the database for what a condition says.
func untilSomebodyWaits(t *testing.T, raw *sql.DB, condition string) {
	t.Helper()
	for waiting := 0; waiting == 0; {
		err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "+condition).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A database that does not answer is waited for once: plans that were queued are not sent.
func TestQueuedPlansAreNotSentToASilentDatabase(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	update(t, p.migrated(t), putSite(1))
	w, raw := writer{t, p.few(t, 4, 2*time.Second)}, p.raw(t)
	for range 3 {
		if _, err := w.store.Head(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if err := w.create(1, false); err != nil {
			t.Fatal(err)
		}
	}
	statements := watched(w.store)
	execute(t, raw, "CREATE FUNCTION sleeps() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(6); RETURN NEW; END'",
		"CREATE TRIGGER sleeps BEFORE INSERT ON product FOR EACH ROW EXECUTE FUNCTION sleeps()")
	var first error
	var group sync.WaitGroup
	group.Go(func() { first = w.create(1, false) })
	untilSomebodyWaits(t, raw, "wait_event = 'PgSleep'")
	second := w.create(1, false)
	group.Wait()
	if !errors.Is(first, fault.Unavailable) || !strings.Contains(first.Error(), "may or may not have happened") {
		t.Errorf("the one that was sent: %v", first)
	}
	if !errors.Is(second, fault.Unavailable) || !strings.Contains(second.Error(), "does not answer") {
		t.Errorf("the one that was queued: %v", second)
	}
	said := statements()
	said = slices.DeleteFunc(said, func(s string) bool { return strings.HasPrefix(s, "SELECT nextval") })
	if len(said) != 1 {
		t.Errorf("%d statements:\n%s", len(said), strings.Join(said, "\n"))
	}
}

// TestNoMoreThanSomeStatementsStayPrepared: plans of different kinds that go together make a
// statement of their own each, and each takes memory in each connection.
func TestNoMoreThanSomeStatementsStayPrepared(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	p.migrated(t)
	s := p.few(t, 1, time.Minute)
	kinds := []string{"action", "customer", "follow_up", "lead", "product", "search_request", "site_user"}
	var all [][]string
	for some := range 1 << len(kinds) {
		var tables []string
		for i, kind := range kinds {
			if some&(1<<i) != 0 {
				tables = append(tables, kind)
			}
		}
		all = append(all, tables)
	}
	if n := sqlstore.PreparedForPlans(t.Context(), s, all); n == 0 || n > 64 {
		t.Errorf("of %d statements %d are prepared", len(all), n)
	}
	var inDatabase []int64
	update(t, s, func(tx port.Tx) (err error) {
		inDatabase, err = sqlstore.Numbers(tx, "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'WITH assumed%'")
		return err
	})
	if len(inDatabase) != 1 || inDatabase[0] == 0 || inDatabase[0] > 64 {
		t.Errorf("in the database %v are prepared", inDatabase)
	}
}
