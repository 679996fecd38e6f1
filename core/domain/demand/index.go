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

// Index has the open search requests of one site, so that a product can be compared with
// all of them in one pass. SearchRequest.Match specifies its answers. It performs no I/O:
// its owner loads and updates it. It is safe for concurrent use.
type Index struct {
	mu    sync.RWMutex
	seq   int64
	lists map[string][]entry // by transaction type, in the order of the ids
	// transactions are the transaction types of the requests.
	transactions map[SearchID]string
	bytes        int
	// keys and types number the criteria and types of property that checks name.
	keys, types numbering
}

// entry is a search request in the index.
type entry struct {
	id        SearchID
	agency    site.AgencyID
	prefilter prefilter
	checks    []check
	asked     *SearchRequest
}

// Revision is a new state of one search request, or its deletion.
type Revision struct {
	ID SearchID
	// Now is the request with this id, nil when it is deleted.
	Now *SearchRequest
}

// NewIndex returns an index of the open ones among the requests, which are in the order of
// their ids, as of a sequence of the site's ledger.
func NewIndex(seq int64, requests []SearchRequest) *Index {
	x := &Index{seq: seq, lists: map[string][]entry{}, transactions: map[SearchID]string{}, keys: numbering{}, types: numbering{}}
	for _, r := range requests {
		x.add(r)
	}
	return x
}

// Seq returns the sequence of the ledger up to which changes are applied.
func (x *Index) Seq() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.seq
}

// Bytes estimates the memory of the index.
func (x *Index) Bytes() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.bytes
}

// Len returns the number of open requests.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.transactions)
}

// Apply brings the index to a later sequence of the ledger. A change may be applied again.
func (x *Index) Apply(seq int64, changes []Revision) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range changes {
		x.remove(c.ID)
		if c.Now != nil {
			x.add(*c.Now)
		}
	}
	x.seq = max(x.seq, seq)
}

func (x *Index) add(r SearchRequest) {
	if !r.Open() {
		return
	}
	// Fields without a demand are not stored.
	r = r.Clone()
	r.Name, r.Comment, r.Origin, r.Urgency, r.Financing, r.Alerts = "", "", "", "", Financing{}, Alerts{}
	list := x.lists[r.TransactionType]
	n, _ := find(list, r.ID)
	x.lists[r.TransactionType] = slices.Insert(list, n, entry{r.ID, r.Agency, prefilterOf(r), x.checks(&r), &r})
	x.transactions[r.ID] = r.TransactionType
	x.bytes += footprint(r)
}

func (x *Index) remove(id SearchID) {
	transaction, known := x.transactions[id]
	if !known {
		return
	}
	delete(x.transactions, id)
	list := x.lists[transaction]
	n, _ := find(list, id)
	x.bytes -= footprint(*list[n].asked)
	x.lists[transaction] = slices.Delete(list, n, n+1)
}

func find(list []entry, id SearchID) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(e entry, id SearchID) int { return cmp.Compare(e.id, id) })
}

// footprint estimates the memory of an entry, with its share of the map.
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

// MatchQuery selects search requests for a product.
type MatchQuery struct {
	// Agencies limits the answer to search requests of these agencies.
	Agencies []site.AgencyID
	// Near includes near misses.
	Near bool
	// Skip and Limit select a page of the answer.
	Skip, Limit int
}

// Matches is a page of matches, the best first, by id where they are equally
// good.
type Matches struct {
	Matches []Match
	// Total is how many there are on all pages together.
	Total int
}

// Match compares a product with all open search requests.
func (x *Index) Match(p product.Product, q MatchQuery) Matches {
	best, total := x.candidates(&p, q).Page()
	a := Matches{Total: total, Matches: make([]Match, 0, len(best))}
	for _, one := range best {
		a.Matches = append(a.Matches, one.Item.Match(p))
	}
	return a
}

func (x *Index) candidates(p *product.Product, q MatchQuery) *Tiers[*SearchRequest] {
	x.mu.RLock()
	defer x.mu.RUnlock()
	place := PlaceOf(*p)
	seen, best := x.subject(p, &place, q.Near), NewTiers[*SearchRequest](q.Skip, q.Limit)
	list := x.lists[p.Criteria.Code(criteria.KeyTransactionType)]
	for i := range list {
		e := &list[i]
		if !seen.view.mayMatch(&e.prefilter) || !slices.Contains(q.Agencies, e.agency) {
			continue
		}
		if v := seen.judge(e); v.Holds || v.Near {
			best.Take(v, e.asked)
		}
	}
	return best
}

// Count returns for each product the number of open search requests of some agencies that
// it matches: the Total of Match without near misses. It reads the index once for all
// products, because reading it takes most of the time.
func (x *Index) Count(products []product.Product, agencies []site.AgencyID) []int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	counts := make([]int, len(products))
	places, subjects := make([]Place, len(products)), make([]subject, len(products))
	wanting := map[string][]int{}
	for i := range products {
		places[i] = PlaceOf(products[i])
		subjects[i] = x.subject(&products[i], &places[i], false)
		transaction := products[i].Criteria.Code(criteria.KeyTransactionType)
		wanting[transaction] = append(wanting[transaction], i)
	}
	for transaction, those := range wanting {
		list := x.lists[transaction]
		for n := range list {
			e := &list[n]
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
