package demand

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Book holds the open search requests of one site, so that a product can be
// held against all of them in one pass. SearchRequest.Match is the
// specification of its answers. It performs no I/O: somebody else feeds it. It
// is safe for concurrent use.
type Book struct {
	mu    sync.RWMutex
	seq   int64
	pages map[string][]entry // by transaction type, in the order of the ids
	where map[SearchID]string
	bytes int
	// keys and types number the criteria and types of property that checks name.
	keys, types numbering
}

// entry is a search request in the book.
type entry struct {
	id        SearchID
	agency    site.AgencyID
	prefilter prefilter
	checks    []check
	asked     *SearchRequest
}

// Revision is a new state of one search request, or its end.
type Revision struct {
	ID SearchID
	// Now is the request with this id, nil when it is gone.
	Now *SearchRequest
}

// NewBook makes a book of what is open among the requests, which come by id and
// stand at a sequence of the site's ledger.
func NewBook(seq int64, requests []SearchRequest) *Book {
	b := &Book{seq: seq, pages: map[string][]entry{}, where: map[SearchID]string{}, keys: numbering{}, types: numbering{}}
	for _, r := range requests {
		b.add(r)
	}
	return b
}

// Seq is the sequence of the ledger the book stands at.
func (b *Book) Seq() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.seq
}

// Bytes estimates the memory the book takes.
func (b *Book) Bytes() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.bytes
}

// Len is how many requests are open.
func (b *Book) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.where)
}

// Apply brings the book to a later sequence of the ledger. A change that the
// book has seen already does no harm.
func (b *Book) Apply(seq int64, changes []Revision) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range changes {
		b.remove(c.ID)
		if c.Now != nil {
			b.add(*c.Now)
		}
	}
	b.seq = max(b.seq, seq)
}

func (b *Book) add(r SearchRequest) {
	if !r.Open() {
		return
	}
	// What no demand is about is not kept.
	r = r.Clone()
	r.Name, r.Comment, r.Origin, r.Urgency, r.Financing, r.Alerts = "", "", "", "", Financing{}, Alerts{}
	page := b.pages[r.TransactionType]
	n, _ := find(page, r.ID)
	b.pages[r.TransactionType] = slices.Insert(page, n, entry{r.ID, r.Agency, prefilterOf(r), b.checks(&r), &r})
	b.where[r.ID] = r.TransactionType
	b.bytes += footprint(r)
}

func (b *Book) remove(id SearchID) {
	transaction, here := b.where[id]
	if !here {
		return
	}
	delete(b.where, id)
	page := b.pages[transaction]
	n, _ := find(page, id)
	b.bytes -= footprint(*page[n].asked)
	b.pages[transaction] = slices.Delete(page, n, n+1)
}

func find(page []entry, id SearchID) (int, bool) {
	return slices.BinarySearchFunc(page, id, func(e entry, id SearchID) int { return cmp.Compare(e.id, id) })
}

// footprint estimates what an entry takes, with its share of the map.
func footprint(r SearchRequest) int {
	const mapShare = 64
	bytes := int(unsafe.Sizeof(entry{})+unsafe.Sizeof(r)) + mapShare + len(r.PropertyTypes)*int(unsafe.Sizeof(""))
	bytes += (len(r.Criteria) + len(r.KeyPoints)) * int(unsafe.Sizeof(criteria.Condition{}))
	bytes += len(r.KeyPoints) * int(unsafe.Sizeof(KeyPoint{}))
	for range r.Demands() {
		bytes += int(unsafe.Sizeof(check{}))
	}
	for _, a := range r.Areas {
		bytes += int(unsafe.Sizeof(a))
		for _, rings := range a.Outline {
			for _, ring := range rings {
				bytes += len(ring) * int(unsafe.Sizeof(criteria.Position{}))
			}
		}
	}
	return bytes
}

// MatchQuery is what is asked of a book about a product.
type MatchQuery struct {
	// Agencies limits the answer to search requests of these agencies.
	Agencies []site.AgencyID
	// Near also wants the near misses.
	Near bool
	// Skip and Limit cut a page out of the answer.
	Skip, Limit int
}

// Matches is a page of matches, the best first, by id where they are equally
// good.
type Matches struct {
	Matches []Match
	// Total is how many there are on all pages together.
	Total int
}

// Match holds a product against all open search requests.
func (b *Book) Match(p product.Product, q MatchQuery) Matches {
	best, total := b.candidates(&p, q).Page()
	a := Matches{Total: total, Matches: make([]Match, 0, len(best))}
	for _, one := range best {
		a.Matches = append(a.Matches, one.Item.Match(p))
	}
	return a
}

func (b *Book) candidates(p *product.Product, q MatchQuery) *Tiers[*SearchRequest] {
	b.mu.RLock()
	defer b.mu.RUnlock()
	place := PlaceOf(*p)
	seen, best := b.subject(p, &place, q.Near), NewTiers[*SearchRequest](q.Skip, q.Limit)
	page := b.pages[p.Criteria.Code(criteria.KeyTransactionType)]
	for i := range page {
		e := &page[i]
		if !seen.view.mayMatch(&e.prefilter) || !slices.Contains(q.Agencies, e.agency) {
			continue
		}
		if v := seen.judge(e); v.Holds || v.Near {
			best.Take(v, e.asked)
		}
	}
	return best
}

// Count counts for each of some products the open search requests of some
// agencies that it matches: the Total of Match without near misses. It goes
// through the book once for all of them, for it is the fetching that takes time.
func (b *Book) Count(products []product.Product, agencies []site.AgencyID) []int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	counts := make([]int, len(products))
	places, subjects := make([]Place, len(products)), make([]subject, len(products))
	wanting := map[string][]int{}
	for i := range products {
		places[i] = PlaceOf(products[i])
		subjects[i] = b.subject(&products[i], &places[i], false)
		transaction := products[i].Criteria.Code(criteria.KeyTransactionType)
		wanting[transaction] = append(wanting[transaction], i)
	}
	for transaction, those := range wanting {
		page := b.pages[transaction]
		for n := range page {
			e := &page[n]
			if !slices.Contains(agencies, e.agency) {
				continue
			}
			for _, i := range those {
				if subjects[i].view.mayMatch(&e.prefilter) && subjects[i].judge(e).Holds {
					counts[i]++
				}
			}
		}
	}
	return counts
}
