package trace

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Kind is what requests are counted by.
type Kind struct {
	// Site is zero when nobody was identified; Credential is then who the request says it is
	// from.
	Site       site.ID
	Operation  string
	Credential access.CredentialID
	// Class is that of the status.
	Class int
}

// Count is how many requests of a kind came within a minute or an hour.
type Count struct {
	Kind
	// Start is when it began, Width how long it was: time.Minute or time.Hour.
	Start time.Time
	Width time.Duration
	Tally
}

// Total is how many requests of a class of status there were at a site.
type Total struct {
	Site  site.ID
	Class int
	N     int64
}

// buckets is the number of buckets of a Tally.
const buckets = 14

// Tally is how many requests there were and how long they took.
type Tally struct {
	N int64
	// Total is how long all took together.
	Total time.Duration
	// Buckets counts those that took at most Bounds()[i], and in the last one all that
	// took longer than any bound.
	Buckets [buckets]int64
}

// Bounds returns the upper bounds of the buckets of a Tally but the last, which has
// none.
func Bounds() [buckets - 1]time.Duration {
	const ms = time.Millisecond
	return [...]time.Duration{
		ms / 2, ms, 5 * ms / 2, 5 * ms, 10 * ms, 25 * ms, 50 * ms, 100 * ms, 250 * ms, 500 * ms, 1000 * ms, 2500 * ms, 5000 * ms,
	}
}

// Add counts one more request.
func (t *Tally) Add(took time.Duration) {
	at := buckets - 1
	for i, bound := range Bounds() {
		if took <= bound {
			at = i
			break
		}
	}
	t.N++
	t.Total += took
	t.Buckets[at]++
}

// Plus returns what two tallies counted together.
func (t Tally) Plus(more Tally) Tally {
	t.N += more.N
	t.Total += more.Total
	for i, n := range more.Buckets {
		t.Buckets[i] += n
	}
	return t
}

// Quantile returns the time within which a share of the requests, such as 0.99, were
// answered, as exactly as the buckets tell: within a bucket it takes the requests to
// be spread evenly. It is 0 when there were none, and never more than the last bound.
func (t Tally) Quantile(share float64) time.Duration {
	rank := max(1, int64(math.Ceil(share*float64(t.N))))
	var seen int64
	var lower time.Duration
	for i, bound := range Bounds() {
		n := t.Buckets[i]
		if seen+n >= rank && n > 0 {
			return lower + time.Duration(float64(bound-lower)*float64(rank-seen)/float64(n))
		}
		seen += n
		lower = bound
	}
	if t.N == 0 {
		return 0
	}
	return lower
}

// Series is the traffic of one kind over time.
type Series struct {
	Kind
	// Tallies are those of steps of one length, one after the other.
	Tallies []Tally
}

// Sum returns what all steps counted together.
func (s Series) Sum() (all Tally) {
	for _, t := range s.Tallies {
		all = all.Plus(t)
	}
	return all
}

// Deprecated is how often a client used a deprecated name on a day.
type Deprecated struct {
	Site       site.ID
	Credential access.CredentialID
	Operation  string
	// Name is the name as it was written.
	Name string
	// Day is when it began, at midnight UTC.
	Day time.Time
	N   int64
	// Last is the id of the last request that used it.
	Last string
}

// Readiness is how often a client still uses a deprecated name, over all days that
// are kept.
type Readiness struct {
	Credential access.CredentialID
	Operation  string
	Name       string
	N          int64
	// FirstDay and LastDay are when it was used first and last, at midnight UTC.
	FirstDay, LastDay time.Time
	// Last is the id of the last request that used it.
	Last string
}

// Earlier orders counts by their start, and those of one start by their kind.
func Earlier(a, b Count) int {
	return cmp.Or(a.Start.Compare(b.Start), kinds(a.Kind, b.Kind))
}

func kinds(a, b Kind) int {
	return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Credential, b.Credential), cmp.Compare(a.Class, b.Class))
}

// SeriesOf puts counts of one site into steps from a moment on: a series per kind,
// in the order of kinds, each with the same number of steps. Counts outside are left
// out.
func SeriesOf(counts []Count, from time.Time, step time.Duration, steps int) []Series {
	byKind := map[Kind]*Series{}
	for _, c := range counts {
		at := int(c.Start.Sub(from) / step)
		if c.Start.Before(from) || at >= steps {
			continue
		}
		s := byKind[c.Kind]
		if s == nil {
			s = &Series{Kind: c.Kind, Tallies: make([]Tally, steps)}
			byKind[c.Kind] = s
		}
		s.Tallies[at] = s.Tallies[at].Plus(c.Tally)
	}
	all := make([]Series, 0, len(byKind))
	for _, s := range byKind {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Series) int { return kinds(a.Kind, b.Kind) })
	return all
}

// ReadinessOf puts together what clients used of each deprecated name on several
// days, which come in their order. What was used last comes first.
func ReadinessOf(days []Deprecated) []Readiness {
	type key struct {
		credential      access.CredentialID
		operation, name string
	}
	byName := map[key]*Readiness{}
	for _, d := range days {
		k := key{d.Credential, d.Operation, d.Name}
		r := byName[k]
		if r == nil {
			r = &Readiness{Credential: d.Credential, Operation: d.Operation, Name: d.Name, FirstDay: d.Day}
			byName[k] = r
		}
		r.N += d.N
		r.LastDay, r.Last = d.Day, d.Last
	}
	all := make([]Readiness, 0, len(byName))
	for _, r := range byName {
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b Readiness) int {
		return cmp.Or(b.LastDay.Compare(a.LastDay), cmp.Compare(a.Credential, b.Credential), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Name, b.Name))
	})
	return all
}
