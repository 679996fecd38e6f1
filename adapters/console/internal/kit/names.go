package kit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// seesUsers returns what it takes to see who works at a site.
func seesUsers() access.Rule {
	return kernel.Needs(access.Users|access.Properties, access.UserRead, access.UserList)
}

// UserName returns the name of a user of the site, or else their number: for those who may
// not see users, too. It is empty for none.
func (l Language) UserName(c kernel.Caller, id *int64) string {
	if id == nil {
		return ""
	}
	known := c.Site.Users[site.UserID(*id)]
	if seesUsers().Check(c.Grant) != nil || known.FullName() == "" {
		return l.Numbered("user", id)
	}
	return known.FullName()
}

// WordOf returns what the site calls a value of one of its lists, or else the value itself.
func WordOf(c kernel.Caller, list criteria.ListID, value string) string {
	known, _ := c.Site.Dictionary.List(list)
	found, _ := known.Choice(value)
	return cmp.Or(found.Label, value)
}

// LabelsOf is labelOf for several codes.
func LabelsOf(c kernel.Caller, key string, codes []string) []string {
	labels := make([]string, len(codes))
	for i, code := range codes {
		labels[i] = LabelOf(c, key, code)
	}
	return labels
}

// ImportanceInWords returns how much somebody cares.
func ImportanceInWords(importance string) Text {
	switch demand.Importance(importance) {
	case demand.Indispensable:
		return "a must"
	case demand.Souhaite:
		return "a wish"
	case demand.Exclu:
		return "not wanted"
	}
	return Text(importance)
}

// SiteName returns the name of a site of the operator; empty where there is none with the id.
func (v *Request) SiteName(id site.ID) string {
	for _, s := range v.Sites {
		if s.ID == id {
			return s.Name
		}
	}
	return ""
}

// CredentialNames returns the ids of the clients that reach the sites that the page is about.
func (v *Request) CredentialNames() ([]string, error) {
	known, err := v.ListCredentials()
	shown := v.Shown()
	var names []string
	for _, c := range known {
		if slices.ContainsFunc(shown, func(s site.Site) bool { return slices.Contains(c.Sites, s.ID) }) {
			names = append(names, c.ID)
		}
	}
	return names, err
}

// SiteChoices returns the sites of the operator, in their order.
func (v *Request) SiteChoices() []Choice {
	var list []Choice
	for _, s := range v.Sites {
		list = append(list, Choice{Value: strconv.FormatInt(int64(s.ID), 10), Label: fmt.Sprintf("%d · %s", s.ID, s.Name)})
	}
	return list
}

// IDs returns the ids of sites as forms have them.
func IDs(sites []site.ID) []string {
	list := make([]string, len(sites))
	for i, id := range sites {
		list[i] = strconv.FormatInt(int64(id), 10)
	}
	return list
}

// AgencyName returns the name of an agency of the site, or else its id.
func AgencyName(c kernel.Caller, id int64) string {
	if a, found := c.Site.Agency(site.AgencyID(id)); found {
		return a.Name
	}
	return strconv.FormatInt(id, 10)
}

// SitesInWords says for which sites a role holds.
func (l Language) SitesInWords(sites []site.ID, everywhere bool) string {
	if everywhere {
		return l.Say("all")
	}
	return strings.Join(IDs(sites), ", ")
}

// AgencyChoices returns the agencies that the caller reaches, and any of them.
func (v *Request) AgencyChoices(c kernel.Caller) []Choice {
	choices := []Choice{{Label: v.Say("any")}}
	for _, a := range c.Site.Agencies {
		if c.Scope.Has(a.ID) {
			choices = append(choices, Choice{Value: strconv.FormatInt(int64(a.ID), 10), Label: a.Name})
		}
	}
	return choices
}

// LabelOf returns the label of a code of a criterion, or else the code.
func LabelOf(c kernel.Caller, key, code string) string {
	d, _ := c.Site.Dictionary.ByKey(key)
	chosen, _ := d.Choice(code)
	return cmp.Or(chosen.Label, code)
}

// ListCredentials lists the clients that the operator may see; nobody for a role that
// has nothing to do with them.
func (v *Request) ListCredentials() ([]backoffice.CredentialRecord, error) {
	known, err := v.Backoffice.ListCredentials(v.Ctx, v.Actor, kernel.Nothing{})
	if errors.Is(err, fault.Forbidden) {
		return nil, nil
	}
	return known, err
}
