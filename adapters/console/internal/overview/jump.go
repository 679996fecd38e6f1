package overview

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/webhooks"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// jump goes to what somebody typed into the box on top of each page: the id of a
// request, a credential or a message, the number of a product, a webhook or a customer,
// or else what products are searched for.
func jump(v *kit.Request) error {
	c, err := v.Enter()
	if err != nil {
		return err
	}
	typed := strings.TrimSpace(v.Query("q"))
	to, err := find(v, c, typed)
	if err != nil {
		return err
	}
	if to == "" {
		if !v.SearchesProducts() || looksLikeID(typed) {
			return kernel.Unknown("nothing that you may see has this id")
		}
		to = v.Link("products") + "?" + url.Values{"q": {typed}}.Encode()
	}
	http.Redirect(v.Answer, v.HTTP, to, http.StatusSeeOther)
	return nil
}

// doors adds the address that the box on top is sent to.
func doors(c *kit.Console, mux *http.ServeMux) {
	mux.HandleFunc("GET "+c.Prefix+"/jump", func(w http.ResponseWriter, r *http.Request) { c.SignedIn(w, r, jump) })
}

// idShape is what the ids of requests, messages and keys look like, and no word does.
var idShape = regexp.MustCompile(`^(?i)([a-z]{2,5}_\S*|[0-9a-f]{8}-[0-9a-f-]*|[0-9a-f]{16,})$`)

func looksLikeID(typed string) bool { return idShape.MatchString(typed) }

// find returns the address of what somebody named by an id; empty for no id.
func find(v *kit.Request, c kernel.Caller, typed string) (string, error) {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 2 && (words[0] == "webhook" || words[0] == "hook") {
		return v.Link("webhooks", words[1]), nil
	}
	if id, err := strconv.ParseInt(strings.TrimPrefix(typed, "#"), 10, 64); err == nil {
		return findNumber(v, c, id)
	}
	for _, look := range []func(*kit.Request, string) (string, error){findRequest, findCredentialID, findMessage} {
		if to, err := look(v, typed); to != "" || err != nil {
			return to, err
		}
	}
	return "", nil
}

// findRequest returns the address of a request, of whichever site that the operator sees.
func findRequest(v *kit.Request, typed string) (string, error) {
	for _, at := range sitesFromHere(v) {
		for _, id := range slices.Compact([]string{typed, strings.ToLower(typed)}) {
			_, err := v.Backoffice.GetRequest(v.Ctx, v.Actor, backoffice.At[backoffice.RequestPath]{Site: int64(at), In: backoffice.RequestPath{ID: id}})
			if err == nil {
				return onSite(v, at, v.Link("requests", id)), nil
			}
			if !kit.IsHidden(err) {
				return "", err
			}
		}
	}
	return "", nil
}

// sitesFromHere returns the sites of the operator, the one that is looked at first.
func sitesFromHere(v *kit.Request) []site.ID {
	sites := []site.ID{v.SiteID}
	for _, s := range v.Sites {
		if s.ID != v.SiteID {
			sites = append(sites, s.ID)
		}
	}
	return sites
}

// onSite returns an address that has another site looked at, if it is about one.
func onSite(v *kit.Request, at site.ID, to string) string {
	if at == v.SiteID {
		return to
	}
	sign := "?"
	if strings.Contains(to, "?") {
		sign = "&"
	}
	return fmt.Sprintf("%s%ssite=%d", to, sign, at)
}

// findCredentialID returns the address of a client.
func findCredentialID(v *kit.Request, typed string) (string, error) {
	known, err := v.ListCredentials()
	for _, c := range known {
		if strings.EqualFold(c.ID, typed) {
			return v.Link("credentials", c.ID), err
		}
	}
	return "", err
}

// messageShape is the id with which an event is sent: the numbers of its site and of itself.
var messageShape = regexp.MustCompile(`^(?i)evt_(\d+)_(\d+)$`)

// findMessage returns the address of the event that a message is about.
func findMessage(v *kit.Request, typed string) (string, error) {
	parts := messageShape.FindStringSubmatch(typed)
	if parts == nil {
		return "", nil
	}
	at, _ := strconv.ParseInt(parts[1], 10, 64)
	event, _ := strconv.ParseInt(parts[2], 10, 64)
	if !v.Knows(site.ID(at)) {
		return "", nil
	}
	c, err := v.Backoffice.Enter(v.Ctx, v.Actor, site.ID(at))
	if err != nil {
		return "", err
	}
	found, err := v.Site.Hooks.FindEvents(v.Ctx, c, hooks.FindEvents{Before: opt.Of(event + 1)})
	if kit.IsHidden(err) || err == nil && (len(found.Data) == 0 || found.Data[0].ID != event) {
		return "", nil
	}
	return onSite(v, site.ID(at), webhooks.EventsAt(v, nil, event+1, event)), err
}

// findNumber returns the address of the product with a number, or else of the webhook, or of
// the customer.
func findNumber(v *kit.Request, c kernel.Caller, id int64) (string, error) {
	for _, look := range []struct {
		page string
		read func() error
	}{
		{"products", func() error { _, err := v.Site.Listing.GetProduct(v.Ctx, c, listing.ReadProduct{ID: id}); return err }},
		{"webhooks", func() error { _, err := v.Site.Hooks.GetHook(v.Ctx, c, hooks.HookPath{ID: id}); return err }},
		{"people", func() error { _, err := v.Site.People.GetCustomer(v.Ctx, c, people.CustomerPath{ID: id}); return err }},
	} {
		err := look.read()
		if err == nil {
			return v.Link(look.page, id), nil
		}
		if !kit.IsHidden(err) {
			return "", err
		}
	}
	return "", kernel.Unknown("nothing that you may see has this number")
}
