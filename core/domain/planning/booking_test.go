package planning_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func TestAVisitTakesTheTimeOfItsTypeUnlessTheSettingsSayOtherwise(t *testing.T) {
	n := func(minutes int) *int { return &minutes }
	types := planning.Types{{Model: "VISITE", Duration: 45, Before: 15, After: 10}}
	for name, c := range map[string]struct {
		settings planning.BookingSettings
		want     [3]int
	}{
		"of the type":         {planning.BookingSettings{Type: "VISITE"}, [3]int{45, 15, 10}},
		"all of their own":    {planning.BookingSettings{Type: "VISITE", Duration: n(20), Before: n(5), After: n(6)}, [3]int{20, 5, 6}},
		"nothing kept free":   {planning.BookingSettings{Type: "VISITE", Before: n(0), After: n(0)}, [3]int{45, 0, 0}},
		"a type that is gone": {planning.BookingSettings{Type: "GONE", Duration: n(20)}, [3]int{20, 0, 0}},
	} {
		if duration, before, after := c.settings.Timing(types); [3]int{duration, before, after} != c.want {
			t.Errorf("%s: %d minutes after %d and before %d", name, duration, before, after)
		}
	}
}

// An agent of the product's own who is active is alone; otherwise it is the staff, or those
// of the staff whom the settings name.
func TestWhoCanBeBookedAboutAProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users := func(name string) []site.UserID {
			return rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 6), func(n int) site.UserID { return site.UserID(n) }), 0, 5).Draw(t, name)
		}
		active, staff, named := users("active"), users("staff"), users("named")
		own := site.UserID(rapid.IntRange(0, 6).Draw(t, "own"))
		given := slices.Clone(staff)
		got := planning.BookingSettings{Users: named}.Candidates(own, active, staff)
		var want []site.UserID
		for user := site.UserID(1); user <= 6; user++ {
			switch {
			case slices.Contains(active, own):
				if user == own {
					want = append(want, user)
				}
			case slices.Contains(staff, user) && (len(named) == 0 || slices.Contains(named, user)):
				want = append(want, user)
			}
		}
		if !slices.Equal(got, want) || !slices.Equal(staff, given) {
			t.Fatalf("%d of active %v, staff %v, named %v: %v, want %v", own, active, given, named, got, want)
		}
	})
}

func TestTheDefaultsKeepToTheLimits(t *testing.T) {
	s := planning.BookingDefaults(1, 11)
	if _, known := planning.Shipped().Find(s.Type); !known {
		t.Errorf("no site has the type %s", s.Type)
	}
	if s.Site != 1 || s.Agency != 11 || s.Enabled || s.Confirmation != planning.Automatic || s.Version != 1 {
		t.Errorf("%+v", s)
	}
	if s.Step < planning.MinStep || s.Step > planning.MaxStep || s.Notice > planning.MaxNotice || s.HorizonDays > planning.MaxHorizonDays || s.HoldSeconds > planning.MaxHoldSeconds {
		t.Errorf("%+v is beyond the limits", s)
	}
	if s.Notice > s.HorizonDays*24*60 {
		t.Error("the notice is longer than the horizon: nothing could be booked")
	}
}

func TestAHoldEndsAtTheMomentItExpires(t *testing.T) {
	expires := time.Date(2026, 9, 18, 9, 0, 0, 0, time.UTC)
	h := planning.Hold{Start: expires.Add(time.Hour), End: expires.Add(2 * time.Hour), Expires: expires}
	for after, want := range map[time.Duration]bool{-time.Nanosecond: true, 0: false, time.Nanosecond: false} {
		if got := h.Live(expires.Add(after)); got != want {
			t.Errorf("%s after it expires: live %t", after, got)
		}
	}
	if got := h.Interval(); !got.Start.Equal(h.Start) || !got.End.Equal(h.End) {
		t.Errorf("it holds %v", got)
	}
}

func TestUntilWhenAVisitorCancels(t *testing.T) {
	start := time.Date(2026, 9, 18, 9, 0, 0, 0, time.UTC)
	if got := (planning.BookingSettings{CancelNotice: 90}).CancelUntil(start); !got.Equal(time.Date(2026, 9, 18, 7, 30, 0, 0, time.UTC)) {
		t.Errorf("until %s", got)
	}
}

func TestThePageOfAProduct(t *testing.T) {
	for page, want := range map[string]string{
		"": "", "https://x.test/v?p={product_id}": "https://x.test/v?p=5", "https://x.test/{product_id}/{product_id}": "https://x.test/5/5", "https://x.test/": "https://x.test/",
	} {
		if got := (planning.BookingSettings{PageURL: page}).URL("5"); got != want {
			t.Errorf("%s is %s", page, got)
		}
	}
}

// Of a booking by somebody who was erased stays what the agency did, and nothing that the
// visitor wrote or could prove to be the same with.
func TestAnAnonymousBookingHasNothingOfTheVisitor(t *testing.T) {
	start := time.Date(2026, 9, 18, 9, 0, 0, 0, time.UTC)
	b := planning.Booking{ID: 1, Site: 1, Agency: 11, Product: 5, Appointment: 7, Customer: 9, Start: start, End: start.Add(time.Hour), Reason: "ill", Token: "hash", Version: 3}
	want := b
	want.Reason, want.Token = "", ""
	if got := b.Anonymous(); !reflect.DeepEqual(got, want) || b.Reason == "" {
		t.Errorf("%+v", got)
	}
}
