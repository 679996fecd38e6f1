package calendar

import (
	"slices"
	"strings"
	"time"
)

// Region is where holidays are kept: FR, a department or collectivity overseas by its
// number, such as FR-974, or FR-AM for Alsace and Moselle.
type Region string

// The regions.
const (
	France        Region = "FR"
	AlsaceMoselle Region = "FR-AM"
	Guadeloupe    Region = "FR-971"
	Martinique    Region = "FR-972"
	Guyane        Region = "FR-973"
	Reunion       Region = "FR-974"
	Mayotte       Region = "FR-976"

	SaintPierreMiquelon Region = "FR-975"
	SaintBarthelemy     Region = "FR-977"
	SaintMartin         Region = "FR-978"
	WallisFutuna        Region = "FR-986"
	Polynesia           Region = "FR-987"
	NewCaledonia        Region = "FR-988"
)

// Regions lists the regions.
func Regions() []Region {
	return []Region{
		France, AlsaceMoselle, Guadeloupe, Martinique, Guyane, Reunion, SaintPierreMiquelon, Mayotte, SaintBarthelemy, SaintMartin,
		WallisFutuna, Polynesia, NewCaledonia,
	}
}

// RegionOf returns the region of a French postal code; France when it says nothing. Two
// islands left Guadeloupe and kept its postal codes.
func RegionOf(postalCode string) Region {
	postalCode = strings.Join(strings.Fields(postalCode), "")
	switch {
	case len(postalCode) != 5:
		return France
	case postalCode == "97133":
		return SaintBarthelemy
	case postalCode == "97150":
		return SaintMartin
	}
	if department := Region("FR-" + postalCode[:3]); slices.Contains(Regions(), department) {
		return department
	}
	switch postalCode[:2] {
	case "57", "67", "68":
		return AlsaceMoselle
	}
	return France
}

// Holidays are known for these years.
const (
	FirstYear = 1970
	LastYear  = 2199
)

// Holiday is a public holiday.
type Holiday struct {
	Day   Day
	Label string // in French
}

// fixed holidays are on the same date every year, movable ones a number of days
// after Easter.
type (
	fixed struct {
		region Region // France stands for all of them
		month  time.Month
		day    int
		label  string
	}
	movable struct {
		region Region
		after  Day
		label  string
	}
)

// Code du travail, art. L3133-1, L3134-13 and L3422-2, and for 986 to 988 the list of
// holidays that the state publishes (data.gouv.fr, jours fériés en France). Good Friday is one in
// communes with a Protestant church alone; it counts in all of Alsace and
// Moselle, because the longer period is the safe one.
var (
	fixedHolidays = []fixed{
		{France, time.January, 1, "Jour de l'an"},
		{France, time.May, 1, "Fête du Travail"},
		{France, time.May, 8, "Victoire 1945"},
		{France, time.July, 14, "Fête nationale"},
		{France, time.August, 15, "Assomption"},
		{France, time.November, 1, "Toussaint"},
		{France, time.November, 11, "Armistice 1918"},
		{France, time.December, 25, "Noël"},
		{AlsaceMoselle, time.December, 26, "Saint-Étienne"},
		{Mayotte, time.April, 27, "Abolition de l'esclavage"},
		{Martinique, time.May, 22, "Abolition de l'esclavage"},
		{SaintBarthelemy, time.October, 9, "Abolition de l'esclavage"},
		{SaintMartin, time.May, 28, "Abolition de l'esclavage"},
		{WallisFutuna, time.April, 28, "Saint Pierre Chanel"},
		{WallisFutuna, time.June, 29, "Saint Pierre et Saint Paul"},
		{WallisFutuna, time.July, 29, "Fête du Territoire"},
		{Polynesia, time.March, 5, "Arrivée de l'Évangile"},
		{Polynesia, time.June, 29, "Fête de l'autonomie"},
		{NewCaledonia, time.September, 24, "Fête de la citoyenneté"},
		{Guadeloupe, time.May, 27, "Abolition de l'esclavage"},
		{Guyane, time.June, 10, "Abolition de l'esclavage"},
		{Reunion, time.December, 20, "Abolition de l'esclavage"},
	}
	movableHolidays = []movable{
		{AlsaceMoselle, -2, "Vendredi saint"},
		{France, 1, "Lundi de Pâques"},
		{France, 39, "Ascension"},
		{France, 50, "Lundi de Pentecôte"},
	}
)

// Holidays returns those of a region in a year from FirstYear to LastYear, by day.
// Two on one day are one, with both labels.
func (r Region) Holidays(year int) []Holiday {
	var all []Holiday
	for _, h := range fixedHolidays {
		if h.region == France || h.region == r {
			all = append(all, Holiday{Of(year, h.month, h.day), h.label})
		}
	}
	sunday := easter(year)
	for _, h := range movableHolidays {
		if h.region == France || h.region == r {
			all = append(all, Holiday{sunday + h.after, h.label})
		}
	}
	slices.SortStableFunc(all, func(a, b Holiday) int { return int(a.Day - b.Day) })
	days := all[:0]
	for _, h := range all {
		if n := len(days); n > 0 && days[n-1].Day == h.Day {
			days[n-1].Label += ", " + h.Label
			continue
		}
		days = append(days, h)
	}
	return days
}

// IsHoliday reports whether a day is a public holiday of the region.
func (r Region) IsHoliday(d Day) bool {
	year, month, day := d.Date()
	for _, h := range fixedHolidays {
		if h.month == month && h.day == day && (h.region == France || h.region == r) {
			return true
		}
	}
	after := d - easter(year)
	return slices.ContainsFunc(movableHolidays, func(h movable) bool {
		return h.after == after && (h.region == France || h.region == r)
	})
}

// NextWorkingDay returns the day itself or the first one after it that is neither
// Saturday, Sunday nor a public holiday of the region.
func (r Region) NextWorkingDay(d Day) Day {
	for d.Weekday() == time.Saturday || d.Weekday() == time.Sunday || r.IsHoliday(d) {
		d++
	}
	return d
}

// easter is Easter Sunday, by the anonymous Gregorian computus.
func easter(year int) Day {
	golden, century := year%19, year/100
	skipped := century - century/4 - (8*century+13)/25 + 19*golden + 15
	moon := skipped % 30
	moon -= (moon / 28) * (1 - (moon/28)*(29/(moon+1))*((21-golden)/11))
	weekday := (year + year/4 + moon + 2 - century + century/4) % 7
	days := moon - weekday
	month := 3 + (days+40)/44
	return Of(year, time.Month(month), days+28-31*(month/4))
}
