package siteapi

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

const deliveriesPerPage = 50

// ListDeliveries shows what became of the events a webhook wanted, latest first.
func (s *Service) ListDeliveries(ctx context.Context, c Caller, in ReadDeliveries) (DeliveryPage, error) {
	page := DeliveryPage{Data: []DeliveryRecord{}}
	err := s.viewHook(ctx, c, in.ID, func(tx port.Tx, w webhook.Webhook) error {
		query, err := c.deliveryQuery(in, w)
		if err != nil {
			return err
		}
		found, err := tx.DeliveryLog().List(query)
		if err != nil {
			return err
		}
		if len(found) > deliveriesPerPage {
			found = found[:deliveriesPerPage]
			next := strconv.FormatInt(int64(found[deliveriesPerPage-1].ID), 10)
			page.NextCursor, page.HasMore = &next, true
		}
		ids := make([]webhook.DeliveryID, len(found))
		for i, d := range found {
			ids[i] = d.ID
		}
		attempts, err := tx.DeliveryLog().Attempts(w.Site, ids)
		for _, d := range found {
			page.Data = append(page.Data, deliveryRecord(d, attempts[d.ID]))
		}
		return err
	})
	return page, err
}

func (c Caller) deliveryQuery(in ReadDeliveries, w webhook.Webhook) (port.DeliveryQuery, error) {
	var problems fault.Problems
	query := port.DeliveryQuery{
		Site: w.Site, Hook: w.ID, Limit: deliveriesPerPage + 1, Type: in.EventType,
		Before:   webhook.DeliveryID(positive("cursor", in.Cursor, &problems)),
		Resource: positive("resource_id", in.ResourceID, &problems),
		From:     c.moment("from", in.From, &problems),
		To:       c.moment("to", in.To, &problems),
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

// moment reads a date-time of a request, in the site's zone when it has no
// offset; zero when there is none.
func (c Caller) moment(field, text string, problems *fault.Problems) time.Time {
	if text = strings.TrimSpace(text); text == "" {
		return time.Time{}
	}
	date, ok := criteria.ParseDate(text, c.settings.zone)
	if !ok {
		problems.Wrong(field, fault.CodeInvalidFormat, text, "%s is a date-time such as 2026-09-16T08:30:00Z", field)
	}
	return date.Instant(c.settings.zone)
}

func deliveryRecord(d webhook.Delivery, attempts []webhook.Attempt) DeliveryRecord {
	r := DeliveryRecord{
		ID: int64(d.ID), HookID: int64(d.Hook), EventID: nullable(d.Event), WebhookID: d.Message, EventType: string(d.Type),
		ResourceID: d.Resource, Status: d.Status.String(), Reason: nullable(d.Reason), Attempts: []AttemptRecord{}, DateAdded: Instant{d.Added},
	}
	if d.Status == webhook.Pending {
		r.NextAttemptAt = when(d.Due)
	}
	for _, a := range attempts {
		r.Attempts = append(r.Attempts, AttemptRecord{
			Number: a.Number, At: Instant{a.At}, URL: a.URL, HTTPStatus: nullable(a.Status), DurationMS: a.Duration.Milliseconds(),
			Error: nullable(a.Error), ResponseExcerpt: nullable(a.Excerpt),
		})
	}
	return r
}

// TestHook sends the webhook an event of its own, HOOK_TEST, to which nobody can
// subscribe.
func (s *Service) TestHook(ctx context.Context, c Caller, in HookPath) (Delivering, error) {
	raw := make([]byte, 12)
	if _, err := io.ReadFull(s.ports.Rand, raw); err != nil {
		return Delivering{}, err
	}
	return s.deliverOne(ctx, c, in.ID, func(_ port.Tx, w webhook.Webhook) (webhook.Delivery, error) {
		return webhook.Delivery{
			Message: "test_" + hex.EncodeToString(raw), Type: event.HookTest, Resource: int64(w.ID), At: s.now(),
		}, nil
	})
}

// Redeliver sends a delivery that is over once more, under the same webhook-id.
func (s *Service) Redeliver(ctx context.Context, c Caller, in DeliveryPath) (Delivering, error) {
	return s.deliverOne(ctx, c, in.ID, func(tx port.Tx, w webhook.Webhook) (webhook.Delivery, error) {
		old, err := tx.Deliveries().Get(w.Site, w.ID, webhook.DeliveryID(in.DeliveryID))
		if err != nil {
			return old, absentIs(err, fault.New(fault.NotFound, fault.CodeNotFound, "the webhook has no delivery with this id"))
		}
		if old.Status == webhook.Pending {
			return old, fault.New(fault.Conflict, fault.CodeConflict, "the delivery is still under way")
		}
		return old, nil
	})
}

// deliverOne puts one delivery on its way to an active webhook.
func (s *Service) deliverOne(ctx context.Context, c Caller, id int64, of func(port.Tx, webhook.Webhook) (webhook.Delivery, error)) (Delivering, error) {
	return changeHook(ctx, s, c, id, func(tx port.Tx, w webhook.Webhook) (Delivering, error) {
		d, err := of(tx, w)
		if err != nil {
			return Delivering{}, err
		}
		if w.State == webhook.Suspended {
			return Delivering{}, suspended()
		}
		ids, err := tx.NextIDs(port.DeliveryIDs, 1)
		if err != nil {
			return Delivering{}, err
		}
		return Delivering{DeliveryID: ids[0]}, tx.Deliveries().Add([]webhook.Delivery{s.fresh(d, w, webhook.DeliveryID(ids[0]))})
	})
}

func suspended() error {
	return fault.New(fault.Conflict, fault.CodeConflict, "the webhook is suspended; update it first")
}

// fresh is a delivery that starts anew.
func (s *Service) fresh(d webhook.Delivery, w webhook.Webhook, id webhook.DeliveryID) webhook.Delivery {
	now := s.now()
	return webhook.Delivery{
		ID: id, Site: w.Site, Hook: w.ID, Event: d.Event, Message: d.Message, Type: d.Type, Resource: d.Resource, At: d.At,
		Epoch: w.Epoch, Due: now, Added: now,
	}
}

// maxReplay is how many events one replay looks at.
const maxReplay = 10_000

// ReplayHook puts the events of a range of the ledger on their way again, as far
// as the webhook wants them.
func (s *Service) ReplayHook(ctx context.Context, c Caller, in ReplayHook) (Replayed, error) {
	var problems fault.Problems
	from, to := c.moment("from", in.From.Or(""), &problems), c.moment("to", in.To.Or(""), &problems)
	after := positiveOrZero("after_event_id", in.AfterEventID, &problems)
	if in.AfterEventID.Given() == in.From.Given() {
		problems.Add("after_event_id", fault.CodeExactlyOneOf, "send exactly one of after_event_id and from")
	}
	if err := problems.Err(); err != nil {
		return Replayed{}, err
	}
	return changeHook(ctx, s, c, in.ID, func(tx port.Tx, w webhook.Webhook) (Replayed, error) {
		if w.State == webhook.Suspended {
			return Replayed{}, suspended()
		}
		hears, err := listener(tx, w, c.Scope)
		if err != nil {
			return Replayed{}, err
		}
		n, err := s.replayInto(tx, w, after, func(e event.Event) bool {
			return hears(e) && !e.At.Before(from) && (to.IsZero() || e.At.Before(to))
		}, in.MissedOnly.Or(false))
		return Replayed{Deliveries: n}, err
	})
}

// replayInto adds a delivery of each wanted event after the given one, and
// reports how many.
func (s *Service) replayInto(tx port.Tx, w webhook.Webhook, after int64, wanted func(event.Event) bool, missedOnly bool) (replayed int, err error) {
	for looked := 0; looked < maxReplay; {
		events, err := tx.Ledger().After(w.Site, after, maxEvents)
		if err != nil || len(events) == 0 {
			return replayed, err
		}
		after = events[len(events)-1].Seq
		looked += len(events)
		events = slices.DeleteFunc(events, func(e event.Event) bool { return !wanted(e) })
		if missedOnly {
			if events, err = missed(tx, w, events); err != nil {
				return replayed, err
			}
		}
		again := make([]webhook.Delivery, len(events))
		for i, e := range events {
			again[i] = deliveryOf(e)
		}
		if err := s.addAll(tx, w, again); err != nil {
			return replayed, err
		}
		replayed += len(again)
	}
	return replayed, nil
}

// missed are the events that did not get through to a webhook.
func missed(tx port.Tx, w webhook.Webhook, events []event.Event) ([]event.Event, error) {
	if len(events) == 0 {
		return nil, nil
	}
	seqs := make([]int64, len(events))
	for i, e := range events {
		seqs[i] = e.Seq
	}
	got, err := tx.DeliveryLog().Delivered(w.Site, w.ID, seqs)
	return slices.DeleteFunc(events, func(e event.Event) bool {
		_, found := slices.BinarySearch(got, e.Seq)
		return found
	}), err
}

func (s *Service) addAll(tx port.Tx, w webhook.Webhook, deliveries []webhook.Delivery) error {
	if len(deliveries) == 0 {
		return nil
	}
	ids, err := tx.NextIDs(port.DeliveryIDs, len(deliveries))
	if err != nil {
		return err
	}
	for i := range deliveries {
		deliveries[i] = s.fresh(deliveries[i], w, webhook.DeliveryID(ids[i]))
	}
	return tx.Deliveries().Add(deliveries)
}

func positiveOrZero(field string, given Opt[int64], problems *fault.Problems) int64 {
	if given.Given() && given.Value < 0 {
		problems.Wrong(field, fault.CodeOutOfRange, given.Value, "%s must be at least 0", field)
	}
	return given.Or(0)
}

// deliveryOf is an event on its way, for no webhook in particular.
func deliveryOf(e event.Event) webhook.Delivery {
	return webhook.Delivery{
		Event: e.Seq, Message: "evt_" + strconv.FormatInt(int64(e.Site), 10) + "_" + strconv.FormatInt(e.Seq, 10),
		Type: e.Type, Resource: e.Resource, At: e.At,
	}
}

// listener tells which events a webhook hears: those it wants, about resources
// that the credential it belongs to may read, within the site's scope.
func listener(tx port.Tx, w webhook.Webhook, scope site.Scope) (func(event.Event) bool, error) {
	owner, err := tx.Credentials().Get(w.CreatedBy)
	if err != nil && !errors.Is(err, fault.NotFound) {
		return nil, err
	}
	entitled := err == nil && !owner.Disabled && !owner.Revoked() && owner.Reaches(w.Site)
	return func(e event.Event) bool {
		return entitled && w.Wants(e.Type) && scope.Has(e.Agency) && owner.Packs.Any(readers[e.Type.Resource()])
	}, nil
}

// fanOut makes one delivery of an event for each webhook that wants it, in the
// unit of work the event is recorded in. A suspended webhook gets one that is
// cancelled at once, so that what it missed can be seen and replayed.
func (s *Service) fanOut(tx port.Tx, a author, e event.Event) error {
	hooks, err := tx.Webhooks().Of(e.Site)
	if err != nil {
		return err
	}
	var wanted []webhook.Delivery
	for _, w := range hooks {
		if w.SkipOwn && w.CreatedBy == a.credential {
			continue
		}
		hears, err := listener(tx, w, a.scope)
		if err != nil {
			return err
		}
		if !hears(e) {
			continue
		}
		d := s.fresh(deliveryOf(e), w, 0)
		d.Due = d.Due.Add(w.Wait(e.Type))
		if w.State == webhook.Suspended {
			d = d.Cancel("the webhook is suspended")
		}
		wanted = append(wanted, d)
	}
	if len(wanted) == 0 {
		return nil
	}
	ids, err := tx.NextIDs(port.DeliveryIDs, len(wanted))
	if err != nil {
		return err
	}
	for i := range wanted {
		wanted[i].ID = webhook.DeliveryID(ids[i])
	}
	return tx.Deliveries().Add(wanted)
}
