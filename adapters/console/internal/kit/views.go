package kit

import (
	"cmp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// FormPage is a page that is nothing but a form.
type FormPage struct {
	Form *Form
	// Back is empty where there is nowhere to go back to.
	Heading, Back string
	BackLabel     string
	Button        Text
	// Lead says what the form does, where that is not plain. Danger reports that it cannot
	// be taken back.
	Lead   string
	Danger bool
	// Action is where it is sent to, with what is Kept besides its fields.
	Action string
	Kept   []Choice
	Fields []Field
	// Delete is the page that asks whether to delete, empty where there is none.
	Delete string
}

// TabTitle is the title in the tab of the browser.
func (p FormPage) TabTitle() string { return p.Heading }

// Empty says why there is nothing, what will appear, and where a filter can be
// cleared.
type Empty struct {
	Title, Text Text
	Clear       string
}

// Figure is a number with its name.
type Figure struct {
	Label, Unit Text
	Value       string
	// Link is where the value leads; Time stands in place of the value.
	Link string
	Time *Moment
	// Words reports that the value is no number, Mono that the time is one of a log.
	Words, Mono bool
}

// Tab is one of several views of a list.
type Tab struct {
	Label   Text
	Href    string
	Current bool
}

// Ref names something, and leads to its page; Href is empty where the role has none.
type Ref struct{ Label, Href string }

// ProductNames are what products are called, by their ids.
type ProductNames map[int64]string

func (v *Request) seesProducts() bool {
	return v.May(v.Pages["/products"]) && v.Actor.Grant(v.SiteID).May(access.ProductRead)
}

// ProductNames reads what the products of a page are called, all at once. There are no
// names for operators whose role does not see products.
func (v *Request) ProductNames(c kernel.Caller, ids ...*int64) (ProductNames, error) {
	ids = slices.DeleteFunc(ids, func(id *int64) bool { return id == nil })
	if len(ids) == 0 || !v.seesProducts() {
		return nil, nil
	}
	var in listing.ReadReferences
	for _, id := range ids {
		in.IDs = append(in.IDs, *id)
	}
	return v.Site.Listing.References(v.Ctx, c, in)
}

// ToProduct returns a product, by its name or else its id; nil for none.
func (v *Request) ToProduct(names ProductNames, id *int64) Ref {
	if id == nil {
		return Ref{}
	}
	r := Ref{Label: cmp.Or(names[*id], v.Numbered("product", id))}
	if v.seesProducts() {
		r.Href = v.Link("products", *id)
	}
	return r
}

// ToCredential returns a client that is named by its id; nobody where it is empty.
func (v *Request) ToCredential(id access.CredentialID) Ref {
	r := Ref{Label: string(id)}
	if id != "" && v.Actor.May(operator.ManageCredentials) {
		r.Href = v.Link("credentials", id)
	}
	return r
}

// Action returns where a form about the site that is looked at is sent to.
func (v *Request) Action(parts ...any) string { return action(v.Prefix, v.SiteParameter(), parts...) }

// Fact is a name with a value.
type Fact struct{ Label, Value string }

// Fact returns a fact of which the label is words of ours.
func (l Language) Fact(label Text, value string) Fact { return Fact{l.Show(label), value} }

// Facts returns facts without those whose value is empty.
func Facts(list ...Fact) []Fact {
	return slices.DeleteFunc(list, func(f Fact) bool { return f.Value == "" })
}
