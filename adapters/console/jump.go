package console

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
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
func (v *pageRequest) jump() error {
	c, err := v.enter()
	if err != nil {
		return err
	}
	typed := strings.TrimSpace(v.query("q"))
	to, err := v.find(c, typed)
	if err != nil {
		return err
	}
	if to == "" {
		if !v.searchesProducts() || looksLikeID(typed) {
			return kernel.Unknown("nothing that you may see has this id")
		}
		to = link(v.Prefix, "products") + "?" + url.Values{"q": {typed}}.Encode()
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

func (v *pageRequest) searchesProducts() bool { return v.may(v.pages["/products"]) }

// jumpsTo names what the box on top finds for the operator.
func (v *pageRequest) jumpsTo() string {
	if v.searchesProducts() {
		return "Request id, product, webhook…"
	}
	return "Number of a customer…"
}

// idShape is what the ids of requests, messages and keys look like, and no word does.
var idShape = regexp.MustCompile(`^(?i)([a-z]{2,5}_\S*|[0-9a-f]{8}-[0-9a-f-]*|[0-9a-f]{16,})$`)

func looksLikeID(typed string) bool { return idShape.MatchString(typed) }

// find returns the address of what somebody named by an id; empty for no id.
func (v *pageRequest) find(c kernel.Caller, typed string) (string, error) {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 2 && (words[0] == "webhook" || words[0] == "hook") {
		return link(v.Prefix, "webhooks", words[1]), nil
	}
	if id, err := strconv.ParseInt(strings.TrimPrefix(typed, "#"), 10, 64); err == nil {
		return v.findNumber(c, id)
	}
	for _, look := range []func(string) (string, error){v.findRequest, v.findCredentialID, v.findMessage} {
		if to, err := look(typed); to != "" || err != nil {
			return to, err
		}
	}
	return "", nil
}

// findRequest returns the address of a request, of whichever site that the operator sees.
func (v *pageRequest) findRequest(typed string) (string, error) {
	for _, at := range v.sitesFromHere() {
		for _, id := range slices.Compact([]string{typed, strings.ToLower(typed)}) {
			_, err := v.Backoffice.GetRequest(v.ctx, v.actor, backoffice.At[backoffice.RequestPath]{Site: int64(at), In: backoffice.RequestPath{ID: id}})
			if err == nil {
				return v.onSite(at, link(v.Prefix, "requests", id)), nil
			}
			if !isHidden(err) {
				return "", err
			}
		}
	}
	return "", nil
}

// sitesFromHere returns the sites of the operator, the one that is looked at first.
func (v *pageRequest) sitesFromHere() []site.ID {
	sites := []site.ID{v.site}
	for _, s := range v.sites {
		if s.ID != v.site {
			sites = append(sites, s.ID)
		}
	}
	return sites
}

// onSite returns an address that has another site looked at, if it is about one.
func (v *pageRequest) onSite(at site.ID, to string) string {
	if at == v.site {
		return to
	}
	sign := "?"
	if strings.Contains(to, "?") {
		sign = "&"
	}
	return fmt.Sprintf("%s%ssite=%d", to, sign, at)
}

// findCredentialID returns the address of a client.
func (v *pageRequest) findCredentialID(typed string) (string, error) {
	known, err := v.listCredentials()
	for _, c := range known {
		if strings.EqualFold(c.ID, typed) {
			return link(v.Prefix, "credentials", c.ID), err
		}
	}
	return "", err
}

// messageShape is the id with which an event is sent: the numbers of its site and of itself.
var messageShape = regexp.MustCompile(`^(?i)evt_(\d+)_(\d+)$`)

// findMessage returns the address of the event that a message is about.
func (v *pageRequest) findMessage(typed string) (string, error) {
	parts := messageShape.FindStringSubmatch(typed)
	if parts == nil {
		return "", nil
	}
	at, _ := strconv.ParseInt(parts[1], 10, 64)
	event, _ := strconv.ParseInt(parts[2], 10, 64)
	if !v.knows(site.ID(at)) {
		return "", nil
	}
	c, err := v.Backoffice.Enter(v.ctx, v.actor, site.ID(at))
	if err != nil {
		return "", err
	}
	found, err := v.Site.Hooks.FindEvents(v.ctx, c, hooks.FindEvents{Before: opt.Of(event + 1)})
	if isHidden(err) || err == nil && (len(found.Data) == 0 || found.Data[0].ID != event) {
		return "", nil
	}
	return v.onSite(site.ID(at), v.eventsAt(nil, event+1, event)), err
}

// findNumber returns the address of the product with a number, or else of the webhook, or of
// the customer.
func (v *pageRequest) findNumber(c kernel.Caller, id int64) (string, error) {
	for _, look := range []struct {
		page string
		read func() error
	}{
		{"products", func() error { _, err := v.Site.Listing.GetProduct(v.ctx, c, listing.ReadProduct{ID: id}); return err }},
		{"webhooks", func() error { _, err := v.Site.Hooks.GetHook(v.ctx, c, hooks.HookPath{ID: id}); return err }},
		{"people", func() error { _, err := v.Site.People.GetCustomer(v.ctx, c, people.CustomerPath{ID: id}); return err }},
	} {
		err := look.read()
		if err == nil {
			return link(v.Prefix, look.page, id), nil
		}
		if !isHidden(err) {
			return "", err
		}
	}
	return "", kernel.Unknown("nothing that you may see has this number")
}

// isHidden reports whether an error says that there is nothing to be seen.
func isHidden(err error) bool {
	return errors.Is(err, fault.NotFound) || errors.Is(err, fault.Forbidden)
}
