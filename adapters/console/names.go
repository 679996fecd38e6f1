package console

import (
	"cmp"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// seesUsers returns what it takes to see who works at a site.
func seesUsers() access.Rule {
	return kernel.Needs(access.Users|access.Properties, access.UserRead, access.UserList)
}

// userName returns the name of a user of the site, or else their number: for those who may
// not see users, too. It is empty for none.
func userName(c kernel.Caller, id *int64) string {
	if id == nil {
		return ""
	}
	known := c.Site.Users[site.UserID(*id)]
	if seesUsers().Check(c.Grant) != nil || known.FullName() == "" {
		return numbered("user", id)
	}
	return known.FullName()
}

// wordOf returns what the site calls a value of one of its lists, or else the value itself.
func wordOf(c kernel.Caller, list criteria.ListID, value string) string {
	known, _ := c.Site.Dictionary.List(list)
	found, _ := known.Choice(value)
	return cmp.Or(found.Label, value)
}

// labelsOf is labelOf for several codes.
func labelsOf(c kernel.Caller, key string, codes []string) []string {
	labels := make([]string, len(codes))
	for i, code := range codes {
		labels[i] = labelOf(c, key, code)
	}
	return labels
}

// importanceInWords returns how much somebody cares.
func importanceInWords(importance string) string {
	switch demand.Importance(importance) {
	case demand.Indispensable:
		return "a must"
	case demand.Souhaite:
		return "a wish"
	case demand.Exclu:
		return "not wanted"
	}
	return importance
}
