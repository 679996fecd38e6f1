package hooks_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func (w *world) hook(c kernel.Caller, id int64) hooks.WebhookResponse {
	w.T.Helper()
	record, err := w.Hooks.GetHook(w.T.Context(), c, hooks.HookPath{ID: id})
	if err != nil {
		w.T.Fatal(err)
	}
	return record
}

func TestW4_W6_W10_W13_W15_HookRefusals(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	for field, c := range map[string]struct {
		edit func(*hooks.CreateHook)
		code fault.Code
	}{
		"url":          {func(in *hooks.CreateHook) { in.URL = opt.Of("http://portal.example.org") }, fault.CodeInvalidURL},
		"origines":     {func(in *hooks.CreateHook) { in.Origines = opt.Of([]string{}) }, fault.CodeRequired},
		"origines[0]":  {func(in *hooks.CreateHook) { in.Origines = opt.Of([]string{"product.create"}) }, fault.CodeUnknownEventType},
		"headers.Host": {func(in *hooks.CreateHook) { in.Headers = opt.Of(map[string]string{"Host": "x"}) }, fault.CodeInvalidHeader},
		"auth_id":      {func(in *hooks.CreateHook) { in.AuthID = opt.Of(int64(9)) }, fault.CodeUnknownAuth},
		"format":       {func(in *hooks.CreateHook) { in.Format = opt.Of("xml") }, fault.CodeInvalidFormat},
	} {
		in := apitest.HookFor("PRODUCT_CREATE")
		c.edit(&in)
		_, err := w.Hooks.CreateHook(t.Context(), full, in)
		apitest.RefusedField(t, err, c.code, field)
	}
	in := apitest.HookFor("PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_CREATE")
	in.Headers = opt.Of(map[string]string{"X-Api-Key": "k"})
	id := w.Subscribe(full, in)
	if got := w.hook(full, id); len(got.Origines) != 2 || got.Headers["X-Api-Key"] != "k" {
		t.Errorf("the webhook is %+v", got)
	}
	update := hooks.UpdateHook{ID: id}
	update.Headers, update.Format = opt.Null[map[string]string](), opt.Of("cloudevents")
	after, err := w.Hooks.UpdateHook(t.Context(), full, update)
	if err != nil || after.Headers != nil || *after.Format != "cloudevents" || after.URL == "" {
		t.Errorf("after the update the webhook is %+v, %v", after, err)
	}
}

func TestHookSecretsRotate(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	path := hooks.HookPath{ID: id}
	before, err := w.Hooks.GetHookSecret(t.Context(), full, path)
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.Hooks.RotateHookSecret(t.Context(), full, path)
	if err != nil || after == before {
		t.Fatalf("the secret is still %q, %v", after.Secret, err)
	}
	r := apitest.NewReceiver()
	w.Dispatch(r)
	w.CreateProduct()
	w.Eventually("a delivery arrives", func() bool { return len(r.Requests()) == 1 })
	signed := webhook.Signed{
		ID: apitest.Header(r.Requests()[0], "webhook-id"), Timestamp: apitest.Header(r.Requests()[0], "webhook-timestamp"), Signature: apitest.Header(r.Requests()[0], "webhook-signature"),
	}
	for _, secret := range []string{before.Secret, after.Secret} {
		if err := webhook.Secret(secret).Verify(signed, r.Requests()[0].Body, w.Clock.Now()); err != nil {
			t.Errorf("%s does not verify: %v", secret, err)
		}
	}
}

// gathering subscribes a webhook that gathers updates for ten seconds.
func (w *world) gathering(origines ...string) int64 {
	w.T.Helper()
	in := apitest.HookFor(origines...)
	in.CoalesceSeconds = opt.Of(10)
	return w.Subscribe(w.As("full", 1), in)
}

func TestW34_CoalesceSecondsIsKeptAndChecked(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	for _, wrong := range []int{-1, 61} {
		in := apitest.HookFor("PRODUCT_UPDATE")
		in.CoalesceSeconds = opt.Of(wrong)
		_, err := w.Hooks.CreateHook(t.Context(), full, in)
		apitest.RefusedField(t, err, fault.CodeOutOfRange, "coalesce_seconds")
	}
	plain := w.Subscribe(full, apitest.HookFor("PRODUCT_UPDATE"))
	if got := w.hook(full, plain).CoalesceSeconds; got != 0 {
		t.Errorf("by default updates are gathered for %d seconds", got)
	}
	id := w.gathering("PRODUCT_UPDATE")
	for _, step := range []struct {
		given opt.Field[int]
		want  int
	}{{opt.Field[int]{}, 10}, {opt.Of(60), 60}, {opt.Null[int](), 0}, {opt.Of(0), 0}} {
		update := hooks.UpdateHook{ID: id}
		update.CoalesceSeconds = step.given
		after, err := w.Hooks.UpdateHook(t.Context(), full, update)
		if err != nil || after.CoalesceSeconds != step.want || w.hook(full, id).CoalesceSeconds != step.want {
			t.Errorf("after %+v updates are gathered for %d seconds, not %d: %v", step.given, after.CoalesceSeconds, step.want, err)
		}
	}
}

func TestW40_AWebhookIsSuspendedAndReactivatedByHand(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	w.CreateProduct()
	update := hooks.UpdateHook{ID: id, Status: opt.Of("suspended")}
	after, err := w.Hooks.UpdateHook(t.Context(), full, update)
	if err != nil || after.Status != "suspended" || after.SuspendedAt == nil || *after.SuspendedReason != "suspended on request" {
		t.Errorf("the webhook is %+v, %v", after, err)
	}
	w.CreateProduct()
	if got := w.Statuses(full, id); !slices.Equal(got, []string{"cancelled", "cancelled"}) {
		t.Errorf("the deliveries are %v", got)
	}
	update.Status = opt.Of("active")
	if after, err = w.Hooks.UpdateHook(t.Context(), full, update); err != nil || after.Status != "active" || after.SuspendedAt != nil {
		t.Errorf("the webhook is %+v, %v", after, err)
	}
	r := apitest.NewReceiver()
	w.Dispatch(r)
	w.CreateProduct()
	w.Eventually("events flow again", func() bool { return len(r.Requests()) == 1 })
	update.Status = opt.Of("paused")
	_, err = w.Hooks.UpdateHook(t.Context(), full, update)
	apitest.RefusedField(t, err, fault.CodeInvalidFormat, "status")
}

// A caller may be held for long, as by an upload. What the owner of a webhook may
// hear of is looked up when the event happens.
func TestWhoHearsIsDecidedWhenTheEventHappens(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	in := listing.CreateProduct{}
	in.AgencyID = opt.Of(int64(11))
	hook := w.Subscribe(w.As("group", 1), apitest.HookFor("PRODUCT_CREATE"))
	w.CreateProductAs(full, in)
	if err := w.Service.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "group"); err != nil {
		t.Fatal(err)
	}
	w.CreateProductAs(full, in)
	if got := w.Statuses(w.Again(full), hook); len(got) != 1 {
		t.Errorf("the webhook of a revoked credential has deliveries %q", got)
	}

	network := apitest.Network()
	network.Sites = nil
	hook = w.Subscribe(w.As("website", 1), apitest.HookFor("PRODUCT_CREATE"))
	network.Credentials[4].Packs = []string{"webhooks"}
	if _, err := w.Transfer.Provision(t.Context(), network); err != nil {
		t.Fatal(err)
	}
	full = w.As("full", 1)
	network.Credentials[4].Packs = []string{"websites", "webhooks"}
	if _, err := w.Transfer.Provision(t.Context(), network); err != nil {
		t.Fatal(err)
	}
	w.CreateProductAs(full, in)
	if got := w.Statuses(w.Again(full), hook); len(got) != 1 {
		t.Errorf("the webhook of a credential that was given the pack has deliveries %q", got)
	}
}

// A webhook of a credential that does not exist would never hear of anything.
func TestAWebhookBelongsToACredentialThatExists(t *testing.T) {
	w := apitest.New(t)
	caller := w.As("full", 1)
	caller.Grant.Credential = "back-office"
	_, err := w.Hooks.CreateHook(t.Context(), caller, apitest.HookFor("PRODUCT_CREATE"))
	apitest.Refused(t, err, fault.Forbidden, fault.CodeForbidden)
}
