package cataloguetest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// Queries generates searches as people and portals send them to a site of n
// products: two to five conditions, one in ten with a keyword; two in five by
// cursor, the others sorted and some of these far into the pages.
func Queries(count, n int, seed uint64) []catalogue.Query {
	d := dice{rand.New(rand.NewPCG(seed, 3))}
	queries := make([]catalogue.Query, count)
	for i := range queries {
		queries[i] = d.query(n)
	}
	return queries
}

func (d dice) query(n int) catalogue.Query {
	q := catalogue.Query{Limit: 100, Order: product.Order{Key: product.ByID}}
	if d.chance(40) {
		if d.chance(50) {
			q.After = id(d.IntN(n))
		}
	} else {
		keys := []product.SortKey{product.ByID, product.ByPrice, product.ByModified, product.BySurface}
		q.Order = product.Order{Key: keys[d.IntN(len(keys))], Descending: d.chance(50)}
		if d.chance(30) {
			q.Skip = 100 + d.IntN(900)
		}
	}
	q.Filter.Agencies = Agencies()
	if d.chance(30) {
		q.Filter.Agencies = Agencies()[:1+d.IntN(5)]
	}
	for range 2 + d.IntN(4) {
		q.Filter.Criteria = append(q.Filter.Criteria, d.condition())
	}
	if d.chance(10) {
		q.Filter.Keyword = d.keyword(n)
	}
	if d.chance(12) {
		q.Filter.ModifiedSince = time.Unix(epoch+int64(d.IntN(150_000_000)), 0).UTC()
	}
	if d.chance(20) {
		online := d.chance(70)
		q.Filter.WebStatus = &online
	}
	return q
}

func (d dice) keyword(n int) product.Keyword {
	phrase := ""
	switch firstname, lastname := d.person(); d.IntN(6) {
	case 0:
		phrase = fmt.Sprintf("-%05d", d.IntN(n))
	case 1:
		phrase = of(d, streetNames)
	case 2:
		phrase = of(d, cityNames)
	case 3:
		phrase = firstname + " " + lastname
	case 4:
		phrase = lastname[:len(lastname)-1]
	case 5:
		phrase = fmt.Sprintf("%d000 €", 60+d.IntN(600))
	}
	return product.NewKeyword(phrase, d.chance(80))
}

// condition makes one condition; each operator gets its share.
func (d dice) condition() criteria.Condition {
	c := criteria.Condition{}
	choose := func(key string, list []string) {
		c.Criterion, c.Type, c.Codes = key, criteria.UNIQUE, []string{of(d, list)}
	}
	switch d.IntN(10) {
	case 0, 1:
		c.Operator = criteria.EGAL
		d.equal(&c, choose)
	case 2:
		c.Operator = criteria.DIFFERENT
		choose(criteria.KeyStatus, statuses)
	case 3, 4, 5:
		c.Operator = criteria.SUPERIEUR
		if d.chance(50) {
			c.Operator = criteria.INFERIEUR
		}
		d.bound(&c)
	case 6:
		c.Operator = criteria.CONTIENT
		d.contained(&c)
	case 7, 8:
		c.Operator = criteria.COMPREND
		d.included(&c, choose)
	default:
		c.Operator = criteria.NE_COMPREND_PAS
		d.included(&c, choose)
	}
	return c
}

func (d dice) equal(c *criteria.Condition, choose func(string, []string)) {
	switch d.IntN(6) {
	case 0, 1:
		choose(criteria.KeyTransactionType, transactions)
	case 2:
		choose(criteria.KeyPropertyType, propertyTypes)
	case 3:
		c.Criterion, c.Type, c.Flag = of(d, flags), criteria.FLAG, d.chance(70)
	case 4:
		c.Criterion, c.Type, c.Texts = criteria.KeyCity, criteria.TEXT, []string{criteria.Fold(of(d, cityNames))}
	default:
		c.Criterion, c.Type, c.Number = criteria.KeyRooms, criteria.NUMBER, float64(1+d.IntN(5))
	}
}

func (d dice) bound(c *criteria.Condition) {
	c.Type = criteria.NUMBER
	switch d.IntN(6) {
	case 0, 1:
		c.Criterion, c.Number = criteria.KeyPrice, float64(50+d.IntN(500))*1000
	case 2:
		c.Criterion, c.Number = criteria.KeySurface, float64(20+d.IntN(120))
	case 3:
		c.Criterion, c.Number = "NbChambres", float64(1+d.IntN(4))
	case 4:
		c.Criterion, c.Number = criteria.KeyConsumption, float64(50+d.IntN(300))
	default:
		c.Criterion, c.Type, c.Number = "DateMandat", criteria.DATE, float64(epoch+d.IntN(150_000_000))*1e6
	}
}

func (d dice) contained(c *criteria.Condition) {
	c.Type = criteria.TEXT
	switch d.IntN(3) {
	case 0:
		c.Criterion, c.Texts = criteria.KeyCity, []string{criteria.Fold(of(d, saints))}
	case 1:
		c.Criterion, c.Texts = criteria.KeyAddress, []string{criteria.Fold(of(d, streetNames))}
	default:
		c.Criterion, c.Texts = "Quartier", []string{criteria.Fold(of(d, districts)), criteria.Fold(of(d, districts))}
	}
}

func (d dice) included(c *criteria.Condition, choose func(string, []string)) {
	lists := map[int]struct {
		key  string
		list []string
	}{
		0: {criteria.KeyPropertyType, propertyTypes},
		1: {criteria.KeyStatus, statuses},
		2: {"Equipements", equipment},
		3: {"Proximites", surroundings},
	}
	from := lists[d.IntN(len(lists))]
	choose(from.key, from.list)
	c.Codes = append(c.Codes, of(d, from.list))
	if from.key == "Equipements" || from.key == "Proximites" {
		c.Type = criteria.MULTIPLE
	}
}
