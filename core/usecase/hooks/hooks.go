package hooks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// maxHooks is the largest number of webhooks of a site.
const maxHooks = 50

func listOrigines(_ context.Context, c kernel.Caller, _ kernel.Nothing) ([]string, error) {
	return origines(c), nil
}

// origines returns the event types that a caller may subscribe to.
func origines(c kernel.Caller) []string {
	names := []string{}
	for _, t := range event.Types() {
		if kernel.MayHear(c.Grant.Packs, t) {
			names = append(names, string(t))
		}
	}
	return names
}

// creating is a new webhook with its signing secret.
type creating struct {
	CreateHook
	secret webhook.Secret
}

func (s *Service) createHook(ctx context.Context, c kernel.Caller, in CreateHook) (kernel.Created, error) {
	secret, err := webhook.NewSecret(s.k.Rand)
	if err != nil {
		return kernel.Created{}, err
	}
	return writes(s, unit.addHook)(ctx, c, creating{in, secret})
}

func (u unit) addHook(in creating) (kernel.Created, error) {
	hook := webhook.Webhook{
		Site: u.Site.ID, CreatedBy: u.Grant.Credential, Format: webhook.Default, Epoch: 1, Added: u.Now, Modified: u.Now,
	}
	var problems fault.Problems
	if !in.URL.Given() {
		problems.Add("url", fault.CodeRequired, "url is required")
	}
	if !in.Origines.Given() {
		problems.Add("origines", fault.CodeRequired, "origines is required")
	}
	if err := u.configure(&hook, in.URL, in.HookInput, &problems); err != nil {
		return kernel.Created{}, err
	}
	existing, err := u.Webhooks().Of(u.Site.ID)
	if err != nil {
		return kernel.Created{}, err
	}
	if len(existing) >= maxHooks {
		problems.Add("url", fault.CodeOutOfRange, "a site can have at most %d webhooks", maxHooks)
	}
	if err := problems.Err(); err != nil {
		return kernel.Created{}, err
	}
	if _, err := u.Credentials().Get(hook.CreatedBy); err != nil {
		return kernel.Created{}, kernel.AbsentIs(err, fault.New(fault.Forbidden, fault.CodeForbidden,
			"a webhook hears of what its credential may read, and there is no credential %q", hook.CreatedBy))
	}
	if hook.ID, err = kernel.NextID[webhook.ID](u, port.WebhookIDs); err != nil {
		return kernel.Created{}, err
	}
	u.Changed(webhook.Webhook{}, hook)
	if err := u.Webhooks().Put(hook); err != nil {
		return kernel.Created{}, err
	}
	return u.Created("/hooks/", int64(hook.ID)), u.Signings().Put(webhook.Signing{Site: hook.Site, Hook: hook.ID, Current: in.secret})
}

// configure applies the fields of a request to a webhook and adds their problems.
func (u unit) configure(w *webhook.Webhook, target opt.Field[string], in HookInput, problems *fault.Problems) error {
	if target.Given() {
		w.URL = strings.TrimSpace(target.Value)
		if err := u.Options.Hooks.CheckURL(w.URL); err != nil {
			problems.Wrong("url", fault.CodeInvalidURL, webhook.Shown(w.URL), "%v", err)
		}
	}
	if in.Origines.Given() {
		w.Origins = u.subscribable(in.Origines.Value, problems)
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
				Field: "format", Code: fault.CodeInvalidFormat, Message: fault.Textf("no payload format has this name"), Value: in.Format.Value, Accepted: names,
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
			problems.Wrong("coalesce_seconds", fault.CodeOutOfRange, in.CoalesceSeconds.Value, "coalesce_seconds is 0 to %d", int(webhook.MaxCoalesce.Seconds()))
		}
	}
	if in.AuthID.Set {
		w.Auth = kernel.ID[webhook.AuthID]("auth_id", in.AuthID, problems)
	}
	return u.checkAuth(*w, problems)
}

func (u unit) checkAuth(w webhook.Webhook, problems *fault.Problems) error {
	if w.Auth == 0 {
		return nil
	}
	_, err := u.WebhookAuths().Get(w.Site, w.Auth)
	if kernel.IsAbsent(err) {
		problems.Wrong("auth_id", fault.CodeUnknownAuth, int64(w.Auth), "no authentication configuration has this id")
		return nil
	}
	return err
}

// subscribable returns event types, and adds problems for those that the caller may not
// subscribe to.
func (u unit) subscribable(names []string, problems *fault.Problems) []event.Type {
	allowed := origines(u.Caller)
	if len(names) == 0 {
		problems.Add("origines", fault.CodeRequired, "a webhook needs at least one event type")
	}
	var types []event.Type
	for i, name := range names {
		if !slices.Contains(allowed, name) {
			message := fault.Textf("no event this credential may hear of has this name")
			if upper := strings.ToUpper(strings.ReplaceAll(name, ".", "_")); slices.Contains(allowed, upper) {
				message = fault.Textf("the event is named %s", upper)
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

// SuspendedOnRequest is the reason of a webhook that somebody asked to suspend.
const SuspendedOnRequest = "suspended on request"

func (u unit) updateHook(in UpdateHook) (WebhookResponse, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return WebhookResponse{}, err
	}
	var problems fault.Problems
	before := w
	if err := u.configure(&w, in.URL, in.HookInput, &problems); err != nil {
		return WebhookResponse{}, err
	}
	w = w.Reconfigured(u.Now)
	switch in.Status.Or("active") {
	case "active":
	case "suspended":
		w = w.Suspend(fault.Textf(SuspendedOnRequest).String(), u.Now)
	default:
		problems.Append(fault.Detail{
			Field: "status", Code: fault.CodeInvalidFormat, Message: fault.Textf("status is active or suspended"),
			Value: in.Status.Value, Accepted: []string{"active", "suspended"},
		})
	}
	if err := kernel.FirstError(problems.Err(), in.IfMatch.Check(kernel.Version(before.Epoch))); err != nil {
		return WebhookResponse{}, err
	}
	if w.State == webhook.Suspended {
		w, err = kernel.Silence(u.Tx, w, nil, w.SuspendedReason)
	} else {
		err = u.Deliveries().Hasten(w.Site, w.ID, u.Now)
	}
	u.Changed(before, w)
	return webhookResponse(w), kernel.FirstError(err, u.Webhooks().Put(w))
}

// Manages reports whether callers with some packs may read and change a webhook: they may read
// everything that it subscribes to. Otherwise they could have events sent about resources that they
// may not read.
func Manages(packs access.Packs, w webhook.Webhook) bool {
	return !slices.ContainsFunc(w.Origins, func(t event.Type) bool { return !kernel.MayHear(packs, t) })
}

// isForeign reports whether a webhook is of another credential than the caller's, who manages
// only its own.
func (u unit) isForeign(w webhook.Webhook) bool {
	return u.OwnHooks && w.CreatedBy != u.Grant.Credential
}

// hook returns a webhook of the caller's site. It fails as NotFound when there is none, and as
// Forbidden when the caller does not manage it. In a unit that writes it is locked until the
// unit ends.
func (u unit) hook(id int64) (webhook.Webhook, error) {
	w, err := u.Webhooks().Get(u.Site.ID, webhook.ID(id))
	switch {
	case err != nil:
		return w, kernel.AbsentIs(err, kernel.Unknown("no webhook has this id"))
	case u.isForeign(w):
		return w, kernel.Unknown("no webhook has this id")
	case !Manages(u.Grant.Packs, w):
		return w, fault.New(fault.Forbidden, fault.CodePackMissing, "the webhook hears of resources that the credential's packs do not cover")
	}
	return w, nil
}

func (u unit) listHooks(in ListHooks) (HookPage, error) {
	hooks, err := u.Webhooks().Of(u.Site.ID)
	if err != nil {
		return HookPage{}, err
	}
	hooks = slices.DeleteFunc(hooks, func(w webhook.Webhook) bool { return u.isForeign(w) || !Manages(u.Grant.Packs, w) })
	shown, meta, links, err := kernel.Paginate(u.Options.URL("/hooks"), in.PageQuery, hooks, func(w webhook.Webhook) int64 { return int64(w.ID) })
	page := HookPage{Data: []WebhookResponse{}, Meta: meta, Links: links}
	for _, w := range shown {
		page.Data = append(page.Data, webhookResponse(w))
	}
	return page, err
}

func (u unit) getHook(in HookPath) (WebhookResponse, error) {
	w, err := u.hook(in.ID)
	return webhookResponse(w), err
}

func (u unit) deleteHook(in DeleteHook) (kernel.None, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	if err := in.IfMatch.Check(kernel.Version(w.Epoch)); err != nil {
		return kernel.None{}, err
	}
	if err := u.Ledger().Touch(w.Site, port.AspectRejections); err != nil {
		return kernel.None{}, err
	}
	if err := u.Deliveries().Cancel(w.Site, w.ID, "the webhook was deleted"); err != nil {
		return kernel.None{}, err
	}
	if err := kernel.FirstError(u.Webhooks().Delete(w.Site, w.ID), u.Signings().Delete(w.Site, w.ID)); err != nil {
		return kernel.None{}, err
	}
	_, err = u.Rejections().ClearWebhook(w.Site, w.ID)
	return kernel.None{}, err
}

func (u unit) getSecret(in HookPath) (HookSecret, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return HookSecret{}, err
	}
	signing, err := u.Signings().Get(w.Site, w.ID)
	return HookSecret{Secret: string(signing.Current)}, err
}

// rotation is a webhook with its new signing secret.
type rotation struct {
	HookPath
	secret webhook.Secret
}

func (s *Service) rotateHookSecret(ctx context.Context, c kernel.Caller, in HookPath) (HookSecret, error) {
	secret, err := webhook.NewSecret(s.k.Rand)
	if err != nil {
		return HookSecret{}, err
	}
	return writes(s, unit.rotateSecret)(ctx, c, rotation{in, secret})
}

func (u unit) rotateSecret(in rotation) (HookSecret, error) {
	w, err := u.hook(in.ID)
	if err != nil {
		return HookSecret{}, err
	}
	signing, err := u.Signings().Get(w.Site, w.ID)
	if err != nil {
		return HookSecret{}, err
	}
	return HookSecret{Secret: string(in.secret)}, u.Signings().Put(signing.Rotate(in.secret, u.Now))
}

func webhookResponse(w webhook.Webhook) WebhookResponse {
	r := WebhookResponse{
		ID: int64(w.ID), URL: w.URL, Origines: []string{}, Headers: w.Headers, AuthID: kernel.Nullable(int64(w.Auth)),
		Status: w.State.String(), SuspendedAt: kernel.When(w.SuspendedAt), SuspendedReason: kernel.Nullable(w.SuspendedReason),
		CoalesceSeconds: int(w.Coalesce.Seconds()), SkipOwn: w.SkipOwn, CreatedBy: string(w.CreatedBy),
		MissedAfterEventID: missedAfter(w), LastSuccessAt: kernel.When(w.LastSuccess), LastFailureAt: kernel.When(w.LastFailure),
		DateAdded: kernel.Instant{Time: w.Added}, LastModified: kernel.Instant{Time: w.Modified}, Version: kernel.Version(w.Epoch),
	}
	for _, t := range w.Origins {
		r.Origines = append(r.Origines, string(t))
	}
	if w.Format != webhook.Default {
		r.Format = kernel.Nullable(string(w.Format))
	}
	return r
}

// missedAfter returns the event before the first that a webhook missed, nil when it missed none.
func missedAfter(w webhook.Webhook) *int64 {
	if w.MissedFrom == 0 {
		return nil
	}
	after := w.MissedFrom - 1
	return &after
}
