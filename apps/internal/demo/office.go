package demo

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// office is the rest of what happens at site 1: one of everything that its API shows
// and that offers, agreements, leases and the week have not.
var office = desk{
	site: 1, agency: 11, user: 101,
	asked: "11-1004", visited: "11-1001", twice: "11-1001-BIS",
	meeting: "Point hebdomadaire", calendar: "outlook",
	request: "5b0c1f7e-93a4-4d52-8f0e-2f6a1c7d9e38",
}

// desk is what a user does who sits at it.
type desk struct {
	site   site.ID
	agency int64
	user   int64
	// Somebody asks about the product asked, somebody books a visit of visited, and
	// twice was entered by mistake. All are models.
	asked, visited, twice string
	// meeting is the title of an event that repeats, calendar the source of another
	// calendar, request the id of one that the client made.
	meeting, calendar, request string
}

// tell tells of all of it, unless a run before this one has.
func (o desk) tell(t *teller, ports kernel.Ports) {
	there := ask(t, t.People.ListLeads, people.ListLeads{})
	if t.err != nil || len(there.Data) > 0 {
		return
	}
	o.receiveLeads(t)
	o.deleteDouble(t)
	o.fillCalendars(t)
	o.subscribe(t)
	o.remember(t, ports)
}

func (o desk) receiveLeads(t *teller) {
	t.clock.ago = 26 * time.Hour
	buyer := people.CreateBuyerLead{ProductID: opt.Of(int64(t.products[o.asked].ID))}
	buyer.AgencyID, buyer.Firstname, buyer.Lastname = opt.Of(o.agency), opt.Of("Zoé"), opt.Of("Morel")
	buyer.Email, buyer.Message = opt.Of("zoe.morel@example.org"), opt.Of("Peut-on visiter samedi ?")
	ask(t, t.People.CreateBuyerLead, buyer)
	t.clock.ago = 3 * time.Hour
	seller := people.CreateSellerLead{Address: opt.Of("3 rue des Lilas"), PostalCode: opt.Of("69003"), City: opt.Of("Lyon")}
	seller.AgencyID, seller.Firstname, seller.Lastname, seller.Phone = opt.Of(o.agency), opt.Of("Hugo"), opt.Of("Roux"), opt.Of("06 39 98 01 04")
	seller.EstimatedPriceMin, seller.EstimatedPriceMax = opt.Of(380_000.0), opt.Of(420_000.0)
	ask(t, t.People.CreateSellerLead, seller)
	t.clock.ago = 0
}

// deleteDouble enters a product twice, and takes it away again.
func (o desk) deleteDouble(t *teller) {
	in := listing.CreateProduct{}
	in.Model, in.AgencyID, in.UserID = opt.Of(o.twice), opt.Of(o.agency), opt.Of(o.user)
	made := ask(t, t.Listing.CreateProduct, in)
	ask(t, t.Listing.DeleteProduct, listing.DeleteProduct{ID: made.ID})
}

func (o desk) fillCalendars(t *teller) {
	first := t.workingDays()[0] + 7 // from next week on
	meeting := agenda.CreateEvent{}
	meeting.Type, meeting.Title, meeting.RRule = opt.Of("RDV"), opt.Of(o.meeting), opt.Of("FREQ=WEEKLY;COUNT=52")
	meeting.StartAt, meeting.EndAt = opt.Of(first.String()+"T08:30:00"), opt.Of(first.String()+"T08:55:00")
	meeting.Attendees = opt.Of([]planning.AttendeeInput{
		{Kind: opt.Of(string(planning.User)), UserID: opt.Of(o.user), Role: opt.Of(string(planning.Organiser)), Answer: opt.Of(string(planning.Accepted))},
	})
	ask(t, t.Agenda.CreateCalendarEvent, meeting)

	lunch := func(from int) agenda.BusyInput {
		day := t.date(from).String()
		return agenda.BusyInput{StartAt: opt.Of(day + "T12:30:00"), EndAt: opt.Of(day + "T14:00:00")}
	}
	ask(t, t.Agenda.PutExternalBusy, agenda.PutImported{ID: o.user, Source: o.calendar, Busy: opt.Of([]agenda.BusyInput{lunch(1), lunch(2)})})
	ask(t, t.Agenda.CreateCalendarFeed, agenda.CreateFeed{ID: o.user})

	home := int64(t.products[o.visited].ID)
	slots := ask(t, t.Agenda.ListBookingSlots, agenda.ListBookingSlots{ID: home})
	if t.err != nil || len(slots.Data) == 0 {
		t.err = errors.Join(t.err, errors.New("there is no time for a visit"))
		return
	}
	ask(t, t.Agenda.CreateBooking, agenda.CreateBooking{
		ID: home, StartAt: opt.Of(slots.Data[0].StartAt.Format(time.RFC3339)),
		Contact: opt.Of(agenda.ContactInput{Firstname: opt.Of("Nina"), Lastname: opt.Of("Faure"), Phone: opt.Of("06 39 98 01 05")}),
	})
}

// subscribe makes a webhook that hears of what the API itself does not change, so that
// nothing is sent to its receiver, who does not exist, unless somebody asks for it.
func (o desk) subscribe(t *teller) {
	ask(t, t.Hooks.CreateHookAuth, hooks.HookAuthInput{
		Name: opt.Of("Portail"), Type: opt.Of("api_key"), Header: opt.Of("X-Api-Key"), Value: opt.Of("a key that the receiver knows"),
	})
	in := hooks.CreateHook{URL: opt.Of("https://www.belvedere.example/vitrine")}
	in.Origines = opt.Of([]string{string(event.AgencyUpdate), string(event.UserUpdate), string(event.CriteriaUpdate)})
	made := ask(t, t.Hooks.CreateHook, in)
	ask(t, t.Hooks.TestHook, hooks.HookPath{ID: made.ID})
	if t.err != nil {
		return
	}
	// Another process that delivers may be faster: then there is nothing left to attempt.
	ctx, stop := context.WithTimeout(t.ctx, 5*time.Second)
	defer stop()
	options := deliver.DefaultOptions()
	options.Observe = observer{stop}
	t.err = t.Deliver.Run(ctx, receiver{}, options)
}

// receiver is a receiver who takes everything, without a network.
type receiver struct{}

// Send implements port.Sender.
func (receiver) Send(context.Context, webhook.Request) webhook.Answer {
	return webhook.Answer{Verdict: webhook.Accepted, Status: http.StatusOK, Duration: 84 * time.Millisecond}
}

// observer stops after an attempt.
type observer struct{ stop context.CancelFunc }

func (o observer) Attempted(webhook.Delivery, webhook.Answer)  { o.stop() }
func (o observer) Suspended(webhook.Webhook, webhook.Delivery) {}
func (o observer) Trouble(error)                               { o.stop() }

// remember leaves a request in the log, where one is kept.
func (o desk) remember(t *teller, ports kernel.Ports) {
	operations := t.Operations()
	first := slices.IndexFunc(operations, func(op kernel.Operation) bool { return op.First })
	if t.err != nil || ports.Requests == nil || first < 0 {
		return
	}
	op := operations[first]
	t.err = ports.Requests.Add(t.ctx, []trace.Request{{
		ID: o.request, Site: o.site, At: t.clock.start.Add(-time.Hour).UTC().Truncate(time.Microsecond), Operation: op.ID, Method: op.Method, Path: op.Path,
		Credential: access.CredentialID("sandbox-network"), Status: op.Status, Took: 12 * time.Millisecond, OneIn: 1,
	}})
}
