package webhooks

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/requests"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

func createWebhook(v *kit.Request) (kit.Done, error) {
	made, err := v.Backoffice.CreateWebhook(v.Ctx, v.Actor, kit.At(v, backoffice.CreateWebhook{
		Credential: v.Sent("credential"),
		CreateHook: hooks.CreateHook{URL: opt.Of(strings.TrimSpace(v.Sent("url"))), HookInput: webhookInput(v)},
	}))
	return kit.Went("webhooks", made.ID).Saying("The webhook is made. Send a test to see whether it answers."), err
}

func updateWebhook(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	c, err := v.Enter()
	if err != nil {
		return kit.Done{}, err
	}
	before, err := v.Site.Hooks.GetHook(v.Ctx, c, hooks.HookPath{ID: id})
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.UpdateWebhook(v.Ctx, v.Actor, kit.At(v, hooks.UpdateHook{
		ID: id, IfMatch: v.IfStill(), URL: opt.Of(strings.TrimSpace(v.Sent("url"))), HookInput: webhookInput(v),
	}))
	if before.SuspendedAt != nil {
		became := kit.Went("webhooks", id, "replay").Saying("The webhook is changed, and active again. This sends what it missed.")
		became.Query = url.Values{"from": {before.SuspendedAt.In(v.Time.Location()).Format(requests.Minutes)}}.Encode()
		if before.MissedAfterEventID != nil {
			became.Query = url.Values{"after": {strconv.FormatInt(*before.MissedAfterEventID, 10)}}.Encode()
		}
		return became, err
	}
	return kit.Went("webhooks", id).Saying("The webhook is changed."), err
}

func deleteWebhook(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.DeleteWebhook(v.Ctx, v.Actor, kit.At(v, hooks.DeleteHook{ID: id}))
	return kit.Went("webhooks").Saying(kit.Text(v.Say("Webhook %d is deleted.", id))), err
}

// hook returns the webhook that the path names.
func hook(v *kit.Request) (backoffice.At[hooks.HookPath], error) {
	id, err := v.ID("id")
	return kit.At(v, hooks.HookPath{ID: id}), err
}

func testWebhook(v *kit.Request) (kit.Done, error) {
	in, err := hook(v)
	if err != nil {
		return kit.Done{}, err
	}
	sent, err := v.Backoffice.TestWebhook(v.Ctx, v.Actor, in)
	became := kit.Went("webhooks", in.In.ID).Saying("The test is on its way.")
	became.Query = "open=" + strconv.FormatInt(sent.DeliveryID, 10)
	return became, err
}

func resumeWebhook(v *kit.Request) (kit.Done, error) {
	in, err := hook(v)
	if err != nil {
		return kit.Done{}, err
	}
	sent, err := v.Backoffice.ResumeWebhook(v.Ctx, v.Actor, in)
	return wentReplaying(v, in.In.ID, v.Say("The webhook is active again, and %s on the way.", v.Counted(int64(sent.Deliveries), "missed event", "missed events")), sent), err
}

// wentReplaying returns what a replay sent and the range it looked at. Where that goes on, the
// page that sends the rest comes next.
func wentReplaying(v *kit.Request, id int64, text string, sent hooks.Replayed) kit.Done {
	if sent.LastEventID == nil {
		return kit.Went("webhooks", id).Saying(kit.Text(text))
	}
	text += " " + v.Say("Events %d to %d were looked at.", *sent.FirstEventID, *sent.LastEventID)
	if !sent.HasMore {
		return kit.Went("webhooks", id).Saying(kit.Text(text))
	}
	became := kit.Went("webhooks", id, "replay").Saying(kit.Text(text + " " + v.Say("There are more: this sends those after them.")))
	became.Query = url.Values{"after": {strconv.FormatInt(*sent.LastEventID, 10)}}.Encode()
	return became
}

func reactivateWebhook(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	w, err := v.Backoffice.UpdateWebhook(v.Ctx, v.Actor, kit.At(v, hooks.UpdateHook{ID: id}))
	text := v.Say("The webhook is active again. What it missed was not sent; a replay does that.")
	if w.MissedAfterEventID != nil {
		text += " " + v.Say("It begins after event %d.", *w.MissedAfterEventID)
	}
	return kit.Went("webhooks", id).Saying(kit.Text(text)), err
}

func readWebhookSecret(v *kit.Request) (kit.Done, error) {
	in, err := hook(v)
	if err != nil {
		return kit.Done{}, err
	}
	read, err := v.Backoffice.ReadWebhookSecret(v.Ctx, v.Actor, in)
	return kit.Went("webhooks", in.In.ID).Showing(kit.Text(v.Say("The signing secret of webhook %d.", in.In.ID)), read.Secret, kit.KeepHook), err
}

func rotateWebhookSecret(v *kit.Request) (kit.Done, error) {
	in, err := hook(v)
	if err != nil {
		return kit.Done{}, err
	}
	fresh, err := v.Backoffice.RotateWebhookSecret(v.Ctx, v.Actor, in)
	return kit.Went("webhooks", in.In.ID).Showing("The new signing secret. The former one signs as well for 24 hours.", fresh.Secret, kit.KeepHook), err
}

func resendDelivery(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	delivery, err := v.ID("delivery")
	if err != nil {
		return kit.Done{}, err
	}
	sent, err := v.Backoffice.Redeliver(v.Ctx, v.Actor, kit.At(v, hooks.DeliveryPath{ID: id, DeliveryID: delivery}))
	became := kit.Went("webhooks", id).Saying("It is on its way once more.")
	became.Query = "open=" + strconv.FormatInt(sent.DeliveryID, 10)
	return became, err
}

func replayWebhook(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	typed, problems := v.HTTP.PostForm, fault.Problems{}
	in := hooks.ReplayHook{
		ID: id, AfterEventID: readNumber(typed, "after_event_id", &problems), From: readInstant(v, typed, "from", &problems), To: readInstant(v, typed, "to", &problems),
		MissedOnly: opt.Of(v.Sent("missed_only") != ""),
	}
	if in.AfterEventID.Given() == in.From.Given() {
		problems.Add("after_event_id", fault.CodeExactlyOneOf, "begin either after an event or at a time")
	}
	if err := problems.Err(); err != nil {
		return kit.Done{}, err
	}
	sent, err := v.Backoffice.ReplayWebhook(v.Ctx, v.Actor, kit.At(v, in))
	return wentReplaying(v, id, v.Say("%s on the way again.", v.Counted(int64(sent.Deliveries), "event", "events")), sent), err
}
