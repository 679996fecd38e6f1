package httpapi

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// Calendars writes calendar feeds as programs read them that show calendars.
type Calendars interface {
	// Calendar writes a calendar, and FreeBusy when somebody is busy, as text/calendar.
	// The same is always written in the same way: the answer is named by its bytes.
	Calendar(planning.FeedCalendar) ([]byte, error)
	FreeBusy(planning.FreeBusy) ([]byte, error)
}

// mountCalendars publishes calendar feeds. They need no bearer: who knows the address
// of one may read it. The address is logged without its parameters.
func (s *server) mountCalendars(svc *siteapi.Service) {
	if s.opts.Calendars == nil {
		return
	}
	s.routes.add(s, http.MethodGet, agenda.FeedsPath+"/{user}/{token}.ics", "calendar", s.feed(func(r *http.Request, user int64, token string) ([]byte, error) {
		shown, err := svc.Agenda.Calendar(r.Context(), user, token)
		if err != nil {
			return nil, err
		}
		return s.opts.Calendars.Calendar(shown)
	}))
	s.routes.add(s, http.MethodGet, agenda.FeedsPath+"/{user}/{token}.ifb", "free-busy", s.feed(func(r *http.Request, user int64, token string) ([]byte, error) {
		shown, err := svc.Agenda.FreeBusy(r.Context(), user, token)
		if err != nil {
			return nil, err
		}
		return s.opts.Calendars.FreeBusy(shown)
	}))
}

// feed answers with what write writes, unless the client has it already. It takes its
// turn among the heavy requests, where each user is a line of their own.
func (s *server) feed(write func(r *http.Request, user int64, token string) ([]byte, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, user := exchangeOf(r.Context()), number(r, "user")
		err := s.feeds.take(r.URL.Path, s.opts.Peer(r))
		if err == nil {
			x.leave, err = s.admission.places.enter(r.Context(), access.CredentialID("calendar "+strconv.FormatInt(user, 10)), 0)
		}
		var body []byte
		if err == nil {
			body, err = write(r, user, mux.Vars(r)["token"])
			x.done()
		}
		if err != nil {
			w.Header().Set("Cache-Control", "no-store")
			s.fail(r.Context(), err, w)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "text/calendar; charset=utf-8")
		header.Set("ETag", tagOf(0, body))
		header.Set("Cache-Control", "private, max-age=300")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
