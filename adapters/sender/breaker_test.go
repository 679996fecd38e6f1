package sender

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// fake is a sender whose requests go nowhere: a function answers them, under a
// clock that tests turn.
func fake(o Options, answer func(request) (int, error)) *Sender {
	s := New(o)
	s.exchange = func(_ context.Context, r request) (response, error) {
		status, err := answer(r)
		return response{status: status}, err
	}
	return s
}

func hostOf(r request) string {
	u, _ := url.Parse(r.url)
	return u.Host
}

func always(status int) func(request) (int, error) {
	return func(request) (int, error) { return status, nil }
}

var (
	errUnreachable = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ENETUNREACH}
	errRefused     = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
)

func hooked(site site.ID, hook webhook.ID, epoch int64, host string) webhook.Request {
	return webhook.Request{Site: site, Hook: hook, Epoch: epoch, URL: "https://" + host + "/hook"}
}

// verdicts sends n times and writes down what came of it, a letter each.
func verdicts(s *Sender, r webhook.Request, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(s.Send(context.Background(), r).Verdict.String()[0])
	}
	return b.String()
}

func TestABreakerOpensAfterSixFailuresInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status := 503
		s := fake(Options{}, func(request) (int, error) { return status, nil })
		r := hooked(1, 7, 1, "portal.example")
		if got := verdicts(s, r, 8); got != "ffffffdd" {
			t.Fatalf("the verdicts are %s", got)
		}
		answer := s.Send(t.Context(), r)
		if answer.RetryAfter <= 29*time.Second || answer.RetryAfter > 31*time.Second {
			t.Errorf("it is put off for %s", answer.RetryAfter)
		}
		// Others are none of its business.
		for _, other := range []webhook.Request{hooked(1, 8, 1, "portal.example"), hooked(2, 7, 1, "portal.example")} {
			if got := verdicts(s, other, 1); got != "f" {
				t.Errorf("another webhook: %s", got)
			}
		}
		// After the time it told, one may try; it fails, and all wait again.
		time.Sleep(answer.RetryAfter)
		if got := verdicts(s, r, 3); got != "fdd" {
			t.Errorf("after a while the verdicts are %s", got)
		}
		status = 200
		time.Sleep(defaultBreakerTimeout + time.Millisecond)
		if got := verdicts(s, r, 3); got != "aaa" {
			t.Errorf("once it answers the verdicts are %s", got)
		}
		status = 500
		if got := verdicts(s, r, 8); got != "ffffffdd" {
			t.Errorf("when it fails again the verdicts are %s", got)
		}
	})
}

// While one request tries, the others are told to come back soon.
func TestOneTriesWhileTheOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := time.Duration(0)
		s := fake(Options{}, func(request) (int, error) { time.Sleep(slow); return 503, nil })
		r := hooked(1, 7, 1, "portal.example")
		verdicts(s, r, tripAfter)
		time.Sleep(defaultBreakerTimeout + time.Millisecond)
		slow = 5 * time.Second
		go s.Send(context.Background(), r)
		synctest.Wait()
		if got := s.Send(t.Context(), r); got.Verdict != webhook.Deferred || got.RetryAfter != maxProbe {
			t.Errorf("it is %s, and to be tried again in %s", got.Verdict, got.RetryAfter)
		}
		time.Sleep(10 * time.Second)
	})
}

func TestAnUpdateReplacesTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fake(Options{}, always(503))
		if got := verdicts(s, hooked(1, 7, 1, "portal.example"), 7); got != "ffffffd" {
			t.Fatalf("the verdicts are %s", got)
		}
		if got := verdicts(s, hooked(1, 7, 2, "portal.example"), 7); got != "ffffffd" {
			t.Errorf("after an update the verdicts are %s", got)
		}
		// What was still to be sent under the earlier one does not bring it back.
		if got := verdicts(s, hooked(1, 7, 1, "portal.example"), 1); got != "f" {
			t.Errorf("an old request is %s", got)
		}
		if got := verdicts(s, hooked(1, 7, 2, "portal.example"), 1); got != "d" {
			t.Errorf("the verdict is %s", got)
		}
	})
}

func TestWhatTheBreakerOfAWebhookGoesBy(t *testing.T) {
	stopped := errors.New("stopped")
	for name, c := range map[string]struct {
		status int
		err    error
		opens  bool
	}{
		"200": {200, nil, false}, "301": {301, nil, false}, "401": {401, nil, false}, "404": {404, nil, false}, "422": {422, nil, false},
		"429": {429, nil, false}, "500": {500, nil, true}, "503": {503, nil, true},
		"a refused connection":   {0, errRefused, true},
		"a time-out":             {0, context.DeadlineExceeded, true},
		"no way there":           {0, errUnreachable, true},
		"a forbidden address":    {0, &net.OpError{Op: "dial", Err: errNotPermitted}, false},
		"no more open files":     {0, &net.OpError{Op: "dial", Err: syscall.EMFILE}, false},
		"an attempt was stopped": {0, stopped, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				broken := true
				s := fake(Options{}, func(request) (int, error) {
					switch {
					case !broken:
						return 200, nil
					case errors.Is(c.err, stopped):
						stop()
						return 0, context.Canceled
					}
					return c.status, c.err
				})
				r := hooked(1, 7, 1, "portal.example")
				for range 20 {
					s.Send(ctx, r)
				}
				broken = false
				want := webhook.Accepted
				if c.opens {
					want = webhook.Deferred
				}
				if got := s.Send(t.Context(), r); got.Verdict != want {
					t.Errorf("after 20 of it the verdict is %s for %q", got.Verdict, got.Reason)
				}
			})
		})
	}
}

// An excluded end of a probe must give its place to the next one.
func TestAProbeThatSaysNothingIsFollowedByAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var err error
		s := fake(Options{}, func(request) (int, error) { return 503, err })
		r := hooked(1, 7, 1, "portal.example")
		verdicts(s, r, tripAfter)
		time.Sleep(defaultBreakerTimeout + time.Millisecond)
		err = &net.OpError{Op: "dial", Err: errNotPermitted}
		if got := verdicts(s, r, 3); got != "fff" {
			t.Errorf("the verdicts are %s", got)
		}
	})
}

// A delivery that fails alone has fewer failures than open a breaker.
func TestALoneDeliveryNeverMeetsAnOpenBreaker(t *testing.T) {
	if attempts := len(webhook.DefaultPolicy().Delays) + 1; tripAfter <= attempts {
		t.Errorf("a breaker opens after %d failures, and a delivery has %d", tripAfter, attempts)
	}
	if first := webhook.DefaultPolicy().Delays[0]; defaultBreakerTimeout > first/2 {
		t.Errorf("a breaker stays open for %s, more than half of %s", defaultBreakerTimeout, first)
	}
}

func TestTheBreakersOfWebhooksAreBounded(t *testing.T) {
	s := fake(Options{}, always(503))
	for hook := range webhook.ID(3 * maxHooks) {
		s.Send(t.Context(), hooked(1, hook, 1, "portal.example"))
	}
	if n := len(s.hooks.known); n > maxHooks {
		t.Errorf("%d breakers are kept", n)
	}
	s = fake(Options{}, always(200))
	for hook := range webhook.ID(maxHooks + 1) {
		s.Send(t.Context(), hooked(1, hook, 1, "portal.example"))
	}
	if n := len(s.hooks.known); n > 1 {
		t.Errorf("%d breakers are kept of webhooks that never failed", n)
	}
}

func TestD12_ADeadNetworkChargesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := true
		s := fake(Options{}, func(request) (int, error) {
			if down {
				return 0, errUnreachable
			}
			return 200, nil
		})
		round := func() (seen [webhook.Verdicts]int) {
			var all sync.WaitGroup
			var mu sync.Mutex
			for i := range 200 {
				all.Go(func() {
					got := s.Send(t.Context(), hooked(site.ID(i%20+1), webhook.ID(i), 1, fmt.Sprintf("host-%d.example", i%50)))
					mu.Lock()
					defer mu.Unlock()
					seen[got.Verdict]++
				})
			}
			all.Wait()
			return seen
		}
		if got := round(); got[webhook.Deferred] != 200 {
			t.Errorf("the verdicts are %v", got)
		}
		for range 60 { // half an hour
			time.Sleep(defaultBreakerTimeout + time.Millisecond)
			if got := round(); got[webhook.Deferred] != 200 {
				t.Fatalf("while the network is down the verdicts are %v", got)
			}
		}
		down = false
		time.Sleep(defaultBreakerTimeout + time.Millisecond)
		if got := verdicts(s, hooked(1, 1, 1, "host-1.example"), 1); got != "a" {
			t.Errorf("the first to try is %s", got)
		}
		if got := round(); got[webhook.Accepted] != 200 {
			t.Errorf("when it is back the verdicts are %v", got)
		}
	})
}

// All that got through before says nothing about now.
func TestD12_ANetworkThatDiesUnderLoadIsNoticedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := false
		s := fake(Options{}, func(request) (int, error) {
			if down {
				return 0, errUnreachable
			}
			return 200, nil
		})
		send := func(i int) webhook.Answer {
			return s.Send(t.Context(), hooked(site.ID(i%20+1), webhook.ID(i%200), 1, fmt.Sprintf("host-%d.example", i%50)))
		}
		for i := range 2000 {
			if got := send(i).Verdict; got != webhook.Accepted {
				t.Fatalf("the verdict is %s", got)
			}
		}
		down = true
		var charged atomic.Int32
		var senders sync.WaitGroup
		for worker := range 64 {
			senders.Go(func() {
				for i := worker; i < 1000; i += 64 {
					if send(i).Verdict == webhook.Failure {
						charged.Add(1)
					}
				}
			})
		}
		senders.Wait()
		if n := charged.Load(); n > 0 {
			t.Errorf("%d attempts are charged", n)
		}
	})
}

func TestD12_WhatDoesNotSpeakForOurNetwork(t *testing.T) {
	const hosts, sites = 20, 10
	for name, c := range map[string]struct {
		hosts, sites int
		answer       func(i int) (int, error)
	}{
		"one dead host":             {1, sites, func(int) (int, error) { return 0, errUnreachable }},
		"four dead hosts":           {4, sites, func(int) (int, error) { return 0, errUnreachable }},
		"dead hosts of one site":    {hosts, 1, func(int) (int, error) { return 0, errUnreachable }},
		"refused connections":       {hosts, sites, func(int) (int, error) { return 0, errRefused }},
		"names that do not exist":   {hosts, sites, func(int) (int, error) { return 0, &net.DNSError{Err: "no such host", IsNotFound: true} }},
		"receivers that answer 500": {hosts, sites, func(int) (int, error) { return 500, nil }},
		"hang-ups":                  {hosts, sites, func(int) (int, error) { return 0, &exchangeError{ready, io.EOF} }},
		"forbidden addresses":       {hosts, sites, func(int) (int, error) { return 0, errNotPermitted }},
		"a quarter of them reachable": {hosts, sites, func(i int) (int, error) {
			if i%4 == 0 {
				return 200, nil
			}
			return 0, errUnreachable
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var i int
				s := fake(Options{}, func(request) (int, error) { return c.answer(i) })
				for i = range 400 {
					// A webhook each, so that only the one breaker can put it off.
					got := s.Send(t.Context(), hooked(site.ID(i%c.sites+1), webhook.ID(i), 1, fmt.Sprintf("host-%d.example", i%c.hosts)))
					if got.Verdict == webhook.Deferred {
						t.Fatalf("attempt %d is put off: %s", i, got.Reason)
					}
					time.Sleep(50 * time.Millisecond)
				}
			})
		})
	}
}

// What failed long ago is no evidence, and a few failures at a time are none.
func TestOldEvidenceIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fake(Options{}, func(request) (int, error) { return 0, errUnreachable })
		for i := range 100 {
			got := s.Send(t.Context(), hooked(site.ID(i%10+1), webhook.ID(i), 1, fmt.Sprintf("host-%d.example", i)))
			if got.Verdict != webhook.Failure {
				t.Fatalf("attempt %d is %s", i, got.Verdict)
			}
			time.Sleep(egressWindow/(egressHosts-1) + time.Second)
		}
		if n := len(s.egress.seen); n > maxEvidence {
			t.Errorf("%d attempts are remembered", n)
		}
	})
	e := newEgress(time.Second)
	for range 3 * maxEvidence {
		e.remember(evidence{})
	}
	if n := len(e.seen); n != maxEvidence {
		t.Errorf("%d attempts are remembered", n)
	}
}

// An attempt that panics must not keep a breaker shut for ever.
func TestAPanicLeavesNoProbeBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := false
		s := fake(Options{}, func(request) (int, error) {
			if broken {
				panic("test")
			}
			return 503, nil
		})
		r := hooked(1, 7, 1, "portal.example")
		verdicts(s, r, tripAfter)
		time.Sleep(defaultBreakerTimeout + time.Millisecond)
		broken = true
		func() {
			defer func() { recover() }()
			s.Send(t.Context(), r)
		}()
		broken = false
		if got := verdicts(s, r, 1); got != "f" {
			t.Errorf("afterwards the verdict is %s", got)
		}
	})
}

func TestWithoutBreakersEverythingIsTried(t *testing.T) {
	s := fake(Options{BreakerTimeout: -1}, func(request) (int, error) { return 0, errUnreachable })
	for i := range 100 {
		got := s.Send(t.Context(), hooked(site.ID(i%10+1), webhook.ID(i%5), 1, fmt.Sprintf("host-%d.example", i%20)))
		if got.Verdict != webhook.Failure {
			t.Fatalf("attempt %d is %s", i, got.Verdict)
		}
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewPedanticRegistry()
		status := 200
		s := fake(Options{Registerer: registry}, func(r request) (int, error) {
			time.Sleep(20 * time.Millisecond)
			if strings.HasPrefix(hostOf(r), "host-") {
				return 0, errUnreachable
			}
			return status, nil
		})
		r := hooked(1, 7, 1, "portal.example")
		verdicts(s, r, 3)
		status = 422
		verdicts(s, r, 2)
		status = 503
		if got := verdicts(s, r, 8); got != "ffffffdd" {
			t.Fatalf("the verdicts are %s", got)
		}
		want := map[string]float64{
			"vitrine_hook_attempts_total accepted": 3, "vitrine_hook_attempts_total failure": 6, "vitrine_hook_attempts_total refused": 2,
			"vitrine_hook_deferrals_total": 2, "vitrine_hook_attempt_seconds": 11, "vitrine_hook_breakers_open": 1,
			"vitrine_egress_breaker_open": 0,
		}
		if diff := cmp.Diff(want, gathered(t, registry)); diff != "" {
			t.Error(diff)
		}
		for i := range 200 {
			s.Send(t.Context(), hooked(site.ID(i%2+1), webhook.ID(100+i), 1, fmt.Sprintf("host-%d.example", i)))
		}
		// However many webhooks there are, the series are the same.
		if got := gathered(t, registry); got["vitrine_egress_breaker_open"] != 1 || len(got) != len(want) {
			t.Errorf("with the network down the metrics are %v", got)
		}
		// A second sender counts into the same.
		verdicts(fake(Options{Registerer: registry}, always(200)), r, 1)
		if got := gathered(t, registry)["vitrine_hook_attempts_total accepted"]; got != 4 {
			t.Errorf("%g attempts were accepted", got)
		}
	})
}

// gathered are the values of all series, and of a histogram the number of its
// samples.
func gathered(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			name := family.GetName()
			for _, label := range metric.GetLabel() {
				name += " " + label.GetValue()
			}
			values[name] = metric.GetCounter().GetValue() + metric.GetGauge().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return values
}

func TestBreakersUnderLoad(t *testing.T) {
	s := fake(Options{BreakerTimeout: time.Millisecond, Registerer: prometheus.NewRegistry()}, func(r request) (int, error) {
		return []int{200, 422, 500, 503, 0}[len(hostOf(r))%5], map[bool]error{true: errUnreachable}[len(hostOf(r))%5 == 4]
	})
	var wait sync.WaitGroup
	for worker := range 16 {
		wait.Go(func() {
			for i := range 500 {
				host := strings.Repeat("x", i%17+1) + ".example"
				s.Send(t.Context(), hooked(site.ID(worker%4+1), webhook.ID(i%30), int64(i/100), host))
			}
		})
	}
	wait.Wait()
	s.hooks.opened()
}
