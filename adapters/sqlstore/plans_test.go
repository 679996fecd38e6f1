package sqlstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
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

const tuplesRead = "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relname = 'delivery'"

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
		db := p.raw(t)
		explain := "EXPLAIN QUERY PLAN "
		if p.engine == "postgres" {
			explain = "EXPLAIN "
			db.SetMaxOpenConns(1)
			execute(t, db, "SET enable_seqscan = off") // the table is empty
		}
		rows, err := db.QueryContext(t.Context(), explain+query)
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
		if all := strings.Join(plan, "\n"); rows.Err() != nil || !strings.Contains(all, index) || strings.Contains(strings.ToUpper(all), "SORT") || strings.Contains(all, "TEMP B-TREE") {
			t.Errorf("the plan is %q, %v", all, rows.Err())
		}
	})
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
		parties := table + "_party"
		t.Run(parties, func(t *testing.T) {
			foundByIndex(t, "party_of_"+table, "DELETE FROM "+parties+" WHERE site_id = 1 AND record_id = 2")
		})
	}
}
