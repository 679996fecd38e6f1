package customer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Filter says which customers a search wants. Every part that is set must hold;
// Email, Phone and Digits are one part, of which any may hold. No search wants
// somebody who was anonymised.
type Filter struct {
	// Agencies limits the search; it is never open. A filter without agencies
	// matches nothing.
	Agencies []site.AgencyID
	// Email is an EmailKey, Phone a PhoneKey, Digits a number as it was written;
	// empty is any.
	Email, Phone, Digits string
	// Keyword is folded; empty is none.
	Keyword string
	// Type is a code of list 5; empty is any.
	Type  string
	Users []site.UserID
	// ModifiedSince is inclusive; zero is any.
	ModifiedSince time.Time
	Archived      *bool
}

// Matches specifies search: every store must agree with it.
func (f Filter) Matches(c Customer) bool {
	switch {
	case c.IsAnonymous():
		return false
	case !slices.Contains(f.Agencies, c.Agency):
		return false
	case f.Type != "" && f.Type != c.Type:
		return false
	case len(f.Users) > 0 && !slices.Contains(f.Users, c.User):
		return false
	case !f.ModifiedSince.IsZero() && c.Modified.Before(f.ModifiedSince):
		return false
	case f.Archived != nil && *f.Archived != c.Archived:
		return false
	case f.Keyword != "" && !strings.Contains(Haystack(c), f.Keyword):
		return false
	}
	return f.Email == "" && f.Phone == "" && f.Digits == "" || f.reaches(c)
}

func (f Filter) reaches(c Customer) bool {
	return slices.ContainsFunc(LookupKeys(c), func(key string) bool { return key == f.Email || key == f.Phone || key == f.Digits })
}

// ContactKeys lists what tells a customer from others: the keys of all e-mail
// addresses and phone numbers, each once. An e-mail address has an @, which no
// phone number has.
func ContactKeys(c Customer) []string {
	var keys []string
	for _, e := range c.Emails {
		keys = withKey(keys, EmailKey(e.Address))
	}
	for _, p := range c.Phones {
		keys = withKey(keys, p.Key())
		for _, also := range p.Also {
			if strings.HasPrefix(also, "+") {
				keys = withKey(keys, also)
			}
		}
	}
	return keys
}

// LookupKeys lists what a customer is looked up by: ContactKeys, and the digits of
// phone numbers as they were written, which somebody else's number in another
// country may have too.
func LookupKeys(c Customer) []string {
	keys := ContactKeys(c)
	for _, p := range c.Phones {
		for _, also := range p.Also {
			keys = withKey(keys, also)
		}
	}
	return keys
}

// withKey adds a key that is not empty and not there yet.
func withKey(keys []string, key string) []string {
	if key == "" || slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}

// Haystack returns the text a keyword looks into, folded: names, company, e-mail
// addresses and phone numbers, a line each.
func Haystack(c Customer) string {
	var lines []string
	for _, name := range c.Names() {
		lines = append(lines, criteria.Fold(name))
	}
	for _, e := range c.Emails {
		lines = append(lines, criteria.Fold(e.Address))
	}
	for _, p := range c.Phones {
		lines = append(lines, digits(p.Number))
	}
	return strings.Join(lines, "\n")
}

// Key is what customers are sorted by.
type Key uint8

// The keys.
const (
	ByID Key = iota
	ByModified
	ByAdded
	// ByName sorts by last name or else company, folded.
	ByName
)

// Order is a key with a direction; the id breaks ties in the same direction.
type Order struct {
	Key  Key
	Desc bool
}

// Compare returns which of two customers comes first.
func (o Order) Compare(a, b Customer) int {
	by := 0
	switch o.Key {
	case ByModified:
		by = a.Modified.Compare(b.Modified)
	case ByAdded:
		by = a.Added.Compare(b.Added)
	case ByName:
		by = strings.Compare(SortName(a), SortName(b))
	case ByID:
	}
	by = cmp.Or(by, cmp.Compare(a.ID, b.ID))
	if o.Desc {
		return -by
	}
	return by
}

// SortName returns what ByName compares.
func SortName(c Customer) string { return criteria.Fold(cmp.Or(c.Lastname, c.Company)) }
