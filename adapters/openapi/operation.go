package openapi

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// tagOf are the reference areas of the contract by the first word of an
// operation's id.
var tagOf = map[string]string{
	"token": "Authentication", "product": "Products", "room": "Products", "action": "Products", "criteria": "Criterias",
	"picture": "Products", "discovery": "Agencies", "site": "Agencies", "agency": "Agencies", "event": "Webhooks", "hook": "Webhooks", "list": "Configs",
	"customer": "Customers", "search": "Customers", "followup": "Customers", "lead": "Leads", "user": "Users",
	"offer": "Transactions", "agreement": "Transactions", "lease": "Transactions", "transaction": "Transactions", "config": "Configs",
	"agenda": "Agenda", "appointment": "Agenda", "permanence": "Agenda", "worktime": "Agenda", "external-busy": "Agenda", "feed": "Agenda", "booking": "Agenda",
	"request": "Requests",
}

// areas say what the operations of each tag are about.
var areas = map[string]string{
	"Authentication": "Tokens: how a client proves who it is, and for which site.",
	"Products":       "Listings: their search, rooms, pictures, actions and publication.",
	"Criterias":      "The criteria by which products are described, and the values they admit.",
	"Customers":      "Owners, buyers and tenants, what they look for, and which products they follow.",
	"Leads":          "Who got in touch through an external tool.",
	"Transactions":   "Offers, sale agreements and leases, with their deadlines and amounts.",
	"Users":          "The people who work for the agencies.",
	"Agencies":       "The site, its agencies, and which of them a token reaches.",
	"Webhooks":       "Subscriptions to events, their deliveries, and the ledger of all events.",
	"Configs":        "Lists of values, public holidays and indices of rents.",
	"Agenda":         "Calendar events, free time, duty rosters, working time and online booking.",
	"Requests":       "What became of earlier requests.",
}

func tag(o kernel.Operation) string {
	word, _, _ := strings.Cut(o.ID, ".")
	if known, ok := tagOf[word]; ok {
		return known
	}
	return word
}

func tags(tables ...[]kernel.Operation) []object {
	names := map[string]bool{}
	for _, table := range tables {
		for _, o := range table {
			names[tag(o)] = true
		}
	}
	var list []object
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list = append(list, object{"name": name, "description": areas[name]})
	}
	return list
}

// sources says where the fields of a request come from.
type sources struct {
	path, query, json, form, file bool
	// match: the request may be conditional.
	match bool
}

func sourcesOf(in reflect.Type) sources {
	var found sources
	eachField(in, false, func(f reflect.StructField, _ bool) {
		found.path = found.path || f.Tag.Get("path") != ""
		found.query = found.query || f.Tag.Get("query") != ""
		found.json = found.json || f.Tag.Get("json") != ""
		found.form = found.form || f.Tag.Get("form") != ""
		found.match = found.match || f.Type == ifMatchType
		found.file = found.file || f.Tag.Get("file") != ""
	})
	return found
}

// operation describes one line of the table.
func (s *schemas) operation(o kernel.Operation) object {
	from := sourcesOf(o.In)
	described := object{
		"operationId": lowerFirst(o.Name), "x-operation": o.ID, "summary": o.Summary, "tags": []string{tag(o)},
		"security":  []object{{"bearerAuth": []string{}}, {"apiKeyAuth": []string{}}},
		"responses": s.responses(o, from),
	}
	if o.Public {
		described["security"] = []object{{"basicAuth": []string{}}}
	} else {
		describeRule(described, o.Rule)
	}
	if parameters := append(s.parameters(o.In), conditions(o, from)...); len(parameters) > 0 {
		described["parameters"] = parameters
	}
	if pages := s.paged(o); pages != nil {
		described["x-pages"] = pages
	}
	switch {
	case from.json:
		described["requestBody"] = s.body(o, "json", "application/json")
	case from.form:
		described["requestBody"] = s.body(o, "form", "application/x-www-form-urlencoded")
	case from.file:
		described["requestBody"] = s.body(o, "file", "multipart/form-data")
	}
	return described
}

func describeRule(described object, rule access.Rule) {
	var needs []string
	if rule.Packs != 0 {
		described["x-packs"] = rule.Packs.Names()
		needs = append(needs, "one of the packs "+rule.Packs.String())
	}
	if rule.Permission != "" {
		described["x-permission"] = rule.Permission
		needs = append(needs, "the permission "+string(rule.Permission))
	}
	if rule.Right != "" {
		described["x-right"] = rule.Right
		needs = append(needs, "the right "+string(rule.Right))
	}
	if len(needs) > 0 {
		described["description"] = "Needs " + strings.Join(needs, ", and ") + "."
	}
}

func (s *schemas) parameters(in reflect.Type) []object {
	var list []object
	eachField(in, false, func(f reflect.StructField, _ bool) {
		for _, source := range []string{"path", "query", "header"} {
			name := f.Tag.Get(source)
			if name == "" || f.Type == ifMatchType {
				continue
			}
			t := f.Type
			if value, ok := opt.Elem(t); ok {
				t = value
			}
			schema := s.described(t, s.documented(f.Tag, name), request)
			if source == "path" && t.Kind() == reflect.Int64 {
				schema["minimum"] = 1
			}
			parameter := object{"name": name, "in": source, "schema": schema}
			if t.Implements(choicesType) {
				// One parameter with commas, as fetch=rooms,descriptions.
				parameter["style"], parameter["explode"] = "form", false
			}
			if doc, ok := schema["description"]; ok {
				parameter["description"] = doc
				delete(schema, "description")
			}
			if source == "path" || f.Tag.Get("required") == "true" {
				parameter["required"] = true
			}
			list = append(list, parameter)
		}
	})
	return list
}

// paged says how all pages of an operation with a cursor are read: in what part of the request
// which parameter goes, which field of an answer has it for the next page, null after the last, and what the
// items in "data" are. It is nil for other operations.
func (s *schemas) paged(o kernel.Operation) object {
	if o.Out == nil || o.Out.Kind() != reflect.Struct {
		return nil
	}
	pages := object{}
	eachField(o.In, false, func(f reflect.StructField, _ bool) {
		for source, in := range map[string]string{"json": "body", "query": "query"} {
			if name := f.Tag.Get(source); name == "cursor" || name == "after" {
				pages["in"], pages["cursor"] = in, name
			}
		}
	})
	eachField(o.Out, false, func(f reflect.StructField, _ bool) {
		switch {
		case f.Tag.Get("json") == "next_cursor":
			pages["next"] = "next_cursor"
		case f.Type == reflect.TypeFor[kernel.CursorPaginationMeta]():
			pages["next"] = f.Tag.Get("json") + ".next_cursor"
		case f.Tag.Get("json") == "data":
			items, _ := s.of(f.Type, answer)["items"].(object)
			pages["item"] = recordName(items)
		}
	})
	if pages["in"] == nil || pages["next"] == nil {
		return nil
	}
	return pages
}

// conditions returns the headers of a request that say whether it is carried out.
func conditions(o kernel.Operation, from sources) (list []object) {
	add := func(there bool, name string) {
		if there {
			list = append(list, object{"$ref": "#/components/parameters/" + name})
		}
	}
	add(o.Method == http.MethodGet, "If-None-Match")
	add(from.match, "If-Match")
	add(o.Repeatable(), "Idempotency-Key")
	return list
}

// parameters returns those that many operations share.
func parameters() object {
	header := func(name, description string) object {
		return object{"name": name, "in": "header", "description": description, "schema": object{"type": "string"}}
	}
	key := header("Idempotency-Key", "a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again")
	key["schema"].(object)["maxLength"] = kernel.MaxIdempotencyKey
	return object{
		"If-None-Match":   header("If-None-Match", "ETags you have: 304 when the answer would show one of them"),
		"If-Match":        header("If-Match", "ETags of what you would write over: 412 when the record has changed since; without it the last write wins"),
		"Idempotency-Key": key,
	}
}

// body describes a request body under the name the contract gives it, such as
// CreateProductRequest.
func (s *schemas) body(o kernel.Operation, source, mediaType string) object {
	in := o.In
	schema := s.component(in.Name()+"Request", in, func() object { return s.properties(in, source, request) })
	_, required := s.components[in.Name()+"Request"].(object)["required"]
	return object{"required": required, "content": object{mediaType: within(object{"schema": schema}, s.examples[o.ID].Request)}}
}

func (s *schemas) responses(o kernel.Operation, from sources) object {
	success := object{"description": http.StatusText(o.Status), "headers": s.successHeaders(o, from)}
	if o.Status != http.StatusNoContent {
		success["content"] = object{"application/json": within(object{"schema": s.of(o.Out, answer)}, s.examples[o.ID].Answer)}
	}
	responses := object{strconv.Itoa(o.Status): success}
	if o.Method == http.MethodGet {
		kept := object{"ETag": headerRef("ETag"), "X-Request-Id": headerRef("X-Request-Id")}
		addLimits(kept)
		responses["304"] = object{"description": "you have it already", "headers": kept}
	}
	for _, e := range errorStatuses {
		if e.comesFrom(o, from) {
			responses[strconv.Itoa(e.status)] = object{"$ref": "#/components/responses/" + e.name}
		}
	}
	return responses
}

// successHeaders returns those of every answer, and the fields of this one that go
// into headers.
func (s *schemas) successHeaders(o kernel.Operation, from sources) object {
	found := object{}
	if o.Method == http.MethodGet {
		found["ETag"] = headerRef("ETag")
	}
	if o.Repeatable() {
		found["Idempotent-Replayed"] = headerRef("Idempotent-Replayed")
	}
	for _, name := range []string{"X-Request-Id", "X-Contract-Version"} {
		found[name] = headerRef(name)
	}
	if !o.Public {
		addLimits(found)
	}
	if from.json || from.query || from.form || from.file {
		for _, name := range []string{"X-Ignored-Fields", "Deprecation"} {
			found[name] = headerRef(name)
		}
	}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if t.Kind() != reflect.Struct || t.Implements(lazyType) {
			return
		}
		eachField(t, false, func(f reflect.StructField, _ bool) {
			if f.Type == versionType {
				found["ETag"] = headerRef("ETag")
				return
			}
			if name := f.Tag.Get("header"); name != "" {
				header := object{"schema": object{"type": "string"}}
				if meaning := s.documented(f.Tag, name).Get("doc"); meaning != "" {
					header["description"] = meaning
				}
				found[name] = header
				return
			}
			visit(f.Type)
		})
	}
	visit(o.Out)
	return found
}

// addLimits adds the headers that tell a client of its limits.
func addLimits(headers object) {
	for _, name := range []string{"RateLimit", "RateLimit-Policy"} {
		headers[name] = headerRef(name)
	}
}

func headerRef(name string) object { return object{"$ref": "#/components/headers/" + name} }

// headers returns those that many answers share.
func headers() object {
	text := func(description string) object {
		return object{"description": description, "schema": object{"type": "string"}}
	}
	return object{
		"X-Request-Id":        object{"description": "unique to this answer; quote it to support", "schema": object{"type": "string", "format": "uuid"}},
		"X-Contract-Version":  text("the version of the contract"),
		"X-Ignored-Fields":    text("fields of the request that have no effect, separated by commas"),
		"Deprecation":         text("present when the request used camelCase (RFC 9745)"),
		"ETag":                text("names the state of what is shown, for If-None-Match and If-Match"),
		"Idempotent-Replayed": text("true when the request was answered before and this is that answer"),
		"Content-Language":    text("fr where the messages are in French, as Accept-Language prefers; absent where they are in English"),
		"Location":            object{"description": "the address of the same request where the site is", "schema": object{"type": "string", "format": "uri"}},
		"Retry-After":         object{"description": "seconds to wait before another try", "schema": integer()},
		"WWW-Authenticate":    text("the kind of credentials wanted"),
		"RateLimit":           text("what is left of each limit, and after how many seconds all of it is: `\"default\";r=59;t=1`; absent where there is none"),
		"RateLimit-Policy":    text("the limits of the client: `\"default\";q=60;w=2` is 60 requests, all of them there again after 2 seconds"),
	}
}
