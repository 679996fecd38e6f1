package customer

import (
	"reflect"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Merged is a record of a person that was joined with another record of them, and is
// gone.
type Merged struct {
	ID   ID
	Site site.ID
	// Into is the record that stayed.
	Into ID
	At   time.Time
}

// Joined returns the customer with what another record of the same person knows, which is
// to go. Where both say something, this one is right, comments are both kept, contacts
// are united, and of consent the stricter holds.
func (c Customer) Joined(goes Customer) Customer {
	joined := c.Clone()
	fill(&joined, goes)
	joined.Archived = c.Archived
	fill(&joined.Profile, goes.Profile)
	joined.Comment = BothSaid(c.Comment, goes.Comment)
	joined.Consent = c.Consent.Strictest(goes.Consent)
	joined.Emails = unite(c.Emails, goes.Emails, emailParts, func(a, b Email) bool { return EmailKey(a.Address) == EmailKey(b.Address) })
	joined.Phones = unite(c.Phones, goes.Phones, phoneParts, func(a, b PhoneNumber) bool { return a.Key() == b.Key() })
	for i, p := range joined.Phones {
		forbidden := func(q PhoneNumber) bool { return q.Key() == p.Key() && !q.SMSAllowed }
		joined.Phones[i].SMSAllowed = !slices.ContainsFunc(c.Phones, forbidden) && !slices.ContainsFunc(goes.Phones, forbidden)
	}
	joined.Addresses = unite(c.Addresses, goes.Addresses, addressParts, func(a, b Address) bool { return a.key() == b.key() })
	joined.Related = distinct(slices.DeleteFunc(slices.Concat(c.Related, goes.Related), func(r RelatedContact) bool { return self(r.Customer, c, goes) }))
	joined.Notary = Notary{}
	for _, n := range []Notary{goes.Notary, c.Notary} {
		if n.Known() && !self(n.Customer, c, goes) {
			joined.Notary = n
		}
	}
	return joined
}

// self reports whether an id is one of the two of one person.
func self(id ID, c, goes Customer) bool { return id != 0 && (id == c.ID || id == goes.ID) }

// Crowded names a list that is longer than it can be, and how long that is; empty
// where there is none.
func (c Customer) Crowded() (list string, limit int) {
	switch {
	case len(c.Emails) > MaxContacts:
		return "emails", MaxContacts
	case len(c.Phones) > MaxContacts:
		return "phone_numbers", MaxContacts
	case len(c.Addresses) > MaxContacts:
		return "addresses", MaxContacts
	case len(c.Related) > MaxRelated:
		return "related_contacts", MaxRelated
	}
	return "", 0
}

// BothSaid returns what two texts say, one below the other where they differ.
func BothSaid(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "" || a == b:
		return a
	}
	return a + "\n" + b
}

// key returns what an address is compared by.
func (a Address) key() string {
	return criteria.Fold(a.Line1 + "\n" + a.Line2 + "\n" + a.PostalCode + "\n" + a.City)
}

// fill gives the fields of a record that say nothing what another one says.
func fill[T any](into *T, from T) {
	fields, others := reflect.ValueOf(into).Elem(), reflect.ValueOf(from)
	for i := range fields.NumField() {
		if fields.Field(i).IsZero() {
			fields.Field(i).Set(others.Field(i))
		}
	}
}

// unite adds to a list what another has more of. What is in both is filled in.
func unite[T, C any](list, more []T, p parts[T, C], same func(T, T) bool) []T {
	list = slices.Clone(list)
	for _, one := range more {
		if n := slices.IndexFunc(list, func(t T) bool { return same(t, one) }); n >= 0 {
			primary := *p.primary(&list[n])
			fill(&list[n], one)
			*p.primary(&list[n]) = primary
			continue
		}
		*p.id(&one) = nextID(list, func(t T) int64 { return *p.id(&t) })
		list = append(list, one)
	}
	if first := slices.IndexFunc(list, func(t T) bool { return *p.primary(&t) }); first >= 0 {
		only(list, first, p.primary)
	}
	return list
}

// Strictest returns what two consents of one person allow together: what either refuses is
// refused, and nothing that was said is forgotten.
func (c Consent) Strictest(by Consent) Consent {
	c, before := c.Complete(by), c
	for channel, said := range map[**bool][2]*bool{
		&c.Email: {before.Email, by.Email}, &c.SMS: {before.SMS, by.SMS}, &c.Phone: {before.Phone, by.Phone}, &c.Partners: {before.Partners, by.Partners},
	} {
		for _, one := range said {
			if one != nil && !*one {
				*channel = one
			}
		}
	}
	if by.WithdrawnAt.After(c.WithdrawnAt) {
		c.WithdrawnAt = by.WithdrawnAt
	}
	return c
}

// Renamed returns a record that names a customer wherever it named another. In a list of
// ids, or of related contacts, nobody is twice in the same words.
func Renamed[T any](record T, from, to ID) T {
	rename(reflect.ValueOf(&record).Elem(), from, to)
	return record
}

func rename(v reflect.Value, from, to ID) {
	if !v.CanSet() || !CanName(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Int64:
		if v.Int() == int64(from) {
			v.SetInt(int64(to))
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		v.Set(list)
		for i := range v.Len() {
			rename(v.Index(i), from, to)
		}
		switch list := v.Interface().(type) {
		case []ID:
			v.Set(reflect.ValueOf(distinct(list)))
		case []RelatedContact:
			v.Set(reflect.ValueOf(distinct(list)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			rename(v.Field(i), from, to)
		}
	default: // CanName says no
	}
}

// distinct returns a list in its order, with each entry once. It takes the place of the list.
func distinct[T comparable](list []T) []T {
	kept := list[:0]
	for _, one := range list {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// CanName reports whether records of a type have a place for the id of a customer.
func CanName(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int64:
		return t == reflect.TypeFor[ID]()
	case reflect.Slice:
		return CanName(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if CanName(t.Field(i).Type) {
				return true
			}
		}
	default: // no record names customers behind pointers or in maps
	}
	return false
}
