package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// RequestLog is what keeps requests, and counts of them.
type RequestLog interface {
	port.Requests
	port.Traffic
}

// Requests holds a request log to the law of port.Requests and port.Traffic. open
// makes an empty one that lasts until the test it is given ends.
func Requests(t *testing.T, open func(testing.TB) RequestLog) {
	for name, run := range map[string]func(*testing.T, RequestLog){
		"ARequestIsReadAsItWasAdded":          requestIsRead,
		"AnswersAreThoseOfTheModel":           logsAgree,
		"WhoIsForgottenMeanwhileIsForgotten":  forgettingMeetsAdding,
		"WhatIsTooOldOrTooMuchIsPurged":       requestsArePurged,
		"CountsAddUp":                         countsAddUp,
		"OldCountsArePurged":                  countsArePurged,
		"AContextThatEndedShowsAsItsOwnError": logIsCancelled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, open(t))
		})
	}
}

// noon is in the middle of a day, so that hours around it are of the same day.
func noon() time.Time { return time.Date(2026, 9, 16, 12, 0, 0, 0, time.UTC) }

// request is one in which no field is empty.
func request(id string) trace.Request {
	return trace.Request{
		ID: id, Site: 1, At: noon().Add(123456 * time.Microsecond), ClientID: awkward, Operation: "customer.update", Method: "PUT", Path: "/api/v2/site/customers/7",
		Query: "fetch=‹string, 3›", Credential: awkward, Claimed: awkward, UnknownClient: awkward, Status: 422, Code: fault.CodeOutOfRange, Took: 1234 * time.Microsecond, Bytes: 1 << 33, Peer: "192.0.2.1",
		Agent: "curl/8 " + awkward, Deprecated: []string{"agencyId", "sortType"}, OneIn: 4, Customers: []customer.ID{7, 1 << 40}, Sent: `{"name":"‹string, 3›"}`, Answered: `{"error":{}}`,
	}
}

func added(t testing.TB, l RequestLog, requests ...trace.Request) {
	t.Helper()
	if err := l.Add(t.Context(), requests); err != nil {
		t.Fatal(err)
	}
}

func found(t testing.TB, l RequestLog, id string) trace.Request {
	t.Helper()
	r, err := l.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r
}

// isThere reports whether a request is kept.
func isThere(t testing.TB, l RequestLog, id string) bool {
	t.Helper()
	_, err := l.Get(t.Context(), id)
	if err != nil && !errors.Is(err, fault.NotFound) {
		t.Fatalf("%s: %v", id, err)
	}
	return err == nil
}

func requestIsRead(t *testing.T, l RequestLog) {
	bare := trace.Request{ID: "bare", At: noon()}
	added(t, l, request("whole"), bare)
	added(t, l)
	same(t, "a whole request", request("whole"), found(t, l, "whole"))
	same(t, "one with nothing in it", bare, found(t, l, "bare"))
	if isThere(t, l, "nowhere") {
		t.Error("what was never added is there")
	}
}

var someRequests = rapid.Custom(func(t *rapid.T) trace.Request {
	status := rapid.SampledFrom([]int{200, 201, 304, 404, 422, 429, 500}).Draw(t, "status")
	r := trace.Request{
		Site: site.ID(rapid.IntRange(0, 2).Draw(t, "site")), At: noon().Add(time.Duration(rapid.IntRange(-40, 40).Draw(t, "hours")) * time.Hour),
		Operation: rapid.SampledFrom([]string{"product.get", "customer.update"}).Draw(t, "operation"), Status: status,
		Credential: access.CredentialID(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "credential")), OneIn: 1, Sent: "{}",
	}
	if r.Site == 0 {
		r.Claimed = access.CredentialID(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "claimed"))
	}
	if status >= 400 {
		r.Code = rapid.SampledFrom([]fault.Code{fault.CodeNotFound, fault.CodeOutOfRange}).Draw(t, "code")
	}
	if rapid.Bool().Draw(t, "deprecated") {
		r.Deprecated = []string{"agencyId"}
	}
	for _, c := range rapid.SliceOfNDistinct(rapid.IntRange(1, 3), 0, 2, rapid.ID[int]).Draw(t, "customers") {
		r.Customers = append(r.Customers, customer.ID(c))
	}
	return r
})

var someFilters = rapid.Custom(func(t *rapid.T) trace.Filter {
	f := trace.Filter{Site: site.ID(rapid.IntRange(0, 2).Draw(t, "site"))}
	pick := func(what string) bool { return rapid.IntRange(0, 3).Draw(t, what) == 0 }
	if pick("by credential") {
		f.Credential = "a"
	}
	if pick("by operation") {
		f.Operation = "customer.update"
	}
	if pick("by status") {
		f.Status = rapid.SampledFrom([]int{2, 3, 4, 5, 404, 200}).Draw(t, "status")
	}
	if pick("by code") {
		f.Code = fault.CodeNotFound
	}
	if pick("from") {
		f.From = noon().Add(time.Duration(rapid.IntRange(-40, 40).Draw(t, "from hour")) * time.Hour)
	}
	if pick("until") {
		f.Until = noon().Add(time.Duration(rapid.IntRange(-40, 40).Draw(t, "until hour")) * time.Hour)
	}
	f.Deprecated, f.SignIns = pick("deprecated"), pick("sign-ins")
	if pick("by claim") {
		f.Claimed = []access.CredentialID{"b", "c"}
	}
	if pick("by customer") {
		f.Customer = 2
	}
	return f
})

var someCounts = rapid.Custom(func(t *rapid.T) trace.Count {
	width := rapid.SampledFrom([]time.Duration{time.Minute, time.Hour}).Draw(t, "width")
	c := count(noon().Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "nth"))*width), width, rapid.Int64Range(1, 3).Draw(t, "requests"))
	c.Site, c.Class = site.ID(rapid.IntRange(1, 2).Draw(t, "site")), rapid.SampledFrom([]int{2, 5}).Draw(t, "class")
	c.Operation = rapid.SampledFrom([]string{"product.get", "Product.get"}).Draw(t, "operation")
	c.Credential = access.CredentialID(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "credential"))
	return c
})

var someDeprecated = rapid.Custom(func(t *rapid.T) trace.Deprecated {
	return trace.Deprecated{
		Site: site.ID(rapid.IntRange(1, 2).Draw(t, "site")), Credential: awkward, Operation: "product.get", Name: rapid.SampledFrom([]string{"agencyId", "Zone"}).Draw(t, "name"),
		Day: noon().Truncate(24*time.Hour).AddDate(0, 0, rapid.IntRange(-1, 0).Draw(t, "day")), N: rapid.Int64Range(1, 3).Draw(t, "n"), Last: rapid.SampledFrom([]string{"r1", "r2"}).Draw(t, "last"),
	}
})

// logsAgree adds to the log and to the model, and has both forget customers: what is found then,
// page by page, and what was counted is the same.
func logsAgree(t *testing.T, l RequestLog) {
	model, n := memstore.NewRequestLog(), 0
	rapid.Check(t, func(rt *rapid.T) {
		batch := rapid.SliceOfN(someRequests, 0, 12).Draw(rt, "requests")
		for i := range batch {
			n++
			batch[i].ID = fmt.Sprintf("%x-%d", n*2654435761%65536, n) // in no order of time
		}
		counts := rapid.SliceOfNDistinct(someCounts, 0, 6, func(c trace.Count) string { return fmt.Sprint(c.Kind, c.Start, c.Width) }).Draw(rt, "counts")
		names := rapid.SliceOfNDistinct(someDeprecated, 0, 3, func(d trace.Deprecated) string { return fmt.Sprint(d.Site, d.Name, d.Day) }).Draw(rt, "deprecated names")
		gone, who := rapid.IntRange(0, 5).Draw(rt, "forget") == 0, customer.ID(rapid.IntRange(1, 3).Draw(rt, "who"))
		of := site.ID(rapid.IntRange(1, 2).Draw(rt, "site"))
		again := slices.Clone(batch[len(batch)/2:]) // which were added once and stay as they were
		for i := range again {
			again[i].Sent = "{\"again\":true}"
		}
		for _, log := range []RequestLog{l, model} {
			added(t, log, batch...)
			added(t, log, again...)
			if err := log.Count(t.Context(), counts, names); err != nil {
				rt.Fatal(err)
			}
			if gone {
				if err := log.Forget(t.Context(), of, who); err != nil {
					rt.Fatal(err)
				}
			}
		}
		for _, r := range batch {
			same(t, "a request of a batch", found(t, model, r.ID), found(t, l, r.ID))
		}
		filter, size := someFilters.Draw(rt, "filter"), rapid.IntRange(1, 9).Draw(rt, "page")
		var after trace.Cursor
		for range 4 {
			want, _ := model.Find(t.Context(), filter, after, size)
			got, err := l.Find(t.Context(), filter, after, size)
			if d := difference(want, got); err != nil || d != "" {
				rt.Fatalf("%v (-want +got):\n%s", err, d)
			}
			if len(got) < size {
				break
			}
			after = trace.CursorAt(got[size-1])
		}
		from, width := noon().Add(time.Duration(rapid.IntRange(-1, 2).Draw(rt, "from"))*time.Minute), rapid.SampledFrom([]time.Duration{time.Minute, time.Hour}).Draw(rt, "of")
		to := from.Add(time.Duration(rapid.IntRange(0, 4).Draw(rt, "to")) * width)
		want, _ := model.Counts(t.Context(), of, width, from, to)
		got, err := l.Counts(t.Context(), of, width, from, to)
		sites := rapid.SliceOfN(rapid.SampledFrom([]site.ID{0, 1, 2, 3}), 0, 4).Draw(rt, "sites")
		wantSums, _ := model.Totals(t.Context(), sites, width, from, to)
		sums, err3 := l.Totals(t.Context(), sites, width, from, to)
		if d := difference(wantSums, sums); err3 != nil || d != "" {
			rt.Fatalf("totals of %v from %v to %v: %v (-want +got):\n%s", sites, from, to, err3, d)
		}
		used, _ := model.Deprecated(t.Context(), of)
		told, err2 := l.Deprecated(t.Context(), of)
		if d := difference(want, got) + difference(used, told); err != nil || err2 != nil || d != "" {
			rt.Fatalf("counts from %v to %v: %v, %v (-want +got):\n%s", from, to, err, err2, d)
		}
	})
}

func forgettingMeetsAdding(t *testing.T, l RequestLog) {
	var both sync.WaitGroup
	both.Go(func() {
		for i := range 40 {
			r := request(fmt.Sprint(i))
			if err := l.Add(context.WithoutCancel(t.Context()), []trace.Request{r}); err != nil {
				t.Error(err)
			}
		}
	})
	both.Go(func() {
		if err := l.Forget(context.WithoutCancel(t.Context()), 1, 7); err != nil {
			t.Error(err)
		}
	})
	both.Wait()
	for i := range 40 {
		if r := found(t, l, fmt.Sprint(i)); r.Sent+r.Answered+r.Query != "" {
			t.Fatalf("of request %d there is %q", i, r.Sent)
		}
	}
}

func requestsArePurged(t *testing.T, l RequestLog) {
	purge := func(limits trace.Limits, n int) (gone int) {
		t.Helper()
		for range 100 {
			purged, err := l.Purge(t.Context(), limits, n)
			if err != nil {
				t.Fatal(err)
			}
			if gone += purged; purged == 0 {
				break
			}
		}
		return gone
	}
	for days := range 12 {
		good, refused := request(fmt.Sprintf("good %02d", days)), request(fmt.Sprintf("refused %02d", days))
		good.Status, good.At = 200, good.At.AddDate(0, 0, -days)
		refused.At = refused.At.AddDate(0, 0, -days)
		added(t, l, good, refused)
	}
	all := trace.Limits{Before: noon().AddDate(-1, 0, 0), RefusedBefore: noon().AddDate(-1, 0, 0), Most: 100}
	same(t, "what goes within all limits", 0, purge(all, 5))
	aged := all
	aged.Before, aged.RefusedBefore = noon().AddDate(0, 0, -4), noon().AddDate(0, 0, -8)
	if gone := purge(aged, 3); gone < 10 || gone > 11 { // by whole days it may be one less of each
		t.Errorf("%d went", gone)
	}
	for days := range 12 {
		if there := isThere(t, l, fmt.Sprintf("good %02d", days)); there != (days < 4) && days != 4 {
			t.Errorf("what succeeded %d days ago is there: %t", days, there)
		}
		if there := isThere(t, l, fmt.Sprintf("refused %02d", days)); there != (days < 8) && days != 8 {
			t.Errorf("what was refused %d days ago is there: %t", days, there)
		}
	}
	few := all
	few.Most = 3
	purge(few, 2)
	left, err := l.Find(t.Context(), trace.Filter{Site: 1}, trace.Cursor{}, 100)
	if err != nil || len(left) != 3 || !strings.HasSuffix(left[0].ID, "00") || !strings.HasSuffix(left[2].ID, "01") {
		t.Errorf("the latest three are %v, %v", ids(left), err)
	}
}

func ids(requests []trace.Request) (ids []string) {
	for _, r := range requests {
		ids = append(ids, r.ID)
	}
	return ids
}

// count is one of a kind.
func count(start time.Time, width time.Duration, n int64) trace.Count {
	c := trace.Count{Kind: trace.Kind{Site: 1, Operation: "product.get", Credential: awkward, Class: 2}, Start: start, Width: width}
	for range n {
		c.Add(3 * time.Millisecond)
	}
	return c
}

func counted(t testing.TB, l RequestLog, counts ...trace.Count) {
	t.Helper()
	if err := l.Count(t.Context(), counts, nil); err != nil {
		t.Fatal(err)
	}
}

func counts(t testing.TB, l RequestLog, width time.Duration) []trace.Count {
	t.Helper()
	found, err := l.Counts(t.Context(), 1, width, noon().AddDate(-1, 0, 0), noon().AddDate(1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func countsAddUp(t *testing.T, l RequestLog) {
	slow := count(noon(), time.Minute, 0)
	slow.Add(time.Hour)
	counted(t, l, count(noon(), time.Minute, 3), count(noon(), time.Hour, 4))
	counted(t, l, count(noon(), time.Minute, 5), slow)
	counted(t, l)
	want := count(noon(), time.Minute, 8)
	want.Add(time.Hour)
	same(t, "a minute", []trace.Count{want}, counts(t, l, time.Minute))
	same(t, "an hour", []trace.Count{count(noon(), time.Hour, 4)}, counts(t, l, time.Hour))

	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range rounds {
				for err := errors.New("not yet"); err != nil; { // units that meet are tried again
					err = l.Count(t.Context(), []trace.Count{count(noon(), time.Hour, 1)}, nil)
					if err != nil && !errors.Is(err, fault.Unavailable) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	same(t, "what all added", []trace.Count{count(noon(), time.Hour, 4+workers*rounds)}, counts(t, l, time.Hour))
}

func countsArePurged(t *testing.T, l RequestLog) {
	for hours := range 4 {
		at := noon().Add(time.Duration(-hours) * time.Hour)
		counted(t, l, count(at, time.Minute, 1), count(at, time.Hour, 1))
	}
	used := trace.Deprecated{Site: 1, Operation: "product.get", Name: "agencyId", Day: noon().Truncate(24 * time.Hour), N: 1, Last: "r"}
	earlier := used
	earlier.Day = used.Day.AddDate(0, 0, -1)
	if err := l.Count(t.Context(), nil, []trace.Deprecated{used, earlier}); err != nil {
		t.Fatal(err)
	}
	purge := func(minutes, hours time.Time, n, want int) {
		t.Helper()
		gone, err := l.PurgeCounts(t.Context(), minutes, hours, n)
		if err != nil || gone != want {
			t.Errorf("%d counts went, %v, want %d", gone, err, want)
		}
	}
	purge(noon().AddDate(0, 0, -9), noon().AddDate(0, 0, -9), 9, 0)
	purge(noon().Add(-time.Hour), noon().Add(-2*time.Hour), 1, 3)   // one minute, one hour, one day
	purge(noon().Add(-time.Hour), noon().Add(-2*time.Hour), 9, 1+1) // another minute; the name of today
	same(t, "the minutes that are left", 2, len(counts(t, l, time.Minute)))
	same(t, "the hours that are left", 3, len(counts(t, l, time.Hour)))
}

func logIsCancelled(t *testing.T, l RequestLog) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for what, err := range map[string]error{
		"Add":    l.Add(ctx, []trace.Request{request("r")}),
		"Get":    second(l.Get(ctx, "r")),
		"Find":   second(l.Find(ctx, trace.Filter{}, trace.Cursor{}, 1)),
		"Forget": l.Forget(ctx, 1, 7),
		"Purge":  second(l.Purge(ctx, trace.Limits{}, 1)),
		"Count":  l.Count(ctx, []trace.Count{count(noon(), time.Minute, 1)}, nil),
		"Counts": second(l.Counts(ctx, 1, time.Minute, noon(), noon())),
		"Totals": second(l.Totals(ctx, []site.ID{1}, time.Minute, noon(), noon())),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if isThere(t, l, "r") {
		t.Error("it was added all the same")
	}
}
