package customer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

var noon = time.Date(2026, 9, 16, 12, 0, 0, 0, time.UTC)

// rules dial French numbers of ten digits, and know the customer types.
func rules() customer.Rules {
	return customer.Rules{
		Dictionary: criteria.NewDictionary(nil, []criteria.List{{ID: criteria.CustomerTypes, Choices: []criteria.Choice{{Code: "PROSPECT", Active: true}, {Code: "VENDEUR", Active: true}}}}),
		Country:    "FR", Zone: time.UTC, Now: noon,
		E164: func(number, country string) string {
			digits := strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return r
				}
				return -1
			}, number)
			switch {
			case country != "FR":
			case strings.HasPrefix(digits, "0033"):
				return "+" + digits[2:]
			case strings.HasPrefix(digits, "33") && len(digits) == 11:
				return "+" + digits
			case len(digits) == 10:
				return "+33" + digits[1:]
			}
			return ""
		},
	}
}

func create(t *testing.T, c customer.Change) customer.Customer {
	t.Helper()
	var problems fault.Problems
	made := rules().Create(c, &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v %+v", err, fault.From(err).Details)
	}
	return made
}

func update(t *testing.T, before customer.Customer, c customer.Change) customer.Customer {
	t.Helper()
	var problems fault.Problems
	after := rules().Update(before, c, &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v %+v", err, fault.From(err).Details)
	}
	return after
}

// caller is somebody of whom only the number is known.
func caller() customer.Change {
	return customer.Change{Type: opt.Of("PROSPECT"), Phone: opt.Of("06 12 34 56 78")}
}

func TestO4_ACustomerHasATypeAndSomethingToTellItBy(t *testing.T) {
	create(t, caller())
	for name, c := range map[string]struct {
		change customer.Change
		field  string
		code   fault.Code
	}{
		"nothing":          {customer.Change{}, "type", fault.CodeRequired},
		"a type alone":     {customer.Change{Type: opt.Of("PROSPECT"), Firstname: opt.Of("Anne")}, "lastname", fault.CodeRequired},
		"an unknown type":  {customer.Change{Type: opt.Of("FRIEND"), Lastname: opt.Of("Roux")}, "type", fault.CodeCriteriaValueUnknown},
		"too few digits":   {customer.Change{Type: opt.Of("PROSPECT"), Phone: opt.Of("1-2-3")}, "phone", fault.CodeInvalidFormat},
		"no address":       {customer.Change{Type: opt.Of("PROSPECT"), Email: opt.Of("anne at example.com")}, "email", fault.CodeInvalidFormat},
		"a mistyped SIRET": {customer.Change{Type: opt.Of("PROSPECT"), Company: opt.Of("X"), SIRET: opt.Of("99873477600012")}, "siret", fault.CodeInvalidFormat},
		"a colour":         {customer.Change{Type: opt.Of("PROSPECT"), Company: opt.Of("X"), Color: opt.Of(6)}, "color", fault.CodeOutOfRange},
		"an unknown entry": {customer.Change{Type: opt.Of("PROSPECT"), Company: opt.Of("X"), Emails: opt.Of([]customer.EmailInput{{Item: customer.Item{ID: opt.Of(int64(4))}}})}, "emails[0].id", fault.CodeOutOfRange},
		"no relation":      {customer.Change{Type: opt.Of("PROSPECT"), Company: opt.Of("X"), Related: opt.Of([]customer.RelatedInput{{Firstname: opt.Of("Paul")}})}, "related_contacts[0].relation", fault.CodeRequired},
	} {
		var problems fault.Problems
		rules().Create(c.change, &problems)
		err := problems.Err()
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if d := fault.From(err).Details[0]; d.Field != c.field || d.Code != c.code {
			t.Errorf("%s: %s %s", name, d.Field, d.Code)
		}
	}
}

func TestO4_AnUpdateCannotTakeTheLastNameAway(t *testing.T) {
	var problems fault.Problems
	rules().Update(create(t, caller()), customer.Change{Phone: opt.Null[string]()}, &problems)
	if problems.Empty() {
		t.Error("nobody could tell whom this is about")
	}
}

func TestO5_PhoneBecomesThePrimaryNumberAndIsAddedOnce(t *testing.T) {
	c := create(t, customer.Change{Type: opt.Of("PROSPECT"), Phone: opt.Of("06 12 34 56 78"), PhoneNumbers: opt.Of([]customer.PhoneInput{
		{Number: opt.Of("04 78 00 00 00")}, {Number: opt.Of("+33612345678")},
	})})
	if len(c.Phones) != 2 || c.Phone() != "+33612345678" {
		t.Fatalf("%+v", c.Phones)
	}
	c = update(t, c, customer.Change{Phone: opt.Of("01 23 45 67 89")})
	if len(c.Phones) != 3 || c.Phone() != "01 23 45 67 89" || c.Phones[2].E164 != "+33123456789" {
		t.Fatalf("%+v", c.Phones)
	}
	c = update(t, c, customer.Change{Phone: opt.Null[string]()})
	if len(c.Phones) != 2 || c.Phone() != "04 78 00 00 00" {
		t.Errorf("%+v", c.Phones)
	}
}

func TestO6_EntriesAreChangedByTheirIdAndDeletedByAMark(t *testing.T) {
	c := create(t, customer.Change{Type: opt.Of("PROSPECT"), Emails: opt.Of([]customer.EmailInput{
		{Email: opt.Of("a@example.com")}, {Email: opt.Of("b@example.com"), IsPrimary: opt.Of(true)}, {Email: opt.Of("c@example.com")},
	})})
	if c.Email() != "b@example.com" {
		t.Fatalf("%+v", c.Emails)
	}
	id := func(n int64) customer.Item { return customer.Item{ID: opt.Of(n)} }
	c = update(t, c, customer.Change{Emails: opt.Of([]customer.EmailInput{
		{Item: id(1), Email: opt.Of("A2@example.com")}, {Item: customer.Item{ID: opt.Of(int64(2)), Delete: opt.Of(true)}}, {Email: opt.Of("d@example.com")},
	})})
	want := []customer.Email{{ID: 1, Address: "A2@example.com", Primary: true}, {ID: 3, Address: "c@example.com"}, {ID: 4, Address: "d@example.com"}}
	if !slices.Equal(c.Emails, want) {
		t.Errorf("%+v", c.Emails)
	}
}

func TestO6_AnEntryIsNamedOnce(t *testing.T) {
	before := create(t, customer.Change{
		Type: opt.Of("PROSPECT"), Emails: opt.Of([]customer.EmailInput{{Email: opt.Of("a@example.org")}, {Email: opt.Of("b@example.org")}}),
		Phone: opt.Of("0601020304"), Addresses: opt.Of([]customer.AddressInput{{City: opt.Of("Lyon")}}),
	})
	first := customer.Item{ID: opt.Of(int64(1))}
	gone := customer.Item{ID: opt.Of(int64(1)), Delete: opt.Of(true)}
	for field, c := range map[string]customer.Change{
		"emails": {Emails: opt.Of([]customer.EmailInput{{Item: first, Type: opt.Of("PRO")}, {Item: first, Email: opt.Of("c@example.org")}})},
		"phone_numbers": {PhoneNumbers: opt.Of([]customer.PhoneInput{
			{Item: gone}, {Item: first, Number: opt.Of("0605060708")},
		})},
		"addresses": {Addresses: opt.Of([]customer.AddressInput{{Item: first, City: opt.Of("Paris")}, {Item: gone}})},
	} {
		var problems fault.Problems
		rules().Update(before, c, &problems)
		found := fault.From(problems.Err())
		if len(found.Details) != 1 || found.Details[0].Field != field+"[1].id" || found.Code != fault.CodeAmbiguousField {
			t.Errorf("%s: %+v", field, found)
		}
	}
}

func TestConsentKeepsWhenItWasGivenAndWithdrawn(t *testing.T) {
	c := create(t, caller())
	yes, no := opt.Of(true), opt.Of(false)
	c = update(t, c, customer.Change{Consent: opt.Of(customer.ConsentInput{Email: yes, SMS: yes, Source: opt.Of("form")})})
	if !c.Consent.ObtainedAt.Equal(noon) || c.Consent.Source != "form" || !c.Consent.WithdrawnAt.IsZero() || c.Consent.Phone != nil {
		t.Fatalf("%+v", c.Consent)
	}
	c = update(t, c, customer.Change{Consent: opt.Of(customer.ConsentInput{SMS: no})})
	if !*c.Consent.Email || *c.Consent.SMS || !c.Consent.WithdrawnAt.Equal(noon) {
		t.Errorf("%+v", c.Consent)
	}
	given := update(t, c, customer.Change{Consent: opt.Of(customer.ConsentInput{Phone: yes, ObtainedAt: opt.Of("2026-01-02")})})
	if want := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC); !given.Consent.ObtainedAt.Equal(want) {
		t.Errorf("a moment that was given is %v", given.Consent.ObtainedAt)
	}
}

func TestPhonesAreFoundWhateverTheirFormatting(t *testing.T) {
	c := create(t, caller())
	c.Agency = 11
	for _, number := range []string{"06 12 34 56 78", "+33612345678", "0033 6 12 34 56 78", "06.12.34.56.78"} {
		f := customer.Filter{Agencies: []agencyID{11}, Phone: customer.PhoneKey(number, rules().E164(number, "FR"))}
		if !f.Matches(c) {
			t.Errorf("%s is not found", number)
		}
	}
	if (customer.Filter{Agencies: []agencyID{11}, Phone: customer.PhoneKey("06 12 34 56 79", "+33612345679")}).Matches(c) {
		t.Error("another number is found")
	}
}

// TestANumberIsFoundWhateverElseIsInItsField writes numbers as people do.
func TestANumberIsFoundWhateverElseIsInItsField(t *testing.T) {
	const paul, marie = "+33612345678", "+33698765432"
	for _, c := range []struct {
		field string
		want  []string
	}{
		{"06 12 34 56 78 poste 12", []string{paul}}, {"06 12 34 56 78 (Marie)", []string{paul}}, {"06 12 34 56 78;", []string{paul}},
		{"Tél. : 06.12.34.56.78", []string{paul}}, {"tel:+33-6-12-34-56-78", []string{paul}}, {"06 12 34 56 78 ext 4", []string{paul}}, {"06/12/34/56/78", []string{paul}},
		{"+33 6 12 34 56 78 x12", []string{paul}}, {"06-12-34-56-78 bureau", []string{paul}}, {"Éva 06 12 34 56 78", []string{paul}},
		{"06 12 34 56 78 / 06 98 76 54 32", []string{paul, marie}}, {"06 12 34 56 78;06 98 76 54 32", []string{paul, marie}}, {"06/12/34/56/78 ou 06/98/76/54/32", []string{paul, marie}},
		{"06 12 34 56 78 (Paul), 06 98 76 54 32 (Marie)", []string{paul, marie}}, {"06-12-34-56-78 - 06-98-76-54-32", []string{paul, marie}},
		{"0612345678 0698765432", []string{paul, marie}}, {"06 12 34 56 78\n06 98 76 54 32", []string{paul, marie}},
		{"٠٦ ١٢ ٣٤ ٥٦ ٧٨", []string{paul}}, {"०६१२३४५६७८", []string{paul}}, {"０６　１２ ３４ ５６ ７８", []string{paul}}, {"𝟎𝟔𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖", []string{paul}},
		{"3631 (Marie)", []string{"3631"}}, {"36 31 poste 1234", []string{"3631"}}, {"06 12 34 5 Eva", []string{"0612345"}},
	} {
		made := create(t, customer.Change{Type: opt.Of("PROSPECT"), Phone: opt.Of(c.field)})
		made.Agency = 11
		for _, number := range append(c.want, c.field) {
			e164, also := customer.ReadNumbers(number, "FR", "", rules().E164)
			f := customer.Filter{Agencies: []agencyID{11}, Phone: customer.PhoneKey(number, e164)}
			if len(also) > 0 {
				f.Digits = also[0]
			}
			if !f.Matches(made) {
				t.Errorf("%q is not found by %q: %q", c.field, number, customer.LookupKeys(made))
			}
		}
		if first := c.want[0]; strings.HasPrefix(first, "+") != (made.Phones[0].E164 == first) {
			t.Errorf("%q is %q", c.field, made.Phones[0].E164)
		}
	}
}

func TestANumberIsFoundAsItWasWrittenInItsCountry(t *testing.T) {
	abroad := rules()
	abroad.E164 = func(number, country string) string {
		if country == "NL" && strings.HasPrefix(number, "06") {
			return "+31" + strings.ReplaceAll(number[1:], " ", "")
		}
		return rules().E164(number, country)
	}
	var problems fault.Problems
	made := abroad.Create(customer.Change{Type: opt.Of("PROSPECT"), PhoneNumbers: opt.Of([]customer.PhoneInput{{Number: opt.Of("06 12 34 56 78"), Country: opt.Of("NL")}})}, &problems)
	made.Agency = 11
	if want := []string{"+31612345678", "0612345678"}; !problems.Empty() || !slices.Equal(customer.LookupKeys(made), want) {
		t.Fatalf("%v: it is found by %q", problems.Err(), customer.LookupKeys(made))
	}
	if want := []string{"+31612345678"}; !slices.Equal(customer.ContactKeys(made), want) {
		t.Errorf("it tells them from others by %q", customer.ContactKeys(made))
	}
	if home := create(t, caller()); len(home.Phones[0].Also) != 0 {
		t.Errorf("%q is kept of a number of this country", home.Phones[0].Also)
	}
}

func TestSIRETsCheckTheirDigits(t *testing.T) {
	for siret, want := range map[string]bool{"99873477600011": true, "35600000000048": true, "35600000049837": true, "99873477600010": false, "9987347760001": false, "9987347760001a": false} {
		var problems fault.Problems
		rules().Create(customer.Change{Type: opt.Of("PROSPECT"), Company: opt.Of("X"), SIRET: opt.Of(siret)}, &problems)
		if problems.Empty() != want {
			t.Errorf("%s: accepted is %t", siret, problems.Empty())
		}
	}
}

// someChange draws changes to the contacts of a customer.
func someChange(t *rapid.T) customer.Change {
	c := customer.Change{}
	maybe := func(name string) bool { return rapid.Bool().Draw(t, name) }
	if maybe("phone") {
		c.Phone = opt.Of(rapid.SampledFrom([]string{"0612345678", "0478000000", "+33612345678", "112 999"}).Draw(t, "number"))
	}
	if maybe("email") {
		c.Email = opt.Of(rapid.SampledFrom([]string{"a@example.com", "A@Example.com", "b@example.com"}).Draw(t, "address"))
	}
	if maybe("emails") {
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			entry := customer.EmailInput{Email: opt.Of(rapid.SampledFrom([]string{"c@example.com", "d@example.com"}).Draw(t, "address")), IsPrimary: opt.Of(maybe("primary"))}
			if maybe("known") {
				entry.ID, entry.Delete = opt.Of(rapid.Int64Range(1, 4).Draw(t, "id")), opt.Of(maybe("delete"))
			}
			c.Emails.Value = append(c.Emails.Value, entry)
		}
		c.Emails.Set = true
	}
	return c
}

func TestThereIsOnePrimaryEntryAndIdsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := customer.Customer{Type: "PROSPECT", Lastname: "Roux"}
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			var problems fault.Problems
			before, change := it.Clone(), someChange(t)
			after := rules().Update(it, change, &problems)
			if !it.Same(before) {
				t.Fatal("the customer before the change was changed")
			}
			if !problems.Empty() {
				continue
			}
			it = after
			var ids []int64
			primaries := 0
			for _, e := range it.Emails {
				ids = append(ids, e.ID)
				if e.Primary {
					primaries++
				}
			}
			slices.Sort(ids)
			if len(slices.Compact(slices.Clone(ids))) != len(ids) || primaries != min(1, len(it.Emails)) {
				t.Fatalf("after %+v: %+v", change, it.Emails)
			}
			if change.Email.Given() && customer.EmailKey(it.Email()) != customer.EmailKey(change.Email.Value) {
				t.Fatalf("the primary address is %q", it.Email())
			}
		}
	})
}
