package catalogue_test

import (
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// The world the properties are checked in is small, so that values meet: few
// keys, few values, many ties, much missing, and now and then a value of a type
// its criterion no longer has.
var (
	keysOf = map[criteria.Type][]string{
		criteria.UNIQUE:   {criteria.KeyPropertyType, criteria.KeyStatus},
		criteria.NUMBER:   {criteria.KeyPrice, criteria.KeySurface, criteria.KeyRooms},
		criteria.FLAG:     {"Balcon", criteria.KeyHideAddress},
		criteria.TEXT:     {criteria.KeyAddress, criteria.KeyCity, criteria.KeyVirtualVisit, "Quartier"},
		criteria.MULTIPLE: {"Equipements"},
		criteria.DATE:     {"DateMandat"},
	}
	codes = []string{"Appartement", "Maison", "EnCours", "Vendu"}
	texts = []string{
		"Saint-Étienne", "saint-etienne", " SAINT-ETIENNE", "Paris", "L’Haÿ-les-Roses", "12 rue de la Paix",
		"12 Rue  de la PAIX", "3 place de l'Œuvre", "14 avenue de Paris", "3 rue de la Reine, la Paix", "La Croix", "rue", "é", "´", "Lyon 3e Arrondissement",
	}
	parts = []string{
		"saint-etienne", "saint", "t-e", "paris", "rue de", "12", "e", "de la paix", "l'", "oe", "croix", "pari", "",
		"arr", "ais", "xyz",
	}
	phrases = []string{
		"", "Saint-Étienne", "paix saint", "paix s", "x p", " rue ", "paris", "de Paris Lyon 3e", "paix l'haÿ", "p", "e",
		"Durand", "durand marie", "marie durand", "SCI Les Œillets", "vm-1", "VM", "réf", "250 000 €", "100", "90,5 EUR",
		"12", "é p", "rue rue", "e e", "œuvre", "de la",
	}
	references = []string{"VM-1", "vm-1", "VM-22", "Réf É 7", "250000", "", "rue"}
	owners     = [][]string{nil, {"Marie Durand", "Durand Marie"}, {"SCI Les Œillets"}, {"Zoé Petit", "Petit Zoé", "Paris Immo"}, {""}}
	amounts    = []float64{0, 1, 2, 3, 90, 100, 110, 110.5, 250000, 275000, -5, 330000, 300000 * math.Nextafter(1.1, 2), math.MaxFloat64, -1e308, 5e-324}
	instants   = []time.Time{
		time.UnixMicro(100).UTC(), // 100, when its number is taken for an amount
		time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC),
		time.Date(2024, 2, 29, 12, 0, 0, 1000, time.UTC),
		time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2024, 12, 31, 18, 30, 0, 0, time.UTC),
		time.Date(2025, 1, 1, 4, 0, 0, 0, time.UTC),
		time.Date(2026, 9, 16, 8, 30, 0, 999_000, time.UTC),
	}
	veiled = []map[string]bool{
		nil, nil, nil, {criteria.KeyCity: true}, {criteria.KeyAddress: true}, {criteria.KeyPrice: true, criteria.KeyVirtualVisit: true},
		{"Equipements": true, criteria.KeyPropertyType: true}, {criteria.KeyHideAddress: true},
	}
	orders = []product.SortKey{product.ByID, product.ByPrice, product.ByModified, product.BySurface, product.ByAdded, ""}
)

// pick draws from a list, early members more often.
func pick[T any](t *rapid.T, label string, list []T) T { return rapid.SampledFrom(list).Draw(t, label) }

// luck draws a number from 0 to 127, each as often as the others: the numbers
// rapid draws by itself are mostly small.
func luck(t *rapid.T, label string) int {
	n := 0
	for range 7 {
		n *= 2
		if rapid.Bool().Draw(t, label) {
			n++
		}
	}
	return n
}

// percent is true in so many of 100 cases.
func percent(t *rapid.T, label string, of int) bool { return luck(t, label) >= 128-of*128/100 }

func drawValue(t *rapid.T, kind criteria.Type) criteria.Value {
	switch kind {
	case criteria.UNIQUE:
		return criteria.Unique(pick(t, "code", codes))
	case criteria.NUMBER:
		return criteria.Number(pick(t, "number", amounts))
	case criteria.FLAG:
		return criteria.Flag(rapid.Bool().Draw(t, "flag"))
	case criteria.TEXT:
		return criteria.Text(pick(t, "text", texts))
	case criteria.MULTIPLE:
		return criteria.Multiple(drawCodes(t))
	default:
		return drawDate(t)
	}
}

// zones are where days begin at other moments than in UTC.
var zones = []*time.Location{time.UTC, time.FixedZone("east", 330*60), time.FixedZone("west", -4*60*60)}

// drawDate draws an instant, or a day whose beginning somewhere is one of them.
func drawDate(t *rapid.T) criteria.Date {
	at := pick(t, "date", instants)
	if percent(t, "timed", 60) {
		return criteria.Date{At: at, Timed: true}
	}
	return criteria.Date{At: at.Truncate(24 * time.Hour)}
}

func drawCodes(t *rapid.T) []string {
	var drawn []string
	chosen := rapid.IntRange(1, 15).Draw(t, "codes")
	for i, code := range codes {
		if chosen>>i&1 != 0 {
			drawn = append(drawn, code)
		}
	}
	return drawn
}

func drawCandidate(t *rapid.T, id product.ID, version int64) product.Candidate {
	p := product.Product{
		ID:        id,
		Agency:    pick(t, "agency", []site.AgencyID{1, 1, 1, 2, 3}),
		User:      pick(t, "user", []site.UserID{0, 7, 7, 8}),
		Customer:  pick(t, "customer", []customer.ID{0, 1, 1, 2}),
		Parent:    pick(t, "parent", []product.ID{0, 0, 0, 1, 2, 5, 9}),
		Reference: pick(t, "reference", references),
		WebStatus: rapid.Bool().Draw(t, "online"),
		Criteria:  criteria.Values{},
		Added:     pick(t, "added", instants),
		Modified:  pick(t, "modified", instants),
		Version:   version,
	}
	for _, kind := range criteria.Types() {
		for _, key := range keysOf[kind] {
			switch drawn := luck(t, key); {
			case drawn > 120:
				p.Criteria[key] = drawValue(t, pick(t, "type", criteria.Types()))
			case drawn > 35:
				p.Criteria[key] = drawValue(t, kind)
			}
		}
	}
	if percent(t, "located", 75) {
		p.Criteria[criteria.KeyPosition] = criteria.Text(pick(t, "place", places))
	}
	return product.Candidate{Product: p, OwnerNames: pick(t, "owner", owners)}
}

func drawCondition(t *rapid.T) criteria.Condition {
	c := criteria.Condition{
		Type:     pick(t, "type", criteria.Types()),
		Operator: pick(t, "operator", criteria.Operators()),
	}
	c.Criterion = pick(t, "criterion", append([]string{"Inconnu"}, keysOf[c.Type]...))
	if percent(t, "other", 5) {
		c.Criterion = pick(t, "criterion", keysOf[pick(t, "type", criteria.Types())])
	}
	c.Flag = rapid.Bool().Draw(t, "flag")
	c.Codes = drawCodes(t)
	c.Texts = rapid.SliceOfN(rapid.SampledFrom(parts), 1, 2).Draw(t, "parts")
	c.Number = pick(t, "number", amounts)
	if c.Type == criteria.DATE {
		c.Number, c.Instant = drawDate(t).Among(pick(t, "zone", zones))
		if percent(t, "without instant", 10) {
			c.Instant = time.Time{}
		}
	}
	return c
}

func drawFilter(t *rapid.T) product.Filter {
	f := product.Filter{
		Agencies: pick(t, "agencies", [][]site.AgencyID{{1, 2, 3}, {1, 2, 3}, {1, 2}, {1}, {3, 4}, {}}),
	}
	for range pick(t, "conditions", []int{0, 0, 1, 1, 1, 2, 3}) {
		f.Criteria = append(f.Criteria, drawCondition(t))
	}
	if percent(t, "keyword", 35) {
		f.Keyword = product.NewKeyword(pick(t, "phrase", phrases), rapid.Bool().Draw(t, "names"))
	}
	yes, no := true, false
	if percent(t, "veil", 40) {
		f.Veil.Addresses = percent(t, "masks", 75)
		f.Veil.Private = pick(t, "private", veiled)
	}
	for _, possible := range []struct {
		part string
		set  func()
	}{
		{"reference", func() { f.Reference = pick(t, "reference", []string{"vm-1", "VM-22", "REF e 7", " ", "none"}) }},
		{"customer", func() { f.Customer = pick(t, "customer", []customer.ID{1, 2, 3}) }},
		{"users", func() { f.Users = pick(t, "users", [][]site.UserID{{7}, {8, 9}, {0}, {}}) }},
		{"since", func() { f.ModifiedSince = pick(t, "since", instants).Add(pick(t, "and", []time.Duration{0, 0, 500})) }},
		{"web", func() { f.WebStatus = pick(t, "web", []*bool{&yes, &no}) }},
		{"visit", func() { f.Visit360 = pick(t, "visit", []*bool{&yes, &no}) }},
		{"near", func() { near := drawNear(t); f.Near = &near }},
		{"within", func() { within := drawWithin(t); f.Within = &within }},
		{"parent", func() { parent := pick(t, "parent", []product.ID{0, 1, 5, 77}); f.Parent = &parent }},
	} {
		if percent(t, possible.part, 6) {
			possible.set()
		}
	}
	return f
}

func drawQuery(t *rapid.T) catalogue.Query {
	q := catalogue.Query{
		Filter: drawFilter(t),
		Order:  product.Order{Key: pick(t, "order", orders), Descending: rapid.Bool().Draw(t, "descending")},
		Skip:   pick(t, "skip", []int{0, 0, 0, 1, 4, 30}),
		Limit:  pick(t, "limit", []int{100, 0, 1, 3, 10}),
	}
	if percent(t, "cursor", 30) {
		q.After = product.ID(rapid.IntRange(1, 60).Draw(t, "after"))
	}
	return q
}
