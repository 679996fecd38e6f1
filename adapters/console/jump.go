package console

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/hooks"
	"github.com/vitrine-crm/vitrine/core/listing"
)

// jump goes to what somebody typed into the box on top of each page: the id of a
// request, the number of a product or of a webhook, or else what products are
// searched for.
func (v *visit) jump() error {
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
		to = link(v.Prefix, "products") + "?" + url.Values{"q": {typed}}.Encode()
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

// find is the address of what somebody named by an id; empty for no id.
func (v *visit) find(c api.Caller, typed string) (string, error) {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 2 && (words[0] == "webhook" || words[0] == "hook") {
		return link(v.Prefix, "webhooks", words[1]), nil
	}
	if id, err := strconv.ParseInt(strings.TrimPrefix(typed, "#"), 10, 64); err == nil {
		return v.findNumber(c, id)
	}
	switch _, err := v.Backoffice.GetRequest(v.ctx, v.actor, at(v, backoffice.RequestPath{ID: typed})); {
	case err == nil:
		return link(v.Prefix, "requests", typed), nil
	case errors.Is(err, fault.NotFound), errors.Is(err, fault.Forbidden):
		return "", nil
	default:
		return "", err
	}
}

// findNumber is the address of the product with a number, or else of the webhook.
func (v *visit) findNumber(c api.Caller, id int64) (string, error) {
	_, err := v.Site.Listing.GetProduct(v.ctx, c, listing.ReadProduct{ID: id})
	if err == nil {
		return link(v.Prefix, "products", id), nil
	}
	if !isHidden(err) {
		return "", err
	}
	if _, err = v.Site.Hooks.GetHook(v.ctx, c, hooks.HookPath{ID: id}); err == nil {
		return link(v.Prefix, "webhooks", id), nil
	}
	if !isHidden(err) {
		return "", err
	}
	return "", api.Unknown("no product and no webhook that you may see has this number")
}

// isHidden reports whether an error says that there is nothing to be seen.
func isHidden(err error) bool {
	return errors.Is(err, fault.NotFound) || errors.Is(err, fault.Forbidden)
}
