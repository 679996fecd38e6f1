package requests

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// counts are what was counted since it was last stored.
type counts struct {
	minutes map[minute]trace.Tally
	used    map[used]trace.Deprecated
}

type minute struct {
	trace.Kind
	start time.Time
}

// used is a trace.Deprecated without what adds up.
type used struct {
	trace.Kind
	name string
	day  time.Time
}

func newCounts() counts {
	return counts{minutes: map[minute]trace.Tally{}, used: map[used]trace.Deprecated{}}
}

func (c counts) add(seen Seen) {
	key := minute{seen.Kind, seen.At.UTC().Truncate(time.Minute)}
	tally := c.minutes[key]
	tally.Add(seen.Took)
	c.minutes[key] = tally
	for _, name := range seen.Deprecated {
		c.use(trace.Deprecated{
			Site: seen.Site, Credential: seen.Credential, Operation: seen.Operation, Name: name,
			Day: seen.At.UTC().Truncate(24 * time.Hour), N: 1, Last: seen.ID,
		})
	}
}

// use adds to what is there already, and keeps the last id.
func (c counts) use(d trace.Deprecated) {
	key := used{trace.Kind{Site: d.Site, Operation: d.Operation, Credential: d.Credential}, d.Name, d.Day}
	d.N += c.used[key].N
	c.used[key] = d
}

// merge puts back what was counted before.
func (c counts) merge(earlier counts) {
	for key, tally := range earlier.minutes {
		c.minutes[key] = c.minutes[key].Plus(tally)
	}
	for key, d := range earlier.used {
		if later, found := c.used[key]; found {
			d.N, d.Last = d.N+later.N, later.Last
		}
		c.used[key] = d
	}
}

// list returns the counts as they are stored: of each minute, and of its hour.
func (c counts) list() (traffic []trace.Count, deprecated []trace.Deprecated) {
	hours := map[minute]trace.Tally{}
	for key, tally := range c.minutes {
		traffic = append(traffic, trace.Count{Kind: key.Kind, Start: key.start, Width: time.Minute, Tally: tally})
		hour := minute{key.Kind, key.start.Truncate(time.Hour)}
		hours[hour] = hours[hour].Plus(tally)
	}
	for key, tally := range hours {
		traffic = append(traffic, trace.Count{Kind: key.Kind, Start: key.start, Width: time.Hour, Tally: tally})
	}
	for _, d := range c.used {
		deprecated = append(deprecated, d)
	}
	return traffic, deprecated
}
