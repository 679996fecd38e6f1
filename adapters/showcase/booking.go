package showcase

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"
)

// Bookings is where visits are booked.
type Bookings interface {
	// Slots returns the times at which a listing can be visited, ascending.
	Slots(ctx context.Context, listing int64) ([]Slot, error)
	// Book books a visit, and keeps what its page is made of under a key. The same key and visit again do nothing. It returns
	// ErrTaken, ErrBooked or a *Refusal when the server says so; any other error says that it is not known what came of it.
	Book(ctx context.Context, key string, v Visit) error
	// Booked returns what was booked under a key, or ErrNoBooking.
	Booked(ctx context.Context, key string) (Booked, error)
	// Cancel cancels what was booked under a key. It returns ErrLate when it is too late for that, or ErrNoBooking.
	Cancel(ctx context.Context, key string) error
}

// What Bookings says of a visit.
var (
	ErrTaken     = errors.New("showcase: somebody else has that time")
	ErrBooked    = errors.New("showcase: who books has a visit of the listing ahead of them")
	ErrLate      = errors.New("showcase: it is too late to cancel the visit")
	ErrNoBooking = errors.New("showcase: nothing was booked under that key")
)

// Slot is a time at which a listing can be visited.
type Slot struct{ Start, End time.Time }

// Visit is one that somebody books.
type Visit struct {
	Listing int64
	Start   time.Time
	Person
	Consent string
}

// Booked is a visit that was booked.
type Booked struct {
	Listing    int64
	Start, End time.Time
	// Asked reports that the agency has yet to confirm it.
	Cancelled, Asked bool
	// CancelUntil is until when it can be cancelled; the zero time where that is not known. Unsure reports that
	// the server could not be asked.
	CancelUntil time.Time
	Unsure      bool
	// When says the time in words. Action is where it is cancelled; empty when it cannot be.
	When, Action string
}

// Day has the times of a day.
type Day struct {
	Name  string
	Times []Time
}

// Time is one that can be chosen.
type Time struct{ Value, Name string }

// The bounds of what is shown, and of how long a page waits for it.
const (
	daysShown  = 2
	mostDays   = 12
	slotsKept  = 30 * time.Second
	slotsWait  = time.Second
	slotsMost  = 10 * time.Second
	slotsPace  = rate.Limit(1)
	slotsBurst = 60
	// mostListings bounds of how many listings times are kept at once.
	mostListings = 10_000
)

// times keeps the free times of listings for a while. Those who look at the same listing ask once.
type times struct {
	bookings Bookings
	kept     *otter.Cache[int64, []Slot]
	asked    *singleflight.Group
	// pace bounds how often the server is asked, however many listings programs look at: what a site may ask in a day is for
	// its copy first.
	pace *rate.Limiter
}

func newTimes(b Bookings) times {
	return times{b, otter.Must(&otter.Options[int64, []Slot]{MaximumSize: mostListings, ExpiryCalculator: otter.ExpiryWriting[int64, []Slot](slotsKept)}), &singleflight.Group{}, rate.NewLimiter(slotsPace, slotsBurst)}
}

// of returns the times of a listing; none when the server does not tell them within a second.
func (t times) of(ctx context.Context, listing int64) []Slot {
	if kept, is := t.kept.GetIfPresent(listing); is {
		return kept
	}
	asked := t.asked.DoChan(strconv.FormatInt(listing, 10), func() (any, error) {
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), slotsMost)
		defer cancel()
		if !t.pace.Allow() {
			return []Slot(nil), nil
		}
		// A server that fails is left alone as long as one that answers.
		found, err := t.bookings.Slots(asking, listing)
		t.kept.Set(listing, found)
		return found, err
	})
	patience := time.NewTimer(slotsWait)
	defer patience.Stop()
	select {
	case answer := <-asked:
		found, _ := answer.Val.([]Slot)
		return found
	case <-patience.C:
	case <-ctx.Done():
	}
	return nil
}

// forget has the times of a listing asked for again.
func (t times) forget(listing int64) {
	t.asked.Forget(strconv.FormatInt(listing, 10))
	t.kept.Invalidate(listing)
}

// days returns the times of a listing that are ahead, by the day.
func (f *forms) days(ctx context.Context, listing int64) []Day {
	var days []Day
	for _, s := range f.times.of(ctx, listing) {
		at := s.Start.In(f.Zone)
		if !s.Start.After(f.Now()) {
			continue
		}
		if name := dayName(at); len(days) == 0 || days[len(days)-1].Name != name {
			if len(days) == mostDays {
				break
			}
			days = append(days, Day{Name: name})
		}
		last := &days[len(days)-1]
		last.Times = append(last.Times, Time{s.Start.UTC().Format(time.RFC3339), clock(at)})
	}
	return days
}

var (
	weekdays = [...]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}
	months   = [...]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}
)

// Moment writes a time as the French do: lundi 30 novembre, 9 h 00.
func Moment(at time.Time) string { return dayName(at) + ", " + clock(at) }

func dayName(at time.Time) string {
	day := strconv.Itoa(at.Day())
	if day == "1" {
		day = "1er"
	}
	return weekdays[at.Weekday()] + " " + day + "\u00a0" + months[at.Month()-1]
}

func clock(at time.Time) string { return fmt.Sprintf("%d\u00a0h\u00a0%02d", at.Hour(), at.Minute()) }

// Now returns the days that are shown at once.
func (f Form) Now() []Day { return f.Days[:min(daysShown, len(f.Days))] }

// Later returns the days after those of Now.
func (f Form) Later() []Day { return f.Days[min(daysShown, len(f.Days)):] }

// visit books a visit.
func (s *Site) visit(w http.ResponseWriter, r *http.Request) error {
	one, err := s.received(w, r, "visite")
	if one == nil {
		return err
	}
	f := one.form
	start, err := time.Parse(time.RFC3339, f.Start)
	if err != nil {
		return err
	}
	err = s.forms.Bookings.Book(r.Context(), one.id, Visit{Listing: one.Listing.ID, Start: start, Person: f.person(), Consent: f.agreed()})
	if err == nil || errors.Is(err, ErrTaken) {
		s.forms.times.forget(one.Listing.ID)
	}
	if err == nil {
		http.Redirect(w, r, "/rendez-vous/"+one.id, http.StatusSeeOther)
		return nil
	}
	if refused, is := errors.AsType[*Refusal](err); is {
		f.refuse(refused)
		return s.again(w, r, one, http.StatusUnprocessableEntity)
	}
	switch {
	case errors.Is(err, ErrTaken):
		f.Start, f.Wrong = "", "Ce créneau vient d’être pris. Choisissez-en un autre."
		return s.again(w, r, one, http.StatusConflict)
	case errors.Is(err, ErrBooked):
		f.Wrong = "Vous avez déjà rendez-vous pour visiter ce bien. Pour le déplacer, appelez l’agence."
		return s.again(w, r, one, http.StatusConflict)
	}
	s.log.Error("booking a visit", "error", err)
	f.Wrong = "La visite n’a pas pu être réservée pour le moment. Appelez l’agence, ou laissez-lui un message\u00a0: il lui sera remis."
	// What was entered has the same id again, so that a visit whose answer was lost is not booked twice.
	f.Stamp = r.PostForm.Get("stamp")
	w.Header().Set("Retry-After", "60")
	return s.again(w, r, one, http.StatusServiceUnavailable)
}

// booking shows a visitor what they booked.
func (s *Site) booking(w http.ResponseWriter, r *http.Request) error {
	return s.showBooking(w, r, http.StatusOK, "")
}

func (s *Site) showBooking(w http.ResponseWriter, r *http.Request, code int, wrong string) error {
	if s.forms.Bookings == nil {
		return s.missing(w, r)
	}
	key := r.PathValue("key")
	found, err := s.forms.booked(r.Context(), key)
	if errors.Is(err, ErrNoBooking) {
		return s.missing(w, r)
	}
	if err != nil {
		return err
	}
	p, is, err := s.about(r.Context(), "-"+strconv.FormatInt(found.Listing, 10), "Votre visite")
	if err == nil && !is {
		p, err = s.newPage(r.Context(), "Votre visite")
	}
	if err != nil {
		return err
	}
	found.When = Moment(found.Start.In(s.forms.Zone))
	now := s.forms.Now()
	if !found.Cancelled && now.Before(found.Start) && (found.CancelUntil.IsZero() || now.Before(found.CancelUntil)) {
		found.Action = "/rendez-vous/" + key + "/annuler"
	}
	p.Booked, p.Wrong, p.Unlisted = &found, wrong, true
	w.Header().Set("Cache-Control", "no-store")
	return render(w, code, "booking", p)
}

// newSeen keeps bookings for a while.
func newSeen() *otter.Cache[string, Booked] {
	return otter.Must(&otter.Options[string, Booked]{MaximumSize: mostListings, ExpiryCalculator: otter.ExpiryWriting[string, Booked](slotsKept)})
}

// booked returns a booking as it was within the last seconds: a page that is read again and again asks the server once.
func (f *forms) booked(ctx context.Context, key string) (Booked, error) {
	if kept, is := f.seen.GetIfPresent(key); is {
		return kept, nil
	}
	found, err := f.Bookings.Booked(ctx, key)
	if err == nil {
		f.seen.Set(key, found)
	}
	return found, err
}

// cancel cancels what a visitor booked.
func (s *Site) cancel(w http.ResponseWriter, r *http.Request) error {
	if s.foreign(w, r) {
		return nil
	}
	if s.forms.Bookings == nil {
		return s.missing(w, r)
	}
	key := r.PathValue("key")
	found, err := s.forms.booked(r.Context(), key)
	if err == nil && !found.Cancelled {
		err = s.forms.Bookings.Cancel(r.Context(), key)
		s.forms.seen.Invalidate(key)
	}
	switch {
	case err == nil:
		s.forms.times.forget(found.Listing)
		http.Redirect(w, r, "/rendez-vous/"+key, http.StatusSeeOther)
		return nil
	case errors.Is(err, ErrNoBooking):
		return s.missing(w, r)
	case errors.Is(err, ErrLate):
		return s.showBooking(w, r, http.StatusConflict, "Il est trop tard pour annuler cette visite en ligne. Appelez l’agence.")
	}
	s.log.Error("cancelling a visit", "error", err)
	return s.showBooking(w, r, http.StatusServiceUnavailable, "La visite n’a pas pu être annulée pour le moment. Appelez l’agence, ou réessayez dans un instant.")
}
