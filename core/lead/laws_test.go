package lead_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// some draws a lead that differs from others in little.
func some(t *rapid.T) lead.Lead {
	of := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
	return lead.Lead{
		ID: lead.ID(rapid.IntRange(1, 3).Draw(t, "id")), Kind: rapid.SampledFrom([]lead.Kind{lead.Seller, lead.Buyer}).Draw(t, "kind"),
		Status: of("status", lead.Statuses()...), User: site.UserID(rapid.IntRange(0, 1).Draw(t, "user")),
		Product: product.ID(rapid.IntRange(0, 1).Draw(t, "product")),
		Contact: lead.Contact{Email: of("email", "", "ada@example.com", "ADA@example.com"), Phone: of("phone", "", "06 12", "0612"), Lastname: of("name", "", "Byron")},
		Message: of("message", "", "hello"), Origin: of("origin", "", "PORTAIL", "portail", "APPEL"), ExternalID: of("their id", "", "x", "X"),
		Project: lead.Project{Kind: of("project", "", "VENTE"), City: of("city", "", "Évian", "EVIAN"), PostalCode: of("postal code", "", "74500")},
	}
}

// identity is what a lead is recognised by.
func identity(l lead.Lead, e164 string) []any {
	return []any{
		l.Kind, customer.EmailKey(l.Email), customer.PhoneKey(l.Phone, e164), criteria.Fold(l.Project.Kind), criteria.Fold(l.Project.City), l.Project.PostalCode,
		l.Product, criteria.Fold(l.Origin), l.ExternalID,
	}
}

func TestO11_TwoLeadsAreOneWhenTheyComeFromTheSamePersonAboutTheSameThing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, other := some(t), some(t)
		b := a
		for _, change := range rapid.SliceOfN(rapid.SampledFrom([]func(){
			func() { b.Kind = other.Kind }, func() { b.Email = other.Email }, func() { b.Phone = other.Phone },
			func() { b.Project.Kind = other.Project.Kind }, func() { b.Project.City = other.Project.City }, func() { b.Project.PostalCode = other.Project.PostalCode },
			func() { b.Product = other.Product }, func() { b.Origin = other.Origin }, func() { b.ExternalID = other.ExternalID },
		}), 0, 2).Draw(t, "changes") {
			change()
		}
		e164 := rapid.SampledFrom([]string{"", "+3312"}).Draw(t, "e164")
		same := slices.Equal(identity(a, e164), identity(b, e164))
		if got := a.Key(e164) == b.Key(e164); got != same {
			t.Fatalf("%+v and %+v have one key: %t", a, b, got)
		}
	})
}

func TestO11_SpellingMakesNoOtherLead(t *testing.T) {
	first := lead.Lead{
		Contact: lead.Contact{Email: "ada@example.com", Phone: "06 12"}, Origin: "PORTAIL", ExternalID: "x",
		Project: lead.Project{Kind: "VENTE", Address: "1 rue", PostalCode: "ad500", City: "Évian"},
	}
	for name, again := range map[string]func(*lead.Lead){
		"email":       func(l *lead.Lead) { l.Email = " ADA@example.com" },
		"phone":       func(l *lead.Lead) { l.Phone = "0.6.1.2" },
		"origin":      func(l *lead.Lead) { l.Origin = "portail" },
		"project":     func(l *lead.Lead) { l.Project.Kind = "vente" },
		"address":     func(l *lead.Lead) { l.Project.Address = "1 RUE" },
		"postal code": func(l *lead.Lead) { l.Project.PostalCode = "AD500" },
		"city":        func(l *lead.Lead) { l.Project.City = "evian" },
	} {
		l := first
		if again(&l); l.Key("") != first.Key("") {
			t.Errorf("another spelling of the %s is another lead", name)
		}
	}
	l := first
	if l.ExternalID = "X"; l.Key("") == first.Key("") {
		t.Error("the ids of senders are not taken as they are")
	}
}

func TestWhatSomebodySaysBesideMakesNoOtherLead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := some(t)
		again := l
		again.ID, again.Status, again.User = 99, "PERDU", 7
		again.Civility, again.Firstname, again.Lastname = "MME", "Ada", "Lovelace"
		again.Message, again.OriginDetail, again.Metadata = "again", "more", `{"a":1}`
		again.Campaign = lead.Campaign{Source: "mail"}
		again.Project.Horizon, again.Project.Country, again.Wish = "soon", "FR", lead.Wish{VisitSlot: "at noon"}
		again.Added, again.Version = time.Now(), 12
		if again.Key("") != l.Key("") {
			t.Fatalf("%+v is another lead than %+v", again, l)
		}
	})
}

func TestTheKeyOfALeadHoldsNothingOfThePerson(t *testing.T) {
	l := lead.Lead{Contact: lead.Contact{Email: "ada", Phone: "1234"}, ExternalID: "abcd"}
	for _, word := range []string{"ada", "1234", "abcd"} {
		if strings.Contains(l.Key("")+l.Key("+33"), word) {
			t.Errorf("%q is in the key", word)
		}
	}
}

func TestAStatusIsSettledOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := some(t)
		settled := l
		settled.Settle()
		if !slices.Contains(lead.Statuses(), settled.Status) {
			t.Fatalf("%q is no status", settled.Status)
		}
		twice := settled
		if twice.Settle(); !reflect.DeepEqual(twice, settled) {
			t.Fatalf("%+v is settled and becomes %+v", settled, twice)
		}
		if settled.Status == lead.StatusAssigned && settled.User == 0 || settled.Status == lead.StatusNew && settled.User != 0 {
			t.Fatalf("%s with agent %d", settled.Status, settled.User)
		}
		if settled.Status = l.Status; !reflect.DeepEqual(settled, l) {
			t.Fatalf("more than the status of %+v was changed: %+v", l, settled)
		}
	})
}

func TestStatusesAndProjectsAreListedOnce(t *testing.T) {
	for _, list := range [][]string{lead.Statuses(), lead.Projects()} {
		sorted := slices.Sorted(slices.Values(list))
		if len(list) == 0 || slices.Contains(list, "") || len(slices.Compact(sorted)) != len(list) {
			t.Errorf("%q", list)
		}
	}
	if got := lead.Statuses()[:2]; !slices.Equal(got, []string{lead.StatusNew, lead.StatusAssigned}) {
		t.Errorf("leads begin as %q", got)
	}
	if !slices.Contains(lead.Projects(), lead.ProjectEstimation) {
		t.Error("nobody wants an estimation")
	}
	list := lead.Statuses()
	list[0] = "x"
	if lead.Statuses()[0] != lead.StatusNew {
		t.Error("whoever lists the statuses can change them")
	}
}

// Whatever somebody said, what is left afterwards is named here, and nothing else.
func TestAnAnonymousLeadKeepsWhatIsNobodysOwn(t *testing.T) {
	var known lead.Lead
	apitest.Fill(t, &known)
	want := lead.Lead{
		ID: known.ID, Site: known.Site, Agency: known.Agency, User: known.User, Kind: known.Kind, Status: known.Status,
		Customer: known.Customer, CustomerCreated: known.CustomerCreated, Product: known.Product, Search: known.Search, FollowUp: known.FollowUp,
		Origin: known.Origin, Project: lead.Project{Kind: known.Project.Kind}, Wish: lead.Wish{TransactionType: known.Wish.TransactionType},
		Added: known.Added, Modified: known.Modified, Version: known.Version,
	}
	left := known.Anonymous()
	if !reflect.DeepEqual(left, want) {
		t.Errorf("%+v is left, want %+v", left, want)
	}
	if !reflect.DeepEqual(left.Anonymous(), left) {
		t.Error("the second time something else goes")
	}
}
