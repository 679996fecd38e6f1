package criteria_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// FuzzParse holds every criterion against every text, as a string, as a number
// and as an array of strings: nothing panics, what is refused says why, and
// what is accepted can be shown, written back and searched.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", " ", "Maison", "Chateau", "PISCINE,SAUNA", "SAUNA,SAUNA", "12", "-0", "1e3", "1e-7", "0x1p-2", "999999999999999", "true", "1", "0",
		"2026-09-16", "16/09/2026", "16/09/2026 08:30", "2026-09-16T08:30:00.123456+02:00", "48.8566, 2.3522", "0,0", "48,8566,2,3522",
		"Saint-E\u0301tienne", "a\x00b", "\xff", "\u0958", strings.Repeat("é", 256), "\u0301",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts := list()
		for _, part := range strings.Split(text, ",") {
			parts = append(parts, part)
		}
		for _, d := range definitions {
			for _, v := range []any{text, number(text), parts} {
				if value, detail := d.Parse(raw(v), onWrite); detail == nil {
					mustBeStored(t, d, value)
				} else if value != nil || detail.Code == "" || detail.Message.String() == "" {
					t.Fatalf("%s %#v: %#v and %+v", d.Key, v, value, detail)
				}
				for _, o := range criteria.Operators() {
					c, detail := d.Condition(o, raw(v), asOperand)
					switch {
					case detail != nil:
						if detail.Field != "value" && detail.Field != "operator" || detail.Code == "" {
							t.Fatalf("%s %v %#v: %+v", d.Key, o, v, detail)
						}
					case with(c, criteria.EGAL).Matches(nil) == with(c, criteria.DIFFERENT).Matches(nil):
						t.Fatalf("%s %v %#v: %+v", d.Key, o, v, c)
					}
				}
			}
		}
	})
}

// FuzzParsePosition: an accepted position is on the globe, is not 0,0, and is
// written so that it reads back.
func FuzzParsePosition(f *testing.F) {
	for _, seed := range []string{
		"48.8566,2.3522", " -48.85660001 , +2.35220009", "90,180", "-90.0,-180", "90.00000001,1", "0,0", "-0.0000001,0.0000004", "48,8566,2,3522",
		"", ",", "a,b", "1e1,2", "0.00000050,0.0", "٤٨,٢",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := criteria.ParsePosition("x", text)
		if err != nil {
			if (p != criteria.Position{}) {
				t.Fatalf("%q is refused and yet %v", text, p)
			}
			return
		}
		if math.Abs(p.Latitude) > 90 || math.Abs(p.Longitude) > 180 || p == (criteria.Position{}) {
			t.Fatalf("%q is %v", text, p)
		}
		again, err := criteria.ParsePosition("x", p.String())
		if err != nil || again != p || again.String() != p.String() {
			t.Fatalf("%q is %v, which reads as %v, %v", text, p, again, err)
		}
	})
}

// FuzzParseDate: an accepted date is in UTC, of four digits' years, and shown
// so that it reads back, to the millisecond.
func FuzzParseDate(f *testing.F) {
	for _, seed := range []string{
		"2026-09-16", "16/09/2026", "16/09/2026 08:30", "2026-09-16T08:30", "2026-09-16T08:30:00Z", "2026-09-16T08:30:00.999999999+14:00",
		"2026-09-16 08:30:05", "0001-01-01", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59.9999999-01:00", "2026-02-30", "", "24/24/2024",
	} {
		f.Add(seed, 120)
	}
	f.Fuzz(func(t *testing.T, text string, minutes int) {
		zone := time.FixedZone("", minutes%(15*60)*60)
		date, ok := criteria.ParseDate(text, zone)
		if !ok {
			return
		}
		if date.At.Location() != time.UTC || date.At.Year() < 1 || date.At.Year() > 9999 || !date.Timed && !date.At.Equal(date.At.Truncate(24*time.Hour)) {
			t.Fatalf("%q is %v, with a time: %t", text, date.At, date.Timed)
		}
		shown := date.String()
		date.At = date.At.Truncate(time.Millisecond)
		if again, ok := criteria.ParseDate(shown, zone); !ok || !criteria.Equal(again, date) || again.String() != shown {
			t.Fatalf("%q is shown as %s, which reads as %v, %t", text, shown, again, ok)
		}
	})
}
