package sqlstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// A table of an embedding system changes with the records of a use case, or neither.
func TestOwnTablesShareTheTransaction(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		store := p.migrated(t)
		execute(t, p.raw(t), "CREATE TABLE own (product_id BIGINT PRIMARY KEY, note TEXT NOT NULL)")
		insert := "INSERT INTO own (product_id, note) VALUES (?, ?)"
		if p.engine == "postgres" {
			insert = "INSERT INTO own (product_id, note) VALUES ($1, $2)"
		}
		w := apitest.Over(t, store)
		full := w.As("full", 1)
		noting := func(note string, then error) kernel.Caller {
			return full.WithinSameCommit(func(tx port.Tx, answer any) error {
				statements, err := sqlstore.StatementsOf(tx)
				if err == nil {
					_, err = statements.Exec(insert, answer.(kernel.Created).ID, note)
				}
				return errors.Join(err, then)
			})
		}
		notes := func() (all []string) {
			w.View(func(tx port.Tx) error {
				statements, err := sqlstore.StatementsOf(tx)
				if err != nil {
					return err
				}
				rows, err := statements.Query("SELECT note FROM own ORDER BY product_id")
				if err != nil {
					return err
				}
				defer rows.Close()
				for rows.Next() {
					var note string
					if err := rows.Scan(&note); err != nil {
						return err
					}
					all = append(all, note)
				}
				return rows.Err()
			})
			return all
		}

		w.CreateProductAs(noting("first", nil), apitest.InAgency(11))
		seq := w.Seq(1)
		gone := errors.New("gone wrong")
		if _, err := w.Listing.CreateProduct(t.Context(), noting("second", gone), apitest.InAgency(11)); !errors.Is(err, gone) {
			t.Errorf("it ends with %v", err)
		}
		broken := full.WithinSameCommit(func(tx port.Tx, _ any) error {
			statements, err := sqlstore.StatementsOf(tx)
			if err == nil {
				_, _ = statements.Exec("INSERT INTO nowhere VALUES (1)") // a failure that is not told
			}
			return err
		})
		if _, err := w.Listing.CreateProduct(t.Context(), broken, apitest.InAgency(11)); err == nil {
			t.Error("a unit with a failed statement succeeds")
		}
		if got := notes(); strings.Join(got, " ") != "first" || w.Seq(1) != seq {
			t.Errorf("own table: %q, and %d events", got, w.Seq(1)-seq)
		}
		w.View(func(tx port.Tx) error {
			statements, err := sqlstore.StatementsOf(tx)
			if _, failed := statements.Exec(insert, 99, "in a view"); failed == nil {
				t.Error("a view writes")
			}
			return err
		})
	})
}

func TestStatementsAreThoseOfAStoreAlone(t *testing.T) {
	err := memstore.New().View(t.Context(), func(tx port.Tx) error {
		_, err := sqlstore.StatementsOf(tx)
		return err
	})
	if err == nil {
		t.Error("a store in memory has statements")
	}
}
