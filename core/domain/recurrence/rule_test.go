package recurrence

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestRulesAreReadOrRefusedByTheirParts(t *testing.T) {
	const (
		fine   = fault.Code("")
		no     = fault.CodeRRuleNotSupported
		format = fault.CodeInvalidFormat
		bounds = fault.CodeOutOfRange
	)
	for text, want := range map[string]fault.Code{
		"FREQ=DAILY":  fine,
		"FREQ=WEEKLY": fine,
		"COUNT=3;BYDAY=MO;FREQ=WEEKLY;INTERVAL=2;WKST=SU": fine,
		"FREQ=MONTHLY;BYDAY=2TU,-1FR,+1MO,WE":             fine,
		"FREQ=MONTHLY;BYMONTHDAY=31,-31,+1":               fine,
		"FREQ=YEARLY;BYMONTH=1,12;BYDAY=-5MO":             fine,
		"FREQ=YEARLY;BYDAY=MO":                            fine,
		"FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1,366":        fine,
		"FREQ=DAILY;INTERVAL=366;COUNT=730":               fine,
		"FREQ=DAILY;UNTIL=20260508T070000Z":               fine,
		"FREQ=DAILY;COUNT=3;UNTIL=20260508T070000Z":       no,
		"FREQ=HOURLY":                                 no,
		"FREQ=MINUTELY;COUNT=3":                       no,
		"FREQ=SECONDLY":                               no,
		"FREQ=DAILY;BYHOUR=8":                         no,
		"FREQ=YEARLY;BYWEEKNO=3":                      no,
		"FREQ=YEARLY;BYYEARDAY=3":                     no,
		"FREQ=YEARLY;X-SKIP=FORWARD":                  no,
		"FREQ=WEEKLY;BYDAY=2TU":                       no,
		"FREQ=DAILY;BYDAY=MO,-1TU":                    no,
		"FREQ=YEARLY;BYDAY=2TU":                       no,
		"FREQ=WEEKLY;BYMONTHDAY=13":                   no,
		"FREQ=MONTHLY;BYSETPOS=1":                     no,
		"":                                            format,
		"RRULE:FREQ=DAILY":                            format,
		"freq=daily":                                  format,
		"FREQ=daily":                                  format,
		"FREQ=FORTNIGHTLY":                            format,
		"FREQ":                                        format,
		"FREQ=":                                       format,
		"FREQ=DAILY;":                                 format,
		"FREQ=DAILY;;COUNT=2":                         format,
		"FREQ=DAILY;FREQ=DAILY":                       format,
		" FREQ=DAILY":                                 format,
		"FREQ=DAILY ":                                 format,
		"FREQ=DAILY; COUNT=2":                         format,
		"COUNT=3":                                     format,
		"FREQ=DAILY;COUNT=x":                          format,
		"FREQ=DAILY;COUNT=-1":                         format,
		"FREQ=DAILY;COUNT=1.5":                        format,
		"FREQ=WEEKLY;BYDAY=":                          format,
		"FREQ=WEEKLY;BYDAY=MO,":                       format,
		"FREQ=WEEKLY;BYDAY=XX":                        format,
		"FREQ=WEEKLY;BYDAY=M":                         format,
		"FREQ=MONTHLY;BYDAY=1.5MO":                    format,
		"FREQ=MONTHLY;BYDAY=-MO":                      format,
		"FREQ=MONTHLY;BYMONTHDAY=--1":                 format,
		"FREQ=WEEKLY;WKST=1":                          format,
		"FREQ=DAILY;UNTIL=20260508":                   format,
		"FREQ=DAILY;UNTIL=20260508T070000":            format,
		"FREQ=DAILY;UNTIL=20260508T070000.5Z":         format,
		"FREQ=DAILY;UNTIL=20260230T070000Z":           format,
		"FREQ=DAILY;UNTIL=2026-05-08T07:00:00Z":       format,
		"FREQ=DAILY;INTERVAL=0":                       bounds,
		"FREQ=DAILY;INTERVAL=367":                     bounds,
		"FREQ=DAILY;COUNT=0":                          bounds,
		"FREQ=DAILY;COUNT=731":                        bounds,
		"FREQ=DAILY;COUNT=99999999999999999999999999": bounds,
		"FREQ=MONTHLY;BYDAY=6TU":                      bounds,
		"FREQ=MONTHLY;BYDAY=0TU":                      bounds,
		"FREQ=MONTHLY;BYDAY=-6TU":                     bounds,
		"FREQ=MONTHLY;BYMONTHDAY=32":                  bounds,
		"FREQ=MONTHLY;BYMONTHDAY=0":                   bounds,
		"FREQ=YEARLY;BYMONTH=13":                      bounds,
		"FREQ=YEARLY;BYMONTH=0":                       bounds,
		"FREQ=YEARLY;BYMONTH=-1":                      format,
		"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367":          bounds,
		"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0":            bounds,
		"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=" + strings.Repeat("1,", 3): format,
	} {
		r, problem := Parse(text, false)
		switch {
		case want == fine && (problem != nil || r.String() != text || r.IsZero()):
			t.Errorf("%q is read as %q: %+v", text, r, problem)
		case want != fine && (problem == nil || problem.Code != want || !r.IsZero() || problem.Value != text):
			t.Errorf("%q has the problem %+v, want %s", text, problem, want)
		}
	}
}

func TestUntilOfWholeDaysIsADay(t *testing.T) {
	for text, fine := range map[string]bool{
		"FREQ=DAILY;UNTIL=20260508":         true,
		"FREQ=DAILY;UNTIL=20260230":         false,
		"FREQ=DAILY;UNTIL=20260508T070000Z": false,
		"FREQ=DAILY;UNTIL=2026058":          false,
	} {
		if _, problem := Parse(text, true); (problem == nil) != fine {
			t.Errorf("%q for whole days: %+v", text, problem)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("FREQ=MONTHLY;BYDAY=2TU,-1FR;BYSETPOS=-1;WKST=SU;COUNT=6", false)
	f.Add("FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=15;UNTIL=20260508", true)
	f.Fuzz(func(t *testing.T, text string, allDay bool) {
		r, problem := Parse(text, allDay)
		if (problem == nil) == r.IsZero() || problem == nil && r.String() != text {
			t.Fatalf("%q is read as %q: %+v", text, r, problem)
		}
	})
}

// TestANewRuleSaysWhichMonthsADayIsOf reads what RFC 5545 and calendars read apart, and
// what they read alike.
func TestANewRuleSaysWhichMonthsADayIsOf(t *testing.T) {
	for text, want := range map[string]fault.Code{
		"FREQ=YEARLY;BYMONTHDAY=7": fault.CodeRRuleNotSupported, "BYMONTHDAY=-1;FREQ=YEARLY": fault.CodeRRuleNotSupported,
		"FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR": fault.CodeRRuleNotSupported, "FREQ=YEARLY;BYMONTHDAY=1,15;BYSETPOS=1": fault.CodeRRuleNotSupported,
		"FREQ=YEARLY;INTERVAL=2;COUNT=3;BYMONTHDAY=7": fault.CodeRRuleNotSupported,
		"FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=7":          "", "FREQ=YEARLY;BYMONTHDAY=7;BYMONTH=1,9": "", "FREQ=YEARLY": "", "FREQ=YEARLY;BYDAY=MO": "",
		"FREQ=MONTHLY;BYMONTHDAY=7": "", "FREQ=DAILY;BYMONTHDAY=7": "", "FREQ=WEEKLY;BYMONTHDAY=7": fault.CodeRRuleNotSupported, "": fault.CodeInvalidFormat,
	} {
		_, problem := New(text, false)
		if (problem == nil) != (want == "") || problem != nil && problem.Code != want {
			t.Errorf("%q: %+v, want %q", text, problem, want)
		}
	}
	if stored, problem := Parse("FREQ=YEARLY;BYMONTHDAY=7", false); problem != nil || stored.IsZero() {
		t.Errorf("a rule that was stored is not read: %+v", problem)
	}
}
