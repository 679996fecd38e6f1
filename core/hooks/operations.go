package hooks

import (
	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// API is the use cases of the area. Each checks pack, permission and right of the
// caller first, and is Forbidden where one is missing.
//
// One about a webhook is NotFound when there is none with the id, and Forbidden
// when the webhook hears of resources that the caller's packs do not cover; one
// about an authentication configuration is NotFound when there is none with the
// id. What is wrong with a request is Invalid, with every field named, and
// changes nothing. Under an If-Match that does not hold a write is Stale. See
// docs/contract/events.md.
type API struct {
	// ListOrigines lists the event types the caller can subscribe to: those about
	// resources its packs may read.
	ListOrigines api.UseCase[api.Nothing, []string]

	// CreateHookAuth adds an authentication configuration that webhooks can refer
	// to by auth_id.
	CreateHookAuth api.UseCase[HookAuthInput, api.Created]
	// ListHookAuths lists the authentication configurations of the site.
	ListHookAuths api.UseCase[api.Nothing, []HookAuth]
	// GetHookAuth reads one authentication configuration, without its secret.
	GetHookAuth api.UseCase[HookAuthPath, HookAuth]
	// UpdateHookAuth changes the given fields of an authentication configuration;
	// its type cannot change. Deliveries use it from the next attempt on.
	UpdateHookAuth api.UseCase[UpdateHookAuth, HookAuth]
	// DeleteHookAuth removes an authentication configuration. It is a Conflict when
	// a webhook refers to it.
	DeleteHookAuth api.UseCase[DeleteHookAuth, api.None]

	// CreateHook subscribes a URL to events (contract: POST /hooks). The URL is not
	// called. The webhook belongs to the caller's credential, and hears what that
	// one may read; without such a credential it is Forbidden.
	CreateHook api.UseCase[CreateHook, api.Created]
	// ListHooks lists the webhooks of the site that the caller manages, page by
	// page.
	ListHooks api.UseCase[ListHooks, HookPage]
	// GetHook reads one webhook (contract: Webhook subscription).
	GetHook api.UseCase[HookPath, WebhookResponse]
	// UpdateHook changes the given parts of a webhook and reactivates it (contract:
	// PUT /hooks/{hookId}). Null clears headers, auth_id and format. What is pending
	// is tried anew at once, with the new configuration.
	UpdateHook api.UseCase[UpdateHook, WebhookResponse]
	// DeleteHook ends a subscription. What is pending is cancelled, and its
	// rejections are removed; the log of deliveries stays.
	DeleteHook api.UseCase[DeleteHook, api.None]
	// GetHookSecret reads what a webhook signs with.
	GetHookSecret api.UseCase[HookPath, HookSecret]
	// RotateHookSecret draws a new secret. The previous one goes on signing for a
	// day, so that receivers can change over without missing anything.
	RotateHookSecret api.UseCase[HookPath, HookSecret]

	// ListDeliveries shows what became of the events a webhook wanted, latest
	// first (contract: States and transitions).
	ListDeliveries api.UseCase[ReadDeliveries, DeliveryPage]
	// GetDelivery reads one delivery, with its attempts so far and what is sent.
	GetDelivery api.UseCase[DeliveryPath, DeliveryDetail]
	// TestHook sends the webhook an event of its own, HOOK_TEST, to which nobody can
	// subscribe. It is a Conflict while the webhook is suspended.
	TestHook api.UseCase[HookPath, Delivering]
	// Redeliver sends a delivery that is over once more, under the same webhook-id.
	// An unknown delivery is NotFound. It is a Conflict while the delivery is under
	// way or the webhook suspended.
	Redeliver api.UseCase[DeliveryPath, Delivering]
	// ReplayHook sends the events of a range of the ledger again, as far as the
	// webhook wants them. It is a Conflict while the webhook is suspended.
	ReplayHook api.UseCase[ReplayHook, Replayed]

	// ListEvents reads the ledger of the site after an event, oldest first: what a
	// client missed while it was away (contract: Events). Events about resources
	// that the credential may not read, or of agencies outside the scope, are left
	// out.
	ListEvents api.UseCase[ListEvents, EventPage]
}

const webhooks, hookRead, hookWrite = access.Webhooks, access.HookRead, access.HookWrite

// eventRule says who may read the ledger.
func eventRule() access.Rule { return api.Needs(webhooks, hookRead, access.HookList) }

func (s *Service) table(a *API) []api.Operation {
	return []api.Operation{
		api.Op(&a.ListOrigines, "hook.origines", api.GET, "/hooks/origines", 200, api.Needs(webhooks, hookRead, access.HookList), "List the event types that can be subscribed to", listOrigines).InData().IsCompressed(),

		api.Op(&a.CreateHookAuth, "hook.auth.create", api.POST, "/hooks/auths", 201, api.Needs(webhooks, hookWrite, access.HookCreate), "Add an authentication configuration", s.createHookAuth).InData(),
		api.Op(&a.ListHookAuths, "hook.auth.list", api.GET, "/hooks/auths", 200, api.Needs(webhooks, hookRead, access.HookList), "List the authentication configurations", reads(s, unit.listAuths)).InData(),
		api.Op(&a.GetHookAuth, "hook.auth.get", api.GET, "/hooks/auths/{authId}", 200, api.Needs(webhooks, hookRead, access.HookGet), "Read an authentication configuration", reads(s, unit.getAuth)).InData(),
		api.Op(&a.UpdateHookAuth, "hook.auth.update", api.PUT, "/hooks/auths/{authId}", 200, api.Needs(webhooks, hookWrite, access.HookUpdate), "Change an authentication configuration", writes(s, unit.updateAuth)).InData(),
		api.Op(&a.DeleteHookAuth, "hook.auth.delete", api.DELETE, "/hooks/auths/{authId}", 204, api.Needs(webhooks, hookWrite, access.HookDelete), "Delete an authentication configuration", writes(s, unit.deleteAuth)).Fails(fault.Conflict),

		api.Op(&a.CreateHook, "hook.create", api.POST, "/hooks", 201, api.Needs(webhooks, hookWrite, access.HookCreate), "Subscribe a URL to events", s.createHook).InData(),
		api.Op(&a.ListHooks, "hook.list", api.GET, "/hooks", 200, api.Needs(webhooks, hookRead, access.HookList), "List the webhooks, page by page", reads(s, unit.listHooks)),
		api.Op(&a.GetHook, "hook.get", api.GET, "/hooks/{hookId}", 200, api.Needs(webhooks, hookRead, access.HookGet), "Read a webhook", reads(s, unit.getHook)).InData(),
		api.Op(&a.UpdateHook, "hook.update", api.PUT, "/hooks/{hookId}", 200, api.Needs(webhooks, hookWrite, access.HookUpdate), "Change a webhook, and reactivate it", writes(s, unit.updateHook)).InData(),
		api.Op(&a.DeleteHook, "hook.delete", api.DELETE, "/hooks/{hookId}", 204, api.Needs(webhooks, hookWrite, access.HookDelete), "Delete a webhook", writes(s, unit.deleteHook)),
		api.Op(&a.TestHook, "hook.test", api.POST, "/hooks/{hookId}/test", 202, api.Needs(webhooks, hookWrite, access.HookUpdate), "Send a test event", s.testHook).InData(),
		api.Op(&a.ListDeliveries, "hook.deliveries", api.GET, "/hooks/{hookId}/deliveries", 200, api.Needs(webhooks, hookRead, access.HookGet), "List the deliveries of a webhook, latest first", reads(s, unit.listDeliveries)),
		api.Op(&a.GetDelivery, "hook.delivery.get", api.GET, "/hooks/{hookId}/deliveries/{deliveryId}", 200, api.Needs(webhooks, hookRead, access.HookGet), "Read a delivery with its attempts", reads(s, unit.getDelivery)).InData(),
		api.Op(&a.Redeliver, "hook.redeliver", api.POST, "/hooks/{hookId}/deliveries/{deliveryId}/redeliver", 202, api.Needs(webhooks, hookWrite, access.HookUpdate), "Send a delivery once more", writes(s, unit.redeliver)).InData(),
		api.Op(&a.ReplayHook, "hook.replay", api.POST, "/hooks/{hookId}/replay", 202, api.Needs(webhooks, hookWrite, access.HookUpdate), "Send a range of events again", s.replayHook).InData(),
		api.Op(&a.GetHookSecret, "hook.secret.get", api.GET, "/hooks/{hookId}/secret", 200, api.Needs(webhooks, hookWrite, access.HookGet), "Read the signing secret", reads(s, unit.getSecret)).InData(),
		api.Op(&a.RotateHookSecret, "hook.secret.rotate", api.POST, "/hooks/{hookId}/secret/rotate", 200, api.Needs(webhooks, hookWrite, access.HookUpdate), "Draw a new signing secret", s.rotateHookSecret).InData(),

		api.Op(&a.ListEvents, "event.list", api.GET, "/events", 200, eventRule(), "Read the ledger of the site, for catching up", reads(s, unit.listEvents)).IsPolled(api.PolledLedger).Weighs(api.Heavy).IsCompressed(),
	}
}

// Places are what the paths of the area name.
func (s *Service) Places() []api.Place {
	return []api.Place{
		{Path: "/hooks/auths/{authId}", Exists: api.Exists(s.k, newUnit, func(u unit, ids []int64) error {
			_, err := u.auth(webhook.AuthID(ids[0]))
			return err
		})},
		{Path: "/hooks/{hookId}", Exists: api.Exists(s.k, newUnit, func(u unit, ids []int64) error {
			_, err := u.hook(ids[0])
			return err
		})},
		{Path: "/hooks/{hookId}/deliveries/{deliveryId}", Exists: api.Exists(s.k, newUnit, func(u unit, ids []int64) error {
			_, _, err := u.delivery(DeliveryPath{ID: ids[0], DeliveryID: ids[1]})
			return err
		})},
	}
}
