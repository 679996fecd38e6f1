package e2e_test

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/client/conform"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// target is a world as the conformance kit asks it.
func (w *world) target() conform.Target {
	return conform.Target{
		URL: w.url, HTTP: w.http, Credential: conform.Credential{ID: "sandbox-network", Secret: "sandbox-network-secret", SiteID: 1},
		Second: conform.Credential{ID: "sandbox-rival", Secret: "sandbox-rival-secret", SiteID: 2},
	}
}

// everything are the options of a run that makes all checks, as fast as a world answers.
var everything = conform.Options{Write: true, Slow: true, Patience: 10 * time.Second, Silence: 300 * time.Millisecond}

// retryingLate makes waits before retries so long that they are told apart on a machine that has much to do.
var retryingLate = configured(func(c *config.Server) {
	c.Hooks.RetryDelays = []time.Duration{50 * time.Millisecond, 2 * time.Second, 6 * time.Second}
})

// thereIs lists what there is of all that checks make.
func (c *client) thereIs() map[string][]int64 {
	c.t.Helper()
	return map[string][]int64{"products": c.walk(object{}), "customers": c.everybody(), "hooks": c.get("/hooks").is(200).ids()}
}

// everybody lists the customers by their ids.
func (c *client) everybody() (ids []int64) {
	c.t.Helper()
	for cursor := any(nil); ; {
		page := c.post("/customers/search", object{"cursor": cursor}).is(200)
		ids = append(ids, page.ids()...)
		if cursor = page.at("next_cursor"); cursor == nil {
			return ids
		}
	}
}

// TestTheServerKeepsTheContract makes each check of the kit: first those that read, of which nobody hears, then all, of
// which nothing is left.
func TestTheServerKeepsTheContract(t *testing.T) {
	onEach(t, "conform", func(t *testing.T, w *world) {
		c := w.network(t)
		before, event := c.thereIs(), c.lastEvent()
		report, err := conform.Run(t.Context(), w.target(), conform.Options{Seed: rand.Uint64()})
		if err != nil || report.Summary.Fell > 0 || c.lastEvent() != event {
			t.Errorf("reading: %v, %d fell, and %d events", err, report.Summary.Fell, c.lastEvent()-event)
		}
		conform.Test(t, w.target(), everything)
		if diff := cmp.Diff(before, c.thereIs()); diff != "" {
			t.Errorf("what was there (-before +after):\n%s", diff)
		}
	}, deliveringTo("127.0.0.0/8:*"), retryingLate)
}

// shown are the fields of records that the contract shows, beside blocks.
var shown = []string{"id", "model", "agency_id", "user_id", "web_status", "intercabinet", "seller_statistics", "next_contact", "color"}

// TestNothingFallsOnAServerOfTheContractAlone takes away what Vitrine adds: operations, headers, fields of products.
func TestNothingFallsOnAServerOfTheContractAlone(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, deliveringTo("127.0.0.0/8:*"), retryingLate)
	operations := regexp.MustCompile(`^(POST /api/client/token/site|GET /(discovery|agencies(/\d+)?|users|actions/types|criterias/product/\w+(/values)?|configs/listes/\d+/values)|` +
		`POST /(products(/search(/count)?)?|products/\d+/(pictures/(public|private)|actions)|hooks|customers|customers/search|leads/sellers)|` +
		`(GET|PATCH) /products/\d+|GET /products/\d+/(criteria|lots|actions)|PUT /hooks/\d+)(\?.*)?$`)
	target := w.target()
	target.HTTP = nil
	target.URL = through(t, w.url, requestLine, sabotage{
		instead: func(x *exchange) int {
			if !operations.MatchString(x.line) {
				x.got = object{"error": object{"code": "none", "message": "there is no such operation"}, "request_id": "7a8b6d4e-0000-4000-8000-000000000000"}
				return http.StatusNotFound
			}
			for _, name := range []string{"Idempotency-Key", "If-Match", "If-None-Match", "Accept-Language"} {
				x.request.Header.Del(name)
			}
			return 0
		},
		answer: func(x *exchange) {
			for name := range x.header {
				if !slices.Contains([]string{"Content-Type", "Content-Length", "X-Request-Id", "Date"}, name) {
					x.header.Del(name)
				}
			}
			if regexp.MustCompile(reads).MatchString(x.line) {
				each(x.got, "data.id", func(parent any, _ string) {
					maps.DeleteFunc(parent.(object), func(name string, _ any) bool { return !slices.Contains(slices.Concat(shown, fetchValues), name) })
				})
			}
		},
	})
	options := everything
	options.Level = conform.Contract
	report, err := conform.Run(t.Context(), target, options)
	if err != nil || report.Summary.Fell > 0 || report.Summary.Held < 200 {
		t.Errorf("%v, %+v", err, report.Summary)
	}
	for _, r := range report.Checks {
		t.Log(report.Explain(r), r.ID, r.Outcome, r.Reason)
	}
	if len(report.Left) == 0 {
		t.Error("it is not told what cannot be deleted")
	}
}

// reportBlock is the report in a page about the kit.
var reportBlock = regexp.MustCompile("(?s)(\n```\nskipped .*?\n)(contract [^`]*?)(\n```\n)")

// TestConformGolden holds the report in the pages against that of a sandbox.
func TestConformGolden(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, deliveringTo("127.0.0.0/8:*"))
	target, options := w.target(), everything
	target.Second, options.Slow = conform.Credential{}, false
	report, err := conform.Run(t.Context(), target, options)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.Write(&text, ""); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	want := "\n```\n" + strings.Join(lines[:len(lines)-1], "\n") + "\n```\n" // how long it took is another each time
	for _, page := range []string{"../../docs/integrating/conform.md", "../../docs/fr/integrating/conform.md"} {
		known, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		whole := reportBlock.ReplaceAllLiteralString(string(known), want)
		if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(page, []byte(whole), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if whole != string(known) || !strings.Contains(whole, want) {
			t.Errorf("%s has another report than\n%s", page, want)
		}
	}
}
