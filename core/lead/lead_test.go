package lead_test

import (
	"regexp"
	"testing"

	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/site"
)

func TestTheStatusOfALeadGoesWithItsAgent(t *testing.T) {
	for _, status := range lead.Statuses() {
		for _, agent := range []site.UserID{0, 7} {
			l := lead.Lead{Status: status, User: agent}
			l.Settle()
			want := status
			if status == lead.StatusNew || status == lead.StatusAssigned {
				want = map[bool]string{false: lead.StatusNew, true: lead.StatusAssigned}[agent != 0]
			}
			if l.Status != want || l.User != agent {
				t.Errorf("a lead that is %s with agent %d becomes %+v, want %s", status, agent, l, want)
			}
		}
	}
}

func TestTheKeyOfALeadTellsLeadsApartAndNamesNobody(t *testing.T) {
	first := lead.Lead{Kind: lead.Seller, Contact: lead.Contact{Email: "Ada@Example.com", Phone: "06 12"}, Project: lead.Project{City: "Évian"}, Origin: "PORTAIL"}
	again := first
	again.Email, again.Project.City, again.Message = "ada@example.COM", "EVIAN", "again"
	key := first.Key("+3312")
	if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(key) {
		t.Errorf("the key is %q, and no digest", key)
	}
	if got := again.Key("+3312"); got != key {
		t.Errorf("the lead sent again has the key %s, the first %s", got, key)
	}
	for what, change := range map[string]func(*lead.Lead){
		"kind":     func(l *lead.Lead) { l.Kind = lead.Buyer },
		"email":    func(l *lead.Lead) { l.Email = "bob@example.com" },
		"project":  func(l *lead.Lead) { l.Project.Address = "1 rue" },
		"product":  func(l *lead.Lead) { l.Product = 1 },
		"origin":   func(l *lead.Lead) { l.Origin = "APPEL" },
		"their id": func(l *lead.Lead) { l.ExternalID = "x" },
	} {
		other := first
		if change(&other); other.Key("+3312") == key {
			t.Errorf("leads with another %s have one key", what)
		}
	}
	if first.Key("+3313") == key {
		t.Error("leads from another number have one key")
	}
}

func TestAProjectIsAboutATransaction(t *testing.T) {
	want := map[string]string{lead.ProjectSale: "Vente", lead.ProjectRental: "Location", lead.ProjectEstimation: ""}
	for _, kind := range lead.Projects() {
		if got := (lead.Project{Kind: kind}).Transaction(); got != want[kind] {
			t.Errorf("%s is about %q", kind, got)
		}
	}
}
