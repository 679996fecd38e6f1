package e2e_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func (a answer) tag() string {
	a.t.Helper()
	tag := a.header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) || len(tag) < 3 {
		a.t.Errorf("%s\nhas the ETag %q", a, tag)
	}
	return tag
}

func TestG23_AnotherStateHasAnotherTag(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		seen := map[string]string{}
		fresh := func(what string, a answer) {
			t.Helper()
			if before, twice := seen[a.is(200).tag()]; twice {
				t.Errorf("%s has the tag of %s", what, before)
			}
			seen[a.tag()] = what
		}
		fresh("the product", c.get(product(id)))
		fresh("the product with rooms", c.get(product(id, "?fetch=rooms")))
		fresh("the product for websites", w.as(t, "sandbox-website", 1).get(product(id, "?fetch=descriptions")))
		c.change(id, object{"color": 3}).is(204)
		fresh("the product after a change", c.get(product(id)))
		c.create(object{"agency_id": c.get(product(id)).at("data.agency_id"), "parent_id": id})
		fresh("the product with a lot", c.get(product(id)))
		c.post("/products/search", object{}).is(200)
		if a := c.post("/products/search", object{}); a.header.Get("ETag") != "" {
			t.Error("a search has a tag")
		}
		if a := c.get(product(999999)).is(404); a.header.Get("ETag") != "" {
			t.Error("an error has a tag")
		}
	})
}

var bareVersion = regexp.MustCompile(`^"\d+"$`)

// versioned is a record that is changed and deleted under conditions.
type versioned struct {
	path   string
	change func(tag string) answer
	shown  func() any
}

func versionedRecords(c *client) map[string]versioned {
	price, name := 1000, 0
	id := c.create(nil)
	hook := fmt.Sprintf("/hooks/%d", c.post("/hooks", `{"url": "https://hooks.example.org/g22", "origines": ["PRODUCT_DELETE"]}`).is(201).id("data.id"))
	auth := fmt.Sprintf("/hooks/auths/%d", c.post("/hooks/auths", `{"type": "bearer", "token": "t"}`).is(201).id("data.id"))
	headers := func(tag string) []string {
		if tag == "" {
			return nil
		}
		return []string{"If-Match", tag}
	}
	shown := func(path string) func() any { return func() any { return c.get(path).is(200).at("data") } }
	return map[string]versioned{
		"product": {product(id), func(tag string) answer {
			price++
			return c.send("PATCH", product(id), object{"product_id": id, "criteria": criteria("Prix", price)}, headers(tag)...)
		}, shown(product(id))},
		"webhook": {hook, func(tag string) answer { return c.send("PUT", hook, object{}, headers(tag)...) }, shown(hook)},
		"authentication": {auth, func(tag string) answer {
			name++
			return c.send("PUT", auth, object{"name": fmt.Sprint(name)}, headers(tag)...)
		}, shown(auth)},
	}
}

func TestG22_AWriteCanDependOnWhatWasRead(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for what, r := range versionedRecords(c) {
			read := c.get(r.path).is(200).tag()
			written := r.change(read)
			if written.status >= 300 || written.tag() == read {
				t.Errorf("%s: %s, %s after %s", what, written, written.tag(), read)
			}

			// What was read first is stale now, and changes nothing.
			ledger, before := c.ledger(), r.shown()
			for _, stale := range []string{read, `"x"`, "W/" + written.tag(), strings.Trim(written.tag(), `"`), read + ", " + `"-"`, `"0"`} {
				r.change(stale).refused(412, "precondition_failed")
				c.send("DELETE", r.path, nil, "If-Match", stale).refused(412, "precondition_failed")
			}
			ledger.tells()
			if after := r.shown(); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Errorf("%s: a refused write left %v of %v", what, after, before)
			}

			// The answer of a write is as good as a read; so are a list and a star.
			for _, good := range []string{`"x", ` + written.tag(), "*", ""} {
				if a := r.change(good); a.status >= 300 {
					t.Errorf("%s: If-Match %s: %s", what, good, a)
				}
			}
			c.send("DELETE", r.path, nil, "If-Match", c.get(r.path).tag()).is(204)
			c.send("DELETE", r.path, nil, "If-Match", "*").is(404)
		}
	})
}

// The version is the same whatever was fetched, and the criteria have it too.
func TestG22_AnyReadOfAProductWillDo(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"rooms": list{object{"type": "WC"}}})
		room := fmt.Sprintf("/rooms/%d", c.get(product(id, "?fetch=rooms")).id("data.rooms.0.id"))
		for i, read := range []string{"", "?fetch=customer", "?fetch=rooms", "/criteria"} {
			tag := c.get(product(id, read)).is(200).tag()
			changed := c.send("PATCH", product(id), object{"product_id": id, "color": i + 1}, "If-Match", tag).is(204).empty()
			if !bareVersion.MatchString(changed.tag()) {
				t.Errorf("after PATCH the tag is %s", changed.tag())
			}
			c.send("DELETE", product(id, room), nil, "If-Match", tag).refused(412, "precondition_failed")
		}
		tag := c.get(product(id)).tag()
		same := c.send("PATCH", product(id), object{"product_id": id, "color": 5}, "If-Match", tag).is(204)
		// Whoever did not get that answer sends it again.
		ledger := c.ledger()
		for _, stale := range []string{tag, `"1"`} {
			if again := c.send("PATCH", product(id), object{"product_id": id, "color": 5}, "If-Match", stale).is(204).tag(); again != same.tag() {
				t.Errorf("sent again, the tag is %s instead of %s", again, same.tag())
			}
			c.send("PATCH", product(id), object{"product_id": id, "color": 1}, "If-Match", stale).refused(412, "precondition_failed")
		}
		ledger.tells()
		gone := c.send("DELETE", product(id, room), nil, "If-Match", same.tag()).is(204)
		c.send("DELETE", product(id), nil, "If-Match", gone.tag()).is(204)
	})
}

// The condition is looked at last: who sends something wrong hears of that.
func TestG1_TheConditionComesLast(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		stale := []string{"If-Match", `"1"`}
		c.send("PATCH", product(id), object{"product_id": id, "color": 9}, stale...).refused(422, "out_of_range")
		c.send("PATCH", product(id), object{"product_id": id, "criteria": criteria("TypeBien", "Château")}, stale...).refused(400, "criteria_value_unrecognised")
		c.send("PATCH", product(999999), object{"product_id": 999999}, stale...).is(404)
		c.send("DELETE", product(id, "/rooms/999999"), nil, stale...).is(404)
		c.as("no-right").send("PATCH", product(id), object{"product_id": id}, stale...).is(403)
		c.send("PATCH", product(id), object{"product_id": id, "color": 1}, stale...).refused(412, "precondition_failed")
	})
}

func TestG22_OneOfManyWithTheSameTagWins(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for what, r := range versionedRecords(c) {
			tag := c.get(r.path).is(200).tag()
			request := func(i int) *http.Request {
				switch what {
				case "product":
					return c.request("PATCH", r.path, object{"product_id": idOf(r.path), "color": i%5 + 1, "model": fmt.Sprint("G22-", r.path, i)}, "If-Match", tag)
				case "webhook":
					return c.request("PUT", r.path, object{"url": fmt.Sprint("https://hooks.example.org/", i)}, "If-Match", tag)
				}
				return c.request("PUT", r.path, object{"name": fmt.Sprint("n", i)}, "If-Match", tag)
			}
			statuses := make([]int, 8)
			var group sync.WaitGroup
			for i := range statuses {
				r := request(i)
				group.Go(func() { statuses[i] = c.do(r).status })
			}
			group.Wait()
			won, lost := 0, 0
			for _, status := range statuses {
				switch status {
				case 200, 204:
					won++
				case 412:
					lost++
				}
			}
			if won != 1 || lost != len(statuses)-1 {
				t.Errorf("%s: the statuses are %d", what, statuses)
			}
			c.delete(r.path).is(204)
		}
	}, racing)
}

func idOf(path string) (id int64) {
	_, _ = fmt.Sscanf(path, "/products/%d", &id)
	return id
}
