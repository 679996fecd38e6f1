package overview

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/webhooks"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// foundPage is what was found of what was typed into the box on top of each page. Names of people are
// typed there, too: it is sent by POST.
type foundPage struct {
	Groups  []group
	Nothing kit.Empty
}

// group is what was found of a kind.
type group struct {
	Label kit.Text
	Hits  []hit
	// Cut reports that there is more.
	Cut bool
}

// hit is something that was found, with the site it is at.
type hit struct{ Label, Text, Site, Href string }

// maxHits is how much of a kind is shown.
const maxHits = 20

// typed is what is searched for.
type typed struct {
	text string
	// folded are the words in which what is found must have all.
	folded []string
	// id is the number that was typed, or 0; ofHook reports that it is that of a webhook.
	id     int64
	ofHook bool
	// clients are those that the operator may see.
	clients []backoffice.CredentialRecord
}

// longestTyped is how many characters are read of what is typed.
const longestTyped = 200

func newTyped(text string) typed {
	runes := []rune(strings.TrimSpace(text))
	t := typed{text: string(runes[:min(longestTyped, len(runes))])}
	t.folded = strings.Fields(criteria.Fold(t.text))
	number := strings.TrimPrefix(t.text, "#")
	if len(t.folded) == 2 && (t.folded[0] == "webhook" || t.folded[0] == "hook") {
		number, t.ofHook = t.folded[1], true
	}
	id, err := strconv.ParseInt(number, 10, 64)
	if t.ofHook = t.ofHook && err == nil; err == nil {
		t.id = max(id, 0)
	}
	return t
}

// in reports whether a text has all words that were typed.
func (t typed) in(texts ...string) bool {
	folded := criteria.Fold(strings.Join(texts, " "))
	return !slices.ContainsFunc(t.folded, func(word string) bool { return !strings.Contains(folded, word) })
}

// finders look for what was typed at a site, by kind.
var finders = []struct {
	label kit.Text
	find  func(*kit.Request, kernel.Caller, typed) ([]hit, error)
}{
	{"Requests", findRequests}, {"Events", findEvents}, {"Products", findProducts}, {"People", findPeople}, {"Users", findUsers},
	{"Webhooks", findWebhooks}, {"Credentials", findCredentials}, {"Criteria", findCriteria},
}

// showFound goes to the one thing that is like what was typed, or else shows all that are.
func showFound(v *kit.Request) (any, error) {
	t := newTyped(v.Sent("q"))
	p := foundPage{Nothing: kit.Empty{Title: "Nothing that you may see is like that", Text: "Numbers and ids are found as they are, names by any of their words."}}
	if t.text == "" {
		return p, nil
	}
	var err error
	if t.clients, err = v.ListCredentials(); err != nil && !kit.IsHidden(err) {
		return nil, err
	}
	groups := make([]group, len(finders))
	err = everywhere(v).EachSite(func(on *kit.Request, c kernel.Caller) error {
		for i, f := range finders {
			if t.ofHook && f.label != "Webhooks" || groups[i].Cut {
				continue
			}
			found, err := f.find(on, c, t)
			if err != nil && !kit.IsHidden(err) && !errors.Is(err, fault.Invalid) {
				return err
			}
			groups[i].Label = f.label
			groups[i].add(found)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		if len(g.Hits) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	if len(p.Groups) == 1 && len(p.Groups[0].Hits) == 1 {
		return nil, kit.Redirect(p.Groups[0].Hits[0].Href)
	}
	return p, nil
}

// everywhere returns the request for all sites of the operator, the one that is looked at first.
func everywhere(v *kit.Request) *kit.Request {
	all := v.On(0)
	all.All, all.Sites = true, slices.Clone(v.Sites)
	here := slices.IndexFunc(all.Sites, func(s site.Site) bool { return s.ID == v.SiteID })
	if here > 0 {
		all.Sites = slices.Concat(all.Sites[here:here+1], all.Sites[:here], all.Sites[here+1:])
	}
	return all
}

// add adds what was found at a site, but what is the same at several sites once.
func (g *group) add(found []hit) {
	for _, h := range found {
		same := slices.ContainsFunc(g.Hits, func(other hit) bool { return other.Label == h.Label && h.Site == "" })
		switch {
		case same:
		case len(g.Hits) == maxHits:
			g.Cut = true
		default:
			g.Hits = append(g.Hits, h)
		}
	}
}

// at returns something that was found at the site of a request.
func at(v *kit.Request, label, text string, path ...any) hit {
	return hit{Label: label, Text: text, Site: v.SiteName(v.SiteID), Href: v.LinkOn(v.SiteID, path...)}
}

// findRequests finds a request by its id. One that belongs to no site is found at each.
func findRequests(v *kit.Request, _ kernel.Caller, t typed) ([]hit, error) {
	if t.id != 0 || len(t.folded) != 1 || !strings.ContainsAny(t.text, "0123456789") {
		return nil, nil
	}
	for _, id := range slices.Compact([]string{t.text, strings.ToLower(t.text)}) {
		r, err := v.Backoffice.GetRequest(v.Ctx, v.Actor, kit.At(v, backoffice.RequestPath{ID: id}))
		if kit.IsHidden(err) {
			continue
		}
		found := at(v, id, r.Operation, "requests", id)
		if r.Site == 0 {
			found.Site = ""
		}
		return []hit{found}, err
	}
	return nil, nil
}

// messageShape is the id with which an event is sent: the numbers of its site and of itself.
var messageShape = regexp.MustCompile(`^(?i)evt_(\d+)_(\d+)$`)

// findEvents finds the event that a message is about.
func findEvents(v *kit.Request, c kernel.Caller, t typed) ([]hit, error) {
	parts := messageShape.FindStringSubmatch(t.text)
	if parts == nil || parts[1] != strconv.FormatInt(int64(v.SiteID), 10) {
		return nil, nil
	}
	event, _ := strconv.ParseInt(parts[2], 10, 64)
	found, err := v.Site.Hooks.FindEvents(v.Ctx, c, hooks.FindEvents{Before: opt.Of(event + 1)})
	if err != nil || len(found.Data) == 0 || found.Data[0].ID != event {
		return nil, err
	}
	to := webhooks.EventsAt(v, url.Values{"site": {parts[1]}}, event+1, event)
	return []hit{{Label: t.text, Text: found.Data[0].EventType, Site: v.SiteName(v.SiteID), Href: to}}, nil
}

// findProducts finds products by number or reference, or by part of the reference, the address or the town, or
// by words of their titles.
func findProducts(v *kit.Request, c kernel.Caller, t typed) ([]hit, error) {
	in := listing.SearchProducts{Fetch: "category", SortType: opt.Of("date"), SortOrder: opt.Of("desc")}
	in.Count = opt.Of(maxHits + 1)
	if in.Keyword = opt.Of(t.text); t.id != 0 {
		in.Keyword, in.Model = opt.Field[string]{}, opt.Of(t.text)
	}
	found, err := v.Site.Listing.SearchProducts(v.Ctx, c, in)
	if err != nil {
		return nil, err
	}
	products, err := found.Data.All(v.Ctx)
	if err != nil {
		return nil, err
	}
	var hits []hit
	if t.id != 0 {
		names, err := v.Site.Listing.References(v.Ctx, c, listing.ReadReferences{IDs: []int64{t.id}})
		if err != nil {
			return nil, err
		}
		if name, there := names[t.id]; there {
			hits = append(hits, at(v, cmp.Or(name, t.text), "", "products", t.id))
		}
	}
	for _, p := range products {
		name := cmp.Or(p.Model, strconv.FormatInt(p.ID, 10))
		hits = append(hits, at(v, name, kit.Joined(kit.Said(p.Title), strings.TrimSpace(kit.Said(p.PostalCode)+" "+kit.Said(p.City))), "products", p.ID))
	}
	if t.id != 0 {
		return hits, nil
	}
	titled, err := v.Site.Listing.Titled(v.Ctx, c, listing.FindTitled{Words: t.text, Count: maxHits + 1})
	for _, p := range titled {
		h := at(v, cmp.Or(p.Reference, strconv.FormatInt(p.ID, 10)), p.Title, "products", p.ID)
		if !slices.ContainsFunc(hits, func(other hit) bool { return other.Href == h.Href }) {
			hits = append(hits, h)
		}
	}
	return hits, err
}

// shortestPhone is how many digits may be part of a phone number.
const shortestPhone = 6

// findPeople finds customers by number, or by part of the name, the company, an e-mail address or a phone number.
func findPeople(v *kit.Request, c kernel.Caller, t typed) ([]hit, error) {
	var hits []hit
	if t.id != 0 {
		one, err := v.Site.People.GetCustomer(v.Ctx, c, people.CustomerPath{ID: t.id})
		if err == nil {
			hits = append(hits, at(v, backoffice.NameOf(one.CustomerSummary), "", "people", t.id))
		} else if !kit.IsHidden(err) {
			return nil, err
		}
		if len(t.text) < shortestPhone {
			return hits, nil
		}
	}
	in := people.SearchCustomers{Keyword: opt.Of(t.text), SortType: opt.Of("date"), SortOrder: opt.Of("desc")}
	in.Count = opt.Of(maxHits + 1)
	found, err := v.Site.People.SearchCustomers(v.Ctx, c, in)
	for _, one := range found.Data {
		hits = append(hits, at(v, backoffice.NameOf(one), kit.Said(one.Email), "people", one.ID))
	}
	return hits, err
}

// findUsers finds users by number, name or e-mail address, for those who may change them.
func findUsers(v *kit.Request, c kernel.Caller, t typed) ([]hit, error) {
	if !v.Actor.May(operator.ManageSites) {
		return nil, nil
	}
	var hits []hit
	in := office.ListUsers{PageQuery: kernel.PageQuery{PerPage: opt.Of(200)}}
	for {
		listed, err := v.Site.Office.ListUsers(v.Ctx, c, in)
		if err != nil {
			return nil, err
		}
		for _, u := range listed.Data {
			if name := strings.TrimSpace(u.Firstname + " " + u.Lastname); u.ID == t.id || t.id == 0 && t.in(name, kit.Said(u.Email)) {
				hits = append(hits, at(v, name, kit.Said(u.Email), "site", "users", u.ID))
			}
		}
		if listed.Meta.NextCursor == nil {
			return hits, nil
		}
		in.Cursor = *listed.Meta.NextCursor
	}
}

// findWebhooks finds webhooks by number, or by part of the address.
func findWebhooks(v *kit.Request, c kernel.Caller, t typed) ([]hit, error) {
	listed, err := v.Site.Hooks.ListHooks(v.Ctx, c, hooks.ListHooks{PageQuery: kernel.PageQuery{PerPage: opt.Of(200)}})
	var hits []hit
	for _, w := range listed.Data {
		if w.ID == t.id || t.id == 0 && t.in(w.URL) {
			hits = append(hits, at(v, w.URL, w.Status, "webhooks", w.ID))
		}
	}
	return hits, err
}

// findCredentials finds clients by id or name. They are the same at all of their sites.
func findCredentials(v *kit.Request, _ kernel.Caller, t typed) ([]hit, error) {
	var hits []hit
	for _, c := range t.clients {
		if slices.Contains(c.Sites, v.SiteID) && t.in(c.ID, c.Name) {
			hits = append(hits, hit{Label: c.ID, Text: c.Name, Href: v.Link("credentials", access.CredentialID(c.ID))})
		}
	}
	return hits, nil
}

// findCriteria finds criteria by key or label. What has the same key at several sites is found at the first.
func findCriteria(v *kit.Request, c kernel.Caller, t typed) ([]hit, error) {
	all, err := v.Site.Office.ListCriteria(v.Ctx, c, kernel.Nothing{})
	var hits []hit
	for _, one := range all {
		if t.id == 0 && t.in(one.Key, one.Label) {
			hits = append(hits, hit{Label: one.Key, Text: one.Label, Href: v.LinkOn(v.SiteID, "site", "criteria", one.Key)})
		}
	}
	return hits, err
}
