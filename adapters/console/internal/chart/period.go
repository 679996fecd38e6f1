package chart

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

// Period is how far back a page looks, and in which steps.
type Period struct {
	Name       string
	Label, Ago kit.Text
	Steps      int
	Step       time.Duration
}

// Periods returns what can be looked at. Of requests, minutes are kept for two days and hours for 90.
func Periods() []Period {
	return []Period{
		{"hour", "an hour", "1 h ago", 60, time.Minute},
		{"day", "a day", "24 h ago", 96, 15 * time.Minute},
		{"week", "a week", "7 days ago", 84, 2 * time.Hour},
		{"quarter", "90 days", "90 days ago", 90, 24 * time.Hour},
	}
}

// LastHour is the period of an hour.
func LastHour() Period { return Periods()[0] }

// PeriodOf returns the period with a name, or else a day.
func PeriodOf(name string) Period {
	all := Periods()
	if i := slices.IndexFunc(all, func(p Period) bool { return p.Name == name }); i >= 0 {
		return all[i]
	}
	return all[1]
}

// From returns the beginning of the first step of the period until now. The last of its steps has begun,
// and not ended. Steps of hours and days begin as clocks in the time zone of now have them, but for parts of
// an hour: what is kept longest is kept by hours of UTC.
func (p Period) From(now time.Time) time.Time {
	_, seconds := now.Zone()
	ahead := (time.Duration(seconds) * time.Second).Truncate(time.Hour)
	return now.Add(ahead).Truncate(p.Step).Add(-ahead - time.Duration(p.Steps-1)*p.Step)
}

// Tabs returns the periods as views of a page, each at its address.
func (p Period) Tabs(at func(name string) string) []kit.Tab {
	var tabs []kit.Tab
	for _, one := range Periods() {
		tabs = append(tabs, kit.Tab{Label: one.Label, Href: at(one.Name), Current: one.Name == p.Name})
	}
	return tabs
}
