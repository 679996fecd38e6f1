package customer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// refuses demands that a change of a customer is wrong in one field.
func refuses(t *testing.T, r customer.Rules, before customer.Customer, c customer.Change, code fault.Code, field string) {
	t.Helper()
	var problems fault.Problems
	r.Update(before, c, &problems)
	details := fault.From(problems.Err()).Details
	if len(details) != 1 || details[0].Code != code || details[0].Field != field {
		t.Errorf("%+v, want %s of %s", details, code, field)
	}
}

func TestWhatIsInAListSaysSomething(t *testing.T) {
	known := create(t, caller())
	known = update(t, known, customer.Change{
		Addresses: opt.Of([]customer.AddressInput{{City: opt.Of("Lyon")}}), Notary: opt.Of(customer.NotaryInput{Name: opt.Of("Me Roy"), CustomerID: opt.Of(int64(7))}),
		Emails: opt.Of([]customer.EmailInput{{Email: opt.Of("a@example.com")}}),
	})
	first, null, nobody := customer.Item{ID: opt.Of(int64(1))}, opt.Null[string](), opt.Null[int64]()
	address := func(a customer.AddressInput) customer.Change {
		return customer.Change{Addresses: opt.Of([]customer.AddressInput{a})}
	}
	phone := func(p customer.PhoneInput) customer.Change {
		return customer.Change{PhoneNumbers: opt.Of([]customer.PhoneInput{p})}
	}
	email := func(e customer.EmailInput) customer.Change {
		return customer.Change{Emails: opt.Of([]customer.EmailInput{e})}
	}
	notary := func(n customer.NotaryInput) customer.Change { return customer.Change{Notary: opt.Of(n)} }
	for name, c := range map[string]struct {
		change customer.Change
		code   fault.Code
		field  string
	}{
		"no address":              {address(customer.AddressInput{}), fault.CodeRequired, "addresses[0].line1"},
		"the country alone":       {address(customer.AddressInput{Country: opt.Of("FR"), IsPrimary: opt.Of(true)}), fault.CodeRequired, "addresses[0].line1"},
		"an address of spaces":    {address(customer.AddressInput{Line1: opt.Of(" \u00a0")}), fault.CodeRequired, "addresses[0].line1"},
		"an address cleared":      {address(customer.AddressInput{Item: first, City: null}), fault.CodeRequired, "addresses[0].line1"},
		"no number":               {phone(customer.PhoneInput{}), fault.CodeRequired, "phone_numbers[0].number"},
		"a number that is null":   {phone(customer.PhoneInput{Number: null}), fault.CodeRequired, "phone_numbers[0].number"},
		"a number of spaces":      {phone(customer.PhoneInput{Number: opt.Of(" \u202f")}), fault.CodeRequired, "phone_numbers[0].number"},
		"a number cleared":        {phone(customer.PhoneInput{Item: first, Number: null}), fault.CodeRequired, "phone_numbers[0].number"},
		"a number without digits": {phone(customer.PhoneInput{Number: opt.Of("none")}), fault.CodeInvalidFormat, "phone_numbers[0].number"},
		"an e-mail of spaces":     {email(customer.EmailInput{Email: opt.Of("  ")}), fault.CodeRequired, "emails[0].email"},
		"no name":                 {notary(customer.NotaryInput{Name: null, CustomerID: nobody}), fault.CodeRequired, "notary.name"},
		"a name of spaces":        {notary(customer.NotaryInput{Name: opt.Of(" "), CustomerID: nobody}), fault.CodeRequired, "notary.name"},
	} {
		t.Run(name, func(t *testing.T) { refuses(t, rules(), known, c.change, c.code, c.field) })
	}
	for name, n := range map[string]customer.NotaryInput{"nothing": {}, "an office": {Office: opt.Of("Roy")}} {
		t.Run("a notary who is "+name, func(t *testing.T) {
			refuses(t, rules(), create(t, caller()), notary(n), fault.CodeRequired, "notary.name")
		})
	}
	// A notary who is a customer has a name there.
	made := update(t, create(t, caller()), notary(customer.NotaryInput{CustomerID: opt.Of(int64(7))}))
	refuses(t, rules(), made, notary(customer.NotaryInput{CustomerID: nobody}), fault.CodeRequired, "notary.name")
	// What is there stays, and one part of it is enough.
	update(t, known, address(customer.AddressInput{Item: first, Type: opt.Of("PRINCIPALE")}))
	update(t, known, notary(customer.NotaryInput{City: opt.Of("Bron")}))
	update(t, known, customer.Change{Notary: opt.Null[customer.NotaryInput](), Addresses: opt.Null[[]customer.AddressInput]()})
}

func TestNobodyIsBornAfterToday(t *testing.T) {
	for _, c := range []struct {
		zone         int // hours east
		now          string
		today, after string
	}{
		{0, "2026-09-16T23:30:00Z", "2026-09-16", "2026-09-17"},
		{2, "2026-09-16T22:30:00Z", "2026-09-17", "2026-09-18"},
		{-4, "2026-09-16T03:30:00Z", "2026-09-15", "2026-09-16"},
	} {
		t.Run(fmt.Sprint(c.zone), func(t *testing.T) {
			r := rules()
			r.Zone = time.FixedZone("", c.zone*3600)
			r.Now, _ = time.Parse(time.RFC3339, c.now)
			var problems fault.Problems
			if born := r.Update(create(t, caller()), customer.Change{BirthDate: opt.Of(c.today)}, &problems); problems.Err() != nil || born.BirthDate != c.today {
				t.Errorf("born today: %q, %v", born.BirthDate, problems.Err())
			}
			refuses(t, r, create(t, caller()), customer.Change{BirthDate: opt.Of(c.after)}, fault.CodeOutOfRange, "birth_date")
			refuses(t, r, create(t, caller()), customer.Change{BirthDate: opt.Of("2026-13-01")}, fault.CodeInvalidFormat, "birth_date")
		})
	}
}
