package calendar_test

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
)

// A buyer gets the letter on 4 May 2026. The tenth day is Ascension Day, so the right to
// withdraw lasts until the day after it.
func ExampleDeadlineKind_From() {
	letter := calendar.Of(2026, time.May, 4)
	end := calendar.Withdrawal.From(letter, calendar.RegionOf("69003"), 0)
	fmt.Println(end.Nominal, end.LastDay, calendar.Withdrawal.Law())
	// Output: 2026-05-14 2026-05-15 CCH L271-1; CPC 641, 642
}
