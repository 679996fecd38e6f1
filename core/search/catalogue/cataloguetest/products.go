// Package cataloguetest makes catalogues and searches that look like those of
// French agencies, for tests and benchmarks, and knows the right answers.
package cataloguetest

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Private is the key of a long text that no search may ask for.
const Private = "Remarques"

// Agencies lists the agencies of the site.
func Agencies() []site.AgencyID { return []site.AgencyID{11, 12, 13, 14, 15, 16} }

const (
	users = 40
	epoch = 1_600_000_000 // the first product was added on 13 September 2020
)

// Products generates a site of n products with some 30 of 52 criteria each, in
// ascending order of their ids. The same seed gives the same products.
func Products(n int, seed uint64) iter.Seq[product.Candidate] {
	return func(yield func(product.Candidate) bool) {
		d := dice{rand.New(rand.NewPCG(seed, 1))}
		g := generator{d, cities(), n}
		for i := range n {
			if !yield(g.candidate(i)) {
				return
			}
		}
	}
}

type generator struct {
	dice
	cities []city
	n      int
}

// id leaves gaps, as ids of several sites drawn from one sequence do.
func id(i int) product.ID { return product.ID(1000 + 3*i) }

func (g generator) candidate(i int) product.Candidate {
	added := time.Unix(epoch, 0).Add(time.Duration(i) * time.Duration(150_000_000/g.n) * time.Second).UTC()
	p := product.Product{
		ID:               id(i),
		Site:             1,
		Agency:           of(g.dice, Agencies()),
		User:             site.UserID(100 + of(g.dice, numbers(users))),
		Customer:         customer.ID(5000 + g.IntN(2*g.n/5+1)),
		WebStatus:        g.chance(55),
		Intercabinet:     g.chance(10),
		SellerStatistics: g.chance(5),
		Criteria:         g.criteria(),
		Added:            added,
		Modified:         added.Add(time.Duration(g.IntN(400*24*3600)) * time.Second),
		Version:          int64(i + 1),
	}
	p.Reference = fmt.Sprintf("%s%d-%05d", of(g.dice, []string{"VM", "VA", "LA", "VT"}), p.Agency, i)
	if g.chance(8) {
		p.Customer = 0
	}
	if i > 100 && g.chance(3) {
		p.Parent = id(i - 1 - g.IntN(100))
	}
	return product.Candidate{Product: p, OwnerNames: names(p.Customer)}
}

// names are the same for every product of an owner.
func names(owner customer.ID) []string {
	if owner == 0 {
		return nil
	}
	d := dice{rand.New(rand.NewPCG(uint64(owner), 2))}
	c := customer.Customer{}
	c.Firstname, c.Lastname = d.person()
	if d.chance(15) {
		c.Company = of(d, companies) + " " + of(d, lastnames) + " " + of(d, cityNames)
	}
	return c.Names()
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// criteria makes the criteria of a product. What is for sale decides about size,
// and size about price, as in life: conditions on them are correlated.
func (g generator) criteria() criteria.Values {
	v := criteria.Values{}
	sometimes := func(percent int, key string, value func() criteria.Value) {
		if g.chance(percent) {
			v[key] = value()
		}
	}
	choice := func(list []string) func() criteria.Value {
		return func() criteria.Value { return criteria.Unique(of(g.dice, list)) }
	}
	number := func(low, high, step float64) func() criteria.Value {
		return func() criteria.Value {
			return criteria.Number(low + step*math.Floor(g.Float64()*g.Float64()*(high-low)/step))
		}
	}
	several := func(list []string, percent int) func() criteria.Value {
		return func() criteria.Value {
			if chosen := g.some(list, percent); len(chosen) > 0 {
				return chosen
			}
			return criteria.Multiple{list[0]}
		}
	}
	day := func() criteria.Value {
		return criteria.Date{At: time.Unix(epoch, 0).UTC().Truncate(24*time.Hour).AddDate(0, 0, g.IntN(1800))}
	}
	yes := func() criteria.Value { return criteria.Flag(true) }

	kind, deal := of(g.dice, propertyTypes), of(g.dice, transactions)
	rooms := 1 + math.Floor(7*g.Float64()*g.Float64())
	surface := math.Round(rooms*(14+20*g.Float64())*100) / 100
	price := math.Round(surface*(1500+4500*g.Float64())/1000) * 1000
	if deal == "Location" {
		price = math.Round(surface * (9 + 12*g.Float64()))
	}
	v[criteria.KeyPropertyType], v[criteria.KeyTransactionType] = criteria.Unique(kind), criteria.Unique(deal)
	v[criteria.KeyStatus] = criteria.Unique(of(g.dice, statuses))
	where := of(g.dice, g.cities)
	v[criteria.KeyCity], v[criteria.KeyPostalCode] = criteria.Text(where.name), criteria.Text(where.postalCode)
	sometimes(96, criteria.KeyPrice, func() criteria.Value { return criteria.Number(price) })
	sometimes(94, criteria.KeySurface, func() criteria.Value { return criteria.Number(surface) })
	sometimes(88, criteria.KeyRooms, func() criteria.Value { return criteria.Number(rooms) })
	sometimes(80, "NbChambres", func() criteria.Value { return criteria.Number(max(0, rooms-1-float64(g.IntN(2)))) })
	sometimes(92, criteria.KeyAddress, func() criteria.Value { return criteria.Text(g.address()) })
	sometimes(85, criteria.KeyCountry, choice(countries))
	sometimes(75, criteria.KeyPosition, func() criteria.Value {
		return criteria.Text(g.around(where).String())
	})
	sometimes(60, "Quartier", func() criteria.Value { return criteria.Text(of(g.dice, districts)) })
	sometimes(10, criteria.KeyVirtualVisit, func() criteria.Value {
		return criteria.Text(fmt.Sprintf("https://visite.example/%08x", g.Uint32()))
	})
	sometimes(70, "NumeroMandat", func() criteria.Value { return criteria.Text(fmt.Sprintf("M%06d", g.IntN(1_000_000))) })
	sometimes(40, Private, func() criteria.Value { return criteria.Text(strings.Repeat("Rappeler le propriétaire. ", 8)) })

	sometimes(75, criteria.KeyConsumption, number(20, 600, 1))
	sometimes(75, criteria.KeyEmission, number(1, 120, 1))
	sometimes(75, criteria.KeyEnergyLetter, choice(letters))
	sometimes(75, criteria.KeyClimateLetter, choice(letters))
	sometimes(60, criteria.KeyEnergyDate, day)
	sometimes(80, "NbSallesBain", number(1, 4, 1))
	sometimes(80, "NbWC", number(1, 4, 1))
	sometimes(35, "SurfaceTerrain", number(50, 5000, 10))
	sometimes(30, "SurfaceCarrez", func() criteria.Value { return criteria.Number(math.Round(surface * 96)) })
	sometimes(65, "Etage", number(0, 12, 1))
	sometimes(65, "NbEtages", number(1, 14, 1))
	sometimes(60, "AnneeConstruction", number(1850, 2025, 1))
	sometimes(55, "Charges", number(10, 800, 5))
	sometimes(50, "TaxeFonciere", number(200, 4000, 10))
	sometimes(70, "Honoraires", number(500, 30_000, 100))
	sometimes(60, "PrixNetVendeur", func() criteria.Value { return criteria.Number(math.Round(price * 0.95)) })
	sometimes(20, "DepotGarantie", number(300, 3000, 10))
	sometimes(45, "NbParking", number(0, 4, 1))
	sometimes(30, "NbLotsCopro", number(2, 300, 1))
	sometimes(75, "EtatGeneral", choice(conditions))
	sometimes(70, "Chauffage", choice(heatings))
	sometimes(70, "EnergieChauffage", choice(energies))
	sometimes(65, "Exposition", choice(directions))
	sometimes(80, "TypeMandat", choice(mandates))
	sometimes(80, "ChargeHonoraires", choice(fees))
	sometimes(70, "DateMandat", day)
	sometimes(25, "DisponibleLe", day)
	sometimes(75, "Equipements", several(equipment, 45))
	sometimes(60, "Proximites", several(surroundings, 50))
	sometimes(30, "Annexes", several(annexes, 30))
	for i, flag := range flags {
		sometimes(50-6*i, flag, yes)
	}
	return v
}

var flags = []string{"Balcon", "Cave", "Ascenseur", "Terrasse", "Jardin", "Copropriete", "Meuble", "Piscine"}
