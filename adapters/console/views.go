package console

import (
	"cmp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// formPage is a page that is nothing but a form.
type formPage struct {
	Form *form
	// Back is empty where there is nowhere to go back to.
	Heading, Button, Back, BackLabel string
	// Lead says what the form does, where that is not plain. Danger reports that it cannot
	// be taken back.
	Lead   string
	Danger bool
	// Action is where it is sent to, with what is Kept besides its fields.
	Action string
	Kept   []choice
	Fields []field
	// Delete is the page that asks whether to delete, empty where there is none.
	Delete string
}

func (p formPage) title() string { return p.Heading }

// empty says why there is nothing, what will appear, and where a filter can be
// cleared.
type empty struct{ Title, Text, Clear string }

// figure is a number with its name.
type figure struct {
	Label, Value, Unit string
	// Link is where the value leads; Time stands in place of the value.
	Link string
	Time *moment
	// Words reports that the value is no number, Mono that the time is one of a log.
	Words, Mono bool
}

// tab is one of several views of a list.
type tab struct {
	Label, Href string
	Current     bool
}

// ref names something, and leads to its page; Href is empty where the role has none.
type ref struct{ Label, Href string }

// productNames are what products are called, by their ids.
type productNames map[int64]string

func (v *pageRequest) seesProducts() bool {
	return v.actor.Operator.Role.Grant(v.site).May(access.ProductRead)
}

// productNames reads what the products of a page are called, all at once. There are no
// names for operators whose role does not see products.
func (v *pageRequest) productNames(c kernel.Caller, ids ...*int64) (productNames, error) {
	ids = slices.DeleteFunc(ids, func(id *int64) bool { return id == nil })
	if len(ids) == 0 || !v.seesProducts() {
		return nil, nil
	}
	var in listing.ReadReferences
	for _, id := range ids {
		in.IDs = append(in.IDs, *id)
	}
	return v.Site.Listing.References(v.ctx, c, in)
}

// toProduct returns a product, by its name or else its id; nil for none.
func (v *pageRequest) toProduct(names productNames, id *int64) ref {
	if id == nil {
		return ref{}
	}
	r := ref{Label: cmp.Or(names[*id], numbered("product", id))}
	if v.seesProducts() {
		r.Href = link(v.Prefix, "products", *id)
	}
	return r
}

// toCredential returns a client that is named by its id; nobody where it is empty.
func (v *pageRequest) toCredential(id access.CredentialID) ref {
	r := ref{Label: string(id)}
	if id != "" && v.actor.May(operator.ManageCredentials) {
		r.Href = link(v.Prefix, "credentials", id)
	}
	return r
}

// action returns where a form about the site that is looked at is sent to.
func (v *pageRequest) action(parts ...any) string { return action(v.Prefix, int64(v.site), parts...) }
