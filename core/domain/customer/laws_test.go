package customer_test

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// somebody draws a customer who differs from others in little.
func somebody(t *rapid.T) customer.Customer {
	of := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
	moment := func(name string) time.Time {
		return noon.Add(time.Duration(rapid.IntRange(-2, 2).Draw(t, name)) * time.Microsecond)
	}
	c := customer.Customer{
		ID: customer.ID(rapid.IntRange(1, 6).Draw(t, "id")), Site: 1, Agency: agencyID(rapid.IntRange(11, 13).Draw(t, "agency")),
		User: site.UserID(rapid.IntRange(0, 2).Draw(t, "user")), Type: of("type", "PROSPECT", "VENDEUR"),
		Firstname: of("firstname", "", "Anne", "Zoé"), Lastname: of("lastname", "", "Roux", "ROUX", "Étienne", "Le Goff"), Company: of("company", "", "SCI du Lac", "etienne"),
		Archived: rapid.Bool().Draw(t, "archived"), Added: moment("added"), Modified: moment("modified"),
	}
	if rapid.IntRange(0, 9).Draw(t, "anonymized") == 0 {
		c.Anonymized = noon
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "emails") {
		c.Emails = append(c.Emails, customer.Email{ID: int64(i + 1), Address: of("address", "Anne@Example.com", "anne@example.com", "pro@example.com"), Primary: i == 0})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "phones") {
		number := of("number", "06 12 34 56 78", "0033612345678", "3631")
		c.Phones = append(c.Phones, customer.PhoneNumber{ID: int64(i + 1), Number: number, E164: rules().E164(number, "FR"), Primary: i == 0})
	}
	for range rapid.IntRange(0, 2).Draw(t, "related") {
		c.Related = append(c.Related, customer.RelatedContact{Customer: customer.ID(rapid.IntRange(0, 6).Draw(t, "relative")), Relation: "PARENT", Firstname: of("first", "", "Paul")})
	}
	if rapid.Bool().Draw(t, "notary") {
		c.Notary = customer.Notary{Customer: customer.ID(rapid.IntRange(0, 6).Draw(t, "notary's id")), Name: "Maître"}
	}
	return c
}

// search draws a filter that often finds somebody.
func search(t *rapid.T) customer.Filter {
	maybe := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	f := customer.Filter{Agencies: rapid.SampledFrom([][]agencyID{{11}, {11, 12}, {11, 12, 13}, nil}).Draw(t, "agencies")}
	if maybe("by email") {
		f.Email = rapid.SampledFrom([]string{"anne@example.com", "pro@example.com", "nobody@example.com"}).Draw(t, "email")
	}
	if maybe("by phone") {
		f.Phone = rapid.SampledFrom([]string{"+33612345678", "3631", "+33999999999"}).Draw(t, "phone")
	}
	if maybe("by keyword") {
		f.Keyword = rapid.SampledFrom([]string{"roux", "anne r", "lac", "3631", "pro@", "nobody"}).Draw(t, "keyword")
	}
	if maybe("by type") {
		f.Type = rapid.SampledFrom([]string{"PROSPECT", "VENDEUR"}).Draw(t, "type")
	}
	if maybe("by user") {
		f.Users = []site.UserID{site.UserID(rapid.IntRange(0, 2).Draw(t, "user"))}
	}
	if maybe("by date") {
		f.ModifiedSince = noon.Add(time.Duration(rapid.IntRange(-2, 2).Draw(t, "since")) * time.Microsecond)
	}
	if maybe("by archive") {
		archived := rapid.Bool().Draw(t, "archived")
		f.Archived = &archived
	}
	return f
}

// Every part of a filter narrows it: who is found by all of them, is found by each.
func TestEveryPartOfAFilterMustHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := somebody(t), search(t)
		parts := []customer.Filter{
			{Agencies: f.Agencies}, {Agencies: f.Agencies, Email: f.Email, Phone: f.Phone}, {Agencies: f.Agencies, Keyword: f.Keyword},
			{Agencies: f.Agencies, Type: f.Type}, {Agencies: f.Agencies, Users: f.Users},
			{Agencies: f.Agencies, ModifiedSince: f.ModifiedSince}, {Agencies: f.Agencies, Archived: f.Archived},
		}
		want := !slices.ContainsFunc(parts, func(part customer.Filter) bool { return !part.Matches(c) })
		if got := f.Matches(c); got != want {
			t.Fatalf("%+v finds %+v: %t; its parts do: %t", f, c, got, want)
		}
	})
}

func TestEmailAndPhoneAreOnePartOfWhichEitherMayHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := somebody(t), search(t)
		byEmail, byPhone := f, f
		byEmail.Phone, byPhone.Email = "", ""
		want := byEmail.Matches(c) || byPhone.Matches(c)
		if f.Email == "" || f.Phone == "" {
			want = byEmail.Matches(c) && byPhone.Matches(c)
		}
		if f.Matches(c) != want {
			t.Fatalf("%+v finds %+v: %t", f, c, !want)
		}
	})
}

func TestASearchFindsNobodyWhoIsAnonymousOrOutOfScope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := somebody(t), search(t)
		if f.Matches(c) && (c.IsAnonymous() || !slices.Contains(f.Agencies, c.Agency)) {
			t.Fatalf("%+v finds %+v", f, c)
		}
		if f.Matches(c.Anonymous(noon)) {
			t.Fatalf("%+v finds somebody anonymous", f)
		}
	})
}

// A customer is found by every key they are looked up by, and by all of their
// names.
func TestACustomerIsFoundByWhatIsKnownOfThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := somebody(t)
		c.Anonymized = time.Time{}
		scope := []agencyID{c.Agency}
		keys := customer.ContactKeys(c)
		for i, key := range keys {
			f := customer.Filter{Agencies: scope, Phone: key}
			if strings.Contains(key, "@") {
				f = customer.Filter{Agencies: scope, Email: key}
			}
			if !f.Matches(c) || slices.Contains(keys[:i], key) {
				t.Fatalf("%q of %q", key, keys)
			}
		}
		for _, name := range c.Names() {
			if !(customer.Filter{Agencies: scope, Keyword: criteria.Fold(name)}).Matches(c) {
				t.Fatalf("%q is not found", name)
			}
		}
		for _, line := range strings.Split(customer.Haystack(c), "\n") {
			if !(customer.Filter{Agencies: scope, Keyword: line}).Matches(c) || line != criteria.Fold(line) {
				t.Fatalf("%q is not found", line)
			}
		}
	})
}

func TestEveryOrderIsTotalAndItsDirectionsMirrorEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := somebody(t), somebody(t), somebody(t)
		for _, key := range []customer.Key{customer.ByID, customer.ByModified, customer.ByAdded, customer.ByName} {
			up, down := customer.Order{Key: key}, customer.Order{Key: key, Desc: true}
			if up.Compare(a, b) != -up.Compare(b, a) || down.Compare(a, b) != -up.Compare(a, b) {
				t.Fatalf("key %d: %+v and %+v", key, a, b)
			}
			if up.Compare(a, b) <= 0 && up.Compare(b, c) <= 0 && up.Compare(a, c) > 0 {
				t.Fatalf("key %d goes in a circle", key)
			}
			if (up.Compare(a, b) == 0) != (a.ID == b.ID && sortKey(key, a) == sortKey(key, b)) {
				t.Fatalf("key %d: %+v and %+v are one", key, a, b)
			}
			if by := cmp.Compare(sortKey(key, a), sortKey(key, b)); by != 0 && up.Compare(a, b) != by {
				t.Fatalf("key %d: the id goes before it", key)
			}
		}
	})
}

// sortKey is what a key reads of a customer, as text that sorts alike.
func sortKey(key customer.Key, c customer.Customer) string {
	switch key {
	case customer.ByModified:
		return c.Modified.Format("15:04:05.000000")
	case customer.ByAdded:
		return c.Added.Format("15:04:05.000000")
	case customer.ByName:
		return customer.SortName(c)
	default:
		return ""
	}
}

func TestTheNameToSortByIsTheLastNameOrElseTheCompany(t *testing.T) {
	for c, want := range map[[2]string]string{{"Étienne", "Lac"}: "etienne", {"", "SCI du LAC"}: "sci du lac", {"", ""}: ""} {
		if got := customer.SortName(customer.Customer{Lastname: c[0], Company: c[1], Firstname: "Anne"}); got != want {
			t.Errorf("%q: %q", c, got)
		}
	}
}

// filled is a customer of whom everything is known: no field is zero.
func filled(t *testing.T) (c customer.Customer) {
	t.Helper()
	apitest.Fill(t, &c)
	return c
}

// Whatever is known of somebody, what is left afterwards is named here, and
// nothing else.
func TestAnAnonymousCustomerKeepsWhatIsNobodysOwn(t *testing.T) {
	known := filled(t)
	later := noon.Add(time.Hour)
	left := known.Anonymous(later)
	want := customer.Customer{
		ID: known.ID, Site: known.Site, Agency: known.Agency, User: known.User, Type: known.Type, Archived: true, Anonymized: later,
		Added: known.Added, Modified: known.Modified, Version: known.Version, Profile: customer.Profile{Origin: known.Origin},
	}
	if !reflect.DeepEqual(left, want) {
		t.Errorf("%+v is left, want %+v", left, want)
	}
	if !left.IsAnonymous() || (customer.Customer{}).IsAnonymous() {
		t.Error("nobody can tell who is anonymous")
	}
	if left.Reachable() || len(left.Names()) > 0 || len(customer.ContactKeys(left)) > 0 || left.Email() != "" || left.Phone() != "" {
		t.Errorf("%+v can still be found", left)
	}
}

func TestWhoMentionsWhom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, id := somebody(t), customer.ID(rapid.IntRange(0, 6).Draw(t, "of"))
		want := id != 0 && c.Notary.Customer == id
		for _, r := range c.Related {
			want = want || id != 0 && r.Customer == id
		}
		if c.Mentions(id) != want {
			t.Fatalf("%+v mentions %d: %t", c, id, !want)
		}
	})
}

func TestWordsOfSomebodyGoAndTheLinkStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, id := somebody(t), customer.ID(rapid.IntRange(1, 6).Draw(t, "of"))
		before := c.Clone()
		left := c.WithoutWordsOf(id)
		if !c.Same(before) {
			t.Fatal("the customer itself was changed")
		}
		if left.Mentions(id) != c.Mentions(id) || len(left.Related) != len(c.Related) {
			t.Fatalf("the link from %+v to %d is another one: %+v", c, id, left)
		}
		for i, r := range left.Related {
			want := c.Related[i]
			if r.Customer == id {
				want = customer.RelatedContact{Customer: id, Relation: want.Relation}
			}
			if r != want {
				t.Fatalf("%+v is left of %+v", r, c.Related[i])
			}
		}
		if want := (customer.Notary{Customer: id}); c.Notary.Customer == id && left.Notary != want || c.Notary.Customer != id && left.Notary != c.Notary {
			t.Fatalf("%+v is left of %+v", left.Notary, c.Notary)
		}
		if !left.WithoutWordsOf(id).Same(left) {
			t.Fatal("the second time something else goes")
		}
		if !c.Mentions(id) && !left.Same(c) {
			t.Fatalf("%+v does not mention %d, and becomes %+v", c, id, left)
		}
	})
}

func TestANotaryIsKnownByAnything(t *testing.T) {
	if (customer.Notary{}).Known() {
		t.Error("nobody is a notary")
	}
	for i := range reflect.TypeFor[customer.Notary]().NumField() {
		var n customer.Notary
		apitest.Fill(t, reflect.ValueOf(&n).Elem().Field(i).Addr().Interface())
		if !n.Known() {
			t.Errorf("%+v is not known", n)
		}
	}
}

// channels are what a customer can allow.
func channels(c *customer.Consent) []**bool { return []**bool{&c.Email, &c.SMS, &c.Phone, &c.Partners} }

func consent(t *rapid.T, name string) (c customer.Consent) {
	yes, no := true, false
	for _, channel := range channels(&c) {
		*channel = rapid.SampledFrom([]*bool{nil, &yes, &no}).Draw(t, name)
	}
	c.Source = rapid.SampledFrom([]string{"", "paper", "portal"}).Draw(t, name+"'s source")
	c.ObtainedAt = rapid.SampledFrom([]time.Time{{}, noon}).Draw(t, name+"'s time")
	c.WithdrawnAt = rapid.SampledFrom([]time.Time{{}, noon}).Draw(t, name+"'s end")
	return c
}

func TestNothingThatWasSaidOnceIsOverturned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := consent(t, "the first"), consent(t, "the second")
		both := first.Complete(second)
		for i, channel := range channels(&both) {
			want := cmp.Or(*channels(&first)[i], *channels(&second)[i])
			if *channel != want {
				t.Fatalf("channel %d is %v after %+v and %+v", i, *channel, first, second)
			}
		}
		asked := first.Source != "" || !first.ObtainedAt.IsZero()
		want := second
		if asked {
			want = first
		}
		if both.Source != want.Source || both.ObtainedAt != want.ObtainedAt || both.WithdrawnAt != cmp.Or(first.WithdrawnAt, second.WithdrawnAt) {
			t.Fatalf("%+v and %+v are %+v", first, second, both)
		}
		if !reflect.DeepEqual(both.Complete(second), both) || !reflect.DeepEqual(both.Complete(first), both) {
			t.Fatalf("said again, %+v is another consent", both)
		}
	})
}

func TestEmailKeysForgetCaseAndSpacesAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.StringMatching(`[a-zA-Z.+]{1,8}@[a-zA-Z]{1,8}\.[a-z]{2}`).Draw(t, "address")
		key := customer.EmailKey(address)
		for _, same := range []string{strings.ToUpper(address), strings.ToLower(address), " " + address, address + "\t", key} {
			if customer.EmailKey(same) != key {
				t.Fatalf("%q has the key %q, %q has %q", same, customer.EmailKey(same), address, key)
			}
		}
		if other := customer.EmailKey("x" + address); other == key {
			t.Fatalf("two addresses have the key %q", key)
		}
	})
}

func TestEmailsThatAreOneAndThatAreNot(t *testing.T) {
	for _, same := range [][]string{
		{"anne@bücher.de", "Anne@BÜCHER.de", "anne@xn--bcher-kva.de", "anne@XN--BCHER-KVA.DE", "an\u00adne@bu\u0308cher.de"},
		{"a@example.com", "\u200bA@ＥＸＡＭＰＬＥ.com", "a@exam\u200bple.com", "\ufeffa@example.com\u2060"},
		{"é@x.fr", "E\u0301@x.fr"},
	} {
		for _, one := range same {
			if customer.EmailKey(one) != customer.EmailKey(same[0]) {
				t.Errorf("%q has the key %q, %q has %q", one, customer.EmailKey(one), same[0], customer.EmailKey(same[0]))
			}
		}
	}
	seen := map[string]string{}
	for _, one := range []string{"info@x.fr", "İnfo@x.fr", "ınfo@x.fr", "info@İx.fr", "info@ix.fr", "info@ıx.fr", "info@my_host.fr"} {
		key := customer.EmailKey(one)
		if other, taken := seen[key]; taken || customer.EmailKey(key) != key {
			t.Errorf("%q and %q have the key %q, which has %q", one, other, key, customer.EmailKey(key))
		}
		seen[key] = one
	}
}

func TestWhatIsNoEmail(t *testing.T) {
	for address, want := range map[string]bool{
		"anne@example.com": true, "anne+x@example.com": true, "o'neil@example.com": true, "anne@bücher.de": true, "an\u200bne@example.com": true,
		"mailto:anne@example.com": false, "MAILTO:anne@example.com": false, "<anne@example.com>": false, "anne@example.com>": false, "anne@example.com;paul@x.fr": false,
		"anne@example.com,": false, "anne(home)@example.com": false, "http://anne@example.com": false, "anne@[1.2.3.4]": false, "\u200b@example.com": false,
	} {
		var problems fault.Problems
		made := rules().Create(customer.Change{Type: opt.Of("PROSPECT"), Lastname: opt.Of("X"), Email: opt.Of(address)}, &problems)
		if problems.Empty() != want || want && strings.Contains(made.Email(), "\u200b") {
			t.Errorf("%q: %v, %q", address, problems.Err(), made.Email())
		}
	}
}

func TestNamesKeepNothingThatNobodySees(t *testing.T) {
	made := create(t, customer.Change{Type: opt.Of("PROSPECT"), Firstname: opt.Of("\ufeffAnne"), Lastname: opt.Of("Le\u200b Go\u00adff")})
	if made.Firstname != "Anne" || made.Lastname != "Le Goff" {
		t.Errorf("%+q %+q", made.Firstname, made.Lastname)
	}
	var problems fault.Problems
	if rules().Create(customer.Change{Type: opt.Of("PROSPECT"), Lastname: opt.Of("\u200b")}, &problems); problems.Empty() {
		t.Error("somebody whose name nobody sees is made")
	}
}

func TestPhoneKeysAreInternationalOrElseDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[0-9]{4,12}`).Draw(t, "digits")
		written := strings.Builder{}
		for _, digit := range digits {
			written.WriteString(rapid.SampledFrom([]string{"", " ", ".", "-", "/", "("}).Draw(t, "between"))
			written.WriteRune(digit)
		}
		if got := customer.PhoneKey(written.String(), ""); got != digits {
			t.Fatalf("the key of %q is %q", written.String(), got)
		}
		if got := (customer.PhoneNumber{Number: written.String(), E164: "+" + digits}).Key(); got != "+"+digits {
			t.Fatalf("the key of %q is %q", written.String(), got)
		}
	})
}

func TestAPhoneNumberIsNeverTakenForAnEmailAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, key := range customer.ContactKeys(somebody(t)) {
			if digits := strings.Trim(key, "+0123456789") == ""; digits == strings.Contains(key, "@") {
				t.Fatalf("%q is both, or neither", key)
			}
		}
	})
}

func TestThePrimaryEntryIsTheOneMarked(t *testing.T) {
	c := customer.Customer{Profile: customer.Profile{
		Emails: []customer.Email{{Address: "a@example.com"}, {Address: "b@example.com", Primary: true}},
		Phones: []customer.PhoneNumber{{Number: "1111"}, {Number: "2222", Primary: true}},
	}}
	if c.Email() != "b@example.com" || c.Phone() != "2222" {
		t.Errorf("%q, %q", c.Email(), c.Phone())
	}
	if none := (customer.Customer{}); none.Email() != "" || none.Phone() != "" {
		t.Errorf("%q, %q", none.Email(), none.Phone())
	}
}

func TestWhoCanBeToldFromOthers(t *testing.T) {
	for name, c := range map[string]struct {
		customer customer.Customer
		want     bool
	}{
		"nobody":         {customer.Customer{}, false},
		"a first name":   {customer.Customer{Firstname: "Anne"}, false},
		"a last name":    {customer.Customer{Lastname: "Roux"}, true},
		"a company":      {customer.Customer{Company: "SCI"}, true},
		"an address":     {customer.Customer{Profile: customer.Profile{Addresses: []customer.Address{{City: "Lyon"}}}}, false},
		"an e-mail":      {customer.Customer{Profile: customer.Profile{Emails: []customer.Email{{}}}}, true},
		"a phone number": {customer.Customer{Profile: customer.Profile{Phones: []customer.PhoneNumber{{}}}}, true},
	} {
		if got := c.customer.Reachable(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A difference in any field is one, but for when the customer was changed; an
// empty list is none.
func TestWhichStatesShowADifference(t *testing.T) {
	known := filled(t)
	var differ func(v reflect.Value, name string)
	differ = func(v reflect.Value, name string) {
		if v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]() {
			for field, value := range v.Fields() {
				differ(value, name+" "+field.Name)
			}
			return
		}
		other := known.Clone()
		place := reflect.ValueOf(&other).Elem()
		for step := range strings.FieldsSeq(name) {
			place = place.FieldByName(step)
		}
		place.SetZero()
		if want := name == " Modified" || name == " Version"; known.Same(other) != want || other.Same(known) != want {
			t.Errorf("without%s the customer is the same: %t", name, !want)
		}
	}
	differ(reflect.ValueOf(known), "")

	none, empty := customer.Customer{}, customer.Customer{}
	empty.Emails, empty.Phones, empty.Addresses, empty.Related = []customer.Email{}, []customer.PhoneNumber{}, []customer.Address{}, []customer.RelatedContact{}
	if !none.Same(empty) {
		t.Error("an empty list is not none")
	}
}

func TestACopyCanBeChangedFreely(t *testing.T) {
	known := filled(t)
	var scribble func(v reflect.Value)
	scribble = func(v reflect.Value) {
		switch {
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				v.Index(i).SetZero()
			}
		case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
			for _, field := range v.Fields() {
				scribble(field)
			}
		}
	}
	copied := known.Clone()
	scribble(reflect.ValueOf(&copied).Elem())
	if !reflect.DeepEqual(known, filled(t)) {
		t.Errorf("the customer is now %+v", known)
	}
}

func TestWhatCanBeAnEmailAddress(t *testing.T) {
	for address, want := range map[string]bool{
		"a@b.fr": true, "anne.le-goff+immo@sci-du-lac.example.com": true, "é@exämple.fr": true, "a@b.c.d": true,
		strings.Repeat("a", 248) + "@b.com": true, strings.Repeat("a", 249) + "@b.com": false,
		"a": false, "@b.fr": false, "a@": false, "a@b": false, "a@b@c.fr": false, "a@.fr": false, "a@b.": false, "a@.b.fr": false, "a@b.fr.": false,
		"a b@c.fr": false, "a@b c.fr": false, "a\u00a0b@c.fr": false, "a\x00@b.fr": false, "a@b.fr\x7f": false,
	} {
		var problems fault.Problems
		made := rules().Create(customer.Change{Type: opt.Of("PROSPECT"), Email: opt.Of(address)}, &problems)
		if problems.Empty() != want || want && made.Email() != address {
			t.Errorf("%q: accepted is %t, kept is %q", address, problems.Empty(), made.Email())
		}
	}
}

func TestEmailBecomesThePrimaryAddressAndIsAddedOnce(t *testing.T) {
	c := create(t, customer.Change{Type: opt.Of("PROSPECT"), Email: opt.Of("a@example.com")})
	steps := []struct {
		email opt.Field[string]
		want  []customer.Email
	}{
		{opt.Of("B@example.com"), []customer.Email{{ID: 1, Address: "a@example.com"}, {ID: 2, Address: "B@example.com", Primary: true}}},
		{opt.Of("A@Example.com"), []customer.Email{{ID: 1, Address: "a@example.com", Primary: true}, {ID: 2, Address: "B@example.com"}}},
		{opt.Field[string]{}, []customer.Email{{ID: 1, Address: "a@example.com", Primary: true}, {ID: 2, Address: "B@example.com"}}},
		{opt.Null[string](), []customer.Email{{ID: 2, Address: "B@example.com", Primary: true}}},
	}
	for i, step := range steps {
		if c = update(t, c, customer.Change{Email: step.email, Lastname: opt.Of("Roux")}); !slices.Equal(c.Emails, step.want) {
			t.Fatalf("step %d: %+v, want %+v", i, c.Emails, step.want)
		}
	}
	if c = update(t, c, customer.Change{Email: opt.Of("")}); len(c.Emails) != 0 {
		t.Errorf("%+v", c.Emails)
	}
}

func TestWhatIsAbsentStaysAndNullClears(t *testing.T) {
	c := create(t, customer.Change{Type: opt.Of("PROSPECT"), Firstname: opt.Of("Anne"), Lastname: opt.Of("Roux"), Company: opt.Of("SCI")})
	if after := update(t, c, customer.Change{}); !after.Same(c) {
		t.Errorf("a change of nothing makes %+v of %+v", after, c)
	}
	after := update(t, c, customer.Change{Firstname: opt.Null[string](), Lastname: opt.Null[string]()})
	if after.Firstname != "" || after.Lastname != "" || after.Company != "SCI" || after.Type != "PROSPECT" {
		t.Errorf("%+v", after)
	}
}
