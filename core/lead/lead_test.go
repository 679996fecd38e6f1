package lead_test

import (
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

func TestAProjectIsAboutATransaction(t *testing.T) {
	want := map[string]string{lead.ProjectSale: "Vente", lead.ProjectRental: "Location", lead.ProjectEstimation: ""}
	for _, kind := range lead.Projects() {
		if got := (lead.Project{Kind: kind}).Transaction(); got != want[kind] {
			t.Errorf("%s is about %q", kind, got)
		}
	}
}
