package showcase

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"regexp"
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
	for n := range l.Photos {
		l.Photos[n].files = nil
	}
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
	// Agency is the id of one, or 0.
	Agency int64
	Sort   string
	Page   int
}

// The ways in which results are sorted.
const (
	recent    = "recent"
	priceUp   = "prix"
	priceDown = "prix-desc"
	larger    = "surface"
)

func queryOf(v url.Values) query {
	number := func(name string) float64 { return typed(v.Get(name)) }
	q := query{
		City: v.Get("ville"), Transaction: v.Get("transaction"), Type: v.Get("type"), PriceMin: number("prix_min"), PriceMax: number("prix_max"),
		SurfaceMin: number("surface_min"), RoomsMin: number("pieces_min"), Agency: int64(number("agence")), Sort: v.Get("tri"), Page: max(1, int(min(1e6, number("page")))),
	}
	if !slices.Contains([]string{priceUp, priceDown, larger}, q.Sort) {
		q.Sort = recent
	}
	return q
}

var thousands = regexp.MustCompile(`^[0-9]{1,3}([.,][0-9]{3})+$`)

// typed returns an amount as people type it: 200000, 200 000, 200.000, 93,5, 200 000 €. It is 0 where there is none.
func typed(text string) float64 {
	text = strings.TrimSuffix(strings.Join(strings.Fields(text), ""), "€")
	if thousands.MatchString(text) {
		text = strings.NewReplacer(".", "", ",", "").Replace(text)
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", "."), 64)
	if err != nil || !(n >= 0 && n <= 1e12) {
		return 0
	}
	return n
}

// address returns the address of a page of the results.
func (q query) address(page int) string { return at("/annonces", q.values(page)) }

// at returns an address with its choices.
func at(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// values returns the choices as they stand in an address.
func (q query) values(page int) url.Values {
	v := url.Values{}
	for name, text := range map[string]string{"ville": q.City, "transaction": q.Transaction, "type": q.Type} {
		if text != "" {
			v.Set(name, text)
		}
	}
	for name, n := range map[string]float64{"prix_min": q.PriceMin, "prix_max": q.PriceMax, "surface_min": q.SurfaceMin, "pieces_min": q.RoomsMin, "agence": float64(q.Agency)} {
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
	return v
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
	return (without == cityChoice || q.City == "" || q.City == l.City) &&
		(without == transactionChoice || q.Transaction == "" || q.Transaction == l.Transaction) &&
		(without == typeChoice || q.Type == "" || q.Type == l.Type) && (q.Agency == 0 || q.Agency == l.Agency) &&
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

// Town is where listings are, on the map.
type Town struct {
	Name, Path          string
	Count               int
	Latitude, Longitude float64
	// places is how many listings the point is the mean of. Without one the town is not on the map.
	places int
	// ofTown reports that the point is that of the town itself.
	ofTown bool
}

// Shown reports whether the town has a point on the map.
func (t Town) Shown() bool { return t.places > 0 || t.ofTown }

// towns returns where the listings are that are looked for, by the name of the town.
func towns(all []*Listing, q query) []Town {
	by := map[string]*Town{}
	for _, l := range all {
		if l.City == "" || !q.matches(l, noChoice) {
			continue
		}
		t := by[l.City]
		if t == nil {
			in := q
			in.City = l.City
			t = &Town{Name: l.City, Path: in.address(1)}
			by[l.City] = t
		}
		t.Count++
		t.add(l.Place)
	}
	found := make([]Town, 0, len(by))
	for _, t := range by {
		found = append(found, *t)
	}
	slices.SortFunc(found, func(a, b Town) int {
		return cmp.Or(strings.Compare(slug(a.Name), slug(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return found
}

// add has the point of a town take a listing into account: that of the town where one tells it, else the mean.
func (t *Town) add(p *Place) {
	switch {
	case p == nil || t.ofTown:
	case !p.Exact:
		t.Latitude, t.Longitude, t.ofTown = p.Latitude, p.Longitude, true
	default:
		t.places++
		n := float64(t.places)
		t.Latitude, t.Longitude = t.Latitude+(p.Latitude-t.Latitude)/n, t.Longitude+(p.Longitude-t.Longitude)/n
	}
}

// results are what a search finds.
type results struct {
	Query          query
	Count, From    int
	Listings       []*Listing
	Previous, Next string
	// Map is the address of the same results on the map, and List that of the first page of them.
	Map, List                   string
	Cities, Transactions, Types []Facet
}

// search returns a page of what is looked for, and the facets.
func search(all []*Listing, q query) results {
	q.City = spelled(all, q.City)
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
	q.Page = min(q.Page, max(1, (len(found)+perPage-1)/perPage))
	r := results{Query: q, Count: len(found), From: (q.Page - 1) * perPage}
	r.Listings = found[min(r.From, len(found)):min(r.From+perPage, len(found))]
	r.Map, r.List = at("/carte", q.values(1)), q.address(1)
	if q.Page > 1 {
		r.Previous = q.address(q.Page - 1)
	}
	if r.From+perPage < len(found) {
		r.Next = q.address(q.Page + 1)
	}
	r.Cities, r.Transactions, r.Types = listed(facets[cityChoice], q.City), listed(facets[transactionChoice], q.Transaction), listed(facets[typeChoice], q.Type)
	return r
}

// spelled returns a town as listings have it, whatever its case and accents.
func spelled(all []*Listing, city string) string {
	if city == "" {
		return city
	}
	known := map[string]bool{}
	for _, l := range all {
		if l.City == city {
			return city
		}
		known[l.City] = true
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if slug(name) == slug(city) {
			return name
		}
	}
	return city
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

// similar returns up to n listings of the same transaction, and as far as there are some of the same type, town and price.
func similar(all []*Listing, to *Listing, n int) []*Listing {
	return best(all, n, func(l *Listing) (score int) {
		if l.ID == to.ID {
			return never
		}
		if l.Transaction == to.Transaction {
			score += 8
		}
		if l.Type == to.Type {
			score += 4
		}
		if l.City == to.City {
			score += 2
		}
		if l.Price > to.Price*2/3 && l.Price < to.Price*3/2 {
			score++
		}
		return score
	})
}

// alike returns up to n listings whose addresses have the most words of that of a listing that is gone.
func alike(all []*Listing, name string, n int) []*Listing {
	words := slices.DeleteFunc(strings.Split(slug(name), "-"), func(w string) bool { return len(w) <= 2 })
	return best(all, n, func(l *Listing) (score int) {
		for _, w := range words {
			if strings.Contains(l.Path, w) {
				score++
			}
		}
		return score
	})
}

// never is the score of a listing that is not to be among the best.
const never = -1

// best returns up to n listings with the highest scores; of equal ones those that come first.
func best(all []*Listing, n int, score func(*Listing) int) []*Listing {
	var found []*Listing
	var scores []int
	for _, l := range all {
		is := score(l)
		at := len(scores)
		for at > 0 && scores[at-1] < is {
			at--
		}
		if is != never && at < n {
			found, scores = slices.Insert(found, at, l), slices.Insert(scores, at, is)
			found, scores = found[:min(n, len(found))], scores[:min(n, len(scores))]
		}
	}
	return found
}

// Lacking returns, by what the law wants of a listing, the ids of those whose records do not have it.
func (s *Site) Lacking(ctx context.Context) (map[string][]int64, error) {
	all, err := s.catalogue.all(ctx)
	lacking := map[string][]int64{}
	for _, l := range all {
		for _, mention := range l.Lacks {
			lacking[mention] = append(lacking[mention], l.ID)
		}
	}
	return lacking, err
}
