package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// webhookPages returns the pages about webhooks.
func webhookPages() []page {
	one, writes := "/webhooks/{id}", operator.ManageHooks
	return []page{
		{
			path: "/webhooks", title: "Webhooks", template: "webhooks", show: showWebhooks, rule: kernel.Needs(access.Webhooks, access.HookRead, access.HookList),
			menu: &menu{section: integrations, label: "Webhooks", icon: "pulse", badge: suspendedWebhooks},
		},
		{path: "/webhooks/new", title: "New webhook", template: "form", show: showNewWebhook, do: createWebhook, under: "/webhooks", powers: writes},
		{path: one, title: "Webhook", template: "webhook", show: showWebhook, under: "/webhooks"},
		{path: one + "/edit", title: "Edit webhook", template: "form", show: showEditWebhook, do: updateWebhook, under: "/webhooks", powers: writes},
		{path: one + "/replay", title: "Replay", template: "form", show: showReplay, do: replayWebhook, under: "/webhooks", powers: writes},
		{path: one + "/test", do: testWebhook, on: one, powers: writes},
		{path: one + "/resume", do: resumeWebhook, on: one, powers: writes},
		{path: one + "/reactivate", do: reactivateWebhook, on: one, powers: writes},
		{path: one + "/secret", do: readWebhookSecret, on: one, powers: writes},
		{path: one + "/rotate", do: rotateWebhookSecret, on: one, powers: writes},
		{path: one + "/delete", title: "Delete a webhook", template: "form", show: showDeleteWebhook, do: deleteWebhook, under: "/webhooks", powers: writes},
		{path: one + "/deliveries/{delivery}/resend", do: resendDelivery, on: one, powers: writes},
	}
}

// maxHooks is how many webhooks a page lists.
const maxHooks = 200

// listWebhooks reads the webhooks of the site, page by page.
func (v *pageRequest) listWebhooks(cursor string) (hooks.HookPage, error) {
	c, err := v.enter()
	if err != nil {
		return hooks.HookPage{}, err
	}
	return v.Site.Hooks.ListHooks(v.ctx, c, hooks.ListHooks{PageQuery: kernel.PageQuery{PerPage: opt.Of(maxHooks), Cursor: cursor}})
}

// suspendedWebhooks counts webhooks that receive nothing.
func suspendedWebhooks(v *pageRequest) (int, error) {
	listed, err := v.listWebhooks("")
	n := 0
	for _, w := range listed.Data {
		if w.SuspendedAt != nil {
			n++
		}
	}
	return n, err
}

// webhookState returns the state of a webhook, in its own word.
func webhookState(w hooks.WebhookResponse) state {
	if w.SuspendedAt != nil {
		return state{broken, w.Status}
	}
	return state{well, w.Status}
}

// webhooksPage is the list of webhooks.
type webhooksPage struct {
	MayWrite bool
	Rows     []webhookRow
	Empty    empty
	Next     string
}

type webhookRow struct {
	ID                 int64
	State              state
	URL, Events, Owner string
	Success, Failure   moment
}

func showWebhooks(v *pageRequest) (any, error) {
	listed, err := v.listWebhooks(v.query("cursor"))
	if err != nil {
		return nil, err
	}
	p := webhooksPage{
		MayWrite: v.actor.May(operator.ManageHooks),
		Empty:    empty{Title: "No webhooks yet", Text: "A webhook is an address to which Vitrine sends what happens to products, customers and more. Make one for a credential, or have an integrator subscribe with POST /hooks."},
	}
	for _, w := range listed.Data {
		p.Rows = append(p.Rows, v.webhookRow(w))
	}
	if next := listed.Meta.NextCursor; next != nil {
		p.Next = link(v.Prefix, "webhooks") + "?" + url.Values{"cursor": {*next}}.Encode()
	}
	return p, nil
}

func (v *pageRequest) webhookRow(w hooks.WebhookResponse) webhookRow {
	return webhookRow{
		ID: w.ID, State: webhookState(w), URL: w.URL, Events: counted(len(w.Origines), "event"), Owner: w.CreatedBy,
		Success: v.instant(w.LastSuccessAt), Failure: v.instant(w.LastFailureAt),
	}
}

// webhookPage is one webhook with its deliveries.
type webhookPage struct {
	Form        *form
	MayWrite    bool
	ID          int64
	State       state
	URL, Events string
	Owner       ref
	// Here is the address of this view of the page.
	Here      string
	Suspended *suspension
	Figures   []figure
	Strip     chart
	Tabs      []tab
	Rows      []deliveryRow
	Empty     empty
	Older     string
}

func (p webhookPage) title() string { return fmt.Sprintf("Webhook %d", p.ID) }

// suspension is the notice of a suspended webhook.
type suspension struct {
	Title, Text, Reason string
	Since               moment
}

// deliveryRow is a delivery in the list of a webhook.
type deliveryRow struct {
	ID             int64
	Message, Event string
	Resource       int64
	// Product reports that the resource has a page.
	Product bool
	State   state
	// Rejected is the receiver's reason, if it rejected the resource.
	Rejected string
	Attempts string
	// Took is the duration of the last attempt.
	Took  string
	Added moment
	// Over reports that the delivery is final and can be sent again.
	Over, Open bool
	// Toggle is the address of the page that opens or closes the details.
	Toggle string
	Detail *deliveryDetail
}

// deliveryDetail is the details of an open delivery.
type deliveryDetail struct {
	Reason   string
	Next     *moment
	Attempts []attempt
	Payload  string
}

// attempt is a row of the attempts of a delivery.
type attempt struct {
	At                   moment
	State                state
	Took, Error, Excerpt string
}

func showWebhook(v *pageRequest) (any, error) {
	id, c, w, err := readNamed(v, v.Site.Hooks.GetHook, func(id int64) hooks.HookPath { return hooks.HookPath{ID: id} })
	if err != nil {
		return nil, err
	}
	latest, err := v.Site.Hooks.ListDeliveries(v.ctx, c, hooks.ReadDeliveries{ID: id})
	if err != nil {
		return nil, err
	}
	waiting, err := v.Site.Hooks.ListDeliveries(v.ctx, c, hooks.ReadDeliveries{ID: id, Status: "pending"})
	if err != nil {
		return nil, err
	}
	p := webhookPage{
		Form: v.form(), MayWrite: v.actor.May(operator.ManageHooks), ID: id, State: webhookState(w), URL: w.URL,
		Events: strings.Join(w.Origines, ", "), Owner: v.toCredential(access.CredentialID(w.CreatedBy)), Suspended: v.suspension(w),
		Figures: v.deliveryFigures(w, latest, waiting), Strip: v.attemptStrip(latest.Data),
	}
	err = v.addDeliveries(c, &p, latest)
	return p, err
}

// suspension returns the notice of a suspended webhook, and nil for an active one.
func (v *pageRequest) suspension(w hooks.WebhookResponse) *suspension {
	if w.SuspendedAt == nil {
		return nil
	}
	reason := "no reason is known"
	if w.SuspendedReason != nil {
		reason = *w.SuspendedReason
	}
	s := &suspension{Reason: reason, Title: "This webhook is suspended: " + reason, Since: v.instant(w.SuspendedAt)}
	s.Text = "All retries of a delivery failed, so nothing is sent any more. Events that it misses are in the ledger, and can be sent once the receiver works again."
	if strings.Contains(reason, "request") {
		s.Text = "Somebody asked for it. Nothing is sent until it is reactivated."
	}
	if w.MissedAfterEventID != nil {
		s.Text += fmt.Sprintf(" What it has not received comes after event %d.", *w.MissedAfterEventID)
	}
	return s
}

// deliveryFigures returns the numbers above the deliveries of a webhook.
func (v *pageRequest) deliveryFigures(w hooks.WebhookResponse, latest, waiting hooks.DeliveryPage) []figure {
	byStatus := map[string]int{}
	var slowest int64
	for _, d := range latest.Data {
		byStatus[d.Status]++
		for _, a := range d.Attempts {
			slowest = max(slowest, a.DurationMS)
		}
	}
	pending := count(len(waiting.Data))
	if waiting.HasMore {
		pending += "+"
	}
	success := v.instant(w.LastSuccessAt)
	return []figure{
		{Label: "Succeeded", Value: count(byStatus["succeeded"]), Unit: "of the last " + strconv.Itoa(len(latest.Data))},
		{Label: "Rejected with 422", Value: count(byStatus["rejected"])},
		{Label: "Waiting", Value: pending},
		{Label: "Last success", Time: &success},
		{Label: "Slowest answer", Value: count(slowest), Unit: "ms"},
	}
}

// stripCells is the most attempts that a strip shows.
const stripCells = 50

// attemptStrip draws the attempts of some deliveries, oldest first.
func (v *pageRequest) attemptStrip(deliveries []hooks.DeliveryRecord) chart {
	var attempts []hooks.AttemptRecord
	for _, d := range deliveries {
		attempts = append(attempts, d.Attempts...)
	}
	slices.SortFunc(attempts, func(a, b hooks.AttemptRecord) int {
		return cmp.Or(a.At.Compare(b.At.Time), cmp.Compare(a.Number, b.Number))
	})
	attempts = attempts[max(0, len(attempts)-stripCells):]
	marks := make([]mark, len(attempts))
	failed := 0
	for i, a := range attempts {
		s := answerState(a)
		if s.Tone != well {
			failed++
		}
		marks[i] = mark{s.Tone, time.Duration(a.DurationMS) * time.Millisecond, clock(v.now, a.At.Time).Ago + " UTC: " + s.Word + ", " + strconv.FormatInt(a.DurationMS, 10) + " ms"}
	}
	return strip(marks, stripCells, fmt.Sprintf("The last %d attempts, of which %d were not answered with success", len(marks), failed))
}

// answerState returns the outcome of an attempt.
func answerState(a hooks.AttemptRecord) state {
	switch {
	case a.HTTPStatus == nil:
		return state{broken, "no answer"}
	case *a.HTTPStatus == 422:
		return state{wanted, "422"}
	case *a.HTTPStatus >= 200 && *a.HTTPStatus < 300:
		return state{well, strconv.Itoa(*a.HTTPStatus)}
	}
	return state{broken, strconv.Itoa(*a.HTTPStatus)}
}

// deliveryState returns the state of a delivery with a status.
func deliveryState(status string) state {
	switch status {
	case "succeeded":
		return state{well, status}
	case "rejected":
		return state{wanted, status}
	case "failed":
		return state{broken, status}
	case "pending":
		return state{told, status}
	}
	return state{over, status}
}

// addDeliveries adds the deliveries that the query of the address selects.
func (v *pageRequest) addDeliveries(c kernel.Caller, p *webhookPage, latest hooks.DeliveryPage) error {
	status, cursor, open := v.query("status"), v.query("cursor"), v.query("open")
	p.Here = p.deliveries(v.Prefix, status, cursor, open)
	for _, name := range []string{"", "pending", "succeeded", "rejected", "failed", "cancelled", "superseded"} {
		p.Tabs = append(p.Tabs, tab{cmp.Or(name, "all"), p.deliveries(v.Prefix, name, "", ""), name == status})
	}
	shown, err := latest, error(nil)
	if status != "" || cursor != "" {
		in := hooks.ReadDeliveries{ID: p.ID, Status: status}
		if after, err := strconv.ParseInt(cursor, 10, 64); err == nil {
			in.Cursor = opt.Of(after)
		}
		shown, err = v.Site.Hooks.ListDeliveries(v.ctx, c, in)
	}
	if err != nil {
		return err
	}
	for _, d := range shown.Data {
		row, id := v.deliveryRow(d), strconv.FormatInt(d.ID, 10)
		toggled := id
		if row.Open = open == id; row.Open {
			toggled = ""
			if row.Detail, err = v.deliveryDetail(c, p.ID, d.ID); err != nil {
				return err
			}
		}
		row.Toggle = p.deliveries(v.Prefix, status, cursor, toggled) + "#delivery-" + id
		p.Rows = append(p.Rows, row)
	}
	if shown.NextCursor != nil {
		p.Older = p.deliveries(v.Prefix, status, *shown.NextCursor, "")
	}
	p.Empty = empty{Title: "Nothing was sent yet", Text: "A delivery appears here as soon as an event happens that the webhook wants. A test sends one at once."}
	if status != "" {
		p.Empty = empty{Title: "No deliveries are " + status, Clear: p.deliveries(v.Prefix, "", "", "")}
	}
	return nil
}

// deliveries returns the address of the page with the deliveries of a status, from a
// cursor on, one of them open; each may be empty.
func (p webhookPage) deliveries(prefix, status, cursor, open string) string {
	query := url.Values{}
	for name, value := range map[string]string{"status": status, "cursor": cursor, "open": open} {
		if value != "" {
			query.Set(name, value)
		}
	}
	to := link(prefix, "webhooks", p.ID)
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return to
}

func (v *pageRequest) deliveryRow(d hooks.DeliveryRecord) deliveryRow {
	row := deliveryRow{
		ID: d.ID, Message: d.WebhookID, Event: d.EventType, Resource: d.ResourceID, Product: strings.HasPrefix(d.EventType, "PRODUCT_"),
		State: deliveryState(d.Status), Attempts: counted(len(d.Attempts), "attempt"), Added: v.when(d.DateAdded.Time), Over: d.Status != "pending",
	}
	if d.Status == webhook.Rejected.String() && d.Reason != nil {
		row.Rejected = *d.Reason
	}
	if n := len(d.Attempts); n > 0 {
		row.Took = strconv.FormatInt(d.Attempts[n-1].DurationMS, 10) + " ms"
	}
	return row
}

// deliveryDetail reads a delivery with its attempts and its payload.
func (v *pageRequest) deliveryDetail(c kernel.Caller, hook, id int64) (*deliveryDetail, error) {
	d, err := v.Site.Hooks.GetDelivery(v.ctx, c, hooks.DeliveryPath{ID: hook, DeliveryID: id})
	if err != nil {
		return nil, err
	}
	detail := &deliveryDetail{Payload: indented(d.Payload)}
	if d.Reason != nil {
		detail.Reason = *d.Reason
	}
	if d.NextAttemptAt != nil {
		next := v.instant(d.NextAttemptAt)
		detail.Next = &next
	}
	for _, a := range d.Attempts {
		made := attempt{At: clock(v.now, a.At.Time), State: answerState(a), Took: strconv.FormatInt(a.DurationMS, 10) + " ms"}
		if a.Error != nil {
			made.Error = *a.Error
		}
		if a.ResponseExcerpt != nil {
			made.Excerpt = *a.ResponseExcerpt
		}
		detail.Attempts = append(detail.Attempts, made)
	}
	return detail, nil
}

// indented returns JSON with a line for each value, and any other text as it is.
func indented(text string) string {
	var pretty bytes.Buffer
	if json.Indent(&pretty, []byte(text), "", "  ") != nil {
		return text
	}
	return pretty.String()
}

func showNewWebhook(v *pageRequest) (any, error) {
	clients, err := v.credentialNames()
	if err != nil {
		return nil, err
	}
	f := v.form()
	fields := []field{
		f.one("credential", "For the credential", "It receives events that this credential may read, and clients with the credential see it.", v.query("credential"), named(clients)),
		f.text("url", "Address", "Vitrine sends to it by POST, and it answers within 10 seconds. The settings of the server say which addresses are allowed; unless changed, https addresses on the internet.", "").as("url").required(),
	}
	return formPage{
		Form: f, Heading: "New webhook", Button: "Make it", Back: link(v.Prefix, "webhooks"), BackLabel: "Webhooks",
		Action: v.action("webhooks", "new"), Fields: append(fields, v.webhookFields(f, hooks.WebhookResponse{})...),
	}, nil
}

// webhookFields returns the fields of the forms that make and change a webhook. Events that
// the operator may not read are not offered.
func (v *pageRequest) webhookFields(f *form, w hooks.WebhookResponse) []field {
	packs := v.actor.Operator.Role.Grant(v.site).Packs
	types := texts(slices.DeleteFunc(event.Types(), func(t event.Type) bool { return !kernel.MayHear(packs, t) }))
	format := "default"
	if w.Format != nil {
		format = *w.Format
	}
	var own []string
	if w.SkipOwn {
		own = []string{"yes"}
	}
	events := f.some("origines", "Events", w.Origines, named(types))
	events.Narrow = true
	return []field{
		events,
		f.one("format", "Format of what is sent", "", format, []choice{
			{Value: "default", Label: "default"}, {Value: "standard", Label: "Standard Webhooks"}, {Value: "cloudevents", Label: "CloudEvents"}, {Value: "reso", Label: "RESO"},
		}),
		f.text("coalesce_seconds", "Seconds to gather updates of one resource", "0 sends each; 60 at most.", strconv.Itoa(w.CoalesceSeconds)).as("number"),
		f.some("skip_own", "What the credential itself causes", own, []choice{{Value: "yes", Label: "is left out"}}),
	}
}

// webhookInput reads these fields.
func (v *pageRequest) webhookInput() hooks.HookInput {
	in := hooks.HookInput{
		Origines: opt.Of(v.r.PostForm["origines"]), Format: opt.Of(v.sent("format")), SkipOwn: opt.Of(v.sent("skip_own") != ""),
	}
	if seconds, err := strconv.Atoi(v.sent("coalesce_seconds")); err == nil {
		in.CoalesceSeconds = opt.Of(seconds)
	}
	return in
}

func showEditWebhook(v *pageRequest) (any, error) {
	id, _, w, err := readNamed(v, v.Site.Hooks.GetHook, func(id int64) hooks.HookPath { return hooks.HookPath{ID: id} })
	if err != nil {
		return nil, err
	}
	f, button, lead := v.form(), "Save", ""
	if w.SuspendedAt != nil {
		button = "Save, and reactivate"
		lead = "This webhook is suspended since " + v.instant(w.SuspendedAt).Title + ". Saved, it is active again; what it missed is sent if you ask for it then."
	}
	fields := append([]field{f.text("url", "Address", "What is pending is sent there at once.", w.URL).as("url").required()}, v.webhookFields(f, w)...)
	return formPage{
		Form: f, Heading: fmt.Sprintf("Edit webhook %d", id), Lead: lead, Button: button, Back: link(v.Prefix, "webhooks", id),
		BackLabel: fmt.Sprintf("Webhook %d", id), Action: v.actionOn(w.Version, "webhooks", id, "edit"), Fields: fields, Delete: link(v.Prefix, "webhooks", id, "delete"),
	}, nil
}

func showDeleteWebhook(v *pageRequest) (any, error) {
	id, _, w, err := readNamed(v, v.Site.Hooks.GetHook, func(id int64) hooks.HookPath { return hooks.HookPath{ID: id} })
	if err != nil {
		return nil, err
	}
	return formPage{
		Form: v.form(), Heading: fmt.Sprintf("Delete webhook %d", id), Button: "Delete it for good", Danger: true,
		Lead: "Nothing is sent to " + w.URL + " any more. What is pending is cancelled, its deliveries can be looked at no longer, and what it said about products is forgotten.",
		Back: link(v.Prefix, "webhooks", id), BackLabel: fmt.Sprintf("Webhook %d", id), Action: v.action("webhooks", id, "delete"),
	}, nil
}

func showReplay(v *pageRequest) (any, error) {
	id, err := v.id("id")
	if err != nil {
		return nil, err
	}
	f := v.form()
	return formPage{
		Form: f, Heading: "Replay a range", Button: "Send again", Back: link(v.Prefix, "webhooks", id), BackLabel: fmt.Sprintf("Webhook %d", id),
		Action: v.action("webhooks", id, "replay"),
		Fields: []field{
			f.text("after_event_id", "After the event", "The number of an event of the ledger. Leave it empty to choose by time.", v.query("after")),
			f.text("from", "From, UTC", "", v.query("from")).as("datetime-local"),
			f.text("to", "To, UTC", "May be empty: until now.", "").as("datetime-local"),
			f.some("missed_only", "Which", []string{"yes"}, []choice{{Value: "yes", Label: "Only what it has not received yet"}}),
		},
	}, nil
}
