package customer

import (
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// contacts applies the changes to e-mail addresses, phone numbers and
// addresses, then the shorthands email and phone.
func (w writer) contacts(it *Customer, c Change) {
	it.Emails = edit(w, "emails", it.Emails, c.Emails, emailParts, func(f form.Form, e *Email, c EmailInput) {
		SetEmail(f, &e.Address, c.Email)
		f.Code("type", &e.Type, c.Type, EmailTypes())
		f.Flag("is_primary", &e.Primary, c.IsPrimary)
		if e.Address == "" && blank(c.Email) {
			f.Wrong("email", fault.CodeRequired, nil, "an entry of emails has an email")
		}
	})
	it.Phones = edit(w, "phone_numbers", it.Phones, c.PhoneNumbers, phoneParts, w.phone)
	it.Addresses = edit(w, "addresses", it.Addresses, c.Addresses, addressParts, w.address)
	if c.Email.Set {
		w.primaryEmail(it, c.Email)
	}
	if c.Phone.Set {
		w.primaryPhone(it, c.Phone)
	}
}

// parts says where an entry of a list has its id and its mark.
type parts[T, C any] struct {
	id      func(*T) *int64
	primary func(*T) *bool
	item    func(C) Item
	marked  func(C) bool
}

var (
	emailParts = parts[Email, EmailInput]{
		func(e *Email) *int64 { return &e.ID }, func(e *Email) *bool { return &e.Primary },
		func(c EmailInput) Item { return c.Item }, func(c EmailInput) bool { return c.IsPrimary.Or(false) },
	}
	phoneParts = parts[PhoneNumber, PhoneInput]{
		func(p *PhoneNumber) *int64 { return &p.ID }, func(p *PhoneNumber) *bool { return &p.Primary },
		func(c PhoneInput) Item { return c.Item }, func(c PhoneInput) bool { return c.IsPrimary.Or(false) },
	}
	addressParts = parts[Address, AddressInput]{
		func(a *Address) *int64 { return &a.ID }, func(a *Address) *bool { return &a.Primary },
		func(c AddressInput) Item { return c.Item }, func(c AddressInput) bool { return c.IsPrimary.Or(false) },
	}
)

// edit applies changes to a list (decision O6): an entry with an id changes or
// goes, one without is added, those not named stay; null empties the list. The
// last entry marked primary is, or else the first.
func edit[T, C any](w writer, field string, list []T, given opt.Field[[]C], p parts[T, C], set func(form.Form, *T, C)) []T {
	if given.Null {
		return nil
	}
	if !w.Few(field, len(given.Value), MaxContacts) {
		return list
	}
	idOf, seen := func(t T) int64 { return *p.id(&t) }, map[int64]bool{}
	for i, c := range given.Value {
		f, item := w.In("%s[%d]", field, i), p.item(c)
		n := len(list)
		if item.ID.Given() {
			if !form.Once(f, "id", item.ID.Value, seen) {
				continue
			}
			n = slices.IndexFunc(list, func(t T) bool { return idOf(t) == item.ID.Value })
			if n < 0 {
				f.Wrong("id", fault.CodeOutOfRange, item.ID.Value, "the customer has no entry with this id")
				continue
			}
		}
		switch {
		case item.Delete.Or(false) && n == len(list):
			f.Wrong("id", fault.CodeRequired, nil, "an entry to delete is named by its id")
			continue
		case item.Delete.Or(false):
			list = slices.Delete(list, n, n+1)
			continue
		case n == len(list):
			var added T
			*p.id(&added) = nextID(list, idOf)
			list = append(list, added)
		}
		set(f, &list[n], c)
		if p.marked(c) {
			only(list, n, p.primary)
		}
	}
	if !w.Few(field, len(list), MaxContacts) {
		return list
	}
	if n := slices.IndexFunc(list, func(t T) bool { return *p.primary(&t) }); n < 0 && len(list) > 0 {
		only(list, 0, p.primary)
	}
	return list
}

// only makes one entry the primary one.
func only[T any](list []T, n int, primary func(*T) *bool) {
	for i := range list {
		*primary(&list[i]) = i == n
	}
}

func (w writer) phone(f form.Form, p *PhoneNumber, c PhoneInput) {
	f.Listed("type", &p.Type, c.Type, w.Dictionary, criteria.PhoneTypes)
	w.country(f, &p.Country, c.Country)
	f.Text("comment", &p.Comment, c.Comment, form.MaxName)
	f.Flag("sms_allowed", &p.SMSAllowed, c.SMSAllowed)
	f.Flag("is_primary", &p.Primary, c.IsPrimary)
	w.number(f, "number", p, c.Number)
}

// number sets a phone number with its international form.
func (w writer) number(f form.Form, field string, p *PhoneNumber, given opt.Field[string]) {
	if given.Set || p.Number == "" {
		if blank(given) {
			f.Wrong(field, fault.CodeRequired, nil, "a phone number has a number")
			return
		}
		if len(digits(given.Value)) < minDigits {
			f.Wrong(field, fault.CodeInvalidFormat, given.Value, "a phone number has at least 4 digits")
			return
		}
		f.Text(field, &p.Number, given, MaxNumber)
	}
	if p.Country == "" {
		p.Country = w.Country
	}
	p.E164, p.Also = ReadNumbers(p.Number, p.Country, w.Country, w.E164)
}

func (w writer) address(f form.Form, a *Address, c AddressInput) {
	f.Listed("type", &a.Type, c.Type, w.Dictionary, criteria.AddressTypes)
	f.Name("line1", &a.Line1, c.Line1, form.MaxName)
	f.Name("line2", &a.Line2, c.Line2, form.MaxName)
	f.Text("postal_code", &a.PostalCode, c.PostalCode, MaxPostalCode)
	f.Name("city", &a.City, c.City, form.MaxName)
	w.country(f, &a.Country, c.Country)
	f.Flag("is_primary", &a.Primary, c.IsPrimary)
	if a.empty() && blank(c.Line1) && blank(c.Line2) && blank(c.PostalCode) && blank(c.City) {
		f.Wrong("line1", fault.CodeRequired, nil, "an address has a line, a postal code or a city")
	}
}

// empty reports whether an address says nothing about where it is.
func (a Address) empty() bool {
	return a.Line1 == "" && a.Line2 == "" && a.PostalCode == "" && a.City == ""
}

func (w writer) country(f form.Form, target *string, given opt.Field[string]) {
	code := strings.ToUpper(strings.TrimSpace(given.Or("")))
	if code != "" && (len(code) != 2 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		f.Wrong("country", fault.CodeInvalidFormat, given.Value, "a country is a two-letter code such as FR")
	} else if given.Set {
		*target = code
	}
}

// blank reports whether a field says nothing; what is wrong with one that does is
// told apart.
func blank(given opt.Field[string]) bool {
	return criteria.Normalise(criteria.Visible(given.Or(""))) == ""
}

// primaryEmail makes an address the primary one, adding it if it is not there;
// null takes the primary one away.
func (w writer) primaryEmail(it *Customer, given opt.Field[string]) {
	var address string
	SetEmail(w.Form, &address, given)
	if address == "" {
		if given.Or("") == "" {
			it.Emails = dropPrimary(it.Emails, emailParts.primary)
		}
		return
	}
	n := slices.IndexFunc(it.Emails, func(e Email) bool { return EmailKey(e.Address) == EmailKey(address) })
	if n < 0 {
		n = len(it.Emails)
		it.Emails = append(it.Emails, Email{ID: nextID(it.Emails, func(e Email) int64 { return e.ID }), Address: address})
	}
	only(it.Emails, n, emailParts.primary)
}

// primaryPhone is primaryEmail for phone numbers (decision O5).
func (w writer) primaryPhone(it *Customer, given opt.Field[string]) {
	if given.Or("") == "" {
		it.Phones = dropPrimary(it.Phones, phoneParts.primary)
		return
	}
	added := PhoneNumber{ID: nextID(it.Phones, func(p PhoneNumber) int64 { return p.ID })}
	if w.number(w.Form, "phone", &added, given); added.Number == "" {
		return
	}
	n := slices.IndexFunc(it.Phones, func(p PhoneNumber) bool { return p.Key() == added.Key() })
	if n < 0 {
		n = len(it.Phones)
		it.Phones = append(it.Phones, added)
	}
	only(it.Phones, n, phoneParts.primary)
}

// dropPrimary removes the primary entry; the first of the others takes its
// place.
func dropPrimary[T any](list []T, primary func(*T) *bool) []T {
	list = slices.DeleteFunc(list, func(t T) bool { return *primary(&t) })
	if len(list) > 0 {
		only(list, 0, primary)
	}
	return list
}
