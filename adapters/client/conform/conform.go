// Package conform holds a server against the contract of the Site API, sentence by sentence.
//
// Each Check asks the server over HTTP, and says whether a sentence holds. It knows JSON and
// nothing of clients or servers of this project, so that it judges any server alike. Run makes
// the checks that a target and its options allow, and Test makes each of them a test of Go.
package conform

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

// ContractVersion is the version of the contract that the sentences are of.
const ContractVersion = "1.1.0"

// A Check holds one sentence against a server.
type Check struct {
	// ID is unique and stays, such as search.cursor.ascending.
	ID string
	// Number is that of the sentence in the contract, from 1; 0 where the contract is silent.
	Number int
	// Clause says where the sentence stands, and Sentence is its words. Checks fills both for a
	// sentence of the contract.
	Clause, Sentence string
	Level            Level
	Needs            Needs
	// Run asks the server. It returns if the sentence holds; the methods of Probe end it otherwise.
	Run func(*Probe)
}

// Level says who decided what a check demands.
type Level string

// The levels. Extensions are what Vitrine decided where the contract is silent; whether a server
// has one is found out by asking.
const (
	Contract   Level = "contract"
	Extensions Level = "extensions"
)

// Needs says what a check cannot be made without.
type Needs uint

// What a check may need.
const (
	Write      Needs = 1 << iota // that it may write
	Receiver                     // an address at which the server reaches this program
	SecondSite                   // a credential of another site
	Slow                         // time for retries, as long as the server's delays
)

// needs are what a check may need, by what --list calls it and why it is skipped without.
var needs = []struct {
	need         Needs
	name, reason string
}{
	{Write, "write", "it writes, which needs --write"},
	{SecondSite, "second site", "it needs a credential of a second site"},
	{Receiver, "receiver", "it needs a receiver that the server reaches"},
	{Slow, "slow", "it waits for retries, which needs --slow"},
}

// String names what is needed, with commas.
func (n Needs) String() string {
	var names []string
	for _, one := range needs {
		if n&one.need != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, ", ")
}

// Credential is a client of the API and the site it asks for.
type Credential struct {
	ID, Secret string
	SiteID     int64
}

// Target is the server that is held against the contract.
type Target struct {
	// URL is scheme and host of the token operation.
	URL        string
	Credential Credential
	// Second is a credential of another site, if its ID is not empty.
	Second Credential
	// Receiver is the public address of what listens at ReceiverListen, such as that of a tunnel. Where
	// both are empty and the server is on this machine, a free port of it is used.
	Receiver, ReceiverListen string
	// HTTP sends requests; nil sends them with a time-out of a minute each, without following redirects.
	HTTP *http.Client
}

// Options say which checks are made, and how.
type Options struct {
	// Level is the level of the checks; empty is all.
	Level Level
	// Only are patterns of path.Match, one of which their IDs match; none is all.
	Only        []string
	Write, Slow bool
	// Seed decides the order of checks and what they pick; the same one repeats a run.
	Seed uint64
	// Patience is how long an event may take to arrive; zero is a minute. Silence is how long none may
	// arrive where there must be none; zero is five seconds.
	Patience, Silence time.Duration
	// Requests is how many there are at most; zero is 2,000.
	Requests int
	// Told, if not nil, gets each result as it comes, one at a time.
	Told func(Result)
}

// Checks returns all checks, sorted by ID.
func Checks() []Check {
	sentences := Sentences()
	all := slices.Concat(
		tokenChecks(), agencyChecks(), searchChecks(), productChecks(), criteriaChecks(), errorChecks(),
		writeChecks(), roomChecks(), pictureChecks(), actionChecks(), customerChecks(), hookChecks(), deliveryChecks(), extensionChecks(),
	)
	for i, c := range all {
		all[i].Level = Extensions
		if c.Number > 0 {
			s := sentences[c.Number-1]
			all[i].Level, all[i].Clause, all[i].Sentence = Contract, s.Clause, s.Text
		}
	}
	slices.SortFunc(all, func(a, b Check) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// missing says why a check cannot be made, or nothing.
func (c Check) missing(t Target, o Options) string {
	var have Needs
	if t.Receiver != "" || onThisMachine(t.URL) {
		have |= Receiver
	}
	if o.Write {
		have |= Write
	}
	if o.Slow {
		have |= Slow
	}
	if t.Second.ID != "" {
		have |= SecondSite
	}
	for _, r := range needs {
		if c.Needs&r.need&^have != 0 {
			return r.reason
		}
	}
	return ""
}

// Test makes each check that the options choose a test, which fails where the sentence does not hold.
func Test(t *testing.T, target Target, o Options) {
	t.Helper()
	report, err := Run(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Checks {
		t.Run(r.ID, func(t *testing.T) {
			if r.Outcome == Skipped {
				t.Skip(r.Reason)
			}
			if told := report.Explain(r); told != "" {
				t.Error(told)
			}
		})
	}
	if len(report.Left) > 0 {
		t.Errorf("these were left behind: %s", strings.Join(report.Left, ", "))
	}
}

// Environment returns what the server calls itself in X-Environment, or nothing. It needs no credential.
func Environment(ctx context.Context, target Target) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(target.URL, "/")+basePath+"/discovery", nil)
	if err != nil {
		return "", err
	}
	answer, err := client(target).Do(r)
	if err != nil {
		return "", err
	}
	return answer.Header.Get("X-Environment"), answer.Body.Close()
}

// chosen reports whether the options choose a check.
func (o Options) chosen(c Check) bool {
	matches := len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(pattern string) bool {
		matches, err := path.Match(pattern, c.ID)
		return err == nil && matches
	})
	return matches && (o.Level == "" || o.Level == c.Level)
}

// check reports options that cannot be meant.
func (o Options) check() error {
	for _, pattern := range o.Only {
		if !slices.ContainsFunc(Checks(), Options{Only: []string{pattern}, Level: o.Level}.chosen) {
			return fmt.Errorf("no check is called %q at this level", pattern)
		}
	}
	if !slices.Contains([]Level{"", Contract, Extensions}, o.Level) {
		return fmt.Errorf("there is no level %q", o.Level)
	}
	return nil
}
