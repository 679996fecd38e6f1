package hooks

import (
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
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
	ListOrigines kernel.UseCase[kernel.Nothing, []string]

	// CreateHookAuth adds an authentication configuration that webhooks can refer
	// to by auth_id.
	CreateHookAuth kernel.UseCase[HookAuthInput, kernel.Created]
	// ListHookAuths lists the authentication configurations of the site.
	ListHookAuths kernel.UseCase[kernel.Nothing, []HookAuth]
	// GetHookAuth reads one authentication configuration, without its secret.
	GetHookAuth kernel.UseCase[HookAuthPath, HookAuth]
	// UpdateHookAuth changes the given fields of an authentication configuration;
	// its type cannot change. Deliveries use it from the next attempt on.
	UpdateHookAuth kernel.UseCase[UpdateHookAuth, HookAuth]
	// DeleteHookAuth removes an authentication configuration. It is a Conflict when
	// a webhook refers to it.
	DeleteHookAuth kernel.UseCase[DeleteHookAuth, kernel.None]

	// CreateHook subscribes a URL to events (contract: POST /hooks). The URL is not
	// called. The webhook belongs to the caller's credential, and hears what that
	// one may read; without such a credential it is Forbidden.
	CreateHook kernel.UseCase[CreateHook, kernel.Created]
	// ListHooks lists the webhooks of the site that the caller manages, page by
	// page.
	ListHooks kernel.UseCase[ListHooks, HookPage]
	// GetHook reads one webhook (contract: Webhook subscription).
	GetHook kernel.UseCase[HookPath, WebhookResponse]
	// UpdateHook changes the given parts of a webhook and reactivates it (contract:
	// PUT /hooks/{hookId}). Null clears headers, auth_id and format. What is pending
	// is tried anew at once, with the new configuration.
	UpdateHook kernel.UseCase[UpdateHook, WebhookResponse]
	// DeleteHook ends a subscription. What is pending is cancelled, and its
	// rejections are removed; the log of deliveries stays.
	DeleteHook kernel.UseCase[DeleteHook, kernel.None]
	// GetHookSecret reads what a webhook signs with.
	GetHookSecret kernel.UseCase[HookPath, HookSecret]
	// RotateHookSecret draws a new secret. The previous one goes on signing for a
	// day, so that receivers can change over without missing anything.
	RotateHookSecret kernel.UseCase[HookPath, HookSecret]

	// ListDeliveries shows what became of the events a webhook wanted, latest
	// first (contract: States and transitions).
	ListDeliveries kernel.UseCase[ReadDeliveries, DeliveryPage]
	// GetDelivery reads one delivery, with its attempts so far and what is sent.
	GetDelivery kernel.UseCase[DeliveryPath, DeliveryDetail]
	// TestHook sends the webhook an event of its own, HOOK_TEST, to which nobody can
	// subscribe. It is a Conflict while the webhook is suspended.
	TestHook kernel.UseCase[HookPath, Delivering]
	// Redeliver sends a delivery that is over once more, under the same webhook-id.
	// An unknown delivery is NotFound. It is a Conflict while the delivery is under
	// way or the webhook suspended.
	Redeliver kernel.UseCase[DeliveryPath, Delivering]
	// ReplayHook sends the events of a range of the ledger again, as far as the
	// webhook wants them. It is a Conflict while the webhook is suspended.
	ReplayHook kernel.UseCase[ReplayHook, Replayed]

	// ListEvents reads the ledger of the site after an event, oldest first: what a
	// client missed while it was away (contract: Events). Events about resources
	// that the credential may not read, or of agencies outside the scope, are left
	// out.
	ListEvents kernel.UseCase[ListEvents, EventPage]
}

const webhooks, hookRead, hookWrite = access.Webhooks, access.HookRead, access.HookWrite

// eventRule returns who may read the ledger.
func eventRule() access.Rule { return kernel.Needs(webhooks, hookRead, access.HookList) }

func (s *Service) table(a *API) []kernel.Operation {
	return []kernel.Operation{
		kernel.Op(&a.ListOrigines, "hook.origines", kernel.GET, "/hooks/origines", 200, kernel.Needs(webhooks, hookRead, access.HookList), "List the event types that can be subscribed to", listOrigines).InData().IsCompressed(),

		kernel.Op(&a.CreateHookAuth, "hook.auth.create", kernel.POST, "/hooks/auths", 201, kernel.Needs(webhooks, hookWrite, access.HookCreate), "Add an authentication configuration", s.createHookAuth).InData(),
		kernel.Op(&a.ListHookAuths, "hook.auth.list", kernel.GET, "/hooks/auths", 200, kernel.Needs(webhooks, hookRead, access.HookList), "List the authentication configurations", reads(s, unit.listAuths)).InData(),
		kernel.Op(&a.GetHookAuth, "hook.auth.get", kernel.GET, "/hooks/auths/{authId}", 200, kernel.Needs(webhooks, hookRead, access.HookGet), "Read an authentication configuration", reads(s, unit.getAuth)).InData(),
		kernel.Op(&a.UpdateHookAuth, "hook.auth.update", kernel.PUT, "/hooks/auths/{authId}", 200, kernel.Needs(webhooks, hookWrite, access.HookUpdate), "Change an authentication configuration", writes(s, unit.updateAuth)).InData(),
		kernel.Op(&a.DeleteHookAuth, "hook.auth.delete", kernel.DELETE, "/hooks/auths/{authId}", 204, kernel.Needs(webhooks, hookWrite, access.HookDelete), "Delete an authentication configuration", writes(s, unit.deleteAuth)).Fails(fault.Conflict),

		kernel.Op(&a.CreateHook, "hook.create", kernel.POST, "/hooks", 201, kernel.Needs(webhooks, hookWrite, access.HookCreate), "Subscribe a URL to events", s.createHook).InData(),
		kernel.Op(&a.ListHooks, "hook.list", kernel.GET, "/hooks", 200, kernel.Needs(webhooks, hookRead, access.HookList), "List the webhooks, page by page", reads(s, unit.listHooks)),
		kernel.Op(&a.GetHook, "hook.get", kernel.GET, "/hooks/{hookId}", 200, kernel.Needs(webhooks, hookRead, access.HookGet), "Read a webhook", reads(s, unit.getHook)).InData(),
		kernel.Op(&a.UpdateHook, "hook.update", kernel.PUT, "/hooks/{hookId}", 200, kernel.Needs(webhooks, hookWrite, access.HookUpdate), "Change a webhook, and reactivate it", writes(s, unit.updateHook)).InData(),
		kernel.Op(&a.DeleteHook, "hook.delete", kernel.DELETE, "/hooks/{hookId}", 204, kernel.Needs(webhooks, hookWrite, access.HookDelete), "Delete a webhook", writes(s, unit.deleteHook)),
		kernel.Op(&a.TestHook, "hook.test", kernel.POST, "/hooks/{hookId}/test", 202, kernel.Needs(webhooks, hookWrite, access.HookUpdate), "Send a test event", s.testHook).InData(),
		kernel.Op(&a.ListDeliveries, "hook.deliveries", kernel.GET, "/hooks/{hookId}/deliveries", 200, kernel.Needs(webhooks, hookRead, access.HookGet), "List the deliveries of a webhook, latest first", reads(s, unit.listDeliveries)),
		kernel.Op(&a.GetDelivery, "hook.delivery.get", kernel.GET, "/hooks/{hookId}/deliveries/{deliveryId}", 200, kernel.Needs(webhooks, hookRead, access.HookGet), "Read a delivery with its attempts", reads(s, unit.getDelivery)).InData(),
		kernel.Op(&a.Redeliver, "hook.redeliver", kernel.POST, "/hooks/{hookId}/deliveries/{deliveryId}/redeliver", 202, kernel.Needs(webhooks, hookWrite, access.HookUpdate), "Send a delivery once more", writes(s, unit.redeliver)).InData(),
		kernel.Op(&a.ReplayHook, "hook.replay", kernel.POST, "/hooks/{hookId}/replay", 202, kernel.Needs(webhooks, hookWrite, access.HookUpdate), "Send a range of events again", s.replayHook).InData(),
		kernel.Op(&a.GetHookSecret, "hook.secret.get", kernel.GET, "/hooks/{hookId}/secret", 200, kernel.Needs(webhooks, hookWrite, access.HookGet), "Read the signing secret", reads(s, unit.getSecret)).InData(),
		kernel.Op(&a.RotateHookSecret, "hook.secret.rotate", kernel.POST, "/hooks/{hookId}/secret/rotate", 200, kernel.Needs(webhooks, hookWrite, access.HookUpdate), "Draw a new signing secret", s.rotateHookSecret).InData(),

		kernel.Op(&a.ListEvents, "event.list", kernel.GET, "/events", 200, eventRule(), "Read the ledger of the site, for catching up", reads(s, unit.listEvents)).IsPolled(kernel.PolledLedger).Weighs(kernel.Heavy).IsCompressed(),
	}
}

// Places returns what the paths of the area name.
func (s *Service) Places() []kernel.Place {
	return []kernel.Place{
		{Path: "/hooks/auths/{authId}", Exists: kernel.Exists(s.k, newUnit, func(u unit, ids []int64) error {
			_, err := u.auth(webhook.AuthID(ids[0]))
			return err
		})},
		{Path: "/hooks/{hookId}", Exists: kernel.Exists(s.k, newUnit, func(u unit, ids []int64) error {
			_, err := u.hook(ids[0])
			return err
		})},
		{Path: "/hooks/{hookId}/deliveries/{deliveryId}", Exists: kernel.Exists(s.k, newUnit, func(u unit, ids []int64) error {
			_, _, err := u.delivery(DeliveryPath{ID: ids[0], DeliveryID: ids[1]})
			return err
		})},
	}
}
