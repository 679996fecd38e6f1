package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// The sites that are imported into: one listing by listing, one in batches, and one that is
// read meanwhile.
const (
	singlesID site.ID = firstWriteID + writeSites - 1 - iota
	batchesID
	readID
)

// importing compares the import of a file with one that stores listing by listing, and reads
// of a site while listings are imported into it with the same reads while nothing happens.
func (b *bench) importing(ctx context.Context, w *world) error {
	server, err := b.stack(ctx, w, warmCache)
	if err != nil {
		return err
	}
	if err := w.finishFill(ctx); err != nil {
		return err
	}
	into := func(id site.ID) *transfer.Import { return importInto(server.Service.Transfer, id) }
	each := b.products / b.rounds
	files := listings(b.products)
	var ratios, batches, singles []float64
	for range b.rounds {
		started, single := time.Now(), into(singlesID)
		for l, err := range some(files, max(each/10, 1)) {
			if err != nil {
				return err
			}
			if _, err := single.Listing(ctx, l); err != nil {
				return err
			}
		}
		one := float64(max(each/10, 1)) / time.Since(started).Seconds()
		started = time.Now()
		if _, err := imported(ctx, into(batchesID), some(files, each)); err != nil {
			return err
		}
		all := float64(each) / time.Since(started).Seconds()
		ratios, batches, singles = append(ratios, all/one), append(batches, all), append(singles, one)
	}
	b.report.add(fmt.Sprintf("%s: bulk: import of %s products ÷ one by one", w.name(), rig.Count(each*b.rounds)), rig.Median(ratios), ratio,
		atLeast(5), rig.Count(int(rig.Median(batches)))+"/s against "+rig.Count(int(rig.Median(singles)))+"/s")
	return b.besideImport(ctx, w, server, files)
}

// besideImport compares reads while an import is carried out by the server that answers
// them, or by another process, with reads while nobody writes.
func (b *bench) besideImport(ctx context.Context, w *world, server *stack, files iter.Seq2[transfer.Listing, error]) error {
	ids, err := imported(ctx, importInto(server.Service.Transfer, readID), some(files, smallSite))
	if err != nil {
		return err
	}
	token, err := server.token(ctx, readID)
	if err != nil {
		return err
	}
	other, err := wire.Service(ctx, w.store, rig.Secrets, kernel.Options{})
	if err != nil {
		return err
	}
	get := job{Address: server.address(), Connections: 2, Status: http.StatusOK, For: 3 * b.round}
	searched := get
	for _, id := range spread(ids, len(ids)) {
		get.Requests = append(get.Requests, wireRequest("GET", fmt.Sprintf("%s/products/%d", kernel.BasePath, id), token, nil))
	}
	for _, q := range cataloguetest.Queries(200, smallSite, seed) {
		if len(q.Filter.Agencies) != 1 { // searches name the agencies of the big site
			searched.Requests = append(searched.Requests, wireRequest("POST", kernel.BasePath+searchPath, token, search(q)))
		}
	}
	for _, read := range []struct {
		name string
		job
	}{{"GET by id", get}, {"search of ids", searched}} {
		for _, by := range []struct {
			name string
			*transfer.Service
		}{{"an import", server.Service.Transfer}, {"an import by another process", other.Transfer}} {
			if err := b.visit(ctx, read.job); err != nil {
				return err
			}
			var ratios, idles, besides, rates []float64
			for range b.rounds {
				idle, err := b.client.do(ctx, read.job)
				if err != nil {
					return err
				}
				beside, rate, err := b.readBeside(ctx, read.job, importInto(by.Service, readID), files)
				if err != nil {
					return err
				}
				one, two := latenciesOf(idle.Times).p50, latenciesOf(beside.Times).p50
				ratios, idles, besides, rates = append(ratios, two/one), append(idles, one), append(besides, two), append(rates, rate)
			}
			b.report.add(fmt.Sprintf("%s: bulk: %s beside %s ÷ idle: p50", w.name(), read.name, by.name), rig.Median(ratios), ratio, atMost(2),
				fmt.Sprintf("%s against %s, beside %s listings/s", milliseconds(rig.Median(besides)), milliseconds(rig.Median(idles)), rig.Count(int(rig.Median(rates)))))
		}
	}
	return nil
}

// underWay is how many listings an import has stored once its batches are as large as they get.
const underWay = 300

// readBeside does a job while an import is under way, and tells how many listings a second it
// stores.
func (b *bench) readBeside(ctx context.Context, read job, into *transfer.Import, files iter.Seq2[transfer.Listing, error]) (o outcome, rate float64, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var stored atomic.Int64
	begun, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- func() error {
			for done, err := range into.All(ctx, files) {
				if err != nil {
					return err
				}
				if done.Action == transfer.ImportCreated && stored.Add(1) == underWay {
					close(begun)
				}
			}
			return nil
		}()
	}()
	select {
	case <-begun:
	case err := <-ended:
		return o, 0, err
	}
	// A client that reads often reads little at a time.
	first := read
	first.Requests = read.Requests[:2]
	if err := b.visit(ctx, first); err != nil {
		return o, 0, err
	}
	before, started := stored.Load(), time.Now()
	o, err = b.client.do(ctx, read)
	rate = float64(stored.Load()-before) / time.Since(started).Seconds()
	stop()
	if failed := <-ended; !errors.Is(failed, context.Canceled) {
		err = errors.Join(err, failed)
	}
	return o, rate, err
}

func importInto(t *transfer.Service, id site.ID) *transfer.Import {
	return t.Import(transfer.Portfolio{Site: id, Agency: agencyOf(id, cataloguetest.Agencies()[0])}, false)
}

// imported imports listings and returns the ids of what was created.
func imported(ctx context.Context, into *transfer.Import, found iter.Seq2[transfer.Listing, error]) (ids []int64, err error) {
	for done, err := range into.All(ctx, found) {
		if err != nil {
			return ids, err
		}
		if done.Action != transfer.ImportCreated {
			return ids, fmt.Errorf("listing %s was %s: %s", done.Listing.Reference, done.Action, done.Why)
		}
		ids = append(ids, int64(done.Product))
	}
	return ids, nil
}

// some returns the next listings of a file.
func some(files iter.Seq2[transfer.Listing, error], n int) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		left := n
		for l, err := range files {
			if left--; !yield(l, err) || left == 0 {
				return
			}
		}
	}
}

// listings are generated products as a file has them. They never end: each reference comes
// once, for all readers.
func listings(products int) iter.Seq2[transfer.Listing, error] {
	var kinds []transfer.Listing
	for c := range cataloguetest.Products(min(products, 2_000), seed) {
		kinds = append(kinds, listingOf(c.Product))
	}
	next := 0
	return func(yield func(transfer.Listing, error) bool) {
		for {
			l := kinds[next%len(kinds)]
			next++
			l.Reference = fmt.Sprint("B-", next)
			if !yield(l, nil) {
				return
			}
		}
	}
}

func listingOf(p product.Product) (l transfer.Listing) {
	tell := func(key, code string, value any) {
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{Source: key, Key: key, Code: code, Value: criteria.Raw{V: value}})
	}
	for key, value := range p.Criteria {
		switch value := value.(type) {
		case criteria.Multiple:
			for _, code := range value {
				tell(key, code, true)
			}
		case criteria.Flag:
			tell(key, "", bool(value))
		case criteria.Number:
			tell(key, "", strconv.FormatFloat(float64(value), 'f', -1, 64))
		default:
			tell(key, "", fmt.Sprint(criteria.Plain(value)))
		}
	}
	l.Descriptions = []product.DescriptionInput{{
		Language: "fr", Title: opt.Of("Appartement de trois pièces"), Text: opt.Of(strings.Repeat("Au calme, proche des commerces et des écoles. ", 15)),
	}}
	return l
}
