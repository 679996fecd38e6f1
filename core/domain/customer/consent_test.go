package customer_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
)

func TestAConsentIsCompletedAndNeverOverturned(t *testing.T) {
	yes, no := true, false
	first, later := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	paper := customer.Consent{Email: &no, SMS: &yes, ObtainedAt: first, Source: "paper"}
	portal := customer.Consent{Email: &yes, SMS: &no, Phone: &yes, ObtainedAt: later, Source: "portal", WithdrawnAt: later}
	want := customer.Consent{Email: &no, SMS: &yes, Phone: &yes, ObtainedAt: first, Source: "paper", WithdrawnAt: later}
	if diff := cmp.Diff(want, paper.Complete(portal)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(portal, customer.Consent{}.Complete(portal)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(paper, paper.Complete(customer.Consent{Source: "x"})); diff != "" {
		t.Error(diff)
	}
}
