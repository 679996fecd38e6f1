package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func benchEachEngine(b *testing.B, bench func(*testing.B, *sqlstore.Store)) {
	b.Run("SQLite", func(b *testing.B) { bench(b, sqlitePlace(b).migrated(b)) })
	b.Run("PostgreSQL", func(b *testing.B) { bench(b, postgresPlace(b).migrated(b)) })
}

// listing is a product with 30 criteria, as agencies write them.
func listing(id product.ID) product.Product {
	i := int(id)
	surface := 12.5
	p := product.Product{
		ID: id, Site: 1, Agency: site.AgencyID(1 + i%5), User: 3, Customer: 4, Reference: fmt.Sprint("M-", i), WebStatus: true, Color: i % 6,
		Criteria: criteria.Values{
			"TypeBien": criteria.Unique([]string{"Maison", "Appartement", "Terrain"}[i%3]), "TypeTransaction": criteria.Unique("Vente"),
			"Statut": criteria.Unique("EnCours"), "Prix": criteria.Number(100000 + 500*(i%1000)), "Surface": criteria.Number(float64(i%200) + 0.5),
			"NbPieces": criteria.Number(i % 8), "Adresse": criteria.Text(fmt.Sprintf("%d rue des Lilas", i)), "CodePostal": criteria.Text(fmt.Sprint(75000 + i%20)),
			"Ville": criteria.Text("Paris"), "Pays": criteria.Text("FR"), "Alentour": criteria.Text("48.856600,2.352200"), "ConsoEner": criteria.Unique("D"),
			"GES": criteria.Unique("C"), "conso_energ": criteria.Number(187), "valeur_GES": criteria.Number(23),
			"DateDPE": criteria.Date{At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}, "Exposition": criteria.Multiple{"S", "SO"},
			"Titre": criteria.Text("Belle maison lumineuse avec vue"), "Mandat": criteria.Text(fmt.Sprint("M-", i)), "Chauffage": criteria.Unique("Gaz"),
		},
		Rooms:        []product.Room{{ID: 1, Type: "Séjour", Surface: &surface}, {ID: 2, Type: "Bureau"}},
		Descriptions: []product.Description{{Language: "fr", Title: "Belle maison", Text: fmt.Sprintf("%0900d", i), ShortText: "Belle"}},
		Added:        time.UnixMicro(int64(i)).UTC(), Modified: time.UnixMicro(int64(i)).UTC(),
	}
	for n := range 10 {
		p.Criteria[fmt.Sprint("Option", n)] = criteria.Flag((i+n)%2 == 0)
	}
	return p
}

// fill adds n listings.
func fill(b *testing.B, s port.Store, n int) {
	b.Helper()
	put := func(fn func(port.Tx) error) {
		if err := s.Update(b.Context(), fn); err != nil {
			b.Fatal(err)
		}
	}
	put(putSite(1))
	for from := 0; from < n; from += 1000 {
		put(func(tx port.Tx) error {
			for i := from; i < min(from+1000, n); i++ {
				if err := tx.Products().Add(listing(product.ID(i + 1))); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func BenchmarkHead(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		fill(b, s, 1)
		for b.Loop() {
			if _, err := s.Head(b.Context(), 1); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCreate is the unit of work of creating a product.
func BenchmarkCreate(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		fill(b, s, 1)
		for b.Loop() {
			err := s.Update(b.Context(), func(tx port.Tx) error {
				ids, err := tx.NextIDs(port.ProductIDs, 1)
				if err != nil {
					return err
				}
				p := listing(product.ID(ids[0] + 1))
				_, err = tx.Ledger().Append(1, p.Added, []event.Event{{Type: event.ProductCreate, Resource: int64(p.ID), Agency: p.Agency}})
				if err != nil {
					return err
				}
				return tx.Products().Add(p)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkChange(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		fill(b, s, 1000)
		i := 0
		for b.Loop() {
			i++
			err := s.Update(b.Context(), func(tx port.Tx) error {
				p, err := tx.Products().Get(1, product.ID(1+i%1000))
				if err != nil {
					return err
				}
				p.Criteria["Prix"] = criteria.Number(i)
				_, err = tx.Ledger().Append(1, p.Added, []event.Event{{Type: event.ProductUpdate, Resource: int64(p.ID), Agency: p.Agency}})
				if err != nil {
					return err
				}
				return tx.Products().Replace(p)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGet(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		fill(b, s, 1000)
		i := 0
		for b.Loop() {
			i++
			err := s.View(b.Context(), func(tx port.Tx) error {
				_, err := tx.Products().Get(1, product.ID(1+i%1000))
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPage(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		fill(b, s, 1000)
		ids := make([]product.ID, 100)
		for i := range ids {
			ids[i] = product.ID(1 + 9*i)
		}
		owners := []customer.ID{1, 2, 3}
		for b.Loop() {
			err := s.View(b.Context(), func(tx port.Tx) error {
				found, err := tx.Products().Many(1, ids)
				if err != nil || len(found) != 100 {
					return fmt.Errorf("%d products: %w", len(found), err)
				}
				_, err = tx.Customers().Many(1, owners)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkScan reads 100,000 products, as an index does that is built anew.
func BenchmarkScan(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		const all = 100_000
		fill(b, s, all)
		b.ReportAllocs()
		for b.Loop() {
			err := s.View(b.Context(), func(tx port.Tx) error {
				n, after := 0, product.ID(0)
				for {
					found, err := tx.Products().Scan(1, after, 2000)
					if err != nil {
						return err
					}
					if len(found) == 0 {
						break
					}
					n += len(found)
					after = found[len(found)-1].ID
				}
				if n != all {
					return fmt.Errorf("%d products", n)
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
