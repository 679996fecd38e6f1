package e2e_test

import (
	"slices"
	"testing"
	"time"
)

// TestQ34_ADayOfASearchBeginsAtMidnightOfTheSite: on days around a change of the
// clocks, in searches, counts, facets, matching and last_modified.
func TestQ34_ADayOfASearchBeginsAtMidnightOfTheSite(t *testing.T) {
	t.Parallel()
	for name, days := range map[string][]string{
		"Europe/Paris":       {"2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25", "2026-10-26"},
		"America/Guadeloupe": {"2026-03-29", "2026-07-14"},
		"Indian/Reunion":     {"2026-03-29", "2026-07-14"},
		"Asia/Kolkata":       {"2026-10-25"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			here := sandbox()
			here.Sites = slices.Clone(here.Sites)
			here.Sites[0].Timezone = name
			w := ownWorld(t, described(here))
			c := w.network(t)
			for _, text := range days {
				day, err := time.ParseInLocation(time.DateOnly, text, zone)
				if err != nil {
					t.Fatal(err)
				}
				listed := func(value string) int64 {
					return c.create(object{"criteria": criteria("TypeTransaction", "Vente", "Ville", "Jour "+text, "DisponibleLe", value)})
				}
				utc := func(at time.Time) string { return at.UTC().Format(time.RFC3339) }
				before, last := listed(utc(day.Add(-time.Second))), listed(day.AddDate(0, 0, -1).Format(time.DateOnly))
				first, whole, later := listed(utc(day)), listed(text), listed(day.Format("02/01/2006")+" 23:59")
				next := listed(utc(day.AddDate(0, 0, 1)))

				among := condition("Ville", "EGAL", "Jour "+text)
				for operator, want := range map[string][]int64{
					"SUPERIEUR": {first, whole, later, next}, "INFERIEUR": {before, last, first, whole},
					"EGAL": {first, whole}, "DIFFERENT": {before, last, later, next},
				} {
					body := object{"criterias": list{among, condition("DisponibleLe", operator, text)}}
					if got := c.walk(body); !slices.Equal(got, want) {
						t.Errorf("%s %s finds %v, not %v", operator, text, got, want)
					}
					if got := c.count(body); got != len(want) {
						t.Errorf("%s %s counts %d", operator, text, got)
					}
				}
				bands := list{text, day.AddDate(0, 0, 1).Format(time.DateOnly)}
				c.facets(object{"criterias": list{among}}, object{"id": "DisponibleLe", "bands": bands}).is(200).equals("data.0.bands", list{
					object{"from": nil, "to": bands[0], "count": 2.0}, object{"from": bands[0], "to": bands[1], "count": 3.0},
					object{"from": bands[1], "to": nil, "count": 1.0},
				})
				wanted, _ := c.lookingFor(11, object{"transaction_type": "Vente", "criteria": list{among, condition("DisponibleLe", "SUPERIEUR", text)}})
				c.get(wanted).is(200).equals("data.criteria.1.value", text)
				c.get(wanted+"/matching-products").is(200).equals("count", 4)
			}
		})
	}
}

// TestQ34_DateTimesOfRFC3339: with t and z in either case, and no offset that no
// clock on Earth has.
func TestQ34_DateTimesOfRFC3339(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for _, path := range []string{"/products/search", "/products/search/count", "/customers/search"} {
			for _, text := range []string{"2026-09-16t08:30:00z", "2026-09-16T08:30:00Z", "2026-09-16T08:30:00+14:00", "2026-09-16t08:30:00-14:00"} {
				c.post(path, object{"last_modified": text}).is(200)
			}
			for _, text := range []string{"2026-09-16T08:30:00+14:01", "2026-09-16T08:30:00-15:00", "2026-09-16T08:30:00+23:59"} {
				c.post(path, object{"last_modified": text}).refused(422, "invalid_format", "last_modified")
			}
		}
		c.search(object{"criterias": list{condition("DateMandat", "SUPERIEUR", "2026-09-16T08:30:00+14:01")}}).
			refused(422, "invalid_criteria_value", "criterias[0].value")
	})
}
