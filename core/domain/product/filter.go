package product

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Candidate is what a filter is applied to: a product and the names its owner
// goes by.
type Candidate struct {
	Product    Product
	OwnerNames []string // customer.Customer.Names
}

// Filter says which products a search wants. Every part that is set must hold.
type Filter struct {
	// Agencies limits the search; it is never open. A filter without agencies
	// matches nothing.
	Agencies  []site.AgencyID
	Criteria  []criteria.Condition
	Keyword   Keyword
	Reference string // exact, case aside; empty is any
	Customer  customer.ID
	// Users are agents, any of them; nil is any, and an empty list nobody.
	Users []site.UserID
	// ModifiedSince is inclusive; zero is any.
	ModifiedSince time.Time
	WebStatus     *bool
	Visit360      *bool
	// Parent narrows to the lots of a product, or with 0 to products that are
	// no lots. A lot of a deleted product counts as none: the owner of the products
	// looks at it without its parent.
	Parent *ID
	// Near and Within ask for places; a product without a position is in none.
	Near   *Near
	Within *Within
	// Veil is over everything but the place, which tells no more than it shows.
	Veil Veil
}

// Keyword is a phrase a person typed: part of the reference, of the address and
// city, of the owner's name, or about the price.
type Keyword struct {
	// Phrase is folded; empty is no keyword.
	Phrase string
	// Price is set when the phrase is a number above 0.
	Price float64
	// OwnerNames extends the keyword to the owner's names.
	OwnerNames bool
}

var amount = regexp.MustCompile(`^\d+([.,]\d+)?$`)

// NewKeyword reads a phrase. Spaces, a trailing euro sign and a trailing EUR do
// not keep it from being a number.
func NewKeyword(phrase string, ownerNames bool) Keyword {
	k := Keyword{Phrase: criteria.Fold(phrase), OwnerNames: ownerNames}
	digits := strings.TrimSuffix(strings.TrimSuffix(strings.Join(strings.Fields(k.Phrase), ""), "€"), "eur")
	if amount.MatchString(digits) {
		k.Price, _ = strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
	}
	return k
}

// Empty reports whether there is nothing to look for.
func (k Keyword) Empty() bool { return k.Phrase == "" }

// NearPrice reports whether a price is within 10 percent of the keyword's,
// both ends included. The slack outweighs the rounding of decimal fractions,
// so that 1.32 is near 1.2; it is far below a cent.
func (k Keyword) NearPrice(price float64) bool {
	const slack = 1e-15
	return k.Price > 0 && price*10 >= k.Price*9*(1-slack) && price*10 <= k.Price*11*(1+slack)
}

// Haystack returns the text of a product a keyword looks into, one folded field per
// element: the reference, and address with city.
func Haystack(p Product) []string {
	place := p.Criteria.Text(criteria.KeyAddress) + " " + p.Criteria.Text(criteria.KeyCity)
	return []string{criteria.Fold(p.Reference), criteria.Fold(place)}
}

// Matches holds the keyword against a candidate.
func (k Keyword) Matches(c Candidate) bool {
	if k.Empty() {
		return true
	}
	holds := func(text string) bool { return strings.Contains(text, k.Phrase) }
	if slices.ContainsFunc(Haystack(c.Product), holds) {
		return true
	}
	if price, ok := c.Product.Criteria.Number(criteria.KeyPrice); ok && k.NearPrice(price) {
		return true
	}
	return k.OwnerNames && slices.ContainsFunc(c.OwnerNames, func(name string) bool { return holds(criteria.Fold(name)) })
}

// Matches specifies search: the catalogue must agree with it on
// every product. Deleted products never match.
func (f Filter) Matches(c Candidate) bool {
	whole := c.Product
	c.Product.Criteria = f.Veil.Over(c.Product.Criteria)
	p := c.Product
	switch {
	case !p.Deleted.IsZero(), !slices.Contains(f.Agencies, p.Agency):
		return false
	case f.Reference != "" && FoldReference(f.Reference) != FoldReference(p.Reference):
		return false
	case f.Customer != 0 && f.Customer != p.Customer:
		return false
	case f.Users != nil && !slices.Contains(f.Users, p.User):
		return false
	case !f.ModifiedSince.IsZero() && p.Modified.Before(f.ModifiedSince):
		return false
	case f.WebStatus != nil && *f.WebStatus != p.WebStatus:
		return false
	case f.Visit360 != nil && *f.Visit360 != p.HasVisit360():
		return false
	case f.Parent != nil && *f.Parent != p.Parent:
		return false
	}
	if f.Near != nil || f.Within != nil {
		position, placed := whole.Position()
		position = position.Rounded()
		if !placed || f.Near != nil && !f.Near.Holds(position) || f.Within != nil && !f.Within.Holds(position) {
			return false
		}
	}
	for _, condition := range f.Criteria {
		if !condition.Matches(p.Criteria[condition.Criterion]) {
			return false
		}
	}
	return f.Keyword.Matches(c)
}
