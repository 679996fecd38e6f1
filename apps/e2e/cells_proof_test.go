package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/cells"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// movesVariable is the environment variable with how often a site moves to and fro.
const movesVariable = "VITRINE_TEST_MOVES"

// TestNothingIsLostWhileASiteMoves: writers go on, a webhook receives, and the site moves
// from one database to another and back, again and again. Whatever was answered with
// success is there, was told of, and in its order.
func TestNothingIsLostWhileASiteMoves(t *testing.T) {
	t.Parallel()
	rounds := 4
	if n, err := strconv.Atoi(os.Getenv(movesVariable)); err == nil {
		rounds = n
	}
	for _, engines := range [][2]string{{"sqlite", "sqlite"}, {"postgres", "postgres"}, {"sqlite", "postgres"}} {
		t.Run(engines[0]+" and "+engines[1], func(t *testing.T) {
			t.Parallel()
			p := newMovingSite(t, engines)
			stop := make(chan struct{})
			var writers sync.WaitGroup
			for i := range p.products {
				writers.Go(func() { p.write(i, stop) })
			}
			for round := range rounds {
				p.eventually(fmt.Sprintf("everybody writes before move %d", round+1), p.allWrote())
				p.move(round%2, 1-round%2)
			}
			p.eventually("everybody writes after the last move", p.allWrote())
			close(stop)
			writers.Wait()
			p.check(rounds % 2)
		})
	}
}

// movingSite is a site with clients that write, between two cells.
type movingSite struct {
	t        *testing.T
	cells    [2]*world
	stores   [2]*sqlstore.Store
	token    string
	first    int64
	products []int64
	// written are how many changes of each product were answered with success.
	written []atomic.Int64
	// waited is the longest that a writer was without an answer of success, in nanoseconds.
	waited atomic.Int64

	mu       sync.Mutex
	received map[int64][]int64
	failures []string
}

// writersOfASite is how many clients write, each to a product of its own.
const writersOfASite = 6

func newMovingSite(t *testing.T, engines [2]string) *movingSite {
	p := &movingSite{t: t, received: map[int64][]int64{}, written: make([]atomic.Int64, writersOfASite)}
	for i, engine := range engines {
		picked := []choice{deliveringTo("127.0.0.0/8:*")}
		if i == 1 {
			picked = append(picked, described())
		}
		w, err := newWorld(engine, picked...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.end)
		p.cells[i], p.stores[i] = w, w.store.(*sqlstore.Store)
	}
	receiver := httptest.NewServer(http.HandlerFunc(p.receive))
	t.Cleanup(receiver.Close)
	c := p.cells[0].network(t)
	p.token = c.token
	for range writersOfASite {
		p.products = append(p.products, c.create(nil))
	}
	p.first = c.lastEvent()
	c.post("/hooks", object{"url": receiver.URL, "origines": list{"PRODUCT_UPDATE"}}).is(201)
	return p
}

// receive notes events by what they are about, each the first time.
func (p *movingSite) receive(_ http.ResponseWriter, r *http.Request) {
	var body struct {
		ID       int64 `json:"resource_id"`
		Resource struct {
			ID int64 `json:"id"`
		} `json:"resource"`
	}
	content := read(r.Body)
	id := r.Header.Get("Webhook-Id")
	seq, err := strconv.ParseInt(id[strings.LastIndex(id, "_")+1:], 10, 64)
	if failed := json.Unmarshal(content, &body); err != nil || failed != nil {
		p.failed("a delivery %q: %v: %s", id, errors.Join(err, failed), content)
		return
	}
	product := max(body.ID, body.Resource.ID)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.received[product], seq) {
		p.received[product] = append(p.received[product], seq)
	}
}

func (p *movingSite) failed(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = append(p.failures, fmt.Sprintf(format, args...))
}

func (p *movingSite) hasFailed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.failures)
}

func (p *movingSite) eventually(what string, holds func() bool) {
	p.t.Helper()
	eventually(p.t, what, func() bool { return len(p.hasFailed()) > 0 || holds() })
	if wrong := p.hasFailed(); len(wrong) > 0 {
		p.t.Fatal(strings.Join(wrong, "\n"))
	}
}

// allWrote reports whether each writer has written twice since.
func (p *movingSite) allWrote() func() bool {
	before := make([]int64, len(p.written))
	for i := range p.written {
		before[i] = p.written[i].Load()
	}
	return func() bool {
		for i := range p.written {
			if p.written[i].Load() < before[i]+2 {
				return false
			}
		}
		return true
	}
}

// write changes a product until stop is closed, as a client does that goes where it is
// sent, and asks again when it is told to.
func (p *movingSite) write(i int, stop <-chan struct{}) {
	at, last := p.cells[0].url, time.Now()
	for price := int64(1); ; {
		select {
		case <-stop:
			return
		default:
		}
		status, location, err := p.patch(at, p.products[i], price)
		switch {
		case err != nil:
			p.failed("writer %d: %v", i, err)
			return
		case status == http.StatusNoContent:
			p.written[i].Add(1)
			price++
			p.raise(time.Since(last))
			last = time.Now()
		case status == http.StatusServiceUnavailable:
			time.Sleep(5 * time.Millisecond) // sooner than told: the test has not that much time
		case status == http.StatusPermanentRedirect:
			at = location[:strings.Index(location, "/api/")]
		default:
			p.failed("writer %d: %d", i, status)
			return
		}
	}
}

// raise notes how long a writer waited, if nobody waited longer.
func (p *movingSite) raise(waited time.Duration) {
	for {
		before := p.waited.Load()
		if int64(waited) <= before || p.waited.CompareAndSwap(before, int64(waited)) {
			return
		}
	}
}

func (p *movingSite) patch(at string, product, price int64) (status int, location string, err error) {
	body, err := json.Marshal(object{"product_id": product, "criteria": criteria("Prix", price)})
	if err != nil {
		return 0, "", err
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPatch, fmt.Sprintf("%s/api/v2/site/products/%d", at, product), bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := p.cells[0].http.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Header.Get("Location"), err
}

// move moves the site from one cell to the other.
func (p *movingSite) move(from, to int) {
	p.t.Helper()
	m := cells.New(p.stores[from], p.stores[to])
	m.Domain, m.Redirect = p.cells[to].url, time.Hour
	m.From.Blobs, m.To.Blobs = p.cells[from].blobs, p.cells[to].blobs
	m.Log = func(format string, args ...any) { p.t.Logf(format, args...) }
	if err := m.Move(p.t.Context(), 1); err != nil {
		p.t.Fatal(err)
	}
	var open []int
	for i, s := range p.stores {
		if head, err := s.Head(p.t.Context(), 1); err != nil {
			p.t.Fatal(err)
		} else if head.State == site.Open {
			open = append(open, i)
		}
	}
	if !slices.Equal(open, []int{to}) {
		p.t.Fatalf("the site is open in the cells %v", open)
	}
}

// check holds what is there, and what was told of, against what was written.
func (p *movingSite) check(at int) {
	c := &client{t: p.t, w: p.cells[at], token: p.token}
	all := int64(0)
	for i, id := range p.products {
		n := p.written[i].Load()
		all += n
		if got := c.get(product(id)).is(200); !strings.Contains(string(got.body), fmt.Sprintf(`"price":%d,`, n)) {
			p.t.Errorf("product %d was changed %d times, and is %s", id, n, got.body)
		}
	}
	if last := c.lastEvent(); last != p.first+all {
		p.t.Errorf("the ledger ends at %d: after %d there were %d changes", last, p.first, all)
	}
	count := func() (n int64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, seqs := range p.received {
			n += int64(len(seqs))
		}
		return n
	}
	p.eventually(fmt.Sprintf("%d events arrive", all), func() bool { return count() >= all })
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, id := range p.products {
		if seqs := p.received[id]; !slices.IsSorted(seqs) || int64(len(seqs)) != p.written[i].Load() {
			p.t.Errorf("of product %d were told, in this order, %v", id, seqs)
		}
	}
	if p.t.Failed() {
		return
	}
	p.t.Logf("%d changes, 0 lost, 0 out of order; no client waited longer than %s for one", all, time.Duration(p.waited.Load()).Round(time.Millisecond))
}
