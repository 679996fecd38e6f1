package hooks

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

const deliveriesPerPage = 50

func (u unit) listDeliveries(in ReadDeliveries) (DeliveryPage, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return DeliveryPage{}, err
	}
	query, err := u.deliveryQuery(in, w)
	if err != nil {
		return DeliveryPage{}, err
	}
	found, err := u.Deliveries().List(query)
	if err != nil {
		return DeliveryPage{}, err
	}
	page := DeliveryPage{Data: []DeliveryRecord{}}
	if len(found) > deliveriesPerPage {
		found = found[:deliveriesPerPage]
		next := strconv.FormatInt(int64(found[deliveriesPerPage-1].ID), 10)
		page.NextCursor, page.HasMore = &next, true
	}
	ids := make([]webhook.DeliveryID, len(found))
	for i, d := range found {
		ids[i] = d.ID
	}
	attempts, err := u.Deliveries().Attempts(w.Site, w.ID, ids)
	for _, d := range found {
		page.Data = append(page.Data, deliveryRecord(d, attempts[d.ID]))
	}
	return page, err
}

// MaxCounted is how many of the latest deliveries of a webhook are counted.
const MaxCounted = 50_000

// CountDeliveries asks for the deliveries of a webhook from a moment on, by steps of time.
type CountDeliveries struct {
	ID   int64
	From time.Time
	// Step is the length of a step, not 0.
	Step time.Duration
}

// DeliveryCounts is what became of deliveries over time.
type DeliveryCounts struct {
	// Steps are those with deliveries, in order.
	Steps []webhook.DeliveryCount
	// Since is when the first delivery that is known and counted was added; zero for none.
	Since time.Time
	// Cut reports that there are MaxCounted deliveries: earlier ones are not counted.
	Cut bool
}

func (u unit) countDeliveries(in CountDeliveries) (counts DeliveryCounts, err error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return counts, err
	}
	steps, err := u.Deliveries().Count(port.DeliveryCounting{Site: w.Site, Hook: w.ID, From: in.From, Step: in.Step, Latest: MaxCounted})
	var all int64
	for _, s := range steps {
		if all += s.All; counts.Since.IsZero() || s.Oldest.Before(counts.Since) {
			counts.Since = s.Oldest
		}
		if !s.Start.IsZero() {
			counts.Steps = append(counts.Steps, s)
		}
	}
	counts.Cut = all == MaxCounted
	return counts, err
}

func (u unit) getDelivery(in DeliveryPath) (DeliveryDetail, error) {
	w, d, err := u.delivery(in)
	if err != nil {
		return DeliveryDetail{}, err
	}
	attempts, err := u.Deliveries().Attempts(w.Site, w.ID, []webhook.DeliveryID{d.ID})
	payload := w.Format.Payload(d, u.Options.URL(""))
	return DeliveryDetail{deliveryRecord(d, attempts[d.ID]), string(payload.Body)}, err
}

func (u unit) deliveryQuery(in ReadDeliveries, w webhook.Webhook) (port.DeliveryQuery, error) {
	var problems fault.Problems
	query := port.DeliveryQuery{
		Site: w.Site, Hook: w.ID, Limit: deliveriesPerPage + 1, Type: in.EventType,
		Before:   kernel.ID[webhook.DeliveryID]("cursor", in.Cursor, &problems),
		Resource: kernel.ID[int64]("resource_id", in.ResourceID, &problems),
		From:     u.Site.Date("from", in.From, &problems),
		To:       u.Site.Date("to", in.To, &problems),
	}
	if _, known := event.Parse(in.EventType); !known && in.EventType != "" && in.EventType != string(event.HookTest) {
		problems.Wrong("event_type", fault.CodeUnknownEventType, in.EventType, "no event has this name")
	}
	if in.Status != "" {
		status, known := webhook.ParseStatus(in.Status)
		if !known {
			problems.Wrong("status", fault.CodeInvalidFormat, in.Status, "no delivery has this status")
		}
		query.Status = &status
	}
	return query, problems.Err()
}

func deliveryRecord(d webhook.Delivery, attempts []webhook.Attempt) DeliveryRecord {
	r := DeliveryRecord{
		ID: int64(d.ID), HookID: int64(d.Hook), EventID: kernel.Nullable(d.Event), WebhookID: d.Message, EventType: string(d.Type),
		ResourceID: d.Resource, Status: d.Status.String(), Reason: kernel.Nullable(d.Reason), Attempts: []AttemptRecord{}, DateAdded: kernel.Instant{Time: d.Added},
	}
	if d.Status == webhook.Pending {
		r.NextAttemptAt = kernel.When(d.Due)
	}
	for _, a := range attempts {
		r.Attempts = append(r.Attempts, AttemptRecord{
			Number: a.Number, At: kernel.Instant{Time: a.At}, URL: a.URL, HTTPStatus: kernel.Nullable(a.Status), DurationMS: a.Duration.Milliseconds(),
			Error: kernel.Nullable(a.Error), ResponseExcerpt: kernel.Nullable(a.Excerpt),
		})
	}
	return r
}

// testMessage is a webhook with the name of the test message it will get.
type testMessage struct {
	HookPath
	message string
}

func (s *Service) testHook(ctx context.Context, c kernel.Caller, in HookPath) (Delivering, error) {
	name, err := s.k.RandomName(12)
	if err != nil {
		return Delivering{}, err
	}
	return writes(s, unit.sendTest)(ctx, c, testMessage{in, "test_" + name})
}

func (u unit) sendTest(in testMessage) (Delivering, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return Delivering{}, err
	}
	return u.send(w, webhook.Delivery{Message: in.message, Type: event.HookTest, Resource: int64(w.ID), At: u.Now})
}

func (u unit) redeliver(in DeliveryPath) (Delivering, error) {
	w, old, err := u.delivery(in)
	if err != nil {
		return Delivering{}, err
	}
	if old.Status == webhook.Pending {
		return Delivering{}, fault.New(fault.Conflict, fault.CodeConflict, "the delivery is still under way")
	}
	return u.send(w, old)
}

// delivery reads a delivery and its webhook, which is locked first.
func (u unit) delivery(in DeliveryPath) (webhook.Webhook, webhook.Delivery, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return w, webhook.Delivery{}, err
	}
	d, err := u.Deliveries().Get(w.Site, w.ID, webhook.DeliveryID(in.DeliveryID))
	return w, d, kernel.AbsentIs(err, kernel.Unknown("the webhook has no delivery with this id"))
}

// send puts one delivery on its way to an active webhook.
func (u unit) send(w webhook.Webhook, d webhook.Delivery) (Delivering, error) {
	if w.State == webhook.Suspended {
		return Delivering{}, suspended()
	}
	ids, err := u.Deliver(w, []webhook.Delivery{d})
	if err != nil {
		return Delivering{}, err
	}
	return Delivering{DeliveryID: int64(ids[0])}, nil
}

func suspended() error {
	return fault.New(fault.Conflict, fault.CodeConflict, "the webhook is suspended; update it first")
}

// maxReplay is how many events one replay looks at.
const maxReplay = 10_000

// replay is a range of the ledger for a webhook.
type replay struct {
	hook, after int64
	// from and to are zero for no bound.
	from, to   time.Time
	missedOnly bool
}

func (s *Service) replayHook(ctx context.Context, c kernel.Caller, in ReplayHook) (Replayed, error) {
	var problems fault.Problems
	wanted := replay{
		hook: in.ID, missedOnly: in.MissedOnly.Or(false),
		from: c.Site.Date("from", in.From.Or(""), &problems), to: c.Site.Date("to", in.To.Or(""), &problems), after: in.AfterEventID.Or(0),
	}
	if wanted.after < 0 {
		problems.Wrong("after_event_id", fault.CodeOutOfRange, wanted.after, "after_event_id must be at least 0")
	}
	if in.AfterEventID.Given() == in.From.Given() {
		problems.Add("after_event_id", fault.CodeExactlyOneOf, "send exactly one of after_event_id and from")
	}
	if err := problems.Err(); err != nil {
		return Replayed{}, err
	}
	return writes(s, unit.replay)(ctx, c, wanted)
}

// replay adds a delivery of each event in the range that the webhook hears.
func (u unit) replay(in replay) (replayed Replayed, err error) {
	w, err := u.hook(in.hook)
	if err != nil {
		return replayed, err
	}
	if w.State == webhook.Suspended {
		return replayed, suspended()
	}
	hears, err := u.Audience(w)
	if err != nil {
		return replayed, err
	}
	if !in.from.IsZero() {
		if in.after, err = u.before(w.Site, in.from); err != nil {
			return replayed, err
		}
	}
	ended := func(e event.Event) bool { return !in.to.IsZero() && !e.At.Before(in.to) }
	first, looked := in.after+1, 0
	for {
		events, err := u.Ledger().After(w.Site, in.after, min(maxEvents, maxReplay-looked+1))
		if err != nil {
			return replayed, err
		}
		if end := slices.IndexFunc(events, ended); end >= 0 {
			events = events[:end]
		}
		if replayed.HasMore = looked+len(events) > maxReplay; replayed.HasMore {
			events = events[:maxReplay-looked]
		}
		if len(events) == 0 {
			break
		}
		looked += len(events)
		in.after = events[len(events)-1].Seq
		if replayed.FirstEventID == nil {
			replayed.FirstEventID = &events[0].Seq
		}
		replayed.LastEventID = new(in.after)
		sent, err := u.sendAgain(w, slices.DeleteFunc(slices.Clone(events), func(e event.Event) bool { return !hears(e) }), in.missedOnly)
		if err != nil {
			return replayed, err
		}
		replayed.Deliveries += sent
	}
	if caught := w.Catches(first, in.after, in.to.IsZero() && !replayed.HasMore); caught.MissedFrom != w.MissedFrom {
		err = u.Webhooks().Put(caught)
	}
	return replayed, err
}

// before returns the last event before a moment, 0 when there is none. Times of the ledger
// never fall, so it need not be read from its beginning.
func (u unit) before(id site.ID, moment time.Time) (int64, error) {
	head, err := u.Ledger().Head(id)
	if err != nil {
		return 0, err
	}
	seq := sort.Search(int(head.Seq), func(seq int) bool {
		next, failed := u.Ledger().After(id, int64(seq), 1)
		err = kernel.FirstError(err, failed)
		return len(next) == 0 || !next[0].At.Before(moment)
	})
	return int64(seq), err
}

// sendAgain adds a delivery of each event, or of those that a webhook has not got.
func (u unit) sendAgain(w webhook.Webhook, events []event.Event, missedOnly bool) (int, error) {
	if missedOnly {
		var err error
		if events, err = u.missed(w, events); err != nil {
			return 0, err
		}
	}
	again := make([]webhook.Delivery, len(events))
	for i, e := range events {
		again[i] = kernel.DeliveryOf(e)
	}
	_, err := u.Deliver(w, again)
	return len(again), err
}

// resume reactivates a suspended webhook, and sends what it has not received since its
// last success.
func (u unit) resume(in HookPath) (Replayed, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return Replayed{}, err
	}
	if w.State != webhook.Suspended {
		return Replayed{}, fault.New(fault.Conflict, fault.CodeConflict, "the webhook is not suspended")
	}
	if _, err := u.updateHook(UpdateHook{ID: in.ID}); err != nil {
		return Replayed{}, err
	}
	again := replay{hook: in.ID, after: w.MissedFrom - 1, missedOnly: true}
	if w.MissedFrom == 0 { // suspended by a version that did not tell
		again.after, again.from = 0, w.LastSuccess
		if again.from.IsZero() {
			again.from = w.Added
		}
	}
	return u.replay(again)
}

// missed returns the events that did not get through to a webhook, and are not on their way.
func (u unit) missed(w webhook.Webhook, events []event.Event) ([]event.Event, error) {
	if len(events) == 0 {
		return nil, nil
	}
	seqs := make([]int64, len(events))
	for i, e := range events {
		seqs[i] = e.Seq
	}
	got, err := u.Deliveries().DeliveredOrPending(w.Site, w.ID, seqs)
	return slices.DeleteFunc(events, func(e event.Event) bool {
		_, found := slices.BinarySearch(got, e.Seq)
		return found
	}), err
}
