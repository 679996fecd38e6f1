package ownrecords_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/internal/proof"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore/ownrecords"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func onSQLite(t testing.TB) *ownrecords.Store {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "crm.db"), sealed(t))
	return ready(t, s, err)
}

func onPostgres(t testing.TB) *ownrecords.Store {
	s, err := postgres.Open(t.Context(), pgtest.URL(t), postgres.Patience(time.Minute), postgres.With(sealed(t)))
	return ready(t, s, err)
}

func sealed(t testing.TB) sqlstore.Option {
	t.Helper()
	keys, err := sqlstore.NewKeyring(make([]byte, sqlstore.KeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	return sqlstore.Sealed(keys)
}

// ready has the tables of sqlstore and of the CRM in the database.
func ready(t testing.TB, s *sqlstore.Store, err error) *ownrecords.Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	own, err := storeOf(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// onEachEngine runs a test with a way to make stores.
func onEachEngine(t *testing.T, test func(*testing.T, func(testing.TB) *ownrecords.Store)) {
	for name, open := range map[string]func(testing.TB) *ownrecords.Store{"SQLite": onSQLite, "PostgreSQL": onPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open)
		})
	}
}

// A store that keeps some records by itself is held to what the law says about them, and for
// proof to all of it. Here the engines differ in races alone, which have a test below.
func TestOwnRecordsKeepTheLaw(t *testing.T) {
	t.Parallel()
	open := func(t testing.TB) port.Store { return onSQLite(t) }
	if proof.Whole() {
		porttest.Store(t, open)
		return
	}
	porttest.Roles(t, open, "Products", "Customers")
}

// The use cases know nothing of whose tables they are.
func TestUseCasesWorkOnOwnRecords(t *testing.T) {
	onEachEngine(t, func(t *testing.T, open func(testing.TB) *ownrecords.Store) {
		s := open(t)
		w := apitest.Over(t, s)
		full := w.As("full", 1)
		home := w.CreateProduct("TypeTransaction", "Vente", "Prix", 450000)
		made, err := w.People.CreateCustomer(t.Context(), full, people.CreateCustomer{Change: customer.Change{
			AgencyID: opt.Of(int64(11)), Type: opt.Of("PROSPECT"), Lastname: opt.Of("Besson"),
		}})
		if err != nil {
			t.Fatal(err)
		}

		if got := w.FindProducts(full, listing.SearchProducts{}); !slices.Equal(got, []int64{home}) {
			t.Errorf("a search finds the products %d, want %d alone", got, home)
		}
		found, err := w.People.SearchCustomers(t.Context(), w.Again(full), people.SearchCustomers{Keyword: opt.Of("besson")})
		if err != nil || len(found.Data) != 1 || found.Data[0].ID != made.ID {
			t.Errorf("a search finds the customers %+v, %v; want %d alone", found.Data, err, made.ID)
		}

		err = s.View(t.Context(), func(tx port.Tx) error {
			statements, err := sqlstore.StatementsOf(tx)
			if err != nil {
				return err
			}
			ids := func(table string) (ids []int64) {
				rows, err := statements.Query("SELECT id FROM " + table)
				if err != nil {
					t.Fatal(err)
				}
				defer rows.Close()
				for rows.Next() {
					var id int64
					err = errors.Join(err, rows.Scan(&id))
					ids = append(ids, id)
				}
				if err := errors.Join(err, rows.Err()); err != nil {
					t.Error(err)
				}
				return ids
			}
			if got := ids("crm_product"); !slices.Equal(got, []int64{home}) {
				t.Errorf("the table of the CRM has the products %d, want %d", got, home)
			}
			if got := ids("crm_customer"); !slices.Contains(got, made.ID) {
				t.Errorf("the table of the CRM has the customers %d, and not %d", got, made.ID)
			}
			if got := append(ids("product"), ids("customer")...); len(got) > 0 {
				t.Errorf("the tables of sqlstore have %d", got)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// Whoever comes too late hears that the reference is taken, also if it was free when
// their unit began.
func TestOneOfManyProductsIsGivenAReference(t *testing.T) {
	onEachEngine(t, func(t *testing.T, open func(testing.TB) *ownrecords.Store) {
		s := open(t)
		const many = 6
		ended := make(chan error, many)
		for n := range many {
			p := product.Product{Site: 1, ID: product.ID(n + 1), Agency: 1, Reference: strconv.Itoa(n)}
			if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Products().Add(p) }); err != nil {
				t.Fatal(err)
			}
			p.Reference = "the one"
			go func() { ended <- s.Update(t.Context(), func(tx port.Tx) error { return tx.Products().Replace(p) }) }()
		}
		given := 0
		for range many {
			if err := <-ended; err == nil {
				given++
			} else if !errors.Is(err, port.ErrReferenceTaken) {
				t.Error(err)
			}
		}
		if given != 1 {
			t.Errorf("%d products are given one reference", given)
		}
	})
}

func TestWhatWouldComeBackAlteredIsRefused(t *testing.T) {
	s := onSQLite(t)
	const altered = "caf\xe9" // not UTF-8
	for what, write := range map[string]func(port.Tx) error{
		"product": func(tx port.Tx) error {
			return tx.Products().Add(product.Product{Site: 1, ID: 1, Criteria: criteria.Values{"Commentaire": criteria.Text(altered)}})
		},
		"customer": func(tx port.Tx) error {
			return tx.Customers().Put(customer.Customer{Site: 1, ID: 1, Lastname: altered})
		},
	} {
		if err := s.Update(t.Context(), write); err == nil || strings.Contains(err.Error(), altered) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
