package slot

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the tests, whatever the machine has

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// vectors are cases that two calculations agree on. Times of theirs without Z are
// local.
type vectors struct {
	Cases []struct {
		ID, Title, Timezone, From, To, Mode string
		Region                              calendar.Region
		Now                                 time.Time
		Duration, Step                      int
		BufferBefore                        int  `json:"buffer_before"`
		BufferAfter                         int  `json:"buffer_after"`
		NoticeMinutes                       int  `json:"notice_minutes"`
		HorizonDays                         *int `json:"horizon_days"`
		Users                               []struct {
			ID            site.UserID
			WorksHolidays bool `json:"works_holidays"`
			Patterns      []struct {
				ValidFrom calendar.Day `json:"valid_from"`
				ValidTo   calendar.Day `json:"valid_to"`
				Days      []Weekday
			}
			Exceptions  []Exception
			Permanences []stretch
			Busy        []stretch
		}
		Expected []struct {
			StartAt time.Time     `json:"start_at"`
			EndAt   time.Time     `json:"end_at"`
			UserIDs []site.UserID `json:"user_ids"`
		}
	}
}

type stretch struct {
	StartAt      string `json:"start_at"`
	EndAt        string `json:"end_at"`
	BufferBefore int    `json:"buffer_before"`
	BufferAfter  int    `json:"buffer_after"`
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

func location(t rapid.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func local(t *testing.T, text string, zone *time.Location) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	found, _ := calendar.On(at, time.UTC).At(calendar.Clock(at, time.UTC), zone)
	return found
}

func (s stretch) in(t *testing.T, zone *time.Location) calendar.Interval {
	t.Helper()
	return calendar.Interval{Start: local(t, s.StartAt, zone), End: local(t, s.EndAt, zone)}
}

func sameSlots(a, b []Slot) bool {
	return slices.EqualFunc(a, b, func(a, b Slot) bool {
		return a.Start.Equal(b.Start) && a.End.Equal(b.End) && slices.Equal(a.Users, b.Users)
	})
}

func TestSlotsAreThoseOfTheVectors(t *testing.T) {
	var v vectors
	text, err := os.ReadFile("testdata/slots.json")
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil || len(v.Cases) < 35 {
		t.Fatalf("%d cases, %v", len(v.Cases), err)
	}
	for _, c := range v.Cases {
		zone := location(t, c.Timezone)
		q := Query{
			Zone: zone, Now: c.Now, Window: stretch{StartAt: c.From, EndAt: c.To}.in(t, zone),
			Duration: minutes(c.Duration), Step: minutes(c.Step), Before: minutes(c.BufferBefore), After: minutes(c.BufferAfter),
			Notice: minutes(c.NoticeMinutes), Horizon: c.HorizonDays, Together: c.Mode == "all",
		}
		var agents []Agent
		for _, u := range c.Users {
			a := Agent{ID: u.ID, Region: c.Region, Work: WorkingTime{Exceptions: u.Exceptions, WorksHolidays: u.WorksHolidays, Bookable: true}}
			for _, p := range u.Patterns {
				for n := range p.Days {
					p.Days[n].Week = 1
				}
				a.Work.Patterns = append(a.Work.Patterns, Pattern{p.ValidFrom, p.ValidTo, 1, p.Days})
			}
			for n, e := range a.Work.Exceptions {
				if e.To == 0 {
					a.Work.Exceptions[n].To = e.From
				}
			}
			for _, d := range u.Permanences {
				a.Duties = append(a.Duties, Duty{d.in(t, zone), true})
			}
			for _, b := range u.Busy {
				a.Busy = append(a.Busy, Busy{b.in(t, zone), Event, minutes(b.BufferBefore), minutes(b.BufferAfter)})
			}
			agents = append(agents, a)
			if problems := check(a.Work); len(problems) > 0 {
				t.Errorf("%s: the working time is refused: %v", c.ID, problems)
			}
		}
		var want []Slot
		for _, s := range c.Expected {
			want = append(want, Slot{calendar.Interval{Start: s.StartAt, End: s.EndAt}, s.UserIDs})
		}
		if got, more := Slots(q, agents); more || !sameSlots(got, want) {
			t.Errorf("%s, %s:\n%v, want\n%v", c.ID, c.Title, got, want)
		}
	}
}

func at(hour, minute int) time.Time { return time.Date(2027, 2, 2, hour, minute, 0, 0, time.UTC) }

func between(start, end int) calendar.Interval {
	return calendar.Interval{Start: at(start, 0), End: at(end, 0)}
}

// everyDay is an agent who works from one hour to another.
func everyDay(id site.UserID, start, end int) Agent {
	p := Pattern{CycleWeeks: 1}
	for weekday := range 7 {
		p.Days = append(p.Days, Weekday{weekday + 1, 1, []Period{{Clock(start * 60), Clock(end * 60)}}})
	}
	return Agent{ID: id, Region: calendar.France, Work: WorkingTime{Patterns: []Pattern{p}, Bookable: true}}
}

func day() Query {
	return Query{Zone: time.UTC, Now: at(0, 0).AddDate(0, 0, -30), Window: between(0, 24), Duration: time.Hour, Step: time.Hour}
}

func TestMoreThanTheLimitIsSaid(t *testing.T) {
	agents := []Agent{everyDay(2, 9, 12), everyDay(1, 9, 12)}
	for _, together := range []bool{false, true} {
		for limit, want := range map[int]int{0: 3, 1: 1, 2: 2, 3: 3, 4: 3} {
			q := day()
			q.Limit, q.Together = limit, together
			slots, more := Slots(q, agents)
			if len(slots) != want || more != (want < 3) {
				t.Errorf("of three slots %d come with a limit of %d, more: %v", len(slots), limit, more)
			}
			for _, s := range slots {
				if !slices.Equal(s.Users, []site.UserID{1, 2}) {
					t.Errorf("%v is had by %v", s.Start, s.Users)
				}
			}
		}
	}
	q := day()
	q.Limit = 1
	if ranges, more := Ranges(q, agents); len(ranges) != 1 || !more || ranges[0].User != 1 {
		t.Errorf("one range is %v, more: %v", ranges, more)
	}
	if slots, more := Slots(q, nil); slots != nil || more {
		t.Errorf("nobody has %v", slots)
	}
}

func TestADutyThatIsNotBookableTakesTime(t *testing.T) {
	a := everyDay(1, 9, 17)
	a.Duties = []Duty{{between(10, 12), false}, {between(18, 20), true}, {between(19, 21), false}}
	want := []Range{{between(9, 10), 1}, {between(12, 17), 1}, {between(18, 19), 1}}
	if got, _ := Ranges(day(), []Agent{a}); !slices.Equal(got, want) {
		t.Errorf("free in %v, want %v", got, want)
	}
	a.Work.Bookable = false
	if got, _ := Ranges(day(), []Agent{a}); !slices.Equal(got, want[2:]) {
		t.Errorf("who has no bookable working time is free in %v, want %v", got, want[2:])
	}
}

func TestRangesAreWhatIsLeftOfTheWindow(t *testing.T) {
	a, b := everyDay(2, 9, 17), everyDay(1, 20, 24)
	a.Busy = []Busy{{between(11, 12), Event, time.Hour, 0}, {between(15, 16), External, 0, time.Hour}}
	q := day()
	q.Now, q.Notice = at(8, 30), time.Hour
	want := []Range{
		{between(20, 24), 1}, {calendar.Interval{Start: at(9, 30), End: at(10, 0)}, 2}, {between(12, 15), 2},
	}
	if got, _ := Ranges(q, []Agent{a, b}); !slices.Equal(got, want) {
		t.Errorf("free in %v, want %v", got, want)
	}
}

func TestFreeBusySaysWithWhatWithoutBuffers(t *testing.T) {
	busy := []Busy{
		{between(11, 12), Event, time.Hour, time.Hour}, {between(12, 13), Event, 0, 0}, {between(8, 9), OnLeave, 0, 0}, {between(12, 14), External, 0, 0},
		{between(11, 12), Hold, 0, 0}, {between(20, 30), Event, 0, 0}, {between(3, 4), Event, 0, 0},
	}
	want := []Occupied{
		{between(8, 9), OnLeave}, {between(11, 13), Event}, {between(11, 12), Hold}, {between(12, 14), External}, {between(20, 22), Event},
	}
	if got := FreeBusy(between(4, 22), busy); !slices.Equal(got, want) {
		t.Errorf("busy in %v, want %v", got, want)
	}
}

// What lies beyond the days of a window is not seen, whether it is given or not.
func TestDutiesElsewhereDoNotMoveTheGrid(t *testing.T) {
	a := everyDay(1, 0, 24)
	q := day()
	q.Step = 45 * time.Minute
	want, _ := Slots(q, []Agent{a})
	a.Duties = []Duty{{between(-32, -24), true}, {between(48, 50), true}}
	if got, _ := Slots(q, []Agent{a}); !sameSlots(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if reach := q.Reach(); reach != (calendar.Interval{Start: at(-24, 0), End: at(48, 0)}) {
		t.Errorf("the query reaches over %v", reach)
	}
}

func TestNothingIsFreeInAnEmptyWindow(t *testing.T) {
	q := Query{Zone: time.UTC, Duration: time.Hour, Step: time.Hour, Window: calendar.Interval{Start: time.Unix(1e9, 0), End: time.Unix(0, 0)}}
	if slots, more := Slots(q, []Agent{{ID: 1}}); len(slots) > 0 || more {
		t.Errorf("the slots are %v", slots)
	}
	if ranges, more := Ranges(q, []Agent{{ID: 1}}); len(ranges) > 0 || more {
		t.Errorf("the ranges are %v", ranges)
	}
}
