package webhooks

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/chart"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/formats"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/requests"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// webhookPages returns the pages about webhooks.
func webhookPages() []kit.Page {
	one, writes := "/webhooks/{id}", operator.ManageHooks
	return []kit.Page{
		{
			Path: "/webhooks", Clients: true, Title: "Webhooks", Template: "webhooks", Show: showWebhooks, Several: true, Rule: kernel.Needs(access.Webhooks, access.HookRead, access.HookList),
			Menu: &kit.Menu{Section: kit.Integrations, Label: "Webhooks", Icon: "pulse", Badge: suspendedWebhooks},
		},
		{Path: "/webhooks/new", Clients: true, Title: "New webhook", Template: "form", Show: showNewWebhook, Do: createWebhook, Under: "/webhooks", Powers: writes},
		{Path: one, Clients: true, Title: "Webhook", Template: "webhook", Show: showWebhook, Under: "/webhooks"},
		{Path: one + "/over-time", Clients: true, Title: "Deliveries over time", Template: "webhook-over-time", Show: showOverTime, Under: "/webhooks"},
		{Path: one + "/edit", Clients: true, Title: "Edit webhook", Template: "form", Show: showEditWebhook, Do: updateWebhook, Under: "/webhooks", Powers: writes},
		{Path: one + "/replay", Clients: true, Title: "Replay", Template: "form", Show: showReplay, Do: replayWebhook, Under: "/webhooks", Powers: writes},
		{Path: one + "/test", Clients: true, Do: testWebhook, On: one, Powers: writes},
		{Path: one + "/resume", Clients: true, Do: resumeWebhook, On: one, Powers: writes},
		{Path: one + "/reactivate", Clients: true, Do: reactivateWebhook, On: one, Powers: writes},
		{Path: one + "/secret", Clients: true, Do: readWebhookSecret, On: one, Powers: writes},
		{Path: one + "/rotate", Clients: true, Do: rotateWebhookSecret, On: one, Powers: writes},
		{Path: one + "/delete", Clients: true, Title: "Delete a webhook", Template: "form", Show: showDeleteWebhook, Do: deleteWebhook, Under: "/webhooks", Powers: writes},
		{Path: one + "/deliveries/{delivery}/resend", Clients: true, Do: resendDelivery, On: one, Powers: writes},
	}
}

// maxHooks is how many webhooks of a site are listed: more than it can have.
const maxHooks = 200

// Webhook is a webhook, with the request for its site.
type Webhook struct {
	hooks.WebhookResponse
	On *kit.Request
}

// ListWebhooks reads the webhooks of the sites that the page is about: those that receive nothing come first.
func ListWebhooks(v *kit.Request) ([]Webhook, error) {
	var all []Webhook
	err := v.EachSite(func(on *kit.Request, c kernel.Caller) error {
		listed, err := v.Site.Hooks.ListHooks(v.Ctx, c, hooks.ListHooks{PageQuery: kernel.PageQuery{PerPage: opt.Of(maxHooks)}})
		for _, w := range listed.Data {
			all = append(all, Webhook{w, on})
		}
		return err
	})
	rank := map[bool]int{true: 1} // of those that are active
	slices.SortStableFunc(all, func(a, b Webhook) int { return cmp.Compare(rank[a.SuspendedAt == nil], rank[b.SuspendedAt == nil]) })
	return all, err
}

// suspendedWebhooks counts webhooks that receive nothing.
func suspendedWebhooks(v *kit.Request) (int, error) {
	all, err := ListWebhooks(v)
	n := 0
	for _, w := range all {
		if w.SuspendedAt != nil {
			n++
		}
	}
	return n, err
}

// webhookState returns the state of a webhook, in its own word.
func webhookState(w hooks.WebhookResponse) kit.State {
	if w.SuspendedAt != nil {
		return kit.State{Tone: kit.Broken, Word: kit.Text(w.Status)}
	}
	return kit.State{Tone: kit.Well, Word: kit.Text(w.Status)}
}

// webhooksPage is the list of webhooks.
type webhooksPage struct {
	MayWrite bool
	Rows     []Row
	Empty    kit.Empty
}

// Row is a webhook in a list.
type Row struct {
	ID                 int64
	Href, Site         string
	State              kit.State
	URL, Events, Owner string
	Success, Failure   kit.Moment
}

func showWebhooks(v *kit.Request) (any, error) {
	all, err := ListWebhooks(v)
	if err != nil {
		return nil, err
	}
	p := webhooksPage{
		MayWrite: v.Actor.May(operator.ManageHooks),
		Empty:    kit.Empty{Title: "No webhooks yet", Text: "A webhook is an address to which Vitrine sends what happens to products, customers and more. Make one for a credential, or have an integrator subscribe with POST /hooks."},
	}
	for _, w := range all {
		p.Rows = append(p.Rows, NewRow(w))
	}
	return p, nil
}

// NewRow returns a webhook as lists show it.
func NewRow(w Webhook) Row {
	v := w.On
	return Row{
		ID: w.ID, Href: v.LinkOn(v.SiteID, "webhooks", w.ID), Site: v.SiteName(v.SiteID), State: webhookState(w.WebhookResponse), URL: w.URL, Events: v.Counted(int64(len(w.Origines)), "event", "events"), Owner: w.CreatedBy,
		Success: v.Instant(w.LastSuccessAt), Failure: v.Instant(w.LastFailureAt),
	}
}

// webhookPage is one webhook with its deliveries.
type webhookPage struct {
	Form        *kit.Form
	MayWrite    bool
	ID          int64
	State       kit.State
	URL, Events string
	Owner       kit.Ref
	// Here is the address of this view of the page.
	Here      string
	Suspended *Suspension
	Figures   []kit.Figure
	Strip     chart.Drawing
	Tabs      []kit.Tab
	// Filtered reports that only deliveries are listed that were added From a moment Until another one,
	// either of which may be empty; kept are these as the address has them.
	Filtered    bool
	From, Until string
	kept        url.Values
	Rows        []deliveryRow
	Empty       kit.Empty
	Older       string
}

// Suspension is the notice of a suspended webhook.
type Suspension struct {
	Title, Text, Reason string
	Since               kit.Moment
}

// deliveryRow is a delivery in the list of a webhook.
type deliveryRow struct {
	ID             int64
	Message, Event string
	Resource       int64
	// Product reports that the resource has a page.
	Product bool
	State   kit.State
	// Rejected is the receiver's reason, if it rejected the resource.
	Rejected string
	Attempts string
	// Took is the duration of the last attempt.
	Took  string
	Added kit.Moment
	// Over reports that the delivery is final and can be sent again.
	Over, Open bool
	// Toggle is the address of the page that opens or closes the details.
	Toggle string
	Detail *deliveryDetail
}

// deliveryDetail is the details of an open delivery.
type deliveryDetail struct {
	Reason   string
	Next     *kit.Moment
	Attempts []attempt
	Payload  string
}

// attempt is a row of the attempts of a delivery.
type attempt struct {
	At                   kit.Moment
	State                kit.State
	Took, Error, Excerpt string
}

func showWebhook(v *kit.Request) (any, error) {
	id, c, w, err := kit.ReadNamed(v, v.Site.Hooks.GetHook, func(id int64) hooks.HookPath { return hooks.HookPath{ID: id} })
	if err != nil {
		return nil, err
	}
	latest, err := v.Site.Hooks.ListDeliveries(v.Ctx, c, hooks.ReadDeliveries{ID: id})
	if err != nil {
		return nil, err
	}
	waiting, err := v.Site.Hooks.ListDeliveries(v.Ctx, c, hooks.ReadDeliveries{ID: id, Status: "pending"})
	if err != nil {
		return nil, err
	}
	p := webhookPage{
		Form: v.Form(), MayWrite: v.Actor.May(operator.ManageHooks), ID: id, State: webhookState(w), URL: w.URL,
		Events: strings.Join(w.Origines, ", "), Owner: v.ToCredential(access.CredentialID(w.CreatedBy)), Suspended: SuspensionOf(v, w),
		Figures: deliveryFigures(v, w, latest, waiting), Strip: attemptStrip(v, latest.Data),
	}
	err = addDeliveries(v, c, &p, latest)
	return p, err
}

// SuspensionOf returns the notice of a suspended webhook, and nil for an active one.
func SuspensionOf(v *kit.Request, w hooks.WebhookResponse) *Suspension {
	if w.SuspendedAt == nil {
		return nil
	}
	reason := v.Say("no reason is known")
	if w.SuspendedReason != nil {
		reason = v.Read(*w.SuspendedReason)
	}
	s := &Suspension{Reason: reason, Title: v.Say("This webhook is suspended: %s", reason), Since: v.Instant(w.SuspendedAt)}
	s.Text = v.Say("All retries of a delivery failed, so nothing is sent any more. Events that it misses are in the ledger, and can be sent once the receiver works again.")
	if w.SuspendedReason != nil && *w.SuspendedReason == hooks.SuspendedOnRequest {
		s.Text = v.Say("Somebody asked for it. Nothing is sent until it is reactivated.")
	}
	if w.MissedAfterEventID != nil {
		s.Text += " " + v.Say("What it has not received comes after event %d.", *w.MissedAfterEventID)
	}
	return s
}

// deliveryFigures returns the numbers above the deliveries of a webhook.
func deliveryFigures(v *kit.Request, w hooks.WebhookResponse, latest, waiting hooks.DeliveryPage) []kit.Figure {
	byStatus := map[string]int{}
	var slowest int64
	for _, d := range latest.Data {
		byStatus[d.Status]++
		for _, a := range d.Attempts {
			slowest = max(slowest, a.DurationMS)
		}
	}
	pending := v.Count(int64(len(waiting.Data)))
	if waiting.HasMore {
		pending += "+"
	}
	success := v.Instant(w.LastSuccessAt)
	return []kit.Figure{
		{Label: "Succeeded", Value: v.Count(int64(byStatus["succeeded"])), Unit: kit.Text(v.Say("of the last %d", len(latest.Data)))},
		{Label: "Rejected with 422", Value: v.Count(int64(byStatus["rejected"]))},
		{Label: "Waiting", Value: pending},
		{Label: "Last success", Time: &success},
		{Label: "Slowest answer", Value: v.Count(slowest), Unit: "ms"},
	}
}

// stripCells is the most attempts that a strip shows.
const stripCells = 50

// attemptStrip draws the attempts of some deliveries, oldest first.
func attemptStrip(v *kit.Request, deliveries []hooks.DeliveryRecord) chart.Drawing {
	var attempts []hooks.AttemptRecord
	for _, d := range deliveries {
		attempts = append(attempts, d.Attempts...)
	}
	slices.SortFunc(attempts, func(a, b hooks.AttemptRecord) int {
		return cmp.Or(a.At.Compare(b.At.Time), cmp.Compare(a.Number, b.Number))
	})
	attempts = attempts[max(0, len(attempts)-stripCells):]
	marks := make([]chart.Mark, len(attempts))
	failed := 0
	for i, a := range attempts {
		s := answerState(a)
		if s.Tone != kit.Well {
			failed++
		}
		marks[i] = chart.Mark{Tone: s.Tone, Took: time.Duration(a.DurationMS) * time.Millisecond, Title: v.Say("%s: %s, %d ms", v.Clock(v.Time, a.At.Time).Ago, s.Word, a.DurationMS)}
	}
	return chart.Strip(marks, stripCells, v.Say("The last %d attempts, of which %d were not answered with success", len(marks), failed))
}

// answerState returns the outcome of an attempt.
func answerState(a hooks.AttemptRecord) kit.State {
	switch {
	case a.HTTPStatus == nil:
		return kit.State{Tone: kit.Broken, Word: "no answer"}
	case *a.HTTPStatus == 422:
		return kit.State{Tone: kit.Wanted, Word: "422"}
	case *a.HTTPStatus >= 200 && *a.HTTPStatus < 300:
		return kit.State{Tone: kit.Well, Word: kit.Text(strconv.Itoa(*a.HTTPStatus))}
	}
	return kit.State{Tone: kit.Broken, Word: kit.Text(strconv.Itoa(*a.HTTPStatus))}
}

// deliveryTones are those of the statuses of deliveries; others are over.
var deliveryTones = map[string]kit.Tone{"succeeded": kit.Well, "rejected": kit.Wanted, "failed": kit.Broken, "pending": kit.Told}

// deliveryState returns the state of a delivery with a status.
func deliveryState(status string) kit.State {
	return kit.State{Tone: cmp.Or(deliveryTones[status], kit.Over), Word: kit.Text(status)}
}

// addDeliveries adds the deliveries that the query of the address selects.
func addDeliveries(v *kit.Request, c kernel.Caller, p *webhookPage, latest hooks.DeliveryPage) error {
	status, cursor, open := v.Query("status"), v.Query("cursor"), v.Query("open")
	in := p.within(v)
	p.Here = p.deliveries(v.Prefix, status, cursor, open)
	for _, name := range []string{"", "pending", "succeeded", "rejected", "failed", "cancelled", "superseded"} {
		p.Tabs = append(p.Tabs, kit.Tab{Label: cmp.Or(kit.Text(name), "all"), Href: p.deliveries(v.Prefix, name, "", ""), Current: name == status})
	}
	shown, err := latest, error(nil)
	if in.Status = status; status != "" || cursor != "" || p.Filtered {
		if after, err := strconv.ParseInt(cursor, 10, 64); err == nil {
			in.Cursor = opt.Of(after)
		}
		shown, err = v.Site.Hooks.ListDeliveries(v.Ctx, c, in)
	}
	if err != nil {
		return err
	}
	for _, d := range shown.Data {
		row, id := newDeliveryRow(v, d), strconv.FormatInt(d.ID, 10)
		toggled := id
		if row.Open = open == id; row.Open {
			toggled = ""
			if row.Detail, err = newDeliveryDetail(v, c, p.ID, d.ID); err != nil {
				return err
			}
		}
		row.Toggle = p.deliveries(v.Prefix, status, cursor, toggled) + "#delivery-" + id
		p.Rows = append(p.Rows, row)
	}
	if shown.NextCursor != nil {
		p.Older = p.deliveries(v.Prefix, status, *shown.NextCursor, "")
	}
	p.Empty = kit.Empty{Title: "Nothing was sent yet", Text: "A delivery appears here as soon as an event happens that the webhook wants. A test sends one at once."}
	switch {
	case p.Filtered:
		p.Empty = kit.Empty{Title: "No deliveries of this time are like that", Clear: v.Link("webhooks", p.ID)}
	case status != "":
		p.Empty = kit.Empty{Title: kit.Text(v.Say("No deliveries are %s", kit.Text(status))), Clear: p.deliveries(v.Prefix, "", "", "")}
	}
	return nil
}

// within reads the time in which the deliveries were added that the address asks for, and keeps it for
// the addresses of the page. A time that cannot be read is as none.
func (p *webhookPage) within(v *kit.Request) hooks.ReadDeliveries {
	in, asked, problems := hooks.ReadDeliveries{ID: p.ID}, v.HTTP.URL.Query(), fault.Problems{}
	from, until := requests.ReadTime(v, asked, "from", &problems), requests.ReadTime(v, asked, "until", &problems)
	if !problems.Empty() || from.IsZero() && until.IsZero() {
		return in
	}
	p.Filtered, p.kept = true, filters.Narrowed(asked, []string{"from", "until"})
	if !from.IsZero() {
		in.From, p.From = from.Format(time.RFC3339), v.When(from).Title
	}
	if !until.IsZero() {
		in.To, p.Until = until.Format(time.RFC3339), v.When(until).Title
	}
	return in
}

// deliveries returns the address of the page with the deliveries of a status, from a
// cursor on, one of them open; each may be empty.
func (p webhookPage) deliveries(prefix, status, cursor, open string) string {
	query := url.Values{}
	maps.Copy(query, p.kept)
	for name, value := range map[string]string{"status": status, "cursor": cursor, "open": open} {
		if value != "" {
			query.Set(name, value)
		}
	}
	to := kit.Link(prefix, "webhooks", p.ID)
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return to
}

func newDeliveryRow(v *kit.Request, d hooks.DeliveryRecord) deliveryRow {
	row := deliveryRow{
		ID: d.ID, Message: d.WebhookID, Event: d.EventType, Resource: d.ResourceID, Product: strings.HasPrefix(d.EventType, "PRODUCT_") && v.May(v.Pages["/products"]),
		State: deliveryState(d.Status), Attempts: v.Counted(int64(len(d.Attempts)), "attempt", "attempts"), Added: v.When(d.DateAdded.Time), Over: d.Status != "pending",
	}
	if d.Status == webhook.Rejected.String() {
		row.Rejected = v.Read(kit.Said(d.Reason))
	}
	if n := len(d.Attempts); n > 0 {
		row.Took = strconv.FormatInt(d.Attempts[n-1].DurationMS, 10) + " ms"
	}
	return row
}

// newDeliveryDetail reads a delivery with its attempts and its payload.
func newDeliveryDetail(v *kit.Request, c kernel.Caller, hook, id int64) (*deliveryDetail, error) {
	d, err := v.Site.Hooks.GetDelivery(v.Ctx, c, hooks.DeliveryPath{ID: hook, DeliveryID: id})
	if err != nil {
		return nil, err
	}
	detail := &deliveryDetail{Payload: formats.Indented(d.Payload), Reason: v.Read(kit.Said(d.Reason))}
	if d.NextAttemptAt != nil {
		next := v.Instant(d.NextAttemptAt)
		detail.Next = &next
	}
	for _, a := range d.Attempts {
		made := attempt{At: v.Clock(v.Time, a.At.Time), State: answerState(a), Took: strconv.FormatInt(a.DurationMS, 10) + " ms"}
		made.Error, made.Excerpt = v.Read(kit.Said(a.Error)), kit.Said(a.ResponseExcerpt)
		detail.Attempts = append(detail.Attempts, made)
	}
	return detail, nil
}

func showNewWebhook(v *kit.Request) (any, error) {
	f := v.Form()
	var fields []kit.Field
	if !v.Portal {
		clients, err := v.CredentialNames()
		if err != nil {
			return nil, err
		}
		fields = append(fields, f.One("credential", "For the credential", "It receives events that this credential may read, and clients with the credential see it.", v.Query("credential"), kit.Named(clients)))
	}
	fields = append(fields,
		f.Text("url", "Address", "Vitrine sends to it by POST, and it answers within 10 seconds. The settings of the server say which addresses are allowed; unless changed, https addresses on the internet.", "").As("url").MustFill(),
	)
	return kit.FormPage{
		Form: f, Heading: v.Say("New webhook"), Button: "Make it", Back: v.Link("webhooks"), BackLabel: v.Say("Webhooks"),
		Action: v.Action("webhooks", "new"), Fields: append(fields, webhookFields(v, f, hooks.WebhookResponse{})...),
	}, nil
}

// webhookFields returns the fields of the forms that make and change a webhook. Events that
// the operator may not read are not offered.
func webhookFields(v *kit.Request, f *kit.Form, w hooks.WebhookResponse) []kit.Field {
	packs := v.Actor.Grant(v.SiteID).Packs
	types := kit.Texts(slices.DeleteFunc(event.Types(), func(t event.Type) bool { return !kernel.MayHear(packs, t) }))
	format := "default"
	if w.Format != nil {
		format = *w.Format
	}
	var own []string
	if w.SkipOwn {
		own = []string{"yes"}
	}
	events := f.Some("origines", "Events", w.Origines, kit.Named(types))
	events.Narrow = true
	return []kit.Field{
		events,
		f.One("format", "Format of what is sent", "", format, []kit.Choice{
			{Value: "default", Label: v.Say("default")}, {Value: "standard", Label: "Standard Webhooks"}, {Value: "cloudevents", Label: "CloudEvents"}, {Value: "reso", Label: "RESO"},
		}),
		f.Text("coalesce_seconds", "Seconds to gather updates of one resource", "0 sends each; 60 at most.", strconv.Itoa(w.CoalesceSeconds)).As("number"),
		f.Some("skip_own", "What the credential itself causes", own, []kit.Choice{{Value: "yes", Label: v.Say("is left out")}}),
	}
}

// webhookInput reads these fields.
func webhookInput(v *kit.Request) hooks.HookInput {
	in := hooks.HookInput{
		Origines: opt.Of(v.HTTP.PostForm["origines"]), Format: opt.Of(v.Sent("format")), SkipOwn: opt.Of(v.Sent("skip_own") != ""),
	}
	if seconds, err := strconv.Atoi(v.Sent("coalesce_seconds")); err == nil {
		in.CoalesceSeconds = opt.Of(seconds)
	}
	return in
}

func showEditWebhook(v *kit.Request) (any, error) {
	id, _, w, err := kit.ReadNamed(v, v.Site.Hooks.GetHook, func(id int64) hooks.HookPath { return hooks.HookPath{ID: id} })
	if err != nil {
		return nil, err
	}
	f, button, lead := v.Form(), kit.Text("Save"), ""
	if w.SuspendedAt != nil {
		button = "Save, and reactivate"
		lead = v.Say("This webhook is suspended since %s. Saved, it is active again; what it missed is sent if you ask for it then.", v.Instant(w.SuspendedAt).Title)
	}
	fields := append([]kit.Field{f.Text("url", "Address", "What is pending is sent there at once.", w.URL).As("url").MustFill()}, webhookFields(v, f, w)...)
	return kit.FormPage{
		Form: f, Heading: v.Say("Edit webhook %d", id), Lead: lead, Button: button, Back: v.Link("webhooks", id),
		BackLabel: v.Say("Webhook %d", id), Action: v.ActionOn(w.Version, "webhooks", id, "edit"), Fields: fields, Delete: v.Link("webhooks", id, "delete"),
	}, nil
}

func showDeleteWebhook(v *kit.Request) (any, error) {
	id, _, w, err := kit.ReadNamed(v, v.Site.Hooks.GetHook, func(id int64) hooks.HookPath { return hooks.HookPath{ID: id} })
	if err != nil {
		return nil, err
	}
	return kit.FormPage{
		Form: v.Form(), Heading: v.Say("Delete webhook %d", id), Button: "Delete it for good", Danger: true,
		Lead: v.Say("Nothing is sent to %s any more. What is pending is cancelled, its deliveries can be looked at no longer, and what it said about products is forgotten.", w.URL),
		Back: v.Link("webhooks", id), BackLabel: v.Say("Webhook %d", id), Action: v.Action("webhooks", id, "delete"),
	}, nil
}

func showReplay(v *kit.Request) (any, error) {
	id, err := v.ID("id")
	if err != nil {
		return nil, err
	}
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: v.Say("Replay a range"), Button: "Send again", Back: v.Link("webhooks", id), BackLabel: v.Say("Webhook %d", id),
		Action: v.Action("webhooks", id, "replay"),
		Fields: []kit.Field{
			f.Text("after_event_id", "After the event", "The number of an event of the ledger. Leave it empty to choose by time.", v.Query("after")),
			f.Text("from", "Since", "", v.Query("from")).As("datetime-local"),
			f.Text("to", "Before", "May be empty: until now.", "").As("datetime-local"),
			f.Some("missed_only", "Which", []string{"yes"}, []kit.Choice{{Value: "yes", Label: v.Say("Only what it has not received yet")}}),
		},
	}, nil
}
