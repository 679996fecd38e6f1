package console

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

func createWebhook(v *pageRequest) (done, error) {
	made, err := v.Backoffice.CreateWebhook(v.ctx, v.actor, at(v, backoffice.CreateWebhook{
		Credential: v.sent("credential"),
		CreateHook: hooks.CreateHook{URL: opt.Of(strings.TrimSpace(v.sent("url"))), HookInput: v.webhookInput()},
	}))
	return went("webhooks", made.ID).saying("The webhook is made. Send a test to see whether it answers."), err
}

func updateWebhook(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	c, err := v.enter()
	if err != nil {
		return done{}, err
	}
	before, err := v.Site.Hooks.GetHook(v.ctx, c, hooks.HookPath{ID: id})
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.UpdateWebhook(v.ctx, v.actor, at(v, hooks.UpdateHook{
		ID: id, IfMatch: v.ifStill(), URL: opt.Of(strings.TrimSpace(v.sent("url"))), HookInput: v.webhookInput(),
	}))
	if before.SuspendedAt != nil {
		became := went("webhooks", id, "replay").saying("The webhook is changed, and active again. This sends what it missed.")
		became.query = url.Values{"from": {before.SuspendedAt.UTC().Format(minutes)}}.Encode()
		if before.MissedAfterEventID != nil {
			became.query = url.Values{"after": {strconv.FormatInt(*before.MissedAfterEventID, 10)}}.Encode()
		}
		return became, err
	}
	return went("webhooks", id).saying("The webhook is changed."), err
}

func deleteWebhook(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.DeleteWebhook(v.ctx, v.actor, at(v, hooks.DeleteHook{ID: id}))
	return went("webhooks").saying(fmt.Sprintf("Webhook %d is deleted.", id)), err
}

// hook returns the webhook that the path names.
func (v *pageRequest) hook() (backoffice.At[hooks.HookPath], error) {
	id, err := v.id("id")
	return at(v, hooks.HookPath{ID: id}), err
}

func testWebhook(v *pageRequest) (done, error) {
	in, err := v.hook()
	if err != nil {
		return done{}, err
	}
	sent, err := v.Backoffice.TestWebhook(v.ctx, v.actor, in)
	became := went("webhooks", in.In.ID).saying("The test is on its way.")
	became.query = "open=" + strconv.FormatInt(sent.DeliveryID, 10)
	return became, err
}

func resumeWebhook(v *pageRequest) (done, error) {
	in, err := v.hook()
	if err != nil {
		return done{}, err
	}
	sent, err := v.Backoffice.ResumeWebhook(v.ctx, v.actor, in)
	return wentReplaying(in.In.ID, "The webhook is active again, and "+counted(sent.Deliveries, "missed event")+" on the way.", sent), err
}

// wentReplaying returns what a replay sent and the range it looked at. Where that goes on, the
// page that sends the rest comes next.
func wentReplaying(id int64, text string, sent hooks.Replayed) done {
	if sent.LastEventID == nil {
		return went("webhooks", id).saying(text)
	}
	text += fmt.Sprintf(" Events %d to %d were looked at.", *sent.FirstEventID, *sent.LastEventID)
	if !sent.HasMore {
		return went("webhooks", id).saying(text)
	}
	became := went("webhooks", id, "replay").saying(text + " There are more: this sends those after them.")
	became.query = url.Values{"after": {strconv.FormatInt(*sent.LastEventID, 10)}}.Encode()
	return became
}

func reactivateWebhook(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	w, err := v.Backoffice.UpdateWebhook(v.ctx, v.actor, at(v, hooks.UpdateHook{ID: id}))
	text := "The webhook is active again. What it missed was not sent; a replay does that."
	if w.MissedAfterEventID != nil {
		text += fmt.Sprintf(" It begins after event %d.", *w.MissedAfterEventID)
	}
	return went("webhooks", id).saying(text), err
}

func readWebhookSecret(v *pageRequest) (done, error) {
	in, err := v.hook()
	if err != nil {
		return done{}, err
	}
	read, err := v.Backoffice.ReadWebhookSecret(v.ctx, v.actor, in)
	return went("webhooks", in.In.ID).showing(fmt.Sprintf("The signing secret of webhook %d.", in.In.ID), read.Secret, keepHook), err
}

func rotateWebhookSecret(v *pageRequest) (done, error) {
	in, err := v.hook()
	if err != nil {
		return done{}, err
	}
	fresh, err := v.Backoffice.RotateWebhookSecret(v.ctx, v.actor, in)
	return went("webhooks", in.In.ID).showing("The new signing secret. The former one signs as well for 24 hours.", fresh.Secret, keepHook), err
}

func resendDelivery(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	delivery, err := v.id("delivery")
	if err != nil {
		return done{}, err
	}
	sent, err := v.Backoffice.Redeliver(v.ctx, v.actor, at(v, hooks.DeliveryPath{ID: id, DeliveryID: delivery}))
	became := went("webhooks", id).saying("It is on its way once more.")
	became.query = "open=" + strconv.FormatInt(sent.DeliveryID, 10)
	return became, err
}

func replayWebhook(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	typed, problems := v.r.PostForm, fault.Problems{}
	in := hooks.ReplayHook{
		ID: id, AfterEventID: readNumber(typed, "after_event_id", &problems), From: readInstant(typed, "from", &problems), To: readInstant(typed, "to", &problems),
		MissedOnly: opt.Of(v.sent("missed_only") != ""),
	}
	if in.AfterEventID.Given() == in.From.Given() {
		problems.Add("after_event_id", fault.CodeExactlyOneOf, "begin either after an event or at a time")
	}
	if err := problems.Err(); err != nil {
		return done{}, err
	}
	sent, err := v.Backoffice.ReplayWebhook(v.ctx, v.actor, at(v, in))
	return wentReplaying(id, counted(sent.Deliveries, "event")+" on the way again.", sent), err
}

// wrongField is a fault of a field that cannot be given to a use case as it was typed.
func wrongField(name string, code fault.Code, message fault.Text) error {
	var problems fault.Problems
	problems.Add(name, code, "%s", message)
	return problems.Err()
}
