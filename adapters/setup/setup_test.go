package setup_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// A telephone number or a postal code that begins with 0 must not become an
// octal number.
func TestNumbersAreReadAsTheyAreWrittenOrNotAtAll(t *testing.T) {
	agency := func(fields string) string {
		return "sites:\n  - id: 1\n    name: Réseau\n    agencies:\n      - {id: 1, name: x, " + fields + "}\n"
	}
	for _, wrong := range []string{"phone: 0240000000", "postal_code: 01000", "phone: 0x10", "phone: 1_000"} {
		_, err := setup.Decode(strings.NewReader(agency(wrong)))
		if err == nil || !strings.Contains(err.Error(), "line 5") || !strings.Contains(err.Error(), "in quotes") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	s, err := setup.Decode(strings.NewReader(agency(`phone: "0240000000", postal_code: '01000', city: 12, address: 0 rue`)))
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Sites[0].Agencies[0]; a.Phone != "0240000000" || a.PostalCode != "01000" || a.City != "12" || a.Address != "0 rue" {
		t.Errorf("it is read as %+v", a)
	}
}

// Of what holds on some days no periods are absence, and no mention of them is a
// mistake: the two must not be read alike.
func TestAnAbsenceIsReadAsOne(t *testing.T) {
	s, err := setup.Decode(strings.NewReader(`
sites:
  - id: 1
    agenda_types: [{id: 1, model: VISITE, is_busy: false, duration_minutes: 45}]
    agencies: [{id: 11, online_booking: {enabled: true, notice_minutes: 0, user_ids: [1], page_url: "https://example.org/{product_id}"}}]
    users:
      - id: 1
        working_time:
          patterns: [{valid_from: "2026-01-01", cycle_weeks: 2, days: [{weekday: 1, week: 2, periods: [{start: "09:00", end: "12:30"}]}]}]
          exceptions: [{from: "2026-12-24", periods: []}, {from: "2026-12-31"}]
      - {id: 2}
`))
	if err != nil {
		t.Fatal(err)
	}
	home := s.Sites[0]
	if types := home.AgendaTypes; len(types) != 1 || *types[0].IsBusy || types[0].IsActive != nil || types[0].DurationMinutes != 45 {
		t.Errorf("the types are read as %+v", types)
	}
	if b := home.Agencies[0].OnlineBooking; b == nil || !b.Enabled || *b.NoticeMinutes != 0 || b.StepMinutes != nil {
		t.Errorf("the settings are read as %+v", b)
	}
	if home.Users[1].WorkingTime != nil {
		t.Error("a user who is not said to work is read as one who does")
	}
	work := *home.Users[0].WorkingTime
	if day := work.Patterns[0].Days[0]; *work.Patterns[0].CycleWeeks != 2 || *day.Week != 2 || day.Periods[0].End != "12:30" || work.Bookable != nil {
		t.Errorf("working time is read as %+v", work)
	}
	if e := work.Exceptions; e[0].Periods == nil || e[1].Periods != nil {
		t.Errorf("exceptions are read as %+v", e)
	}
}

// A site has the vocabulary that it names, with what it describes itself in place of it.
func TestASiteNamesItsVocabulary(t *testing.T) {
	whole, err := setup.French()
	if err != nil {
		t.Fatal(err)
	}
	const file = `
sites:
  - id: 1
    vocabulary: french
    criteria:
      - {id: 2, key: TypeTransaction, type: UNIQUE, label: À vendre ou à louer}
      - {id: 900, key: Piscine2, type: FLAG}
    lists: [{id: 900, key: more}]
  - id: 2
    vocabulary: french
  - id: 3
`
	for name, read := range map[string]func() (transfer.Setup, error){
		"whole":      func() (transfer.Setup, error) { return setup.Decode(strings.NewReader(file)) },
		"one by one": func() (transfer.Setup, error) { return setup.Stream(strings.NewReader(file)) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := read()
			if err != nil {
				t.Fatal(err)
			}
			own, plain, none := s.Sites[0], s.Sites[1], s.Sites[2]
			if len(plain.Criteria) < 60 || !reflect.DeepEqual(plain.Criteria, whole.Criteria) || !reflect.DeepEqual(plain.Lists, whole.Lists) || !reflect.DeepEqual(plain.ActionTypes, whole.ActionTypes) {
				t.Errorf("the site that names it has %d criteria, %d lists, %d action types", len(plain.Criteria), len(plain.Lists), len(plain.ActionTypes))
			}
			if len(own.Criteria) != len(whole.Criteria)+1 || own.Criteria[1].Label != "À vendre ou à louer" || own.Criteria[0].Key != whole.Criteria[0].Key || len(own.Lists) != len(whole.Lists)+1 {
				t.Errorf("the site with criteria of its own has %d, the second is %+v", len(own.Criteria), own.Criteria[1])
			}
			if len(none.Criteria) > 0 {
				t.Errorf("the site that names none has %d criteria", len(none.Criteria))
			}
		})
	}
	if _, err := setup.Decode(strings.NewReader("sites: [{id: 7, vocabulary: german}]")); err == nil || !strings.Contains(err.Error(), `site 7: there is no vocabulary "german"; there is french`) {
		t.Errorf("an unknown vocabulary is %v", err)
	}
}

// Who writes the file knows YAML, and neither Go nor the library that reads it.
func TestMistakesAreToldInWordsOfTheFile(t *testing.T) {
	for file, want := range map[string]string{
		"sites:\n  - id: one":                         "[2:9] a whole number is expected, not a text",
		"sites:\n  - {id: 1, name: [a]}":              "expected, not a list",
		"sites:\n  - {id: 1, disabled: perhaps}":      "true or false is expected, not a text",
		"sites: {id: 1}":                              "a list is expected, not a map of keys to values",
		"<!DOCTYPE html>\n<html></html>":              "[1:1] a map of keys to values is expected, not a text",
		"- id: 1":                                     "a map of keys to values is expected, not a list",
		"sites:\n\t- id: 1":                           "indent with spaces",
		"sites:\n  - id: 1\n   name: x":               "[3:4]",
		"sites:\n  - {id: 99999999999999999999}":      "out of range",
		"sites:\n  - id: 1\n    agencies: [{id: ~ }]": "",
		"sites:\n  - id: 1\n    agency: []":           `unknown field "agency"`,
	} {
		for name, read := range map[string]func() (transfer.Setup, error){
			"whole":      func() (transfer.Setup, error) { return setup.Decode(strings.NewReader(file)) },
			"one by one": func() (transfer.Setup, error) { return setup.Stream(strings.NewReader(file)) },
		} {
			_, err := read()
			if want == "" && err == nil {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "unmarshal") {
				t.Errorf("%s, %s: it is told %v, want %s", file, name, err, want)
			}
		}
	}
}
