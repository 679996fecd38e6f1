package transition_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

type status string

var table = transition.Table[status]{
	{From: []status{"draft"}, By: "send", To: []status{"open"}},
	{From: []status{"draft", "open"}, By: "drop", To: []status{"gone"}},
	{From: []status{"gone"}, By: "note", To: []status{"gone"}},
}

func TestWhatATableDoesNotListCannotBeDone(t *testing.T) {
	for _, s := range table.Statuses() {
		for _, by := range []string{"send", "drop", "note", "other"} {
			want := slices.Contains([]string{"draft send", "draft drop", "open drop", "gone note"}, string(s)+" "+by)
			err := table.Check(s, by)
			if table.Allows(s, by) != want || (err == nil) != want {
				t.Errorf("%s in %s: allowed %v, %v", by, s, table.Allows(s, by), err)
			}
			if err == nil {
				continue
			}
			if known := fault.From(err); !errors.Is(err, fault.Conflict) || known.Code != fault.CodeInvalidTransition ||
				known.Details[0].Field != "status" || known.Details[0].Value != string(s) {
				t.Errorf("%s in %s is refused with %+v", by, s, known)
			}
		}
	}
	if !table.Leads("draft", "drop", "gone") || table.Leads("draft", "drop", "open") {
		t.Error("dropping leads elsewhere")
	}
}

func TestAStatusIsFinalWhenNothingLeadsOut(t *testing.T) {
	if got := table.Statuses(); !slices.Equal(got, []status{"draft", "open", "gone"}) {
		t.Errorf("the statuses are %v", got)
	}
	for s, want := range map[status]bool{"draft": false, "open": false, "gone": true} {
		if table.Final(s) != want {
			t.Errorf("%s is final %v", s, !want)
		}
	}
}
