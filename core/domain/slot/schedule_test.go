package slot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// Nobody works who has said nothing, but a duty can be booked.
func TestWhoHasNoScheduleIsFreeOnDutyAlone(t *testing.T) {
	none := slot.NoSchedule(1, 104)
	if none.Site != 1 || none.User != 104 || none.Version != slot.FirstScheduleVersion || !none.Bookable {
		t.Fatalf("%+v", none)
	}
	day := calendar.Interval{Start: time.Date(2026, 9, 14, 0, 0, 0, 0, time.UTC), End: time.Date(2026, 9, 21, 0, 0, 0, 0, time.UTC)}
	duty := calendar.Interval{Start: day.Start.Add(10 * time.Hour), End: day.Start.Add(11 * time.Hour)}
	for n, duties := range [][]slot.Duty{nil, {{Interval: duty, Bookable: true}}} {
		agent := slot.Agent{ID: none.User, Work: none.WorkingTime, Duties: duties}
		slots, _ := slot.Slots(slot.Query{Window: day, Zone: time.UTC, Now: day.Start.Add(-time.Hour), Duration: time.Hour, Step: time.Hour}, []slot.Agent{agent})
		if len(slots) != n {
			t.Errorf("with %d duties there are the slots %v", n, slots)
		}
	}
}

func TestWhatACalendarElsewhereCanBeCalled(t *testing.T) {
	for name, want := range map[slot.Source]bool{
		"google": true, "outlook-2": true, "-": true, "7": true, slot.Source(strings.Repeat("a", 40)): true,
		"": false, "Google": false, "a b": false, "a_b": false, "é": false, "a/b": false, "a\n": false, slot.Source(strings.Repeat("a", 41)): false,
	} {
		if got := name.Valid(); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
