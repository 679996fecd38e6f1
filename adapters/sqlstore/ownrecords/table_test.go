package ownrecords_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore/ownrecords"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Beside its SQL, which is in backquotes, a CRM writes at most a hundred lines.
func TestTheExampleIsShort(t *testing.T) {
	text, err := os.ReadFile("store_test.go")
	if err != nil {
		t.Fatal(err)
	}
	beside := 0
	for i, part := range strings.Split(string(text), "`") {
		if i%2 == 0 {
			beside += strings.Count(part, "\n")
		}
	}
	if beside > 100 {
		t.Errorf("there are %d lines beside the SQL", beside)
	}
}

// inserted runs statements of the CRM, as it did before it had this store.
func inserted(t *testing.T, s *sqlstore.Store, statements ...string) {
	t.Helper()
	err := s.Update(t.Context(), func(tx port.Tx) error {
		own, err := sqlstore.StatementsOf(tx)
		for _, statement := range statements {
			if err == nil {
				_, err = own.Exec(statement)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a CRM has in its tables already is found, read and changed, and keeps its id.
func TestRowsOfTheCRMAreRecords(t *testing.T) {
	onEachEngine(t, func(t *testing.T, open func(testing.TB) *ownrecords.Store) {
		s := open(t)
		inserted(t, s.Store,
			"INSERT INTO crm_product (id, price, city, listed_at, reference_key) VALUES (7, 450000, 'Rouen', '2026-03-01 10:00:00', 'a-1')",
			"INSERT INTO crm_product (id) VALUES (4)",
			"INSERT INTO crm_customer (id, lastname) VALUES (9, 'Besson')")
		s, err := ownrecords.New(t.Context(), s.Store, tables)
		if err != nil {
			t.Fatal(err)
		}
		w := apitest.Over(t, s)
		full := w.As("full", 1)
		if got := w.FindProducts(full, listing.SearchProducts{}); !slices.Equal(set(got), []int64{4, 7}) {
			t.Errorf("a search finds %d", got)
		}
		if got := w.CreateProduct("Prix", 100000); got != 8 {
			t.Errorf("a new product has the id %d", got)
		}
		err = s.Update(t.Context(), func(tx port.Tx) error {
			p, err := tx.Products().Get(1, 7)
			if err != nil {
				return err
			}
			if p.Agency != 11 || p.Criteria.Text(criteria.KeyCity) != "Rouen" || p.Customer != 0 || !p.Added.Equal(time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)) {
				t.Errorf("the CRM's row is %+v", p)
			}
			p.Criteria, p.Reference = criteria.Values{criteria.KeyCity: criteria.Unique("of another type")}, "A-1"
			return tx.Products().Replace(p)
		})
		if err != nil {
			t.Fatal(err)
		}
		inserted(t, s.Store, "UPDATE crm_product SET price = 1 WHERE id = 7 AND price IS NULL AND city IS NULL")
		err = s.View(t.Context(), func(tx port.Tx) error {
			p, err := tx.Products().Get(1, 7)
			if want := (criteria.Values{criteria.KeyCity: criteria.Unique("of another type"), criteria.KeyPrice: criteria.Number(1)}); !want.Equal(p.Criteria) {
				t.Errorf("criteria are %v", p.Criteria)
			}
			c, notFound := tx.Customers().Get(1, 9)
			if notFound != nil || c.Lastname != "Besson" || c.Agency != 11 {
				t.Errorf("the customer is %+v, %v", c, notFound)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// Rows of an agency that is another site's, or nobody's, are in no scope. A CRM is told so, rather
// than looking for them.
func TestRowsOfUnknownAgenciesAreNamed(t *testing.T) {
	onEachEngine(t, func(t *testing.T, open func(testing.TB) *ownrecords.Store) {
		s := open(t)
		inserted(t, s.Store, "INSERT INTO crm_product (id) VALUES (1), (2)", "INSERT INTO crm_customer (id, lastname) VALUES (9, 'Besson')")
		apitest.Over(t, s)
		if err := s.CheckAgencies(t.Context()); err != nil {
			t.Errorf("where all agencies are known: %v", err)
		}
		inserted(t, s.Store, "UPDATE crm_product SET agency_id = 99 WHERE id = 2", "UPDATE crm_customer SET agency_id = 21")
		err := s.CheckAgencies(t.Context())
		for _, want := range []string{
			`nobody finds 1 rows of the table "crm_product": they are of agency 99, which site 1 does not have`,
			`nobody finds 3 rows of the table "crm_customer": they are of agency 21, which site 1 does not have`,
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("it is told %v, want %s", err, want)
			}
		}
	})
}

// set returns ids in ascending order.
func set(ids []int64) []int64 { return slices.Sorted(slices.Values(ids)) }

// A store that cannot seal would fail at the first webhook, or at the first request with a key.
func TestAStoreWithoutItsKeysIsRefusedAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crm.db")
	try := func(options ...sqlstore.Option) error {
		t.Helper()
		s, err := sqlite.Open(t.Context(), file, options...)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err = ownrecords.New(t.Context(), s, ownrecords.Tables{})
		return err
	}
	if err := try(); err == nil || !strings.Contains(err.Error(), "see sqlstore.Sealed") {
		t.Errorf("without keys: %v", err)
	}
	if err := try(sealed(t)); err != nil {
		t.Error(err)
	}
	other, err := sqlstore.NewKeyring(bytes.Repeat([]byte{1}, sqlstore.KeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	if err := try(sqlstore.Sealed(other)); err == nil || !strings.Contains(err.Error(), "not on the keyring") {
		t.Errorf("with another key: %v", err)
	}
}

// Tables that are not named are those of sqlstore; what a table lacks is said at once.
func TestWhatATableLacksIsNamed(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "crm.db"), sealed(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := ownrecords.New(t.Context(), s, tables); err == nil || !strings.Contains(err.Error(), "call Migrate") {
		t.Error(err)
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	inserted(t, s, "CREATE TABLE listing (id BIGINT, site_id BIGINT)", `CREATE TABLE contact (site_id BIGINT, id BIGINT, agency_id BIGINT, document TEXT)`)
	customers := &ownrecords.Table[customer.Customer]{Name: "contact"}
	for tables, want := range map[ownrecords.Tables]string{
		{Products: &ownrecords.Table[product.Product]{Name: "listings"}, Customers: customers}: `the table "listings" must have the columns document, site_id, id, agency_id, ` +
			"customer_id, parent_id, reference_key, deleted_at: sqlstore: SQL logic error: no such table: listings (1)",
		{Products: &ownrecords.Table[product.Product]{Name: "listing"}}: "no such column: document",
		{Products: &ownrecords.Table[product.Product]{Name: "listing", Columns: []ownrecords.Column[product.Product]{
			ownrecords.Criterion[criteria.Number]("price", criteria.KeyPrice), ownrecords.Criterion[criteria.Number]("price", criteria.KeySurface),
		}}}: `the column "price" of the table "listing" is named twice, or has no Of`,
		{Customers: customers}: `the table "contact" must have a unique key (site_id, id): `,
	} {
		if _, err := ownrecords.New(t.Context(), s, tables); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	none, err := ownrecords.New(t.Context(), s, ownrecords.Tables{})
	if err != nil {
		t.Fatal(err)
	}
	if got := apitest.Over(t, none).CreateProduct("Prix", 1); got != 1 {
		t.Errorf("the product is %d", got)
	}
}
