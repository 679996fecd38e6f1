package e2e_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/client/conform"
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

// TestTheServerKeepsTheContract makes each check of the kit, and looks whether anything is left of what they made.
func TestTheServerKeepsTheContract(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		before := c.thereIs()
		started := time.Now()
		conform.Test(t, w.target(), everything)
		t.Log(time.Since(started))
		if diff := cmp.Diff(before, c.thereIs()); diff != "" {
			t.Errorf("what was there (-before +after):\n%s", diff)
		}
	})
}
