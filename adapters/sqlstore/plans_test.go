package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// A plan made while the table was empty must not be kept when it has grown, and
// that nobody has looked at it must not make a difference.
func TestResultsAreFoundByTheirKeysWhateverThePlannerKnows(t *testing.T) {
	for _, c := range []struct {
		name, before string
		most         int64
	}{
		{"never analyzed", "SELECT 1", 1_000},
		// PostgreSQL goes through what it takes for empty, but only once.
		{"analyzed when empty", "ANALYZE delivery", 100_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := postgresPlace(t)
			s := p.migrated(t)
			execute(t, p.raw(t), c.before)
			for range 10 {
				settleSome(t, s, 3)
			}
			update(t, s, func(tx port.Tx) error { return addDeliveries(tx, 1, 50_000) })
			if read := settleSome(t, s, 32); read > c.most {
				t.Errorf("to settle 32 of 50,000 deliveries, %d are read", read)
			}
		})
	}
}

// settleSome adds deliveries, settles them, and tells how many were read for it.
func settleSome(t *testing.T, s *sqlstore.Store, n int) int64 {
	t.Helper()
	update(t, s, func(tx port.Tx) error { return addDeliveries(tx, 1, n) })
	var read []int64
	update(t, s, func(tx port.Tx) error {
		pending, err := tx.Deliveries().Pending(1, 1, n)
		if err != nil {
			return err
		}
		// Counts are of all that was read in the unit so far.
		before, err := sqlstore.Numbers(tx, tuplesRead)
		if err != nil {
			return err
		}
		settled := make([]webhook.Settled, len(pending))
		for i, d := range pending {
			d.Status, d.Number = webhook.Succeeded, 1
			settled[i] = webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{Number: 1, At: time.UnixMicro(1).UTC()}}
		}
		if err := tx.Deliveries().Settle(settled); err != nil {
			return err
		}
		read, err = sqlstore.Numbers(tx, tuplesRead)
		read[0] -= before[0]
		return err
	})
	return read[0]
}

const tuplesRead = "SELECT CAST(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS bigint) FROM pg_stat_xact_user_tables WHERE relname LIKE 'delivery%'"

func TestWhatIsPendingIsFoundWithoutWhatIsOver(t *testing.T) {
	p := sqlitePlace(t)
	p.migrated(t)
	var id, parent, unused int
	var plan string
	err := p.raw(t).QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN SELECT min(due_at) FROM delivery WHERE "+sqlstore.PendingOf, 1, 1).
		Scan(&id, &parent, &unused, &plan)
	if err != nil || !strings.Contains(plan, "delivery_pending") {
		t.Errorf("the plan is %q, %v", plan, err)
	}
}

func TestWhatACustomerOwnsIsFoundByItsIndex(t *testing.T) {
	foundByIndex(t, "product_of_customer", "SELECT rooms FROM product WHERE site_id = 1 AND customer_id = 2 AND "+sqlstore.OwnedProduct+" ORDER BY id")
}

func TestLotsAreFoundByTheirIndex(t *testing.T) {
	foundByIndex(t, "product_of_parent", "SELECT version FROM product WHERE site_id = 1 AND parent_id = 2 AND "+sqlstore.LotProduct+" LIMIT 1")
}

// foundByIndex demands that a query goes through an index, and sorts nothing.
func foundByIndex(t *testing.T, index, query string) {
	t.Helper()
	onEachEngine(t, func(t *testing.T, p place) {
		p.migrated(t)
		if plan := planOf(t, p, query); !strings.Contains(plan, index) || sorts(plan) {
			t.Errorf("the plan is %q", plan)
		}
	})
}

func sorts(plan string) bool {
	return strings.Contains(strings.ToUpper(plan), "SORT") || strings.Contains(plan, "TEMP B-TREE")
}

// planOf is how an engine goes about a query when the tables are empty.
func planOf(t *testing.T, p place, query string, args ...any) string {
	t.Helper()
	db := p.raw(t)
	explain := "EXPLAIN QUERY PLAN "
	if p.engine == "postgres" {
		explain = "EXPLAIN "
		db.SetMaxOpenConns(1)
		execute(t, db, "SET enable_seqscan = off")
	}
	rows, err := db.QueryContext(t.Context(), explain+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan []string
	for rows.Next() {
		line := make([]any, len(columns))
		for i := range line {
			line[i] = new(string)
		}
		if err := rows.Scan(line...); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, *line[len(line)-1].(*string))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}

func TestDealsAreFoundByTheirIndexes(t *testing.T) {
	for _, table := range []string{"sale_offer", "sale_agreement", "letting"} {
		for _, c := range []struct{ index, where string }{
			{table + "_due", "due_at <= 5 ORDER BY due_at, site_id, id LIMIT 9"},
			{table + "_of_product", "site_id = 1 AND product_id = 2 ORDER BY id"},
			{table + "_of_agency", "site_id = 1 AND agency_id = 2 AND id > 3 ORDER BY id LIMIT 9"},
		} {
			t.Run(c.index, func(t *testing.T) { foundByIndex(t, c.index, "SELECT body FROM "+table+" WHERE "+c.where) })
		}
		links := table + "_link"
		t.Run(links, func(t *testing.T) {
			foundByIndex(t, "link_of_"+table, "DELETE FROM "+links+" WHERE site_id = 1 AND record_id = 2")
		})
	}
}

func TestTheAgendaIsFoundByItsIndexes(t *testing.T) {
	for _, c := range []struct{ index, query string }{
		{"appointment_due", "SELECT body FROM appointment WHERE due_at <= 5 ORDER BY due_at, site_id, id LIMIT 9"},
		{"link_of_appointment", "DELETE FROM appointment_link WHERE site_id = 1 AND record_id = 2"},
		{"booking_hold_of_user", "SELECT body FROM booking_hold WHERE site_id = 1 AND user_id = 2 AND expires_at > 3"},
		{"booking_hold_of_product", "SELECT count(*) FROM booking_hold WHERE site_id = 1 AND product_id = 2 AND credential_id = 'c' AND expires_at > 3"},
		{"booking_hold_expiry", "SELECT site_id, id FROM booking_hold WHERE 1 = 1 AND expires_at < 5 ORDER BY expires_at, site_id, id LIMIT 9"},
		{"booking_of_customer", "SELECT body FROM booking WHERE site_id = 1 AND customer_id = 2 AND id > 3 ORDER BY id LIMIT 9"},
		{"calendar_feed_by_token", "SELECT body FROM calendar_feed WHERE token_hash = 'h' ORDER BY site_id, id LIMIT 1"},
	} {
		t.Run(c.index, func(t *testing.T) { foundByIndex(t, c.index, c.query) })
	}
}

// What is wanted of a window is found by the window, and not by going through all
// that there is in the order of the answer.
func TestWindowsAreLookedForByTheirBounds(t *testing.T) {
	window := calendar.Interval{Start: time.Unix(1, 0), End: time.Unix(2, 0)}
	search := func(find func(port.Tx) error) func(*sqlstore.Store) (string, []any) {
		return func(s *sqlstore.Store) (string, []any) {
			statement, args, err := sqlstore.Search(s, find)
			if err != nil {
				t.Fatal(err)
			}
			return statement, args
		}
	}
	appointments := func(change func(*port.AppointmentQuery)) func(*sqlstore.Store) (string, []any) {
		q := port.AppointmentQuery{Site: 1, Limit: 9, After: planning.Place{ID: 5}, Filter: planning.Filter{Agencies: []site.AgencyID{1}, Window: window}}
		change(&q)
		return search(func(tx port.Tx) error { _, err := tx.Appointments().Find(q); return err })
	}
	permanences := func(q port.DutyQuery) func(*sqlstore.Store) (string, []any) {
		q.Site, q.Window = 1, window
		return search(func(tx port.Tx) error { _, err := tx.Duties().Within(q); return err })
	}
	const agencies, bounded, key = "appointment_of_agency", "until_at>", "id>"
	for name, c := range map[string]struct {
		statement func(*sqlstore.Store) (string, []any)
		// lite and big are the index on SQLite and on PostgreSQL, and by what is looked
		// for in it. How PostgreSQL joins empty tables tells nothing.
		lite, big, by string
	}{
		"of agencies": {appointments(func(*port.AppointmentQuery) {}), agencies, agencies, bounded},
		"by start": {
			appointments(func(q *port.AppointmentQuery) { q.ByStart, q.After.Start = true, time.Unix(1, 0) }),
			agencies, agencies, bounded,
		},
		"of users": {
			appointments(func(q *port.AppointmentQuery) { q.Filter.Users = []site.UserID{1, 2} }),
			"sqlite_autoindex_appointment_link_1", "", bounded,
		},
		"of a customer, by start": {
			appointments(func(q *port.AppointmentQuery) { q.Filter.Customer, q.ByStart = 3, true }),
			"sqlite_autoindex_appointment_link_1", "", bounded,
		},
		"attended": {
			search(func(tx port.Tx) error {
				_, err := tx.Appointments().AttendedBy(1, []site.UserID{1, 2}, window)
				return err
			}),
			"sqlite_autoindex_appointment_link_1", "", bounded,
		},
		"of any time": {
			appointments(func(q *port.AppointmentQuery) { q.Filter.Window = calendar.Interval{} }),
			"sqlite_autoindex_appointment_1", "appointment_pkey", key,
		},
		"duties of agencies": {permanences(port.DutyQuery{Agencies: []site.AgencyID{1}}), "permanence_of_agency", "permanence_of_agency", bounded},
		"duties of users":    {permanences(port.DutyQuery{Users: []site.UserID{1}}), "permanence_of_user", "permanence_of_user", bounded},
	} {
		t.Run(name, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, p place) {
				s := p.migrated(t)
				statement, args := c.statement(s)
				index := c.lite
				if p.engine == "postgres" {
					index = c.big
				}
				if index == "" {
					return
				}
				plan := planOf(t, p, statement, args...)
				by := strings.Contains(plan, index) && strings.Contains(strings.ReplaceAll(plan, " ", ""), c.by)
				elsewhere := index != agencies && strings.Contains(plan, agencies)
				if !by || elsewhere || c.by == key && sorts(plan) {
					t.Errorf("the plan of %s is\n%s", statement, plan)
				}
			})
		})
	}
}

// Users may have years of appointments: what is wanted of a month is found without
// them, whatever the planner knows.
func TestYearsOfAppointmentsAreNotReadForAMonth(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"never analyzed", "SELECT 1", "SELECT 1"},
		{"analyzed when empty", "ANALYZE appointment, appointment_link", "SELECT 1"},
		{"analyzed", "SELECT 1", "ANALYZE appointment, appointment_link"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := postgresPlace(t)
			s := p.migrated(t)
			// Each of ten users has one an hour, each time with one of 100 customers and
			// about one of 1,000 products.
			const hour, first = 3_600_000_000, 4_000
			execute(t, p.raw(t), c.before,
				fmt.Sprintf(`INSERT INTO appointment SELECT 1, n * 10 + u, 1, 'T', 'PREVU', '', FALSE, n * %[1]d, n * %[1]d, (n + 1) * %[1]d, NULL, 0, '{}'
					FROM generate_series(0, %[2]d + 19) AS n(n), generate_series(0, 9) AS u(u)`, int64(hour), first),
				`INSERT INTO appointment_link SELECT 1, 'user', id % 10, until_at, from_at, id FROM appointment`,
				`INSERT INTO appointment_link SELECT 1, 'customer', id % 100, until_at, from_at, id FROM appointment`,
				`INSERT INTO appointment_link SELECT 1, 'product', id % 1000, until_at, from_at, id FROM appointment`, c.after)
			users, products := []site.UserID{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []product.ID{10, 20, 30, 40, 999}
			month := calendar.Interval{Start: time.UnixMicro(first * hour), End: time.UnixMicro(2 * first * hour)}
			search := func(change func(*port.AppointmentQuery)) func(port.Appointments) ([]planning.Appointment, error) {
				q := port.AppointmentQuery{Site: 1, Limit: 200, Filter: planning.Filter{Agencies: []site.AgencyID{1}, Window: month}}
				change(&q)
				return func(r port.Appointments) ([]planning.Appointment, error) { return r.Find(q) }
			}
			for name, find := range map[string]struct {
				run  func(port.Appointments) ([]planning.Appointment, error)
				want int
			}{
				"attended":           {func(r port.Appointments) ([]planning.Appointment, error) { return r.AttendedBy(1, users, month) }, 200},
				"about":              {func(r port.Appointments) ([]planning.Appointment, error) { return r.About(1, products, month) }, 4},
				"any":                {search(func(*port.AppointmentQuery) {}), 200},
				"by start":           {search(func(q *port.AppointmentQuery) { q.ByStart = true }), 200},
				"by start, of users": {search(func(q *port.AppointmentQuery) { q.ByStart, q.Filter.Users = true, users }), 200},
				"of users":           {search(func(q *port.AppointmentQuery) { q.Filter.Users = users }), 200},
				"of a customer":      {search(func(q *port.AppointmentQuery) { q.Filter.Customer = 7 }), 2},
				"of users about a product": {
					search(func(q *port.AppointmentQuery) { q.Filter.Users, q.Filter.Product = users, 10 }), 1,
				},
				"those after many": {search(func(q *port.AppointmentQuery) { q.After.ID = 10*first + 99 }), 100},
			} {
				update(t, s, func(tx port.Tx) error {
					// Counts are of what the connection read before, too.
					before, err := sqlstore.Numbers(tx, appointmentsRead)
					if err != nil {
						return err
					}
					found, err := find.run(tx.Appointments())
					if err != nil {
						return err
					}
					read, err := sqlstore.Numbers(tx, appointmentsRead)
					if err == nil && (len(found) != find.want || read[0]-before[0] > 500) {
						t.Errorf("%s: %d of 40,200 appointments are found, and %d rows read for it", name, len(found), read[0]-before[0])
					}
					return err
				})
			}
		})
	}
}

const appointmentsRead = "SELECT CAST(coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) AS bigint) FROM pg_stat_xact_user_tables WHERE relname LIKE 'appointment%'"
