package conform

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// basePath follows the domain in every address but those of tokens.
const basePath = "/api/v2/site"

// atOnce is how many requests are under way at most.
const atOnce = 5

// errNoRun is why a run ends before its checks are made.
var errNoRun = errors.New("the checks could not be made")

// run is what the checks of one run share.
type run struct {
	target  Target
	options Options
	ctx     context.Context
	http    *http.Client
	// name is what everything that the run makes has in its reference.
	name   string
	tokens [2]token
	turns  chan struct{}
	inbox  inbox

	mu       sync.Mutex
	requests int
	serial   int
	until    time.Time // when requests may be sent again
	facts    map[string]*fact
	made     []string // addresses, oldest first
	ending   bool     // they are being deleted
	secrets  secrets
}

type token struct{ value, base string }

// Run makes the checks that the options choose, and returns what they found. What it made is
// deleted before it returns. It fails if the target gives no token.
func Run(ctx context.Context, t Target, o Options) (Report, error) {
	if err := o.check(); err != nil {
		return Report{}, err
	}
	t.URL = strings.TrimRight(t.URL, "/")
	o.Patience, o.Silence, o.Requests = cmp.Or(o.Patience, time.Minute), cmp.Or(o.Silence, 5*time.Second), cmp.Or(o.Requests, 2000)
	r := &run{
		target: t, options: o, ctx: ctx, http: client(t), name: "CONFORM-" + rand.Text()[:6], turns: make(chan struct{}, atOnce), facts: map[string]*fact{},
	}
	report := Report{Contract: ContractVersion, Target: t.URL, Seed: o.Seed, StartedAt: time.Now().UTC(), Checks: []Result{}}
	for i, c := range []Credential{t.Credential, t.Second} {
		r.secrets.learn(c.Secret, base64.StdEncoding.EncodeToString([]byte(c.ID+":"+c.Secret)))
		if c.ID == "" {
			continue
		}
		var err error
		if r.tokens[i], err = r.obtain(c); err != nil {
			return report, fmt.Errorf("%w: %s", errNoRun, r.secrets.mask(err.Error()))
		}
	}
	if err := r.inbox.open(ctx, t); err != nil {
		return report, fmt.Errorf("%w: %w", errNoRun, err)
	}
	defer r.inbox.close()
	// Those that write come behind those that count, and those that have webhooks suspended last, one at a time.
	phases := make([][]Check, 3)
	for _, c := range Checks() {
		phase := 0
		if c.Needs&Write != 0 {
			phase = 1
		}
		if c.Needs&Slow != 0 {
			phase = 2
		}
		if o.chosen(c) {
			phases[phase] = append(phases[phase], c)
		}
	}
	for phase, checks := range phases {
		report.Checks = append(report.Checks, r.make(checks, []int{atOnce, atOnce, 1}[phase])...)
	}
	report.finish(r)
	return report, ctx.Err()
}

func client(t Target) *http.Client {
	if t.HTTP != nil {
		return t.HTTP
	}
	return &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// make makes checks, a number of them at a time, in an order that the seed decides.
func (r *run) make(checks []Check, together int) []Result {
	results, queue := make([]Result, len(checks)), make(chan int)
	var working sync.WaitGroup
	var telling sync.Mutex
	for range together {
		working.Go(func() {
			for i := range queue {
				results[i] = r.judge(checks[i])
				if r.options.Told != nil {
					telling.Lock()
					r.options.Told(results[i])
					telling.Unlock()
				}
			}
		})
	}
	for _, i := range r.random("order").Perm(len(checks)) {
		queue <- i
	}
	close(queue)
	working.Wait()
	return results
}

// random returns what picks for one purpose, the same for the same seed.
func (r *run) random(purpose string) *mathrand.Rand {
	h := fnv.New64a()
	_, _ = io.WriteString(h, purpose)                               // never fails
	return mathrand.New(mathrand.NewPCG(r.options.Seed, h.Sum64())) //nolint:gosec // which products are looked at is no secret
}

// told is of how many exchanges, the last ones, a report tells what was sent and came.
const told = 3

// judge makes one check.
func (r *run) judge(c Check) Result {
	result := Result{ID: c.ID, Number: c.Number, Clause: c.Clause, Sentence: c.Sentence, Level: c.Level, Outcome: Held}
	if reason := c.missing(r.target, r.options); reason != "" {
		result.Outcome, result.Reason = Skipped, reason
		return result
	}
	p := &Probe{run: r, purpose: c.ID, random: r.random(c.ID)}
	if end := p.try(func() { c.Run(p) }); end != nil {
		result.Outcome, result.Reason, result.Expected, result.Got = end.outcome, r.secrets.mask(end.reason), r.secrets.mask(end.expected), r.secrets.mask(end.got)
	}
	for i, e := range p.exchanges {
		e.Path, e.RequestID = r.secrets.mask(e.Path), r.secrets.mask(e.RequestID)
		if result.Outcome == Fell && i >= len(p.exchanges)-told {
			e.Sent, e.Came = r.secrets.mask(e.sent), r.secrets.mask(e.came)
		}
		result.Exchanges = append(result.Exchanges, e)
	}
	return result
}

// obtain asks for a token.
func (r *run) obtain(c Credential) (token, error) {
	p := &Probe{run: r, purpose: "token"}
	var got token
	end := p.try(func() {
		a := p.Token(c, url.Values{"site_id": {strconv.FormatInt(c.SiteID, 10)}})
		a.Is(http.StatusOK)
		got = token{a.Text("access_token"), strings.TrimRight(a.Text("domain"), "/") + basePath}
	})
	if end != nil && end.outcome == Skipped {
		return token{}, fmt.Errorf("%s gives no token: %s", r.target.URL, end.reason)
	}
	if end != nil {
		return token{}, fmt.Errorf("%s gives no token: expected %s, got %s", r.target.URL, end.expected, end.got)
	}
	return got, nil
}

// tooMany ends a check that would ask more than is allowed.
const tooMany = "the run has made as many requests as it may"

// reserved is how many requests are kept for deleting what the run made, and what is being made.
func (r *run) reserved() int {
	if r.ending || len(r.made) == 0 {
		return 0
	}
	return len(r.made) + atOnce
}

// answered is what came to a request.
type answered struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request in its turn, and again where the server says that it has too many.
func (r *run) send(method, address string, body []byte, header http.Header) (answered, error) {
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-r.ctx.Done():
		return answered{}, r.ctx.Err()
	}
	for tries := 1; ; {
		r.mu.Lock()
		wait := time.Until(r.until)
		allowed := r.requests < r.options.Requests-r.reserved()
		if wait <= 0 && allowed {
			r.requests++
		}
		r.mu.Unlock()
		if !allowed {
			return answered{}, errors.New(tooMany)
		}
		if wait > 0 {
			select {
			case <-time.After(wait):
				continue
			case <-r.ctx.Done():
				return answered{}, r.ctx.Err()
			}
		}
		request, err := http.NewRequestWithContext(r.ctx, method, address, bytes.NewReader(body))
		if err != nil {
			return answered{}, err
		}
		request.Header = header
		answer, err := r.http.Do(request)
		if err != nil {
			return answered{}, err
		}
		text, err := io.ReadAll(io.LimitReader(answer.Body, 32<<20))
		_ = answer.Body.Close()
		wait = retryAfter(answer.Header.Get("Retry-After"))
		if err != nil || answer.StatusCode != http.StatusTooManyRequests || tries == tryAtMost || wait > waitAtMost {
			return answered{answer.StatusCode, answer.Header, text}, err
		}
		tries++
		r.mu.Lock()
		r.until = time.Now().Add(wait)
		r.mu.Unlock()
	}
}

// How often a request is sent that the server has too many of, and for how long it is waited with.
const (
	tryAtMost  = 5
	waitAtMost = 10 * time.Minute
)

// retryAfter is how long a server wants nothing, a second where it does not say.
func retryAfter(text string) time.Duration {
	wait := time.Second
	if seconds, err := strconv.Atoi(text); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = time.Until(at)
	}
	return max(0, wait)
}

// decode returns JSON as it is, nil if it is none.
func decode(text []byte) any {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	return value
}
