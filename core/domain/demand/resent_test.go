package demand_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// e164 is that of the French numbers that the tests speak of.
func e164(number string) string {
	if number == "0612" || number == "+3312" {
		return "+3312"
	}
	return ""
}

func phoneKey(number string) string { return customer.PhoneKey(number, e164(number)) }

func TestO11_LeadsAreOneWhenTheyShareAWayToReachThemAndAreAboutTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
		draw := func() (demand.Lead, demand.LeadPlace) {
			l := some(t)
			l.Email, l.Phone = of("email", "", "ada@example.com", " ADA@example.com", "bob@example.com"), of("phone", "", "0612", "+3312", "0.6.99", "0699")
			return l, demand.LeadPlace{Address: of("address", "", "1 rue", "1  RUE"), PostalCode: of("code", "", "74500"), City: of("city", "", "Évian", "EVIAN ")}
		}
		a, here := draw()
		b, there := draw()
		fold := func(p demand.LeadPlace) demand.LeadPlace {
			return demand.LeadPlace{Address: criteria.Fold(p.Address), PostalCode: criteria.Fold(p.PostalCode), City: criteria.Fold(p.City)}
		}
		about := a.Kind == b.Kind && (a.Kind == demand.BuyerLead && a.Product == b.Product || a.Kind == demand.SellerLead && fold(here) == fold(there))
		reached := a.Email != "" && customer.EmailKey(a.Email) == customer.EmailKey(b.Email) || a.Phone != "" && phoneKey(a.Phone) == phoneKey(b.Phone)
		want := about && reached && criteria.Fold(a.Origin) == criteria.Fold(b.Origin)
		first, second := a.Keys(here, e164(a.Phone)), b.Keys(there, e164(b.Phone))
		if got := slices.ContainsFunc(first, func(key string) bool { return slices.Contains(second, key) }); got != want {
			t.Fatalf("%+v at %v and %+v at %v are one: %t", a, here, b, there, got)
		}
		ways := 0
		for _, way := range []string{a.Email, a.Phone} {
			if way != "" {
				ways++
			}
		}
		if len(first) != ways {
			t.Fatalf("%d keys for %d ways to reach somebody", len(first), ways)
		}
	})
}

func TestTheKeysOfALeadHoldNothingOfThePerson(t *testing.T) {
	l := demand.Lead{LeadContact: demand.LeadContact{Email: "ada", Phone: "1234"}}
	keys := l.Keys(demand.LeadPlace{Address: "abcd"}, "+331234")
	for _, key := range keys {
		if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(key) {
			t.Errorf("the key %q is no digest", key)
		}
	}
	for _, word := range []string{"ada", "1234", "abcd"} {
		if strings.Contains(strings.Join(keys, " "), word) {
			t.Errorf("%q is in the keys", word)
		}
	}
}

func TestWhatSomebodySaysBesideMakesNoOtherLead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := some(t)
		again := l
		again.ID, again.Status, again.User, again.ExternalID = 99, "PERDU", 7, "theirs"
		again.Civility, again.Firstname, again.Lastname = "MME", "Ada", "Lovelace"
		again.Message, again.OriginDetail, again.Metadata = "again", "more", `{"a":1}`
		again.Campaign = demand.Campaign{Source: "mail"}
		again.Project, again.Wish = demand.Project{Kind: "VENTE", Horizon: "soon"}, demand.Wish{VisitSlot: "at noon"}
		again.Added, again.Version = time.Now(), 12
		if got, want := again.Keys(demand.LeadPlace{}, ""), l.Keys(demand.LeadPlace{}, ""); !slices.Equal(got, want) {
			t.Fatalf("%+v is another lead than %+v", again, l)
		}
	})
}

// said makes members of metadata.
func said(names ...string) (members []demand.Member) {
	for _, name := range names {
		members = append(members, demand.Member{Name: name, Text: fmt.Sprintf("%q:1", name)})
	}
	return members
}

func TestO11_WhatALeadAddsWhenItIsSentAgain(t *testing.T) {
	first := demand.Lead{
		LeadContact: demand.LeadContact{Email: "ada@example.com", Lastname: "Byron"}, Message: "One.", Product: product.ID(3),
		Metadata: `{"a":1}`, MetadataNames: []string{"a"}, Status: "PERDU", Added: time.Unix(5, 0),
	}
	again := demand.Lead{
		ID: 9, LeadContact: demand.LeadContact{Email: "bob@example.com", Phone: "0612", Firstname: "Ada", Lastname: "Lovelace"}, Message: "Two.", Status: demand.LeadNew,
		ExternalID: "x", Campaign: demand.Campaign{Source: "mail"}, Wish: demand.Wish{VisitDay: "2026-12-01"}, User: 7, Added: time.Unix(9, 0),
	}
	got := first.With(again, said("b", "a", "c"), phoneKey)
	want := first
	want.Phone, want.Firstname, want.OtherEmails = "0612", "Ada", []string{"bob@example.com"}
	want.Message, want.ExternalID, want.Campaign, want.Wish = "One.\n\nTwo.", "x", again.Campaign, again.Wish
	want.Metadata, want.MetadataNames = `{"a":1,"b":1,"c":1}`, []string{"a", "b", "c"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	again.Phone, again.Message = "0699", "One."
	if got = got.With(again, nil, phoneKey); !slices.Equal(got.OtherPhones, []string{"0699"}) || got.Phone != "0612" || got.Message != want.Message {
		t.Errorf("the third time: %+v", got)
	}
}

func TestO11_WhatIsSentTwiceAddsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, again := some(t), some(t)
		again.Message = rapid.SampledFrom([]string{"", "hello", "hello\n\nyou", strings.Repeat("é", demand.MaxMessage)}).Draw(t, "message")
		names := said(rapid.SliceOfDistinct(rapid.StringMatching("[a-d]"), rapid.ID).Draw(t, "names")...)
		once := first.With(again, names, phoneKey)
		twice := once.With(again, names, phoneKey)
		if !once.Same(twice) {
			t.Fatalf("%+v becomes %+v", once, twice)
		}
		if !first.Same(first.With(first, nil, phoneKey)) {
			t.Fatalf("%+v adds something to itself", first)
		}
		for _, contact := range []struct{ was, is string }{{first.Email, once.Email}, {first.Phone, once.Phone}, {first.Lastname, once.Lastname}, {first.ExternalID, once.ExternalID}} {
			if contact.was != "" && contact.is != contact.was {
				t.Fatalf("%+v loses what was known: %+v", first, once)
			}
		}
		for _, email := range []string{first.Email, again.Email} {
			same := func(one string) bool { return customer.EmailKey(one) == customer.EmailKey(email) }
			if email != "" && !same(once.Email) && !slices.ContainsFunc(once.OtherEmails, same) {
				t.Fatalf("%s is lost: %+v", email, once)
			}
		}
	})
}

func TestALeadHasLimitsHoweverOftenItIsSent(t *testing.T) {
	var l demand.Lead
	for i := range 60 {
		again := demand.Lead{LeadContact: demand.LeadContact{Email: fmt.Sprintf("%d@example.com", i), Phone: fmt.Sprint(10_000 + i)}, Message: strings.Repeat("é", 500) + fmt.Sprint(i)}
		l = l.With(again, said(fmt.Sprint(i)), phoneKey)
	}
	if n := utf8.RuneCountInString(l.Message); n != demand.MaxMessage || !strings.HasSuffix(l.Message, "…") {
		t.Errorf("the message has %d characters", n)
	}
	if len(l.OtherEmails) != 20 || len(l.OtherPhones) != 20 || len(l.MetadataNames) != demand.MaxMetadata {
		t.Errorf("%d addresses, %d numbers, %d members", len(l.OtherEmails), len(l.OtherPhones), len(l.MetadataNames))
	}
	huge := demand.Member{Name: "huge", Text: strings.Repeat("x", 1<<20)}
	if got := (demand.Lead{}).With(demand.Lead{}, []demand.Member{huge}, phoneKey); got.Metadata != "" {
		t.Errorf("%d bytes of metadata", len(got.Metadata))
	}
	// Nobody knows the names of what was stored before names were.
	old := demand.Lead{Metadata: `{"a":1}`}
	if got := old.With(demand.Lead{}, said("a"), phoneKey); got.Metadata != old.Metadata {
		t.Errorf("the metadata is %s", got.Metadata)
	}
}

func TestTwoStatesOfALeadShowADifference(t *testing.T) {
	var l demand.Lead
	apitest.Fill(t, &l)
	same := l
	same.Modified, same.Version = time.Now(), l.Version+1
	if !l.Same(same) {
		t.Error("a version is a difference")
	}
	for i := range reflect.TypeFor[demand.Lead]().NumField() {
		other := l
		field := reflect.ValueOf(&other).Elem().Field(i)
		name := reflect.TypeFor[demand.Lead]().Field(i).Name
		if field.SetZero(); l.Same(other) != (name == "Modified" || name == "Version") {
			t.Errorf("%s is no difference", name)
		}
	}
}
