package demand_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func TestTheStatusOfALeadGoesWithItsAgent(t *testing.T) {
	for _, status := range demand.LeadStatuses() {
		for _, agent := range []site.UserID{0, 7} {
			l := demand.Lead{Status: status, User: agent}
			l.AlignStatus()
			want := status
			if status == demand.LeadNew || status == demand.LeadAssigned {
				want = map[bool]string{false: demand.LeadNew, true: demand.LeadAssigned}[agent != 0]
			}
			if l.Status != want || l.User != agent {
				t.Errorf("a lead that is %s with agent %d becomes %+v, want %s", status, agent, l, want)
			}
		}
	}
}

func TestAProjectIsAboutATransaction(t *testing.T) {
	want := map[string]string{demand.ProjectSale: "Vente", demand.ProjectRental: "Location", demand.ProjectEstimation: ""}
	for _, kind := range demand.Projects() {
		if got := (demand.Project{Kind: kind}).Transaction(); got != want[kind] {
			t.Errorf("%s is about %q", kind, got)
		}
	}
}
