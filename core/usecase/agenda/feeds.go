package agenda

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// FeedsPath is where calendar feeds are, below the domain: {user}/{token}.ics, and
// .ifb for when the user is busy.
const FeedsPath = "/calendars"

// The time that feeds are about.
const (
	feedBack  = 90 * day
	feedAhead = 400 * day
	busyAhead = 62 * day
	feedStep  = 5 * time.Minute
)

func (u Unit) createFeed(in CreateFeed, token string) (CreatedFeed, error) {
	of, err := user(u.Caller, in.ID)
	if err != nil {
		return CreatedFeed{}, err
	}
	token = access.TokenFor(u.Site.ID, token)
	f := planning.Feed{Site: u.Site.ID, User: of.ID, Token: u.Options.Pepper.Hash(token), Added: u.Now}
	var problems fault.Problems
	form.OneOf(form.Form{Problems: &problems}, "detail", &f.Detail, in.Detail, []planning.FeedDetail{planning.FeedFull, planning.FeedBusy})
	f.Detail = cmp.Or(f.Detail, planning.FeedFull)
	if err := problems.Err(); err != nil {
		return CreatedFeed{}, err
	}
	at := fmt.Sprintf("%s%s/%d/%s", u.Options.Domain, FeedsPath, of.ID, token)
	return CreatedFeed{URL: at + ".ics", FreeBusyURL: at + ".ifb"}, u.Feeds().Put(f)
}

func (u Unit) deleteFeed(in UserPath) (kernel.None, error) {
	of, err := user(u.Caller, in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	err = u.Feeds().Delete(u.Site.ID, of.ID)
	return kernel.None{}, kernel.AbsentIs(err, kernel.Unknown("the user has no calendar feed"))
}

// errNoFeed is all that somebody learns who has the wrong address.
func errNoFeed() error { return kernel.Unknown("there is no calendar feed at this address") }

// Calendar returns what the feed of a user shows who has the token. The feed needs no
// bearer; anybody else learns that there is none, which is NotFound.
func (s *Service) Calendar(ctx context.Context, id int64, token string) (shown planning.FeedCalendar, err error) {
	err = s.openFeed(ctx, id, token, func(u Unit, f planning.Feed) error {
		shown, err = u.calendar(f)
		return err
	})
	return shown, err
}

// FreeBusy returns when the user of a feed is busy, as Calendar.
func (s *Service) FreeBusy(ctx context.Context, id int64, token string) (shown planning.FreeBusy, err error) {
	err = s.openFeed(ctx, id, token, func(u Unit, f planning.Feed) error {
		shown, err = u.feedBusy(f)
		return err
	})
	return shown, err
}

// openFeed finds a feed by its token, and reads what it shows in a unit of its site.
func (s *Service) openFeed(ctx context.Context, id int64, token string, read func(Unit, planning.Feed) error) error {
	var found planning.Feed
	err := s.k.Store.View(ctx, func(tx port.Tx) (err error) {
		found, err = tx.Feeds().ByToken(s.k.Options.Pepper.Hash(token))
		return err
	})
	if err != nil || int64(found.User) != id {
		return kernel.AbsentIs(cmp.Or(err, errNoFeed()), errNoFeed())
	}
	c, err := s.k.System(ctx, found.Site)
	if err == nil {
		err = s.k.Answers(ctx, found.Site, c.Site.Head)
	}
	if err != nil {
		return kernel.AbsentIs(err, errNoFeed())
	}
	of, known := c.Site.Users[found.User]
	if !known || !of.Active || c.Site.Record.Disabled || !c.Scope.Has(of.Agency) {
		return errNoFeed()
	}
	return kernel.View(ctx, s.k, c, func(u kernel.Unit) error { return read(NewUnit(u), found) })
}

// host returns that of the service, which makes names unique.
func (u Unit) host() string {
	if at, err := url.Parse(u.Options.Domain); err == nil && at.Hostname() != "" {
		return at.Hostname()
	}
	return "localhost"
}

func (u Unit) calendar(f planning.Feed) (planning.FeedCalendar, error) {
	of := u.Site.Users[f.User]
	c := planning.FeedCalendar{
		User: of.ID, Name: cmp.Or(strings.TrimSpace(of.Firstname+" "+of.Lastname), "Agenda"), Host: u.host(), Detail: f.Detail,
		Types: u.Site.AppointmentTypes, Location: u.Location, Window: calendar.Interval{Start: u.Now.Add(-feedBack), End: u.Now.Add(feedAhead)},
	}
	attended, err := u.Appointments().AttendedBy(u.Site.ID, []site.UserID{of.ID}, c.Window)
	if err != nil {
		return c, err
	}
	for _, a := range attended {
		zone, err := u.zoneOf(a)
		if err != nil {
			return c, err
		}
		if slices.ContainsFunc(a.Overlapping(c.Window, zone), func(o planning.Occurrence) bool {
			return slices.Contains(a.At(o, zone).Attending(), of.ID)
		}) {
			c.Appointments = append(c.Appointments, a)
		}
	}
	duties, err := u.Duties().Within(port.DutyQuery{Site: u.Site.ID, Users: []site.UserID{of.ID}, Window: c.Window})
	c.Duties = slices.DeleteFunc(duties, func(p planning.Duty) bool {
		zone, err := u.Location(p.Zone)
		return err != nil || len(p.Overlapping(c.Window, zone)) == 0
	})
	return c, err
}

func (u Unit) feedBusy(f planning.Feed) (planning.FreeBusy, error) {
	from := u.Now.Truncate(feedStep) // so that who asks again at once gets the same
	window := calendar.Interval{Start: from, End: from.Add(busyAhead)}
	taken, err := agendarecords.TakenFrom(u.kernel(), []site.UserID{f.User}, window)
	var busy []slot.Busy
	for _, t := range taken {
		busy = append(busy, t.Busy)
	}
	return planning.FreeBusy{Name: fmt.Sprintf("freebusy-%d", f.User), Host: u.host(), Now: window.Start, Window: window, Busy: slot.FreeBusy(window, busy)}, err
}
