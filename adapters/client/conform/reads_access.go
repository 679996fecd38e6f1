package conform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// unknownID is one that no record has.
const unknownID = "999999999999"

func site(id any) url.Values { return url.Values{"site_id": {fmt.Sprint(id)}} }

func tokenChecks() []Check {
	granted := func(p *Probe) *Answer {
		c := p.run.target.Credential
		return once(p, "granted", func(p *Probe) *Answer { return p.Token(c, site(c.SiteID)).Is(200) }).by(p)
	}
	all := []Check{
		{ID: "token.answer", Number: 101, Run: func(p *Probe) { granted(p).Text("access_token") }},
		{ID: "token.domain", Number: 23, Run: func(p *Probe) {
			u, err := url.Parse(granted(p).Text("domain"))
			p.Want(err == nil && u.IsAbs() && u.Host != "", "domain is a URI", granted(p))
		}},
		{ID: "token.token_type", Number: 24, Run: func(p *Probe) { granted(p).Equals("token_type", "Bearer") }},
		{ID: "token.expires_in", Number: 25, Run: func(p *Probe) {
			p.Want(granted(p).Int("expires_in") > 0, "expires_in is a number of seconds", granted(p))
		}},
		{ID: "token.access_token", Number: 26, Run: func(p *Probe) {
			p.Get("/discovery", "Authorization", "Bearer "+granted(p).Text("access_token")).Is(200)
		}},
		{ID: "token.refresh_token", Number: 27, Run: func(p *Probe) { granted(p).Text("refresh_token") }},
		{ID: "token.manufacturer", Number: 100, Run: func(p *Probe) {
			a := p.Token(p.run.target.Credential, url.Values{"manufacturer_id": {fmt.Sprint(p.agency())}}).Is(200)
			p.Get("/discovery", "Authorization", "Bearer "+a.Text("access_token")).Is(200).Equals("data.0.site_id", p.run.target.Credential.SiteID)
		}},
		{ID: "token.exactly_one", Number: 100, Run: func(p *Probe) {
			form := site(p.run.target.Credential.SiteID)
			form.Set("manufacturer_id", fmt.Sprint(p.agency()))
			p.Token(p.run.target.Credential, form).Refused(422)
		}},
		{ID: "token.basic", Number: 99, Run: func(p *Probe) {
			c := p.run.target.Credential
			p.Want(p.Token(Credential{}, url.Values{"site_id": {fmt.Sprint(c.SiteID)}, "client_id": {c.ID}, "client_secret": {c.Secret}}).Status >= 400,
				"no token for credentials that are not sent by HTTP Basic", "a token")
		}},
		{ID: "token.domain.base", Number: 192, Run: func(p *Probe) {
			p.Get(strings.TrimRight(granted(p).Text("domain"), "/") + basePath + "/discovery").Is(200).List("data")
		}},
		{ID: "token.scope", Number: 193, Run: func(p *Probe) {
			for _, record := range p.agencies() {
				p.Want(record["site_id"] == float64(p.run.target.Credential.SiteID), "every agency in scope is of the token's site", record)
			}
		}},
		{ID: "token.second.own_site", Number: 195, Needs: SecondSite, Run: func(p *Probe) {
			p.other(func(p *Probe) { p.Get("/discovery").Is(200).Equals("data.0.site_id", p.run.target.Second.SiteID) })
		}},
		{ID: "bearer.required", Number: 191, Run: func(p *Probe) {
			p.Get("/discovery", "Authorization", "").Refused(401, 403)
			p.Post("/products/search", object{}, "Authorization", "").Refused(401, 403)
		}},
		{ID: "bearer.unknown", Number: 218, Run: func(p *Probe) { p.Get("/discovery", "Authorization", "Bearer nonsense").Refused(401, 403) }},
	}
	for _, refusal := range []struct {
		id     string
		number int
		needs  Needs
		status int
		ask    func(*Probe, Credential) *Answer
	}{
		{"token.401.secret", 102, 0, 401, func(p *Probe, c Credential) *Answer {
			return p.Token(Credential{c.ID, "not-the-secret", 0}, site(c.SiteID))
		}},
		{"token.401.header", 102, 0, 401, func(p *Probe, _ Credential) *Answer { return nobody(p) }},
		{"token.403.site", 103, SecondSite, 403, func(p *Probe, c Credential) *Answer { return p.Token(c, site(p.run.target.Second.SiteID)) }},
		{"token.403.manufacturer", 103, SecondSite, 403, func(p *Probe, c Credential) *Answer {
			var agency int64
			p.other(func(p *Probe) { agency = p.Get("/discovery").Is(200).Int("data.0.agency_id") })
			return p.Token(c, url.Values{"manufacturer_id": {fmt.Sprint(agency)}})
		}},
		{"token.404.site", 104, 0, 404, func(p *Probe, c Credential) *Answer { return p.Token(c, site(unknownID)) }},
		{"token.404.manufacturer", 104, 0, 404, func(p *Probe, c Credential) *Answer {
			return p.Token(c, url.Values{"manufacturer_id": {unknownID}})
		}},
		{"token.422.neither", 105, 0, 422, func(p *Probe, c Credential) *Answer { return p.Token(c, url.Values{}) }},
	} {
		all = append(all, Check{ID: refusal.id, Number: refusal.number, Needs: refusal.needs, Run: func(p *Probe) {
			refusal.ask(p, p.run.target.Credential).Refused(refusal.status)
		}})
	}
	return all
}

// by is the answer for another check, which its demands end.
func (a *Answer) by(p *Probe) *Answer { mine := *a; mine.p = p; return &mine }

func agencyChecks() []Check {
	all := []Check{
		{ID: "discovery.answer", Number: 106, Run: func(p *Probe) { p.Get("/discovery").Is(200).records() }},
		{ID: "discovery.reaches", Number: 11, Run: func(p *Probe) {
			for _, record := range p.agencies() {
				p.Get(fmt.Sprint("/agencies/", record["agency_id"])).Is(200)
			}
		}},
		{ID: "discovery.agency_id.used", Number: 12, Run: func(p *Probe) { p.count(object{"agency_id": p.agency()}) }},
		{ID: "discovery.manufacturers", Number: 41, Run: func(p *Probe) {
			seen := map[any]bool{}
			for _, record := range p.agencies() {
				p.Want(!seen[record["agency_id"]], "each agency once", record)
				seen[record["agency_id"]] = true
			}
		}},
		{ID: "agencies.answer", Number: 107, Run: func(p *Probe) { p.Get("/agencies").Is(200).records() }},
		{ID: "agencies.item", Number: 39, Run: func(p *Probe) {
			for _, record := range p.Get("/agencies").Is(200).records() {
				_, ok := record["id"].(float64)
				p.Want(ok, "an agency with its id", record)
			}
		}},
		{ID: "agencies.meta_links", Number: 86, Run: func(p *Probe) {
			a := p.Get("/agencies").Is(200)
			a.Object("meta")
			a.Object("links")
		}},
		{ID: "agencies.per_page", Number: 221, Run: func(p *Probe) {
			p.Want(len(p.Get("/agencies?per_page=1").Is(200).List("data")) == 1, "one agency where per_page is 1", "another number")
			p.Want(len(p.Get("/agencies").Is(200).List("data")) <= 50, "at most 50 agencies by default", "more")
			p.Want(len(p.Get("/agencies?per_page=200").Is(200).List("data")) <= 200, "at most 200 agencies", "more")
			a := p.Get("/agencies?per_page=100000")
			p.Want(a.Status == 422 || len(a.Is(200).List("data")) <= 200, "at most 200 agencies", a)
		}},
		{ID: "agencies.pages", Number: 86, Run: func(p *Probe) {
			want := len(p.Get("/agencies?per_page=200").Is(200).List("data"))
			seen, a := map[any]bool{}, p.Get("/agencies?per_page=1").Is(200)
			for range min(want, 50) - 1 {
				seen[a.JSON("data.0.id")] = true
				a = p.Get(a.Text("links.next")).Is(200)
			}
			seen[a.JSON("data.0.id")] = true
			p.Want(len(seen) == min(want, 50), "each agency on one page of the links next", seen)
		}},
		{ID: "agency.answer", Number: 108, Run: func(p *Probe) { p.Get(fmt.Sprint("/agencies/", p.agency())).Is(200).Equals("data.id", p.agency()) }},
		{ID: "agency.users", Number: 40, Run: func(p *Probe) { p.Get(fmt.Sprint("/agencies/", p.agency())).Is(200).List("data.users") }},
		{ID: "agency.tag_document", Number: 108, Run: func(p *Probe) {
			simple := p.Get(fmt.Sprintf("/agencies/%d?format=tag_document", p.agency())).Is(200).Object("data")
			_, users := simple["users"]
			p.Want(!users, "a simplified form, without users", simple)
		}},
		{ID: "agency.404", Number: 108, Run: func(p *Probe) { p.Get("/agencies/" + unknownID).Refused(404) }},
		{ID: "agency.scope", Number: 193, Needs: SecondSite, Run: func(p *Probe) {
			var theirs int64
			p.other(func(p *Probe) { theirs = p.Get("/discovery").Is(200).Int("data.0.agency_id") })
			p.Get(fmt.Sprint("/agencies/", theirs)).Refused(403, 404)
		}},
	}
	for i, field := range []string{"site_id", "agency_id", "name", "legal_name", "address", "postal_code", "city", "email", "phone", "siret", "siren"} {
		all = append(all, Check{ID: "discovery." + field, Number: 28 + i, Run: func(p *Probe) {
			for _, record := range p.agencies() {
				value, found := record[field]
				_, text := value.(string)
				_, number := integer(value)
				kind := map[bool]string{true: "integer", false: "string"}[i < 2]
				p.Want(found && (number && i < 2 || text && i >= 2 || value == nil && i > 2), field+" is a "+kind, fmt.Sprint(value, " in ", record))
			}
		}})
	}
	return all
}

func errorChecks() []Check {
	all := []Check{
		{ID: "answers.json", Number: 1, Run: func(p *Probe) {
			for _, a := range []*Answer{p.Get("/discovery"), p.Post("/products/search", object{}), p.Get("/agencies/" + unknownID)} {
				p.Want(strings.Contains(a.Header.Get("Content-Type"), "json") && json.Valid(a.Body) && a.json != nil, "JSON that says so", a.Header.Get("Content-Type"))
			}
		}},
		{ID: "answers.request_id", Number: 98, Run: func(p *Probe) {
			for _, a := range []*Answer{p.Get("/discovery"), p.Post("/products/search", object{}), p.Get("/products/" + unknownID)} {
				p.Want(uuid.MatchString(a.Header.Get("X-Request-Id")), "X-Request-Id is a UUID", a.Header.Get("X-Request-Id"))
			}
		}},
		{ID: "answers.request_id.each", Number: 215, Run: func(p *Probe) {
			one, two := p.Get("/discovery").Header.Get("X-Request-Id"), p.Get("/discovery").Header.Get("X-Request-Id")
			p.Want(one != "" && one != two, "each answer has an X-Request-Id of its own", one+" and "+two)
		}},
		{ID: "answers.base", Number: 96, Run: func(p *Probe) {
			p.Get("/discovery").Is(200)
			p.Want(p.Get(p.root("/discovery")).Status >= 400, "nothing beside the base of all paths", "an answer")
		}},
		{ID: "answers.version.prefix", Number: 231, Run: func(p *Probe) {
			p.Get("/discovery").Is(200)
			p.Want(p.Get(p.root("/api/v1/site/discovery")).Status >= 400, "no other level of the interface", "an answer")
		}},
		{ID: "answers.snake_case", Number: 233, Run: func(p *Probe) {
			one := p.products()[0]
			for _, path := range []string{"/discovery", "/agencies", one.path("?fetch=rooms,descriptions,products_photos"), one.path("/criteria"), "/criterias/product/TypeBien"} {
				a := p.Get(path).Is(200)
				for _, key := range keys(a.json) {
					p.Want(snakeCase.MatchString(key), "keys are snake_case", key+" in "+path)
				}
			}
		}},
		{ID: "names.camel_case.accepted", Number: 234, Run: func(p *Probe) {
			p.Want(p.count(object{"statusWeb": true}) == p.count(object{"status_web": true}), "statusWeb is read as status_web", "another number of products")
			p.Want(p.count(object{"statusWeb": false}) == p.count(object{"status_web": false}), "statusWeb is read as status_web", "another number of products")
		}},
		{ID: "names.snake_case.wins", Number: 234, Run: func(p *Probe) {
			yes, no := p.count(object{"status_web": true}), p.count(object{"status_web": false})
			if yes == no {
				p.Skip("as many products are published as not")
			}
			got := p.count(object{"statusWeb": true, "status_web": false})
			p.Want(got == no, fmt.Sprintf("%d products, by status_web", no), got)
		}},
	}
	for _, e := range []struct {
		id     string
		number int
		status int
		ask    func(*Probe) *Answer
	}{
		{"401", 217, 401, nobody},
		{"404", 219, 404, func(p *Probe) *Answer { return p.Get("/products/" + unknownID) }},
		{"422", 220, 422, func(p *Probe) *Answer { return p.Post("/products/search", object{"sort_type": "nonsense"}) }},
	} {
		all = append(all,
			Check{ID: "errors." + e.id + ".shape", Number: 213, Run: func(p *Probe) {
				a := e.ask(p)
				a.Text("error.code")
				a.Text("error.message")
			}},
			Check{ID: "errors." + e.id + ".request_id", Number: 214, Run: func(p *Probe) {
				a := e.ask(p)
				id := a.Text("request_id")
				p.Want(id == a.Header.Get("X-Request-Id"), "request_id is that of X-Request-Id", id)
				p.Want(p.Get("/products/"+unknownID).Text("request_id") != id, "each error has a request_id of its own", id)
			}},
			Check{ID: "errors." + e.id + ".status", Number: e.number, Run: func(p *Probe) { e.ask(p).Refused(e.status) }},
		)
	}
	return all
}

// nobody asks for a token without credentials, once in a run: servers count what fails.
func nobody(p *Probe) *Answer {
	return once(p, "nobody", func(p *Probe) *Answer { return p.Token(Credential{}, site(p.run.target.Credential.SiteID)) }).by(p)
}

var snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// keys are those of all objects in a value.
func keys(value any) (all []string) {
	switch v := value.(type) {
	case object:
		for key, member := range v {
			all = append(append(all, key), keys(member)...)
		}
	case list:
		for _, item := range v {
			all = append(all, keys(item)...)
		}
	}
	return all
}

// moment reads a date-time of a record; the zero one where there is none.
func moment(value any) time.Time {
	text, _ := value.(string)
	at, _ := time.Parse(time.RFC3339, text) // the zero time says that it cannot be read
	return at
}

// sorted reports whether numbers are in an order, ties aside.
func sorted(values []float64, descending bool) bool {
	return slices.IsSortedFunc(values, func(a, b float64) int {
		if descending {
			return cmp.Compare(b, a)
		}
		return cmp.Compare(a, b)
	})
}

func number(value any) (float64, bool) {
	if text, ok := value.(string); ok {
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil
	}
	n, ok := value.(float64)
	return n, ok
}
