package showcase

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// Source is where listings come from.
type Source interface {
	// ProductsSince gives each product that was stored after a revision, one at a time, and returns
	// the revision they are of.
	ProductsSince(ctx context.Context, revision int64, give func(mirror.Record) error) (int64, error)
	// Record returns a record as it is stored.
	Record(ctx context.Context, key mirror.Key) (mirror.Record, error)
}

// catalogue has the cards of all listings in memory, less than a kilobyte each. It is brought up to
// date when it is asked.
type catalogue struct {
	source Source

	mu       sync.Mutex
	revision int64
	listings map[int64]*Listing
	newest   []*Listing
}

// card returns what a card of a listing shows, and what it is found by.
func (l Listing) card() *Listing {
	l.Texts, l.Facts, l.Law, l.PriceNote, l.Agent, l.Climate = nil, nil, nil, "", "", Letter{}
	l.Photos = slices.Clone(l.Photos[:min(1, len(l.Photos))])
	return &l
}

// all returns the cards of the listings, the newest first. The caller must not change them.
func (c *catalogue) all(ctx context.Context) ([]*Listing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := 0
	revision, err := c.source.ProductsSince(ctx, c.revision, func(r mirror.Record) error {
		changed++
		delete(c.listings, r.ID)
		if !r.Shown {
			return nil
		}
		l, err := Read(r.Body)
		if err == nil {
			c.listings[r.ID] = l.card()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if changed > 0 || c.newest == nil {
		c.newest = slices.SortedFunc(maps.Values(c.listings), func(a, b *Listing) int {
			return cmp.Or(b.Added.Compare(a.Added), cmp.Compare(b.ID, a.ID))
		})
	}
	c.revision = revision
	return c.newest, nil
}

// query is what a visitor looks for. Each choice is in the address.
type query struct {
	City, Transaction, Type                  string
	PriceMin, PriceMax, SurfaceMin, RoomsMin float64
	Sort                                     string
	Page                                     int
}

// The ways in which results are sorted.
const (
	recent    = "recent"
	priceUp   = "prix"
	priceDown = "prix-desc"
	larger    = "surface"
)

func queryOf(v url.Values) query {
	number := func(name string) float64 {
		n, err := strconv.ParseFloat(strings.ReplaceAll(strings.Join(strings.Fields(v.Get(name)), ""), ",", "."), 64)
		if err != nil || n < 0 || n > 1e12 {
			return 0
		}
		return n
	}
	q := query{
		City: v.Get("ville"), Transaction: v.Get("transaction"), Type: v.Get("type"), PriceMin: number("prix_min"), PriceMax: number("prix_max"),
		SurfaceMin: number("surface_min"), RoomsMin: number("pieces_min"), Sort: v.Get("tri"), Page: max(1, int(min(1e6, number("page")))),
	}
	if !slices.Contains([]string{priceUp, priceDown, larger}, q.Sort) {
		q.Sort = recent
	}
	return q
}

// address returns the address of a page of the results.
func (q query) address(page int) string {
	v := url.Values{}
	for name, text := range map[string]string{"ville": q.City, "transaction": q.Transaction, "type": q.Type} {
		if text != "" {
			v.Set(name, text)
		}
	}
	for name, n := range map[string]float64{"prix_min": q.PriceMin, "prix_max": q.PriceMax, "surface_min": q.SurfaceMin, "pieces_min": q.RoomsMin} {
		if n > 0 {
			v.Set(name, strconv.FormatFloat(n, 'f', -1, 64))
		}
	}
	if q.Sort != recent {
		v.Set("tri", q.Sort)
	}
	if page > 1 {
		v.Set("page", strconv.Itoa(page))
	}
	if len(v) == 0 {
		return "/annonces"
	}
	return "/annonces?" + v.Encode()
}

// choices are those of a visitor that a facet leaves out of account.
type choice int

const (
	noChoice choice = iota
	cityChoice
	transactionChoice
	typeChoice
)

// matches reports whether a listing is looked for, whatever one of the choices is.
func (q query) matches(l *Listing, without choice) bool {
	return (without == cityChoice || q.City == "" || strings.EqualFold(q.City, l.City)) &&
		(without == transactionChoice || q.Transaction == "" || q.Transaction == l.Transaction) &&
		(without == typeChoice || q.Type == "" || q.Type == l.Type) &&
		l.Price >= q.PriceMin && (q.PriceMax == 0 || l.Price <= q.PriceMax && l.Price > 0) && l.Surface >= q.SurfaceMin && l.Rooms >= q.RoomsMin
}

// Facet is a choice with the number of listings that it would leave.
type Facet struct {
	Value, Label string
	Count        int
	Chosen       bool
	// place is what facets are sorted by: the label without accents.
	place string
}

// results are what a search finds.
type results struct {
	Query                       query
	Count, From                 int
	Listings                    []*Listing
	Previous, Next              string
	Cities, Transactions, Types []Facet
}

// search returns a page of what is looked for, and the facets.
func search(all []*Listing, q query) results {
	r := results{Query: q}
	var found []*Listing
	facets := map[choice]map[string]*Facet{cityChoice: {}, transactionChoice: {}, typeChoice: {}}
	count := func(of choice, value, label string) {
		if value == "" {
			return
		}
		if facets[of][value] == nil {
			facets[of][value] = &Facet{Value: value, Label: cmp.Or(label, value)}
		}
		facets[of][value].Count++
	}
	for _, l := range all {
		if q.matches(l, noChoice) {
			found = append(found, l)
		}
		if q.matches(l, cityChoice) {
			count(cityChoice, l.City, l.City)
		}
		if q.matches(l, transactionChoice) {
			count(transactionChoice, l.Transaction, l.TransactionLabel)
		}
		if q.matches(l, typeChoice) {
			count(typeChoice, l.Type, l.TypeLabel)
		}
	}
	q.sort(found)
	r.Count, r.From = len(found), (q.Page-1)*perPage
	r.Listings = found[min(r.From, len(found)):min(r.From+perPage, len(found))]
	if q.Page > 1 {
		r.Previous = q.address(q.Page - 1)
	}
	if r.From+perPage < len(found) {
		r.Next = q.address(q.Page + 1)
	}
	r.Cities, r.Transactions, r.Types = listed(facets[cityChoice], q.City), listed(facets[transactionChoice], q.Transaction), listed(facets[typeChoice], q.Type)
	return r
}

// listed returns facets by their labels. What was chosen is among them, even when it finds nothing.
func listed(facets map[string]*Facet, chosen string) []Facet {
	if chosen != "" && facets[chosen] == nil {
		facets[chosen] = &Facet{Value: chosen, Label: chosen}
	}
	var all []Facet
	for _, f := range facets {
		f.Chosen, f.place = f.Value == chosen, slug(f.Label)
		all = append(all, *f)
	}
	slices.SortFunc(all, func(a, b Facet) int {
		return cmp.Or(strings.Compare(slug(a.Label), slug(b.Label)), strings.Compare(a.Value, b.Value))
	})
	return all
}

// sort sorts what is the newest first in another way.
func (q query) sort(found []*Listing) {
	switch q.Sort {
	case priceUp:
		slices.SortStableFunc(found, func(a, b *Listing) int { return cmp.Compare(a.Price, b.Price) })
	case priceDown:
		slices.SortStableFunc(found, func(a, b *Listing) int { return cmp.Compare(b.Price, a.Price) })
	case larger:
		slices.SortStableFunc(found, func(a, b *Listing) int { return cmp.Compare(b.Surface, a.Surface) })
	}
}

// similar returns up to n listings of the same transaction and town, or at least of the same transaction.
func similar(all []*Listing, to *Listing, n int) []*Listing {
	likeness := func(l *Listing) int {
		score := 0
		if l.Transaction == to.Transaction {
			score += 2
		}
		if l.City == to.City {
			score++
		}
		return score
	}
	others := slices.DeleteFunc(slices.Clone(all), func(l *Listing) bool { return l.ID == to.ID })
	slices.SortStableFunc(others, func(a, b *Listing) int { return cmp.Compare(likeness(b), likeness(a)) })
	return others[:min(n, len(others))]
}
