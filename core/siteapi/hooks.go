package siteapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// maxHooks is how many webhooks a site may have.
const maxHooks = 50

// ListOrigines lists the event types the caller can subscribe to: those about
// resources its packs may read.
func (s *Service) ListOrigines(_ context.Context, c Caller, _ Nothing) ([]string, error) {
	return c.origines(), nil
}

func (c Caller) origines() []string {
	names := []string{}
	for _, t := range event.Types() {
		if c.Grant.Packs.Any(readers[t.Resource()]) {
			names = append(names, string(t))
		}
	}
	return names
}

// CreateHook subscribes a URL to events (contract: POST /hooks). The URL is not
// called.
func (s *Service) CreateHook(ctx context.Context, c Caller, in CreateHook) (Created, error) {
	now := s.now()
	draft := webhook.Webhook{Site: c.Site(), CreatedBy: c.Grant.Credential, Format: webhook.Default, Epoch: 1, Added: now, Modified: now}
	secret, err := webhook.NewSecret(s.ports.Rand)
	if err != nil {
		return Created{}, err
	}
	return write(ctx, s, c, func(tx port.Tx) (Created, error) {
		hook, problems := draft, fault.Problems{}
		if !in.URL.Given() {
			problems.Add("url", fault.CodeRequired, "url is required")
		}
		if !in.Origines.Given() {
			problems.Add("origines", fault.CodeRequired, "origines is required")
		}
		if err := s.configure(tx, c, &hook, in.URL, in.HookInput, &problems); err != nil {
			return Created{}, err
		}
		existing, err := tx.Webhooks().Of(c.Site())
		if err != nil {
			return Created{}, err
		}
		if len(existing) >= maxHooks {
			problems.Add("url", fault.CodeOutOfRange, "a site can have at most %d webhooks", maxHooks)
		}
		if err := problems.Err(); err != nil {
			return Created{}, err
		}
		ids, err := tx.NextIDs(port.WebhookIDs, 1)
		if err != nil {
			return Created{}, err
		}
		hook.ID = webhook.ID(ids[0])
		if err := tx.Webhooks().Put(hook); err != nil {
			return Created{}, err
		}
		return s.created("/hooks/", int64(hook.ID)), tx.Signings().Put(hook.Site, hook.ID, webhook.Signing{Current: secret})
	})
}

// configure applies the fields of a request to a webhook and reports what is
// wrong with them.
func (s *Service) configure(tx port.Tx, c Caller, w *webhook.Webhook, target Opt[string], in HookInput, problems *fault.Problems) error {
	if target.Given() {
		w.URL = strings.TrimSpace(target.Value)
		if err := s.options.Hooks.CheckURL(w.URL); err != nil {
			problems.Wrong("url", fault.CodeInvalidURL, w.URL, "%v", err)
		}
	}
	if in.Origines.Given() {
		w.Origins = c.subscribable(in.Origines.Value, problems)
	}
	if in.Headers.Set {
		w.Headers = in.Headers.Or(nil)
		if name, err := webhook.CheckHeaders(w.Headers); err != nil {
			field := "headers"
			if name != "" {
				field += "." + name
			}
			problems.Add(field, fault.CodeInvalidHeader, "%s", err)
		}
	}
	if in.Format.Set {
		format, known := webhook.ParseFormat(in.Format.Or(""))
		if !known {
			var names []string
			for _, f := range webhook.Formats() {
				names = append(names, string(f))
			}
			problems.Append(fault.Detail{
				Field: "format", Code: fault.CodeInvalidFormat, Message: "no payload format has this name", Value: in.Format.Value, Accepted: names,
			})
		}
		w.Format = format
	}
	if in.SkipOwn.Given() {
		w.SkipOwn = in.SkipOwn.Value
	}
	if in.CoalesceSeconds.Set {
		w.Coalesce = time.Duration(in.CoalesceSeconds.Or(0)) * time.Second
		if w.Coalesce < 0 || w.Coalesce > webhook.MaxCoalesce {
			problems.Wrong("coalesce_seconds", fault.CodeOutOfRange, in.CoalesceSeconds.Value, "coalesce_seconds is 0 to %d", webhook.MaxCoalesce/time.Second)
		}
	}
	if in.AuthID.Set {
		w.Auth = webhook.AuthID(positive("auth_id", in.AuthID, problems))
	}
	return c.checkAuth(tx, *w, problems)
}

func (c Caller) checkAuth(tx port.Tx, w webhook.Webhook, problems *fault.Problems) error {
	if w.Auth == 0 {
		return nil
	}
	_, err := tx.WebhookAuths().Get(w.Site, w.Auth)
	if errors.Is(err, fault.NotFound) {
		problems.Wrong("auth_id", fault.CodeUnknownAuth, int64(w.Auth), "no authentication configuration has this id")
		return nil
	}
	return err
}

// subscribable reads event types, each of which the caller must be allowed to
// hear of.
func (c Caller) subscribable(names []string, problems *fault.Problems) []event.Type {
	allowed := c.origines()
	if len(names) == 0 {
		problems.Add("origines", fault.CodeRequired, "a webhook needs at least one event type")
	}
	var types []event.Type
	for i, name := range names {
		if !slices.Contains(allowed, name) {
			message := "no event this credential may hear of has this name"
			if upper := strings.ToUpper(strings.ReplaceAll(name, ".", "_")); slices.Contains(allowed, upper) {
				message = "the event is named " + upper
			}
			problems.Append(fault.Detail{
				Field: fmt.Sprintf("origines[%d]", i), Code: fault.CodeUnknownEventType, Message: message, Value: name, Accepted: allowed,
			})
			continue
		}
		if t := event.Type(name); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// UpdateHook changes the given parts of a webhook and reactivates it (contract:
// PUT /hooks/{hookId}). Null clears headers, auth_id and format. What is pending
// is tried anew at once, with the new configuration.
func (s *Service) UpdateHook(ctx context.Context, c Caller, in UpdateHook) (WebhookResponse, error) {
	return changeHook(ctx, s, c, in.ID, func(tx port.Tx, w webhook.Webhook) (WebhookResponse, error) {
		var problems fault.Problems
		now, before := s.now(), Version(w.Epoch)
		if err := s.configure(tx, c, &w, in.URL, in.HookInput, &problems); err != nil {
			return WebhookResponse{}, err
		}
		w = w.Reconfigured(now)
		switch in.Status.Or("active") {
		case "active":
		case "suspended":
			w = w.Suspend("suspended on request", now)
		default:
			problems.Append(fault.Detail{
				Field: "status", Code: fault.CodeInvalidFormat, Message: "status is active or suspended",
				Value: in.Status.Value, Accepted: []string{"active", "suspended"},
			})
		}
		if err := firstError(problems.Err(), in.IfMatch.check(before)); err != nil {
			return WebhookResponse{}, err
		}
		if err := tx.Webhooks().Put(w); err != nil {
			return WebhookResponse{}, err
		}
		if w.State == webhook.Suspended {
			return webhookResponse(w), tx.Deliveries().Cancel(w.Site, w.ID, w.SuspendedReason)
		}
		return webhookResponse(w), tx.Deliveries().Hasten(w.Site, w.ID, now)
	})
}

// manages reports whether a webhook is the caller's to see and to change: they may
// hear of everything it wants. Otherwise it would tell them, or whom they send it
// to, of resources they could not read.
func (c Caller) manages(w webhook.Webhook) bool {
	return !slices.ContainsFunc(w.Origins, func(t event.Type) bool { return !c.Grant.Packs.Any(readers[t.Resource()]) })
}

// hook reads a webhook of the caller's site: NotFound when there is none,
// Forbidden when it is not theirs to manage.
func (c Caller) hook(tx port.Tx, id int64) (webhook.Webhook, error) {
	w, err := tx.Webhooks().Get(c.Site(), webhook.ID(id))
	switch {
	case err != nil:
		return w, absentIs(err, unknownHook())
	case !c.manages(w):
		return w, fault.New(fault.Forbidden, fault.CodePackMissing, "the webhook hears of resources that the credential's packs do not cover")
	}
	return w, nil
}

// changeHook holds a webhook of the caller's site for a change.
func changeHook[Out any](ctx context.Context, s *Service, c Caller, id int64, edit func(port.Tx, webhook.Webhook) (Out, error)) (Out, error) {
	return write(ctx, s, c, func(tx port.Tx) (out Out, err error) {
		w, err := c.hook(tx, id)
		if err != nil {
			return out, err
		}
		return edit(tx, w)
	})
}

func unknownHook() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "no webhook has this id")
}

// ListHooks lists the webhooks of the site that the caller manages, page by page.
func (s *Service) ListHooks(ctx context.Context, c Caller, in ListHooks) (HookPage, error) {
	var hooks []webhook.Webhook
	err := s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		hooks, err = tx.Webhooks().Of(c.Site())
		return err
	})
	if err != nil {
		return HookPage{}, err
	}
	hooks = slices.DeleteFunc(hooks, func(w webhook.Webhook) bool { return !c.manages(w) })
	shown, meta, links, err := paginate(s.url("/hooks"), in.PageQuery, hooks, func(w webhook.Webhook) int64 { return int64(w.ID) })
	page := HookPage{Data: []WebhookResponse{}, Meta: meta, Links: links}
	for _, w := range shown {
		page.Data = append(page.Data, webhookResponse(w))
	}
	return page, err
}

// viewHook reads a webhook of the caller's site, and more in the same snapshot.
func (s *Service) viewHook(ctx context.Context, c Caller, id int64, read func(port.Tx, webhook.Webhook) error) error {
	return s.ports.Store.View(ctx, func(tx port.Tx) error {
		w, err := c.hook(tx, id)
		if err != nil {
			return err
		}
		return read(tx, w)
	})
}

// GetHook reads one webhook.
func (s *Service) GetHook(ctx context.Context, c Caller, in HookPath) (record WebhookResponse, err error) {
	err = s.viewHook(ctx, c, in.ID, func(_ port.Tx, w webhook.Webhook) error {
		record = webhookResponse(w)
		return nil
	})
	return record, err
}

// DeleteHook ends a subscription. What is pending is cancelled, and the products
// it rejected are so no more; the log of deliveries stays.
func (s *Service) DeleteHook(ctx context.Context, c Caller, in DeleteHook) (None, error) {
	return changeHook(ctx, s, c, in.ID, func(tx port.Tx, w webhook.Webhook) (None, error) {
		if err := in.IfMatch.check(Version(w.Epoch)); err != nil {
			return None{}, err
		}
		if err := tx.Ledger().Touch(w.Site, port.AspectRejections); err != nil {
			return None{}, err
		}
		if err := tx.Deliveries().Cancel(w.Site, w.ID, "the webhook was deleted"); err != nil {
			return None{}, err
		}
		if err := tx.Webhooks().Delete(w.Site, w.ID); err != nil {
			return None{}, err
		}
		_, err := tx.Rejections().ClearWebhook(w.Site, w.ID)
		return None{}, err
	})
}

// GetHookSecret reads what a webhook signs with.
func (s *Service) GetHookSecret(ctx context.Context, c Caller, in HookPath) (record HookSecret, err error) {
	err = s.viewHook(ctx, c, in.ID, func(tx port.Tx, w webhook.Webhook) error {
		signing, err := tx.Signings().Get(w.Site, w.ID)
		record.Secret = string(signing.Current)
		return err
	})
	return record, err
}

// RotateHookSecret draws a new secret. The previous one goes on signing for a
// day, so that receivers can change over without missing anything.
func (s *Service) RotateHookSecret(ctx context.Context, c Caller, in HookPath) (HookSecret, error) {
	fresh, err := webhook.NewSecret(s.ports.Rand)
	if err != nil {
		return HookSecret{}, err
	}
	return changeHook(ctx, s, c, in.ID, func(tx port.Tx, w webhook.Webhook) (HookSecret, error) {
		signing, err := tx.Signings().Get(w.Site, w.ID)
		if err != nil {
			return HookSecret{}, err
		}
		return HookSecret{Secret: string(fresh)}, tx.Signings().Put(w.Site, w.ID, signing.Rotate(fresh, s.now()))
	})
}

func webhookResponse(w webhook.Webhook) WebhookResponse {
	r := WebhookResponse{
		ID: int64(w.ID), URL: w.URL, Origines: []string{}, Headers: w.Headers, AuthID: nullable(int64(w.Auth)),
		Status: w.State.String(), SuspendedAt: when(w.SuspendedAt), SuspendedReason: nullable(w.SuspendedReason),
		CoalesceSeconds: int(w.Coalesce.Seconds()), SkipOwn: w.SkipOwn, CreatedBy: string(w.CreatedBy), LastSuccessAt: when(w.LastSuccess), LastFailureAt: when(w.LastFailure),
		DateAdded: Instant{w.Added}, LastModified: Instant{w.Modified}, Version: Version(w.Epoch),
	}
	for _, t := range w.Origins {
		r.Origines = append(r.Origines, string(t))
	}
	if w.Format != webhook.Default {
		r.Format = nullable(string(w.Format))
	}
	return r
}

// when is a moment, or null when it never came.
func when(at time.Time) *Instant {
	if at.IsZero() {
		return nil
	}
	return &Instant{at}
}
