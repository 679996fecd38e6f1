package deals

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// HolidaysOf is GET /configs/holidays.
type HolidaysOf struct {
	Year   opt.Field[int]    `query:"year" required:"true" minimum:"1970" maximum:"2199"`
	Region opt.Field[string] `query:"region" enum:"FR,FR-AM,FR-971,FR-972,FR-973,FR-974,FR-975,FR-976,FR-977,FR-978,FR-986,FR-987,FR-988" doc:"default FR"`
}

// Holiday is a public holiday.
type Holiday struct {
	Date  string `json:"date" format:"date"`
	Label string `json:"label"`
}

// Holidays are the public holidays of a year, by date.
type Holidays struct {
	Data []Holiday `json:"data"`
}

func (u Unit) listHolidays(in HolidaysOf) (Holidays, error) {
	var problems fault.Problems
	switch {
	case !in.Year.Given():
		problems.Add("year", fault.CodeRequired, "year is required")
	case in.Year.Value < calendar.FirstYear || in.Year.Value > calendar.LastYear:
		problems.Wrong("year", fault.CodeOutOfRange, in.Year.Value, "holidays are known from %d to %d", calendar.FirstYear, calendar.LastYear)
	}
	region := readRegion(form.Form{Problems: &problems}, in.Region)
	list := Holidays{Data: []Holiday{}}
	if err := problems.Err(); err != nil {
		return list, err
	}
	for _, h := range region.Holidays(in.Year.Value) {
		list.Data = append(list.Data, Holiday{h.Day.String(), h.Label})
	}
	return list, nil
}

// readRegion reads a region; France where nothing is said.
func readRegion(f form.Form, given opt.Field[string]) calendar.Region {
	region := calendar.France
	if given.Or("") != "" {
		form.OneOf(f, "region", &region, given, calendar.Regions())
	}
	return region
}

// indexExists is NotFound when there is no such index.
func indexExists(name string) error {
	if slices.Contains(letting.Indices(), letting.Index(name)) {
		return nil
	}
	return kernel.Unknown("there is no such index")
}
