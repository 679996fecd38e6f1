package console

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// eventPages returns the pages about the ledger of the site.
func eventPages() []page {
	return []page{
		{
			path: "/events", title: "Events", template: "events", show: showEvents, rule: kernel.Needs(access.Webhooks, access.HookRead, access.HookList),
			menu: &menu{section: data, label: "Events", icon: "tree"},
		},
		{path: "/events/{id}/replay", title: "Replay", template: "form", show: showReplayFrom, do: replayFrom, under: "/events", powers: operator.ManageHooks},
	}
}

// eventsPage is a part of the ledger.
type eventsPage struct {
	Form     *form
	Filters  []field
	Filtered bool
	// Live reports that the list is at its beginning, and is read again now and then.
	Live      bool
	Here      string
	MayReplay bool
	Rows      []eventRow
	Empty     empty
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
	At     moment
	Open   bool
	// Toggle is the address of the list with the event open, or closed.
	Toggle string
	Detail *eventDetail
}

// eventDetail is what an open event shows.
type eventDetail struct {
	// Changed names what an update changed; Note says why that is not known.
	Changed, Note string
	Ago           moment
}

// eventFilters are the names of the parameters of the address that narrow the list.
var eventFilters = [...]string{"types", "resource_id", "agency_id", "from", "to"}

func showEvents(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	asked := v.r.URL.Query()
	found, refused := v.findEvents(c, asked)
	if refused != nil && !isMendable(refused) {
		return nil, refused
	}
	f := newForm(asked, refused)
	p := eventsPage{
		Form: &f, Here: v.r.URL.RequestURI(), Live: asked.Get("before") == "" && refused == nil, MayReplay: v.actor.May(operator.ManageHooks),
		Filters: []field{
			f.one("types", "Event", "", "", anyOf(heardBy(c))),
			f.text("resource_id", "Id of what it is about", "", ""),
			f.one("agency_id", "Agency", "", "", v.agencyChoices(c)),
			f.text("from", "From, UTC", "", "").as("datetime-local"),
			f.text("to", "Until, UTC", "", "").as("datetime-local"),
		},
	}
	kept := narrowed(asked, eventFilters[:])
	p.Filtered = len(kept) > 0
	p.Empty = v.noEvents(p.Filtered, found.NextCursor != nil)
	if found.NextCursor != nil {
		p.Older = v.eventsAt(kept, *found.NextCursor, 0)
	}
	before, _ := strconv.ParseInt(asked.Get("before"), 10, 64)
	for _, e := range found.Data {
		row := v.eventRow(c, e)
		row.Open, row.Toggle = asked.Get("open") == strconv.FormatInt(e.ID, 10), v.eventsAt(kept, before, e.ID)
		if row.Open {
			row.Toggle = v.eventsAt(kept, before, 0)
			if row.Detail, err = v.eventDetail(c, e); err != nil {
				return nil, err
			}
		}
		row.Toggle += fmt.Sprintf("#event-%d", e.ID)
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// narrowed returns those of some parameters of an address that are given.
func narrowed(asked url.Values, names []string) url.Values {
	kept := url.Values{}
	for _, name := range names {
		if value := asked.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	return kept
}

// eventsAt returns the address of the list, narrowed, with the events before one, and one
// open; 0 means the latest, and for none open.
func (v *pageRequest) eventsAt(kept url.Values, before, open int64) string {
	query := url.Values{}
	maps.Copy(query, kept)
	if before > 0 {
		query.Set("before", strconv.FormatInt(before, 10))
	}
	if open > 0 {
		query.Set("open", strconv.FormatInt(open, 10))
	}
	to := link(v.Prefix, "events")
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return to
}

// noEvents returns why there is nothing, and whether there may be something further back.
func (v *pageRequest) noEvents(filtered, more bool) empty {
	switch {
	case more:
		return empty{Title: "Nothing like that among the latest events", Text: "The ledger goes further back: look at older events.", Clear: link(v.Prefix, "events")}
	case filtered:
		return empty{Title: "No events are like that", Clear: link(v.Prefix, "events")}
	}
	return empty{Title: "Nothing has happened yet", Text: "Whatever changes a product, a customer or the site appears here the moment it does."}
}

// findEvents looks for the events that the address asks for.
func (v *pageRequest) findEvents(c kernel.Caller, asked url.Values) (hooks.FoundEvents, error) {
	var problems fault.Problems
	in := hooks.FindEvents{
		Resource: readNumber(asked, "resource_id", &problems), Agency: readNumber(asked, "agency_id", &problems),
		Before: readNumber(asked, "before", &problems), From: readInstant(asked, "from", &problems), To: readInstant(asked, "to", &problems),
	}
	if name := asked.Get("types"); name != "" {
		in.Types = []string{name}
	}
	if err := problems.Err(); err != nil {
		return hooks.FoundEvents{}, err
	}
	return v.Site.Hooks.FindEvents(v.ctx, c, in)
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
func readInstant(asked url.Values, name string, problems *fault.Problems) opt.Field[string] {
	at := readTime(asked, name, problems)
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

// agencyName returns the name of an agency of the site, or else its id.
func agencyName(c kernel.Caller, id int64) string {
	if a, found := c.Site.Agency(site.AgencyID(id)); found {
		return a.Name
	}
	return strconv.FormatInt(id, 10)
}

func (v *pageRequest) eventRow(c kernel.Caller, e hooks.FoundEvent) eventRow {
	row := eventRow{
		ID: e.ID, Type: e.EventType, Kind: strings.ToLower(e.Kind), Resource: e.ResourceID, Href: v.aboutWhat(e),
		Agency: "the site", At: clock(v.now, e.Timestamp.Time),
	}
	if e.AgencyID != nil {
		row.Agency = agencyName(c, *e.AgencyID)
	}
	return row
}

// aboutWhat returns the page of what an event is about; empty where there is none, or no
// more.
func (v *pageRequest) aboutWhat(e hooks.FoundEvent) string {
	if event.Type(e.EventType).IsDelete() {
		return ""
	}
	switch e.Kind {
	case event.ProductUpdate.Resource(), event.MandateUpdate.Resource():
		return link(v.Prefix, "products", e.ResourceID)
	case event.CustomerUpdate.Resource():
		return link(v.Prefix, "people", e.ResourceID)
	case event.CriteriaUpdate.Resource():
		return link(v.Prefix, "site", "criteria", e.ResourceID)
	case event.AgencyUpdate.Resource():
		return link(v.Prefix, "site")
	}
	return ""
}

// eventDetail reads what an update changed. It is known of products.
func (v *pageRequest) eventDetail(c kernel.Caller, e hooks.FoundEvent) (*eventDetail, error) {
	detail := &eventDetail{Ago: v.when(e.Timestamp.Time), Note: "The event says no more than this."}
	if e.EventType != string(event.ProductUpdate) {
		return detail, nil
	}
	history, err := v.Site.Listing.ProductEvents(v.ctx, c, listing.ReadEvents{ID: e.ResourceID, Before: opt.Of(e.ID + 1)})
	if isHidden(err) {
		detail.Note = "What it changed is not shown any more: the product is deleted, or out of your sight."
		return detail, nil
	}
	if err == nil && len(history.Data) > 0 && history.Data[0].ID == e.ID {
		detail.Changed = strings.Join(history.Data[0].Changed, ", ")
	}
	return detail, err
}

// event finds an event that the operator may see.
func (v *pageRequest) event() (hooks.FoundEvent, error) {
	id, err := v.id("id")
	if err != nil {
		return hooks.FoundEvent{}, err
	}
	c, err := v.enter()
	if err != nil {
		return hooks.FoundEvent{}, err
	}
	found, err := v.Site.Hooks.FindEvents(v.ctx, c, hooks.FindEvents{Before: opt.Of(id + 1)})
	if err == nil && (len(found.Data) == 0 || found.Data[0].ID != id) {
		err = kernel.Unknown("no event that you may see has this number")
	}
	if err != nil {
		return hooks.FoundEvent{}, err
	}
	return found.Data[0], nil
}

// showReplayFrom asks for the webhook to which events are sent again.
func showReplayFrom(v *pageRequest) (any, error) {
	e, err := v.event()
	if err != nil {
		return nil, err
	}
	listed, err := v.listWebhooks("")
	if err != nil {
		return nil, err
	}
	hint := "It gets this event, and those after it that it wants."
	if len(listed.Data) == 0 {
		hint = "There is no webhook yet."
	}
	f := v.form()
	return formPage{
		Form: f, Heading: fmt.Sprintf("Replay from event %d", e.ID), Button: "Send again", Back: v.eventsAt(nil, e.ID+1, e.ID), BackLabel: "Events",
		Action: v.action("events", e.ID, "replay"),
		Fields: []field{
			f.one("webhook", "To the webhook", hint, "", hookChoices(listed.Data)),
			f.some("missed_only", "Which", []string{"yes"}, []choice{{Value: "yes", Label: "Only what it has not received yet"}}),
		},
	}, nil
}

// hookChoices offers webhooks. A suspended one has to be reactivated first.
func hookChoices(listed []hooks.WebhookResponse) []choice {
	choices := make([]choice, len(listed))
	for i, w := range listed {
		choices[i] = choice{Value: strconv.FormatInt(w.ID, 10), Label: fmt.Sprintf("%d · %s", w.ID, w.URL)}
		if w.SuspendedAt != nil {
			choices[i].Label += " (suspended)"
		}
	}
	return choices
}

func replayFrom(v *pageRequest) (done, error) {
	e, err := v.event()
	if err != nil {
		return done{}, err
	}
	hook, err := strconv.ParseInt(v.sent("webhook"), 10, 64)
	if err != nil {
		return done{}, wrongField("webhook", fault.CodeRequired, fault.Textf("choose a webhook"))
	}
	sent, err := v.Backoffice.ReplayWebhook(v.ctx, v.actor, at(v, hooks.ReplayHook{
		ID: hook, AfterEventID: opt.Of(e.ID - 1), MissedOnly: opt.Of(v.sent("missed_only") != ""),
	}))
	return wentReplaying(hook, counted(sent.Deliveries, "event")+" on the way again.", sent), err
}
