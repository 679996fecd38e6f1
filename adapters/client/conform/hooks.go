package conform

import (
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// hook is a webhook of this run and the name at which its deliveries come.
type hook struct {
	p    *Probe
	id   int64
	name string
}

// subscribe makes a webhook, which is deleted when the run ends. A server that refuses an address
// that is not public gets the check skipped.
func (p *Probe) subscribe(fields object, origines ...string) hook {
	h := hook{p: p, name: p.reference()}
	base := p.run.inbox.base
	if base == "" {
		base = "https://conform.example"
	}
	p.run.inbox.script(h.name, func(int) (int, string) { return http.StatusOK, "" })
	body := object{"url": base + "/" + h.name, "origines": origines}
	for name, value := range fields {
		body[name] = value
	}
	a := p.Post("/hooks", body)
	if a.Status == http.StatusUnprocessableEntity {
		if host, private := base, onThisMachine(base); private {
			p.Skip("the server does not deliver to %s; give it a --receiver", host)
		}
	}
	h.id = a.Is(200, 201).Int("data.id")
	p.made(h.path())
	return h
}

func (h hook) path() string { return fmt.Sprint("/hooks/", h.id) }

// came waits for the delivery that is about a resource, and returns it.
func (h hook) came(event string, resource int64) Delivery {
	var found Delivery
	h.p.eventually(fmt.Sprintf("a delivery of %s about %d", event, resource), func() bool {
		for _, d := range h.p.run.inbox.deliveries(h.name) {
			if d.text("event_type") == event && d.text("resource_id") == strconv.FormatInt(resource, 10) {
				found = d
				return true
			}
		}
		return false
	})
	return found
}

// about are the deliveries that came about a resource.
func (h hook) about(resource int64) []Delivery {
	return slices.DeleteFunc(h.p.run.inbox.deliveries(h.name), func(d Delivery) bool { return d.text("resource_id") != strconv.FormatInt(resource, 10) })
}

// quiet waits for a while, and returns how many deliveries came about a resource.
func (h hook) quiet(resource int64) int {
	time.Sleep(h.p.run.options.Silence)
	return len(h.about(resource))
}

// attempts waits for a number of deliveries about a resource, as long as retries may take.
func (h hook) attempts(resource int64, n int) []Delivery {
	h.p.eventuallyWithin(60*h.p.run.options.Patience, fmt.Sprintf("%d attempts", n), func() bool { return len(h.about(resource)) >= n })
	return h.about(resource)
}

func (d Delivery) text(name string) string {
	value, _ := at(d.json, name)
	if n, ok := integer(value); ok {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprint(value)
}

func hookChecks() []Check {
	all := []Check{
		{ID: "hook.create", Number: 184, Run: func(p *Probe) { p.subscribe(nil, "PRODUCT_UPDATE") }},
		{ID: "hook.url.required", Number: 179, Run: func(p *Probe) { p.unhooked(object{"origines": list{"PRODUCT_UPDATE"}}) }},
		{ID: "hook.url.uri", Number: 179, Run: func(p *Probe) { p.unhooked(object{"url": "no address", "origines": list{"PRODUCT_UPDATE"}}) }},
		{ID: "hook.origines.required", Number: 180, Run: func(p *Probe) { p.unhooked(object{"url": "https://conform.example/hook"}) }},
		{ID: "hook.origines.validated", Number: 180, Run: func(p *Probe) {
			p.unhooked(object{"url": "https://conform.example/hook", "origines": list{"PRODUCT_UPDATE", "NO_SUCH_EVENT"}})
		}},
		{ID: "hook.origines.dotted", Number: 206, Run: func(p *Probe) {
			p.unhooked(object{"url": "https://conform.example/hook", "origines": list{"product.update"}})
		}},
		{ID: "hook.put.origines", Number: 186, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_UPDATE", "PRODUCT_CREATE")
			p.Put(h.path(), object{"origines": list{"PRODUCT_DELETE"}}).Is(200).Equals("data.origines", list{"PRODUCT_DELETE"})
		}},
		{ID: "hook.put.headers", Number: 186, Run: func(p *Probe) {
			h := p.subscribe(object{"headers": object{"X-One": "1", "X-Two": "2"}}, "PRODUCT_UPDATE")
			p.Put(h.path(), object{"headers": object{"X-Three": "3"}}).Is(200).Equals("data.headers", object{"X-Three": "3"})
		}},
		{ID: "hook.put.optional", Number: 186, Run: func(p *Probe) {
			h := p.subscribe(object{"headers": object{"X-One": "1"}}, "PRODUCT_UPDATE")
			p.Put(h.path(), object{}).Is(200).Equals("data.origines", list{"PRODUCT_UPDATE"}).Equals("data.headers", object{"X-One": "1"})
		}},
		{ID: "hook.put.nullable", Number: 186, Run: func(p *Probe) {
			h := p.subscribe(object{"headers": object{"X-One": "1"}}, "PRODUCT_UPDATE")
			p.Put(h.path(), object{"url": nil, "origines": nil, "headers": nil, "auth_id": nil, "format": nil}).Is(200).Equals("data.origines", list{"PRODUCT_UPDATE"})
		}},
		{ID: "hook.put.422", Number: 220, Run: func(p *Probe) {
			p.Put(p.subscribe(nil, "PRODUCT_UPDATE").path(), object{"origines": list{"NO_SUCH_EVENT"}}).Refused(422)
		}},
		{ID: "hook.put.404", Number: 185, Run: func(p *Probe) { p.Put("/hooks/"+unknownID, object{}).Refused(404) }},
	}
	for _, field := range []struct {
		name   string
		number int
		is     func(any, hook) bool
	}{
		{"id", 80, func(value any, h hook) bool { n, ok := integer(value); return ok && n == h.id }},
		{"url", 81, func(value any, h hook) bool {
			text, _ := value.(string)
			return regexp.MustCompile(`^https?://.+/` + h.name + `$`).MatchString(text)
		}},
		{"origines", 82, func(value any, _ hook) bool { return reflect.DeepEqual(value, list{"PRODUCT_UPDATE"}) }},
		{"headers", 83, func(value any, _ hook) bool { return reflect.DeepEqual(value, object{"X-One": "1"}) }},
		{"auth_id", 84, func(value any, _ hook) bool { return value == nil }},
		{"format", 85, func(value any, _ hook) bool { return value == nil }},
	} {
		all = append(all, Check{ID: "hook." + field.name, Number: field.number, Run: func(p *Probe) {
			h := p.subscribe(object{"headers": object{"X-One": "1"}}, "PRODUCT_UPDATE")
			a := p.Put(h.path(), object{}).Is(200)
			p.Want(field.is(a.JSON("data."+field.name), h), "data."+field.name+" of the webhook", a)
		}})
	}
	return writing(all)
}

// unhooked demands that a webhook is refused, and has what was made nevertheless deleted.
func (p *Probe) unhooked(body object) {
	a := p.Post("/hooks", body)
	if id, ok := at(a.json, "data.id"); ok && a.Status < 300 {
		p.made(fmt.Sprintf("/hooks/%.0f", id))
	}
	a.Refused(422)
}

func deliveryChecks() []Check {
	all := []Check{
		{ID: "delivery.post", Number: 202, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_CREATE")
			d := h.came("PRODUCT_CREATE", p.create(nil))
			p.Want(d.Method == http.MethodPost, "POST", d.Method)
		}},
		{ID: "delivery.payload", Number: 203, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_CREATE")
			d := h.came("PRODUCT_CREATE", p.create(nil))
			value, _ := at(d.json, "timestamp")
			p.Want(value != nil && value != "", "a timestamp", string(d.Body))
		}},
		{ID: "delivery.pattern", Number: 204, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_CREATE")
			d := h.came("PRODUCT_CREATE", p.create(nil))
			p.Want(regexp.MustCompile(`^[A-Z]+_[A-Z]+$`).MatchString(d.text("event_type")), "RESOURCE_ACTION", d.text("event_type"))
		}},
		{ID: "delivery.headers", Number: 212, Run: func(p *Probe) {
			h := p.subscribe(object{"headers": object{"X-Conform": "one"}}, "PRODUCT_CREATE")
			d := h.came("PRODUCT_CREATE", p.create(nil))
			p.Want(d.Header.Get("X-Conform") == "one", "the header of the webhook", d.Header)
		}},
		{ID: "delivery.headers.authenticate", Number: 201, Run: func(p *Probe) {
			h := p.subscribe(object{"headers": object{"Authorization": "Bearer conform"}}, "PRODUCT_CREATE")
			d := h.came("PRODUCT_CREATE", p.create(nil))
			p.Want(d.Header.Get("Authorization") == "Bearer conform", "the credential of the webhook", "another one")
		}},
		{ID: "delivery.subscribed", Number: 82, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_UPDATE")
			id := p.create(nil)
			p.update(id, object{"color": 2}).Is(204)
			h.came("PRODUCT_UPDATE", id)
			for _, d := range p.run.inbox.deliveries(h.name) {
				p.Want(d.text("event_type") == "PRODUCT_UPDATE", "only PRODUCT_UPDATE", d.text("event_type"))
			}
		}},
		{ID: "delivery.feed", Number: 20, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_UPDATE")
			id := p.create(nil)
			p.update(id, criteria("Prix", 4321)).Is(204)
			h.came("PRODUCT_UPDATE", id)
		}},
		{ID: "delivery.feed.read", Number: 21, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_UPDATE")
			id := p.create(criteria("Prix", 1))
			p.update(id, criteria("Prix", 4321)).Is(204)
			h.came("PRODUCT_UPDATE", id)
			p.Want(p.criterion(id, "Prix") == 4321.0, "the product as it is now", p.criterion(id, "Prix"))
		}},
		{ID: "delivery.422", Number: 208, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_CREATE")
			p.run.inbox.script(h.name, func(int) (int, string) { return 422, "a duplicate" })
			id := p.create(nil)
			h.came("PRODUCT_CREATE", id)
			p.Want(h.quiet(id) == 1, "one delivery, and no retry", h.quiet(id))
		}},
		{ID: "delivery.422.active", Number: 91, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_CREATE")
			p.run.inbox.script(h.name, func(int) (int, string) { return 422, "a duplicate" })
			h.came("PRODUCT_CREATE", p.create(nil))
			h.came("PRODUCT_CREATE", p.create(nil))
		}},
		{ID: "delivery.put.url", Number: 186, Run: func(p *Probe) {
			one, two := p.subscribe(nil, "PRODUCT_CREATE"), p.subscribe(nil, "PRODUCT_DELETE")
			p.Put(one.path(), object{"url": p.run.inbox.base + "/" + two.name}).Is(200)
			two.came("PRODUCT_CREATE", p.create(nil))
		}},
		{ID: "delivery.retried", Number: 92, Needs: Slow, Run: func(p *Probe) {
			h := p.subscribe(nil, "PRODUCT_CREATE")
			p.run.inbox.script(h.name, func(attempt int) (int, string) {
				if attempt < 3 {
					return 500, ""
				}
				return 200, ""
			})
			came := h.attempts(p.create(nil), 3)
			for _, again := range came[1:] {
				p.Want(string(again.Body) == string(came[0].Body), "the same body each time", string(again.Body))
			}
		}},
		{ID: "delivery.growing", Number: 209, Needs: Slow, Run: func(p *Probe) {
			came := p.failing().attempts
			for i := 2; i < len(came); i++ {
				before, wait := came[i-1].At.Sub(came[i-2].At), came[i].At.Sub(came[i-1].At)
				p.Want(wait > before, "each wait is longer than the one before", fmt.Sprint(before, " and ", wait))
			}
		}},
		{ID: "delivery.three_retries", Number: 228, Needs: Slow, Run: func(p *Probe) {
			p.Want(p.failing().afterwards == 4, "three retries, and no more", p.failing().afterwards)
		}},
		{ID: "delivery.suspended", Number: 210, Needs: Slow, Run: func(p *Probe) {
			p.Want(p.failing().suspended == 0, "no delivery of a suspended webhook", p.failing().suspended)
		}},
		{ID: "delivery.suspended.silent", Number: 211, Needs: Slow, Run: func(p *Probe) {
			p.Want(p.failing().suspended == 0 && p.failing().reactivated > 0, "no delivery until the webhook is updated", p.failing().suspended)
		}},
		{ID: "delivery.reactivated", Number: 188, Needs: Slow, Run: func(p *Probe) {
			p.Want(p.failing().reactivated > 0, "events flow again", "none")
		}},
	}
	for _, event := range []struct {
		name  string
		cause func(*Probe) int64
	}{
		{"PRODUCT_CREATE", func(p *Probe) int64 { return p.create(nil) }},
		{"PRODUCT_UPDATE", func(p *Probe) int64 { id := p.create(nil); p.update(id, object{"color": 3}).Is(204); return id }},
		{"PRODUCT_DELETE", func(p *Probe) int64 {
			id := p.create(nil)
			if !slices.Contains([]int{200, 204}, p.Delete(fmt.Sprint("/products/", id)).Status) {
				p.Skip("the contract shows no operation that deletes a product, and the server has none")
			}
			p.gone(fmt.Sprint("/products/", id))
			return id
		}},
		{"CUSTOMER_CREATE", func(p *Probe) int64 { return p.customer(nil) }},
		{"CUSTOMER_UPDATE", func(p *Probe) int64 {
			id := p.customer(nil)
			a := p.Patch(fmt.Sprint("/customers/", id), object{"customer_id": id, "firstname": "Changed"})
			if !slices.Contains([]int{200, 204}, a.Status) {
				p.Skip("the contract does not show how a customer is changed, and the server refuses PATCH")
			}
			return id
		}},
	} {
		all = append(all, Check{ID: "event." + event.name, Number: 205, Run: func(p *Probe) {
			h := p.subscribe(nil, event.name)
			h.came(event.name, event.cause(p))
		}})
	}
	for i := range all {
		all[i].Needs |= Receiver
	}
	return writing(all)
}

// failure is what became of a webhook of which all deliveries failed.
type failure struct {
	attempts []Delivery
	// afterwards is how many attempts there were in all, and suspended and reactivated how many deliveries
	// of a later event came before and of another one after the webhook was updated.
	afterwards, suspended, reactivated int
}

// failing has a delivery fail until its webhook is suspended, and the webhook updated.
func (p *Probe) failing() failure {
	return once(p, "failing", func(p *Probe) failure {
		h := p.subscribe(nil, "PRODUCT_CREATE")
		p.run.inbox.script(h.name, func(int) (int, string) { return http.StatusInternalServerError, "" })
		id := p.create(nil)
		f := failure{attempts: h.attempts(id, 4)}
		f.afterwards = h.quiet(id)
		p.run.inbox.script(h.name, func(int) (int, string) { return http.StatusOK, "" })
		f.suspended = h.quiet(p.create(nil))
		p.Put(h.path(), object{}).Is(200)
		id = p.create(nil)
		if p.try(func() { h.came("PRODUCT_CREATE", id) }) == nil {
			f.reactivated = 1
		}
		return f
	})
}
