package e2e_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// walk tries what the document says of one request body, on the server.
type walk struct {
	*client
	schemas object
	id      string
	send    func(body object) answer
	// base has everything that is required.
	base object
}

// resolved is a schema behind its reference, and without the choice to be null.
func (w *walk) resolved(schema object) object {
	if ref, ok := schema["$ref"].(string); ok {
		return w.resolved(w.schemas[strings.TrimPrefix(ref, "#/components/schemas/")].(object))
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if choices, ok := schema[word].(list); ok {
			return w.resolved(choices[0].(object))
		}
	}
	return schema
}

func schemaKind(schema object) string {
	if types, ok := schema["type"].(list); ok {
		return types[0].(string)
	}
	kind, _ := schema["type"].(string)
	return kind
}

func words(value any) (all []string) {
	names, _ := value.(list)
	for _, name := range names {
		all = append(all, name.(string))
	}
	return all
}

// groups are the fields of which one is required.
func groups(schema object, word string) (all [][]string) {
	parts, _ := schema["allOf"].(list)
	for _, part := range parts {
		var group []string
		choices, _ := part.(object)[word].(list)
		for _, choice := range choices {
			group = append(group, words(choice.(object)["required"])...)
		}
		if group != nil {
			all = append(all, group)
		}
	}
	return all
}

// faultsOf are the codes of the details of an answer, by field.
func faultsOf(a answer) map[string]string {
	found := map[string]string{}
	if a.status != 422 {
		return found
	}
	for _, detail := range a.list("error.details") {
		d := detail.(object)
		found[d["field"].(string)] = d["code"].(string)
	}
	return found
}

func missing(code string) bool {
	return code == "required" || code == "product_id_required" || code == "exactly_one_of"
}

// sampleValues are values for required fields, by what they are called.
var sampleValues = map[string]any{
	"type": "ACQUEREUR", "transaction_type": "Vente", "lastname": "Durand", "email": "ana@example.org", "url": "https://hooks.example.org/x",
	"origines": list{"PRODUCT_CREATE"}, "after_event_id": 0, "site_id": "2", "refresh_token": "x", "facets": list{object{"id": "TypeBien"}},
	"id": "Prix", "operator": "SUPERIEUR", "value": "1", "language": "fr", "relation": "PARENT", "number": "0612345678", "line1": "1 rue Neuve", "name": "Maître Durand",
	"cancellation_reason": "ACCORD", "date_signature": "2026-01-01", "date_sent": "2026-01-01", "date_deed": "2026-01-01", "date": "2026-01-01",
	"customer_id": 1, "method": "LRE", "role": "ENTREE", "percent": 1, "amount": 1, "holder": "AUTRE", "reference_rent_max": 9, "index": "IRL",
	"quarter": "2025-T3", "notifications": list{object{"customer_id": 1, "date": "2026-01-01", "method": "LRE"}}, "kind": "VAT", "from": "2026-01-01",
	"agency_id": 21, "items": list{object{"kind": "VAT", "fees_amount": 1, "vat_rate": 1}},
	"title": "Visite", "start_at": "2026-01-06T10:00:00Z", "end_at": "2026-01-06T11:00:00Z", "to": "2026-02-01", "weekday": 1, "attendee_id": 1, "answer": "ACCEPTE",
	"outcome": "REFLEXION", "user_id": 211, "periods": list{}, "busy": list{}, "online_booking": object{}, "contact": object{"phone": "0612345678"},
	"latitude": 45.0, "longitude": 4.0, "radius_km": 1.0, "south": 45.0, "north": 46.0, "west": 4.0, "east": 5.0,
}

// minimal is an object with what is required, and one of each group.
func (w *walk) minimal(where string, schema object) object {
	body := object{}
	names := words(schema["required"])
	for _, group := range slices.Concat(groups(schema, "anyOf"), groups(schema, "oneOf")) {
		if where == "" && slices.ContainsFunc(group, func(name string) bool { return w.base[name] != nil }) {
			continue
		}
		// An id would be that of something that is there.
		names = append(names, group[slices.IndexFunc(group, func(name string) bool { return name != "id" && name != "product_id" })])
	}
	for _, name := range names {
		value, ok := w.special(where, name)
		if !ok {
			if value, ok = sampleValues[name]; !ok {
				w.t.Fatalf("%s: there is no sample of %s%s", w.id, where, name)
			}
		}
		body[name] = value
	}
	return body
}

// special are samples that depend on where a field stands.
func (w *walk) special(where, name string) (any, bool) {
	switch {
	case strings.Contains(where, "rooms") && name == "type":
		return "SEJOUR", true
	case strings.Contains(where, "areas") && name == "type":
		return "POSTAL_CODE", true
	case strings.Contains(where, "facets") && name == "id":
		return "TypeBien", true
	case strings.Contains(where, "periods") && (name == "start" || name == "end"):
		return map[string]any{"start": "09:00", "end": "12:00"}[name], true
	case strings.HasPrefix(where, "attendees") && name == "kind":
		return "GUEST", true
	case strings.HasPrefix(where, "conditions") && name == "type":
		return "AUTRE", true
	case w.id == "transaction.deadlines.compute" && name == "items":
		return list{object{"kind": "REVISION", "from": "2026-01-01"}}, true
	case w.id == "transaction.deadlines.compute" && name == "kind":
		return "REVISION", true
	case strings.Contains(where, "key_points") && name == "id":
		return "Balcon", true
	case where == "" && w.base[name] != nil:
		return w.base[name], true
	}
	return nil, false
}

// with is the base with a value at a path such as consent.source or rooms[].type,
// beside what else is required there.
func (w *walk) with(path string, value any) object {
	body := copied(w.base)
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		body[first] = value
		return body
	}
	name, isList := strings.CutSuffix(first, "[]")
	schema := w.schemaAt(name)
	inner := w.minimal(first+".", schema)
	if value == nil {
		delete(inner, rest)
	} else {
		inner[rest] = value
	}
	if body[name] = inner; isList {
		body[name] = list{inner}
	}
	return body
}

// schemaAt is the schema of a field of the body, or of its items.
func (w *walk) schemaAt(name string) object {
	schema := w.resolved(w.body()["properties"].(object)[name].(object))
	if items, ok := schema["items"].(object); ok {
		return w.resolved(items)
	}
	return schema
}

func (w *walk) body() object { return w.schemas["the body"].(object) }

// told is how a path is named in the details of an error.
func told(path string) string { return strings.ReplaceAll(path, "[]", "[0]") }

// conditional are objects of which more is required where another field has a
// certain value, or when there was none before. The document only describes that.
func conditional(at string) bool {
	return slices.Contains([]string{"areas[].", "notary.", "phone_numbers[].", "addresses[].", "conditions[].", "items[].", "attendees[]."}, at)
}

// requirements tries what is required of an object at a path.
func (w *walk) requirements(at string, schema object) {
	without := func(names ...string) map[string]string {
		body := w.with(at+"probe", nil)
		inner := body
		if first, _, nested := strings.Cut(at, "."); nested {
			name, isList := strings.CutSuffix(first, "[]")
			inner, _ = body[name].(object)
			if isList {
				inner = body[name].(list)[0].(object)
			}
		}
		delete(inner, "probe")
		for _, name := range names {
			delete(inner, name)
		}
		return faultsOf(w.send(body))
	}
	for _, name := range words(schema["required"]) {
		if found := without(name); !missing(found[told(at+name)]) {
			w.t.Errorf("%s: %s%s is required in the document: without it %v", w.id, at, name, found)
		}
	}
	for _, group := range slices.Concat(groups(schema, "anyOf"), groups(schema, "oneOf")) {
		found := without(group...)
		if !slices.ContainsFunc(group, func(name string) bool { return missing(found[told(at+name)]) }) {
			w.t.Errorf("%s: one of %s%v is required in the document: without them %v", w.id, at, group, found)
		}
	}
	for field, code := range without() {
		if missing(code) && strings.HasPrefix(field, told(at)) && !conditional(at) {
			w.t.Errorf("%s: %s is %s, and not required in the document", w.id, field, code)
		}
	}
}

// limits tries how long the fields of an object at a path may be.
func (w *walk) limits(at string, schema object) (tried int) {
	properties, _ := schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := w.resolved(properties[name].(object))
		path := at + name
		most, limited := 0, false
		try := func(n int) string { return faultsOf(w.send(w.filled(path, property, n)))[told(path)] }
		for _, word := range []string{"maxLength", "maxItems", "maxProperties"} {
			if bound, ok := property[word].(float64); ok {
				most, limited = int(bound), true
			}
		}
		switch kind := schemaKind(property); {
		case limited:
			tried++
			if code := try(most); code == "out_of_range" || code == "invalid_header" {
				w.t.Errorf("%s: %s may have %d in the document, and is %s", w.id, path, most, code)
			}
			if try(most+1) == "" {
				w.t.Errorf("%s: %s may have %d in the document, and has one more", w.id, path, most)
			}
		case name == "occurrence": // out of range is one that the event does not have
		case kind == "string" && property["enum"] == nil && property["format"] == nil || kind == "array" || kind == "object" && property["properties"] == nil:
			if code := try(3_000); code == "out_of_range" {
				w.t.Errorf("%s: %s has no limit in the document, and one on the server", w.id, path)
			}
		}
	}
	return tried
}

// filled is a body whose value at a path is so long.
func (w *walk) filled(path string, schema object, n int) object {
	name := path[strings.LastIndexAny(path, ".")+1:]
	var value any
	switch schemaKind(schema) {
	case "string":
		value = textOf(name, n)
	case "object":
		members := object{}
		for i := range n {
			members[fmt.Sprintf("x-%d", i)] = "v"
		}
		value = members
	case "array":
		items := w.resolved(schema["items"].(object))
		all := make(list, n)
		for i := range all {
			switch schemaKind(items) {
			case "object":
				all[i] = w.minimal(path+"[].", items)
			case "integer":
				all[i] = i + 1
			case "string":
				all[i] = "x"
			default:
				all[i] = i
			}
		}
		value = all
	}
	body := w.with(path, value)
	switch {
	case path == "facets[].bands":
		body["facets"].(list)[0].(object)["id"] = "Prix"
	case path == "items[].percents":
		item := body["items"].(list)[0].(object)
		item["kind"], item["fees_excl_vat"] = "COMMISSIONS", 1
		for i := range item["percents"].(list) {
			item["percents"].(list)[i] = 1
		}
	case w.id == "appointment.create" && (path == "user_ids" || path == "customer_ids"): // instead of attendees
		delete(body, "attendees")
	case w.id == "hook.auth.create" || w.id == "hook.auth.update":
		w.fits(body, name)
	}
	return body
}

// authFields are what configurations of each type have.
var authFields = map[string][]string{
	"basic": {"username", "password"}, "bearer": {"token"}, "api_key": {"header", "value"},
	"oauth2_client_credentials": {"token_url", "client_id", "client_secret", "scope"},
}

// fits makes a configuration one of the type that has a field, with all it needs.
func (w *walk) fits(body object, name string) {
	for kind, fields := range authFields {
		if !slices.Contains(fields, name) {
			continue
		}
		body["type"] = kind
		for _, field := range fields {
			if body[field] == nil {
				body[field] = textOf(field, 40)
			}
		}
	}
}

func textOf(name string, n int) string {
	switch name {
	case "email":
		return strings.Repeat("a", max(1, n-len("@example.org"))) + "@example.org"
	case "phone", "number":
		return strings.Repeat("1", n)
	case "url", "token_url":
		return "https://example.org/" + strings.Repeat("a", max(0, n-len("https://example.org/")))
	}
	return strings.Repeat("a", n)
}

// offered, agreed and let are an offer, an agreement and a lease of a product.
func offered(product, buyer int64) object {
	return object{"product_id": product, "buyers": list{buyer}, "amount": 1}
}

func agreed(product, buyer int64) object {
	return object{"type": "COMPROMIS", "product_id": product, "buyers": list{buyer}, "price": 1}
}

func let(product, landlord, tenant int64) object {
	return object{
		"type": "CODE_CIVIL", "product_id": product, "landlords": list{landlord}, "tenants": list{tenant}, "date_start": "2026-01-01", "rent": 1,
	}
}

// visited is a visit that comes again each week.
func visited(c *client, product, customer int64) int64 {
	return c.post("/agenda/events", object{
		"type": "VISITE", "title": "Visite", "start_at": "2026-01-06T10:00:00Z", "end_at": "2026-01-06T11:00:00Z", "rrule": "FREQ=WEEKLY;COUNT=9",
		"user_ids": list{211}, "customer_ids": list{customer}, "product_ids": list{product},
	}).is(201).id("data.id")
}

func onDuty() object {
	return object{"agency_id": 21, "user_id": 211, "type": "ACCUEIL", "start_at": "2026-01-06T10:00:00Z", "end_at": "2026-01-06T11:00:00Z"}
}

// booked is a visit that was booked, and a time that is held.
func bookedAndHeld(c *client) (booking, hold int64) {
	c.send("PUT", "/agenda/settings/21", object{"online_booking": object{"enabled": true, "notice_minutes": 0}}).is(200)
	home := c.create(object{"web_status": true, "criteria": criteria("Statut", "EnCours")})
	slots := c.get(product(home, "/booking-slots")).is(200)
	booking = c.post(product(home, "/bookings"), object{"start_at": slots.at("data.0.start_at"), "contact": object{"phone": "0612345678"}}).is(201).id("data.id")
	return booking, c.post(product(home, "/booking-holds"), object{"start_at": slots.at("data.4.start_at")}).is(201).id("data.id")
}

// What the document says of requests is what the server does, and the other way
// round: fields that are required, and how long they may be.
func TestH18_TheDocumentSaysWhatTheServerDemands(t *testing.T) {
	t.Parallel()
	world := ownWorld(t)
	c := world.rival(t)
	document := c.get("/openapi.json").is(200)
	product := c.create(nil)
	customer := c.post("/customers", object{"type": "ACQUEREUR", "lastname": "Là"}).is(201).id("data.id")
	other := c.post("/customers", object{"type": "ACQUEREUR", "lastname": "Ici"}).is(201).id("data.id")
	conditional := agreed(product, customer)
	conditional["conditions"], conditional["sellers"] = list{object{"type": "AUTRE"}}, list{other}
	visit := visited(c, product, customer)
	booked, held := bookedAndHeld(c)
	ids := strings.NewReplacer(
		"{eventId}", fmt.Sprint(visit), "{start}", "20260106T100000Z", "{bookingId}", fmt.Sprint(booked), "{holdId}", fmt.Sprint(held),
		"{permanenceId}", fmt.Sprint(c.post("/agenda/permanences", onDuty()).is(201).id("data.id")), "{userId}", "211", "{source}", "outlook", "{agencyId}", "21",
		"{productId}", fmt.Sprint(product), "{customerId}", fmt.Sprint(customer),
		"{searchId}", fmt.Sprint(c.post(fmt.Sprintf("/customers/%d/searches", customer), object{"transaction_type": "Vente"}).is(201).id("data.id")),
		"{followUpId}", fmt.Sprint(c.post(fmt.Sprintf("/customers/%d/follow-ups", customer), object{"product_id": product}).is(201).id("data.id")),
		"{leadId}", fmt.Sprint(c.post("/leads/buyers", object{"email": "x@example.org", "transaction_type": "Vente"}).is(201).id("data.id")),
		"{hookId}", fmt.Sprint(c.post("/hooks", object{"url": "https://hooks.example.org/x", "origines": list{"PRODUCT_CREATE"}}).is(201).id("data.id")),
		"{offerId}", fmt.Sprint(c.post("/sale-offers", offered(product, customer)).is(201).id("data.id")),
		"{agreementId}", fmt.Sprint(c.post("/sale-agreements", conditional).is(201).id("data.id")), "{conditionId}", "1",
		"{leaseId}", fmt.Sprint(c.post("/leases", let(product, customer, other)).is(201).id("data.id")),
		"{pictureId}", c.upload(product, "public", "file", "a.jpg", picture(800, 20)).is(204).header.Get("X-Picture-Id"),
	)
	auths := map[string]string{}
	for _, kind := range []string{"ed25519", "basic", "bearer", "api_key", "oauth2_client_credentials"} {
		auth := object{"type": kind}
		for _, field := range authFields[kind] {
			auth[field] = textOf(field, 40)
		}
		auths[kind] = fmt.Sprint(c.post("/hooks/auths", auth).is(201).id("data.id"))
	}
	bases := map[string]object{
		"product.update": {"product_id": product}, "followup.create": {"product_id": c.create(nil)}, "lead.buyer": {"transaction_type": "Vente"},
		"hook.auth.create": {"type": "ed25519"}, "hook.auth.update": {"type": "ed25519"},
		"offer.create": offered(product, customer), "agreement.create": agreed(product, customer), "lease.create": let(product, customer, other),
		"appointment.create": {"type": "VISITE", "attendees": list{object{"kind": "USER", "user_id": 211}}, "start_at": "2026-01-06T10:00:00Z", "end_at": "2026-01-06T11:00:00Z"},
		"appointment.report": {"occurrence": "20260106T100000Z"}, "permanence.create": onDuty(),
		"offer.counter": {"by": "VENDEUR", "amount": 1}, "lease.notice": {"by": "LOCATAIRE", "received_on": "2026-01-01"},
	}
	for _, kind := range []string{"product", "customer"} {
		bases[kind+".action.create"] = object{"action_id": actionFor(c, kind)}
	}
	bodies, tried := 0, 0
	for path, item := range document.at("paths").(object) {
		for method, described := range item.(object) {
			o := described.(object)
			content, _ := follow(o, "requestBody.content")
			if content == nil || content.(object)["multipart/form-data"] != nil {
				continue
			}
			bodies++
			schemas := copied(document.at("components.schemas").(object))
			w := &walk{client: c, schemas: schemas, id: o["x-operation"].(string), base: bases[o["x-operation"].(string)]}
			w.send = func(body object) answer {
				if w.id == "customer.update" { // what was added before counts
					customer := c.post("/customers", object{"type": "ACQUEREUR", "lastname": "Là"}).is(201).id("data.id")
					return c.send("PATCH", fmt.Sprintf("/customers/%d", customer), body)
				}
				if w.id == "agreement.update" {
					agreement := c.post("/sale-agreements", agreed(product, customer)).is(201).id("data.id")
					return c.send("PATCH", fmt.Sprintf("/sale-agreements/%d", agreement), body)
				}
				kind, _ := body["type"].(string)
				return c.send(strings.ToUpper(method), strings.ReplaceAll(ids.Replace(path), "{authId}", auths[kind]), body)
			}
			media := "application/json"
			if content.(object)[media] == nil {
				media = "application/x-www-form-urlencoded"
				w.send = func(body object) answer {
					form := url.Values{}
					for name, value := range body {
						form.Set(name, fmt.Sprint(value))
					}
					return c.form(path, "sandbox-rival", "sandbox-rival-secret", form)
				}
			}
			schema := w.resolved(content.(object)[media].(object)["schema"].(object))
			schemas["the body"] = schema
			base := w.minimal("", schema)
			maps.Copy(base, w.base)
			w.base = base
			if strings.HasPrefix(path, "/api/client/") {
				w.requirements("", schema)
				continue
			}
			w.requirements("", schema)
			tried += w.limits("", schema)
			for name, property := range schema["properties"].(object) {
				at, inner := name+".", w.resolved(property.(object))
				if items, ok := inner["items"].(object); ok {
					at, inner = name+"[].", w.resolved(items)
				}
				if inner["properties"] != nil {
					w.requirements(at, inner)
					tried += w.limits(at, inner)
				}
			}
		}
	}
	if bodies < 20 || tried < 100 {
		t.Errorf("only %d limits of %d bodies were tried", tried, bodies)
	}
}

// actionFor is a type of action about a product or a customer.
func actionFor(c *client, target string) any {
	for _, kind := range c.get("/actions/types").is(200).list("data") {
		if k := kind.(object); k["target"] == target || k["is_active"] == true {
			return k["id"]
		}
	}
	return 1
}
