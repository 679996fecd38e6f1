package webhooks

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/requests"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// eventPages returns the pages about the ledger of the site.
func eventPages() []kit.Page {
	return []kit.Page{
		{
			Path: "/events", Title: "Events", Template: "events", Show: showEvents, Filters: eventFilters[:], Rule: kernel.Needs(access.Webhooks, access.HookRead, access.HookList),
			Menu: &kit.Menu{Section: kit.Data, Label: "Events", Icon: "tree"},
		},
		{Path: "/events/{id}/replay", Title: "Replay", Template: "form", Show: showReplayFrom, Do: replayFrom, Under: "/events", Powers: operator.ManageHooks},
	}
}

// eventsPage is a part of the ledger.
type eventsPage struct {
	Form     *kit.Form
	Filters  []kit.Field
	Filtered bool
	// Live reports that the list is at its beginning, and is read again now and then.
	Live      bool
	Here      string
	MayReplay bool
	Rows      []eventRow
	Empty     kit.Empty
	Older     string
}

// eventRow is an event in the list.
type eventRow struct {
	ID         int64
	Type, Kind string
	Resource   int64
	// Href is the page of what the event is about, empty where there is none.
	Href   string
	Agency string
	At     kit.Moment
	Open   bool
	// Toggle is the address of the list with the event open, or closed.
	Toggle string
	Detail *eventDetail
}

// eventDetail is what an open event shows.
type eventDetail struct {
	// History is who caused the event; nil where that is not known. Changed are the fields that
	// it changed, and Note says why there are none.
	History *kit.HistoryRow
	Changed []kit.FieldChange
	Note    kit.Text
	Ago     kit.Moment
}

// eventFilters are the names of the parameters of the address that narrow the list.
var eventFilters = [...]string{"types", "resource_id", "agency_id", "from", "to"}

func showEvents(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	asked := v.HTTP.URL.Query()
	found, refused := findEvents(v, c, asked)
	if refused != nil && !kit.IsMendable(refused) {
		return nil, refused
	}
	f := kit.NewForm(v.Language, asked, refused)
	p := eventsPage{
		Form: &f, Here: v.HTTP.URL.RequestURI(), Live: asked.Get("before") == "" && refused == nil, MayReplay: v.Actor.May(operator.ManageHooks),
		Filters: []kit.Field{
			f.One("types", "Event", "", "", v.AnyOf(heardBy(c))),
			f.Text("resource_id", "Id of what it is about", "", ""),
			f.One("agency_id", "Agency", "", "", v.AgencyChoices(c)),
			f.Text("from", "Since", "", "").As("datetime-local"),
			f.Text("to", "Before", "", "").As("datetime-local"),
		},
	}
	kept := filters.Narrowed(asked, eventFilters[:])
	p.Filtered = len(kept) > 0
	p.Empty = noEvents(v, p.Filtered, found.NextCursor != nil)
	if found.NextCursor != nil {
		p.Older = EventsAt(v, kept, *found.NextCursor, 0)
	}
	before, _ := strconv.ParseInt(asked.Get("before"), 10, 64)
	for _, e := range found.Data {
		row := newEventRow(v, c, e)
		row.Open, row.Toggle = asked.Get("open") == strconv.FormatInt(e.ID, 10), EventsAt(v, kept, before, e.ID)
		if row.Open {
			row.Toggle = EventsAt(v, kept, before, 0)
			if row.Detail, err = newEventDetail(v, c, e); err != nil {
				return nil, err
			}
		}
		row.Toggle += fmt.Sprintf("#event-%d", e.ID)
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// EventsAt returns the address of the list, narrowed, with the events before one, and one
// open; 0 means the latest, and for none open.
func EventsAt(v *kit.Request, kept url.Values, before, open int64) string {
	query := url.Values{}
	maps.Copy(query, kept)
	if before > 0 {
		query.Set("before", strconv.FormatInt(before, 10))
	}
	if open > 0 {
		query.Set("open", strconv.FormatInt(open, 10))
	}
	to := v.Link("events")
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return to
}

// noEvents returns why there is nothing, and whether there may be something further back.
func noEvents(v *kit.Request, filtered, more bool) kit.Empty {
	switch {
	case more:
		return kit.Empty{Title: "Nothing like that among the latest events", Text: "The ledger goes further back: look at older events.", Clear: v.Link("events")}
	case filtered:
		return kit.Empty{Title: "No events are like that", Clear: v.Link("events")}
	}
	return kit.Empty{Title: "Nothing has happened yet", Text: "Whatever changes a product, a customer or the site appears here the moment it does."}
}

// findEvents looks for the events that the address asks for.
func findEvents(v *kit.Request, c kernel.Caller, asked url.Values) (hooks.FoundEvents, error) {
	var problems fault.Problems
	in := hooks.FindEvents{
		Resource: readNumber(asked, "resource_id", &problems), Agency: readNumber(asked, "agency_id", &problems),
		Before: readNumber(asked, "before", &problems), From: readInstant(v, asked, "from", &problems), To: readInstant(v, asked, "to", &problems),
	}
	if name := asked.Get("types"); name != "" {
		in.Types = []string{name}
	}
	if err := problems.Err(); err != nil {
		return hooks.FoundEvents{}, err
	}
	return v.Site.Hooks.FindEvents(v.Ctx, c, in)
}

// readNumber reads a number that was typed; nothing for none.
func readNumber(asked url.Values, name string, problems *fault.Problems) opt.Field[int64] {
	text := strings.TrimSpace(asked.Get(name))
	if text == "" {
		return opt.Field[int64]{}
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		problems.Add(name, fault.CodeInvalidType, "a number")
	}
	return opt.Of(number)
}

// readInstant is readTime for use cases that read times themselves.
func readInstant(v *kit.Request, asked url.Values, name string, problems *fault.Problems) opt.Field[string] {
	at := requests.ReadTime(v, asked, name, problems)
	if at.IsZero() {
		return opt.Field[string]{}
	}
	return opt.Of(at.Format(time.RFC3339))
}

// heardBy returns the events that a caller may know of.
func heardBy(c kernel.Caller) []string {
	var names []string
	for _, t := range event.Types() {
		if kernel.MayHear(c.Grant.Packs, t) {
			names = append(names, string(t))
		}
	}
	slices.Sort(names)
	return names
}

func newEventRow(v *kit.Request, c kernel.Caller, e hooks.FoundEvent) eventRow {
	row := eventRow{
		ID: e.ID, Type: e.EventType, Kind: strings.ToLower(e.Kind), Resource: e.ResourceID, Href: aboutWhat(v, e),
		Agency: v.Say("the site"), At: v.Clock(v.Time, e.Timestamp.Time),
	}
	if e.AgencyID != nil {
		row.Agency = kit.AgencyName(c, *e.AgencyID)
	}
	return row
}

// aboutWhat returns the page of what an event is about; empty where there is none, or no
// more.
func aboutWhat(v *kit.Request, e hooks.FoundEvent) string {
	if event.Type(e.EventType).IsDelete() {
		return ""
	}
	switch e.Kind {
	case event.ProductUpdate.Resource(), event.MandateUpdate.Resource():
		return v.Link("products", e.ResourceID)
	case event.CustomerUpdate.Resource():
		return v.Link("people", e.ResourceID)
	case event.CriteriaUpdate.Resource():
		return v.Link("site", "criteria", e.ResourceID)
	case event.AgencyUpdate.Resource():
		return v.Link("site")
	}
	return ""
}

// newEventDetail reads who caused an event and what it changed, as far as the operator sees
// the record.
func newEventDetail(v *kit.Request, c kernel.Caller, e hooks.FoundEvent) (*eventDetail, error) {
	detail := &eventDetail{Ago: v.When(e.Timestamp.Time), Note: "The event says no more than this."}
	history, _, err := v.History(c, e.Kind, e.ResourceID, e.ID+1)
	if kit.IsHidden(err) {
		detail.Note = "What it changed is not shown any more: what it is about is deleted, or out of your sight."
		return detail, nil
	}
	if err == nil && len(history) > 0 && history[0].ID == e.ID {
		detail.History, detail.Changed = &history[0], history[0].Changes
	}
	return detail, err
}

// readEvent finds an event that the operator may see.
func readEvent(v *kit.Request) (hooks.FoundEvent, error) {
	id, err := v.ID("id")
	if err != nil {
		return hooks.FoundEvent{}, err
	}
	c, err := v.Enter()
	if err != nil {
		return hooks.FoundEvent{}, err
	}
	found, err := v.Site.Hooks.FindEvents(v.Ctx, c, hooks.FindEvents{Before: opt.Of(id + 1)})
	if err == nil && (len(found.Data) == 0 || found.Data[0].ID != id) {
		err = kernel.Unknown("no event that you may see has this number")
	}
	if err != nil {
		return hooks.FoundEvent{}, err
	}
	return found.Data[0], nil
}

// showReplayFrom asks for the webhook to which events are sent again.
func showReplayFrom(v *kit.Request) (any, error) {
	e, err := readEvent(v)
	if err != nil {
		return nil, err
	}
	listed, err := ListWebhooks(v)
	if err != nil {
		return nil, err
	}
	hint := kit.Text("It gets this event, and those after it that it wants.")
	if len(listed) == 0 {
		hint = "There is no webhook yet."
	}
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: v.Say("Replay from event %d", e.ID), Button: "Send again", Back: EventsAt(v, nil, e.ID+1, e.ID), BackLabel: v.Say("Events"),
		Action: v.Action("events", e.ID, "replay"),
		Fields: []kit.Field{
			f.One("webhook", "To the webhook", hint, "", hookChoices(v, listed)),
			f.Some("missed_only", "Which", []string{"yes"}, []kit.Choice{{Value: "yes", Label: v.Say("Only what it has not received yet")}}),
		},
	}, nil
}

// hookChoices offers webhooks. A suspended one has to be reactivated first.
func hookChoices(v *kit.Request, listed []Webhook) []kit.Choice {
	choices := make([]kit.Choice, len(listed))
	for i, w := range listed {
		choices[i] = kit.Choice{Value: strconv.FormatInt(w.ID, 10), Label: fmt.Sprintf("%d · %s", w.ID, w.URL)}
		if w.SuspendedAt != nil {
			choices[i].Label = v.Say("%s (suspended)", choices[i].Label)
		}
	}
	return choices
}

func replayFrom(v *kit.Request) (kit.Done, error) {
	e, err := readEvent(v)
	if err != nil {
		return kit.Done{}, err
	}
	hook, err := strconv.ParseInt(v.Sent("webhook"), 10, 64)
	if err != nil {
		return kit.Done{}, kit.WrongField("webhook", fault.CodeRequired, fault.Textf("choose a webhook"))
	}
	sent, err := v.Backoffice.ReplayWebhook(v.Ctx, v.Actor, kit.At(v, hooks.ReplayHook{
		ID: hook, AfterEventID: opt.Of(e.ID - 1), MissedOnly: opt.Of(v.Sent("missed_only") != ""),
	}))
	return wentReplaying(v, hook, v.Say("%s on the way again.", v.Counted(int64(sent.Deliveries), "event", "events")), sent), err
}
