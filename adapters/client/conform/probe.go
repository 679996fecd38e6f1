package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Probe asks the server for one check, and keeps what was said. Its methods end the check where
// what came is not what they demand.
type Probe struct {
	run       *run
	purpose   string
	random    *rand.Rand
	exchanges []Exchange
	site      int // which of the tokens it asks with
}

// object and list are JSON.
type (
	object = map[string]any
	list   = []any
)

// end is how a check ended before its last line.
type end struct {
	outcome               Outcome
	reason, expected, got string
}

// try returns how something ended before its last line, or nil.
func (p *Probe) try(what func()) (ended *end) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *end:
			ended = e
		case runtime.Error: // a value was not what it is told to be
			ended = &end{outcome: Fell, expected: "values of the types that the contract states", got: e.Error()}
		default:
			panic(e)
		}
	}()
	what()
	return nil
}

// Skip ends the check without a verdict.
func (p *Probe) Skip(format string, args ...any) {
	panic(&end{outcome: Skipped, reason: fmt.Sprintf(format, args...)})
}

// Fail ends the check: something else came than was expected.
func (p *Probe) Fail(expected string, got any) {
	panic(&end{outcome: Fell, expected: expected, got: shorten(fmt.Sprint(got), 600)})
}

// Want ends the check unless something is as expected.
func (p *Probe) Want(ok bool, expected string, got any) {
	if !ok {
		p.Fail(expected, got)
	}
}

// Get asks for a path below the base of all calls. Headers are pairs of name and value; a name twice is two lines, and an
// empty value none.
func (p *Probe) Get(path string, header ...string) *Answer {
	return p.Send(http.MethodGet, path, nil, header...)
}

// Post sends a body: text as it is, nil as none, anything else as JSON.
func (p *Probe) Post(path string, body any, header ...string) *Answer {
	return p.Send(http.MethodPost, path, body, header...)
}

// Patch sends a body as Post does.
func (p *Probe) Patch(path string, body any, header ...string) *Answer {
	return p.Send(http.MethodPatch, path, body, header...)
}

// Put sends a body as Post does.
func (p *Probe) Put(path string, body any, header ...string) *Answer {
	return p.Send(http.MethodPut, path, body, header...)
}

// Delete asks for something to be deleted.
func (p *Probe) Delete(path string) *Answer { return p.Send(http.MethodDelete, path, nil) }

// Send sends a request with the token of its site. A path that begins with the domain goes there.
func (p *Probe) Send(method, path string, body any, header ...string) *Answer {
	t := p.run.tokens[p.site]
	all := http.Header{"Authorization": {"Bearer " + t.value}}
	var text []byte
	switch body := body.(type) {
	case nil:
	case string:
		text = []byte(body)
	default:
		text, _ = json.Marshal(body) // maps and lists of what JSON has
	}
	if text != nil {
		all.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		all.Del(header[i])
	}
	for i := 0; i < len(header); i += 2 {
		if header[i+1] != "" {
			all.Add(header[i], header[i+1])
		}
	}
	address := t.base + path
	if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
		address = path
		if !strings.HasPrefix(address, p.root("/")) && !strings.HasPrefix(address, p.run.target.URL+"/") {
			all.Del("Authorization") // it is nobody's to know
		}
	}
	return p.exchange(method, address, text, all)
}

// root is an address beside the base of all calls.
func (p *Probe) root(path string) string {
	return strings.TrimSuffix(p.run.tokens[p.site].base, basePath) + path
}

// Token asks for a token, with Basic unless the credential has no id.
func (p *Probe) Token(c Credential, form url.Values) *Answer {
	return p.tokenCall("site", c, form)
}

func (p *Probe) tokenCall(operation string, c Credential, form url.Values) *Answer {
	r := http.Request{Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}}
	if c.ID != "" {
		r.SetBasicAuth(c.ID, c.Secret)
	}
	return p.exchange(http.MethodPost, p.run.target.URL+"/api/client/token/"+operation, []byte(form.Encode()), r.Header)
}

func (p *Probe) exchange(method, address string, body []byte, header http.Header) *Answer {
	came, err := p.run.send(method, address, body, header)
	path := strings.TrimPrefix(address, p.run.target.URL)
	if err != nil {
		if err.Error() == tooMany || p.run.ctx.Err() != nil {
			p.Skip("%s", err)
		}
		p.exchanges = append(p.exchanges, Exchange{Method: method, Path: path, sent: printable(body)})
		p.Fail("an answer to "+method+" "+path, err)
	}
	p.run.secrets.read(came.body)
	p.run.secrets.form(body)
	a := &Answer{p: p, Method: method, Path: path, Status: came.status, Header: came.header, Body: came.body, json: decode(came.body)}
	p.exchanges = append(p.exchanges, Exchange{
		Method: method, Path: path, Status: a.Status, RequestID: a.Header.Get("X-Request-Id"), sent: printable(body), came: printable(came.body),
	})
	if a.Status == http.StatusTooManyRequests {
		p.Skip("the server has too many requests")
	}
	return a
}

// printable is what a report shows of a body.
func printable(body []byte) string {
	if !bytes.HasPrefix(body, []byte("{")) && bytes.ContainsRune(body, 0) {
		return fmt.Sprintf("%d bytes", len(body))
	}
	return shorten(strings.ToValidUTF8(string(body), "?"), 2000)
}

func shorten(text string, length int) string {
	if len(text) <= length {
		return text
	}
	return strings.ToValidUTF8(text[:length], "") + "…"
}

// other asks with the token of the second site, in the same check.
func (p *Probe) other(ask func(*Probe)) {
	p.site = 1
	defer func() { p.site = 0 }()
	ask(p)
}

// reference is a new one, which tells what this run made.
func (p *Probe) reference() string { return fmt.Sprintf("%s-%d", p.run.name, p.run.number()) }

func (r *run) number() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serial++
	return r.serial
}

// made has an address deleted when the run ends.
func (p *Probe) made(path string) {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	p.run.made = append(p.run.made, path)
}

// gone keeps an address, at which the check deleted what was there, from being deleted again.
func (p *Probe) gone(path string) {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	p.run.made = slices.DeleteFunc(p.run.made, func(made string) bool { return made == path })
}

// fact is what several checks look at, and is asked for once.
type fact struct {
	once      sync.Once
	value     any
	ended     *end
	exchanges []Exchange
}

// once returns what is asked for once in a run. A check that needs it ends as it ended.
func once[T any](p *Probe, name string, find func(*Probe) T) T {
	r := p.run
	r.mu.Lock()
	f := r.facts[name]
	if f == nil {
		f = &fact{}
		r.facts[name] = f
	}
	r.mu.Unlock()
	f.once.Do(func() {
		q := &Probe{run: r, purpose: name, random: r.random(name)}
		f.ended = q.try(func() { f.value = find(q) })
		f.exchanges = q.exchanges
	})
	p.exchanges = append(p.exchanges, f.exchanges...)
	if f.ended != nil {
		panic(f.ended)
	}
	return f.value.(T) //nolint:forcetypeassert // a name is asked for with one type
}

// eventually ends the check unless something comes true in time.
func (p *Probe) eventually(expected string, ok func() bool) {
	p.eventuallyWithin(p.run.options.Patience, expected, ok)
}

func (p *Probe) eventuallyWithin(patience time.Duration, expected string, ok func() bool) {
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(p.run.options.Patience / 200) {
		if time.Now().After(deadline) || p.run.ctx.Err() != nil {
			p.Fail(expected, "it did not come within "+patience.String())
		}
	}
}

// Answer is what came to a request.
type Answer struct {
	p            *Probe
	Method, Path string
	Status       int
	Header       http.Header
	Body         []byte
	json         any
}

// String is the request, the status and the beginning of the body.
func (a *Answer) String() string {
	return fmt.Sprintf("%s %s: %d %s", a.Method, a.Path, a.Status, shorten(string(a.Body), 400))
}

// Is demands one of some statuses.
func (a *Answer) Is(statuses ...int) *Answer {
	a.p.Want(slices.Contains(statuses, a.Status), "status "+strings.Trim(fmt.Sprint(statuses), "[]"), a)
	return a
}

// Refused demands an error of one of some statuses, in the shape of the contract.
func (a *Answer) Refused(statuses ...int) *Answer {
	a.Is(statuses...)
	a.Text("error.code")
	return a
}

// JSON returns the value at a path such as data.0.id, which must be there.
func (a *Answer) JSON(path string) any {
	value, found := at(a.json, path)
	a.p.Want(found, "JSON with "+path, a)
	return value
}

// Has reports whether there is a value at a path.
func (a *Answer) Has(path string) bool { _, found := at(a.json, path); return found }

func at(value any, path string) (any, bool) {
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case object:
			member, found := v[step]
			if !found {
				return nil, false
			}
			value = member
		case list:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(v) {
				return nil, false
			}
			value = v[n]
		default:
			return nil, false
		}
	}
	return value, true
}

// Equals demands a value at a path.
func (a *Answer) Equals(path string, want any) *Answer {
	if got := a.JSON(path); !reflect.DeepEqual(got, plain(want)) {
		a.p.Fail(fmt.Sprintf("%s is %v", path, want), fmt.Sprintf("%v in %s", got, a))
	}
	return a
}

// plain is a value as JSON is decoded.
func plain(value any) any {
	text, _ := json.Marshal(value) // what JSON has
	return decode(text)
}

// Text returns a string that is not empty.
func (a *Answer) Text(path string) string {
	text, ok := a.JSON(path).(string)
	a.p.Want(ok && text != "", path+" is a string that is not empty", a)
	return text
}

// Int returns an integer.
func (a *Answer) Int(path string) int64 {
	n, ok := integer(a.JSON(path))
	a.p.Want(ok, path+" is an integer", a)
	return n
}

func integer(value any) (int64, bool) {
	n, ok := value.(float64)
	return int64(n), ok && n == float64(int64(n))
}

// List returns an array.
func (a *Answer) List(path string) []any {
	items, ok := a.JSON(path).(list)
	a.p.Want(ok, path+" is an array", a)
	return items
}

// Object returns an object.
func (a *Answer) Object(path string) map[string]any {
	o, ok := a.JSON(path).(object)
	a.p.Want(ok, path+" is an object", a)
	return o
}

// IDs returns the integers called id in data.
func (a *Answer) IDs() []int64 {
	ids := []int64{}
	for i := range a.List("data") {
		ids = append(ids, a.Int(fmt.Sprintf("data.%d.id", i)))
	}
	return ids
}
