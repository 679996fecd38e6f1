package recurrence_test

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/recurrence"
)

// A meeting each Tuesday at 9:00 in Paris stays at 9:00 when the clocks change.
func ExampleSeries_Starts() {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		panic(err)
	}
	rule, problem := recurrence.New("FREQ=WEEKLY;BYDAY=TU;COUNT=3", false)
	if problem != nil {
		panic(problem)
	}
	start := time.Date(2026, time.October, 20, 9, 0, 0, 0, paris)
	series := recurrence.Series{Rule: rule, Start: start, Length: time.Hour, Zone: paris}
	for at := range series.Starts(start, start.AddDate(1, 0, 0)) {
		fmt.Println(at.UTC().Format("2006-01-02 15:04"))
	}
	// Output:
	// 2026-10-20 07:00
	// 2026-10-27 08:00
	// 2026-11-03 08:00
}
