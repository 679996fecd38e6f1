package console_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// Send implements port.Sender.
func (w *world) Send(context.Context, webhook.Request) webhook.Answer { return *w.answer.Load() }

// deliver delivers in the background until the test ends. Retries follow at once.
func (w *world) deliver(answer webhook.Answer) {
	w.answer.Store(&answer)
	o, tick := deliver.DefaultOptions(), time.NewTicker(10*time.Millisecond)
	o.Tick = tick.C
	ctx, stop := context.WithCancel(w.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = w.site.Deliver.Run(ctx, w, o)
	}()
	w.Cleanup(func() { stop(); <-ended; tick.Stop() })
}

// eventually gets a page until it says something.
func (b *browser) eventually(path, text string) shown {
	b.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if s := b.get(path).is(200); strings.Contains(s.text, text) || time.Now().After(deadline) {
			return s.says(text)
		}
	}
}

func TestAWebhookIsMadeForACredentialAndTested(t *testing.T) {
	w := newWorld(t)
	w.deliver(webhook.Answer{Verdict: webhook.Accepted, Status: 204, Duration: 12 * time.Millisecond})
	b := w.signedIn("claire@example.org")
	b.get("/webhooks").is(200).says("No webhooks yet")
	b.post("/webhooks/new?site=1", "credential", "full", "url", "ftp://portal.example.org", "origines", "PRODUCT_UPDATE", "coalesce_seconds", "5").is(422).
		says("ftp://portal.example.org", `id="field-url-wrong"`, `value="5"`, `value="PRODUCT_UPDATE" checked`)
	b.post("/webhooks/new?site=1", "credential", "full", "url", "https://portal.example.org/in", "origines", "PRODUCT_UPDATE").is(200).
		isAt("/webhooks/1").says("The webhook is made.", "PRODUCT_UPDATE", "None yet.")
	b.post("/webhooks/1/test?site=1").is(200).isAt("/webhooks/1?open=1").says("The test is on its way.", `&#34;event_type&#34;: &#34;HOOK_TEST&#34;`)
	b.eventually("/webhooks/1?open=1", "204").says("12 ms", "HOOK_TEST", `aria-expanded="true"`)
	b.get("/webhooks/1?status=rejected").is(200).says("No deliveries are rejected", "Clear the filter")
	b.post("/webhooks/1/deliveries/1/resend?site=1").is(200).isAt("/webhooks/1?open=2").says("It is on its way once more.")
}

func TestAWebhookIsDeletedAfterAQuestion(t *testing.T) {
	w := newWorld(t)
	w.hook("PRODUCT_CREATE")
	b := w.signedIn("claire@example.org")
	b.get("/webhooks/1/edit").is(200).says(`href="/console/webhooks/1/delete"`).saysNot(`action="/console/webhooks/1/delete`)
	b.get("/webhooks/1/delete").is(200).says("Delete webhook 1", "What is pending is cancelled", `action="/console/webhooks/1/delete?site=1"`)
	b.get("/webhooks/1").is(200)
	b.post("/webhooks/1/delete?site=1").is(200).isAt("/webhooks").says("Webhook 1 is deleted.", "No webhooks yet")
	b.get("/webhooks/1").is(404)
}

func TestASuspendedWebhookIsTheFirstThingToBeSeen(t *testing.T) {
	w := newWorld(t)
	w.hook("PRODUCT_CREATE")
	w.signedIn("claire@example.org").post("/webhooks/1/test?site=1").is(200)
	w.deliver(webhook.Answer{Verdict: webhook.Failure, Status: 500, Reason: "answered 500"})
	w.untilSuspended(1)
	b := w.signedIn("claire@example.org")
	b.get("/").is(200).says("Webhook 1 is suspended: answered 500", "has received nothing for ", `href="/console/webhooks/1">Look at it`)
	b.get("/webhooks").is(200).says("suspended", `need attention: </span>1<`)
	b.get("/webhooks/1?open=1").is(200).says("This webhook is suspended: answered 500", "All retries of a delivery failed", "Reactivate and send what it missed", "4 attempts")
	b.post("/webhooks/1/test?site=1").is(409).says("This was not done.", "conflict")
	b.get("/webhooks/1/edit").is(200).says("Save, and reactivate", "This webhook is suspended")
	b.post("/webhooks/1/resume?site=1").is(200).isAt("/webhooks/1").says("The webhook is active again, and 0 missed events on the way.")
	b.post("/webhooks/1/resume?site=1").is(409)
}

// What is pending when the last retry fails was not received either.
func TestAWebhookThatFailedIsSentAllItHasNotReceived(t *testing.T) {
	for language, said := range map[string]struct{ after, offer, active, again string }{
		"en": {
			"What it has not received comes after event 3.", "Reactivate and send what it missed",
			"The webhook is active again, and 9 missed events on the way. Events 4 to 12 were looked at.", "0 events on the way again. Events 1 to 12 were looked at.",
		},
		"fr": {
			"Ce qu&#39;il n&#39;a pas reçu vient après l&#39;événement 3.", "Réactiver et envoyer ce qu&#39;il a manqué",
			"Le webhook est de nouveau actif, et 9 événements manqués en route. Les événements 4 à 12 ont été examinés.", "0 événement de nouveau en route. Les événements 1 à 12 ont été examinés.",
		},
	} {
		t.Run(language, func(t *testing.T) {
			w := newWorld(t)
			w.hook("PRODUCT_CREATE")
			w.product()
			w.deliver(webhook.Answer{Verdict: webhook.Accepted, Status: 204})
			w.signedIn("claire@example.org").eventually("/webhooks/1?status=pending", "No deliveries are pending")
			w.answer.Store(&webhook.Answer{Verdict: webhook.Failure, Status: 500, Reason: "answered 500"})
			for range 8 {
				w.product()
			}
			w.untilSuspended(1)
			w.product()
			b := w.signedIn("claire@example.org").prefers(language)
			b.get("/webhooks/1").is(200).says(said.after, said.offer)
			w.answer.Store(&webhook.Answer{Verdict: webhook.Accepted, Status: 204})
			b.post("/webhooks/1/resume?site=1").is(200).isAt("/webhooks/1").says(said.active)
			b.post("/webhooks/1/replay?site=1", "after_event_id", "0", "missed_only", "yes").is(200).says(said.again)
		})
	}
}

// What a webhook missed is not forgotten because somebody edits it.
func TestAWebhookThatIsEditedWhileSuspendedIsOfferedWhatItMissed(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	id := w.hook("PRODUCT_CREATE")
	form := []string{"url", "https://portal.example.org/in", "origines", "PRODUCT_CREATE", "format", "default", "coalesce_seconds", "0"}
	b.post(b.get("/webhooks/1/edit").is(200).formOf("/edit"), form...).is(200).isAt("/webhooks/1").says("The webhook is changed.")
	suspend := hooks.UpdateHook{ID: id}
	suspend.Status.Set, suspend.Status.Value = true, "suspended"
	_, err := w.site.Hooks.UpdateHook(t.Context(), w.full(), suspend)
	w.must(err)
	w.product("TypeBien", "Maison")
	to := b.get("/webhooks/1/edit").is(200).formOf("/edit")
	replay := b.post(to, form...).is(200).isAt("/webhooks/1/replay?after=2").
		says("active again", `type="datetime-local"`, `value="yes" checked`)
	after := regexp.MustCompile(`name="after_event_id"[^>]* value="([^"]+)"`).FindStringSubmatch(replay.text)[1]
	b.post("/webhooks/1/replay?site=1", "after_event_id", after, "missed_only", "yes").is(200).isAt("/webhooks/1").says("1 event on the way again. Events 3 to 3 were looked at.")
	from := w.clock.Now().In(w.zone("Europe/Paris")).Format("2006-01-02T15:04")
	b.post("/webhooks/1/replay?site=1", "from", from).is(200).isAt("/webhooks/1").says("1 event on the way again.")
	b.post("/webhooks/1/replay?site=1").is(422).says("begin either after an event or at a time")
	b.post(to, form...).is(409).says("Somebody else changed this")
}

// untilSuspended moves the clock from retry to retry.
func (w *world) untilSuspended(id int64) {
	w.Helper()
	c, err := w.backoffice.Enter(w.Context(), w.root, 1)
	w.must(err)
	for made := 0; made < 5; time.Sleep(5 * time.Millisecond) {
		hook, err := w.site.Hooks.GetHook(w.Context(), c, hooks.HookPath{ID: id})
		w.must(err)
		if hook.SuspendedAt != nil {
			return
		}
		log, err := w.site.Hooks.ListDeliveries(w.Context(), c, hooks.ReadDeliveries{ID: id})
		w.must(err)
		if n := len(log.Data[0].Attempts); n > made {
			made = n
			w.clock.Advance(30 * time.Minute)
		}
	}
	w.Fatal("the webhook is not suspended after its last retry")
}

func TestTheSecretOfAWebhookIsShownOnceAfterThePassword(t *testing.T) {
	w := newWorld(t)
	w.hook("PRODUCT_CREATE")
	b := w.signedIn("claire@example.org")
	b.post("/webhooks/1/secret?site=1").is(200).isAt("/webhooks/1").says("whsec_")
	if again := b.get("/webhooks/1"); strings.Contains(again.text, "whsec_") {
		t.Error("the secret is shown twice")
	}
	w.clock.Advance(operator.Recent)
	b.post("/webhooks/1/rotate?site=1", "kept", "a <value>").is(401).says("Your password again", `name="kept" value="a &lt;value&gt;"`, `action="/console/webhooks/1/rotate?site=1"`)
	b.post("/webhooks/1/rotate?site=1", "password_again", "wrong").is(401).says("the password is wrong").saysNot("the e-mail")
	b.post("/webhooks/1/rotate?site=1", "password_again", goodPassword).is(200).isAt("/webhooks/1").says("whsec_")
}

// A live part that asks for itself anew takes nothing that a page should say once.
func TestARefreshDoesNotTakeWhatIsSaidOnce(t *testing.T) {
	w := newWorld(t)
	w.hook("PRODUCT_CREATE")
	b := w.signedIn("claire@example.org")
	refresh := func() shown {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/webhooks/1", nil)
		w.must(err)
		r.Header.Set("HX-Request", "true")
		return b.do(r).is(200)
	}
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	b.post("/webhooks/1/secret?site=1").is(303)
	if strings.Contains(refresh().text, "whsec_") {
		t.Error("a refresh shows the secret")
	}
	b.get("/webhooks/1").is(200).says("whsec_")
	w.clock.Advance(operator.Idle)
	if signedOut := refresh(); signedOut.Header.Get("HX-Refresh") != "true" {
		t.Errorf("a refresh without a session does not have the page loaded anew: %v", signedOut.Header)
	}
}

// A column of the deliveries over time leads to the deliveries that it counts, by when they were added.
func TestDeliveriesOverTimeLeadToWhatTheyCount(t *testing.T) {
	w := newWorld(t)
	w.hook("PRODUCT_UPDATE")
	b := w.signedIn(w.operator(operator.Reader, 1))
	b.get("/webhooks/1").is(200).says(`href="/console/webhooks/1/over-time"`)
	b.get("/webhooks/1/over-time").is(200).says("No deliveries in this time").saysNot("The first delivery")
	now := w.clock.Now()
	var added []webhook.Delivery
	for i, d := range []struct {
		ago      time.Duration
		status   webhook.Status
		attempts int
	}{{10 * time.Minute, webhook.Succeeded, 1}, {10 * time.Minute, webhook.Failed, 3}, {5 * time.Hour, webhook.Succeeded, 2}, {20 * 24 * time.Hour, webhook.Succeeded, 1}} {
		added = append(added, webhook.Delivery{ID: webhook.DeliveryID(101 + i), Site: 1, Hook: 1, Message: fmt.Sprint("msg_", i), Type: "PRODUCT_UPDATE", Resource: 7, Status: d.status, Number: d.attempts, Added: now.Add(-d.ago)})
	}
	w.must(w.store.Update(t.Context(), func(tx port.Tx) error { return tx.Deliveries().Add(added) }))
	for period, label := range map[string]string{
		"hour": "1 succeeded, and 3 attempts failed", "day": "2 succeeded, and 4 attempts failed", "week": "2 succeeded, and 4 attempts failed",
		"quarter": "3 succeeded, and 4 attempts failed", "nonsense": "2 succeeded, and 4 attempts failed",
	} {
		b.get("/webhooks/1/over-time?period="+period).is(200).says(`aria-label="Deliveries: `+label+`"`, "The first delivery that is kept is of", "20 days ago")
	}
	page := b.get("/webhooks/1/over-time?period=hour")
	column := regexp.MustCompile(`href="/console(/webhooks/1\?from=[^"]+)"`).FindStringSubmatch(page.text)
	if column == nil {
		t.Fatalf("no column leads anywhere:\n%s", page.text)
	}
	at := html.UnescapeString(column[1])
	b.get(at).is(200).says("msg_0", "msg_1", "Only deliveries that were added from", "List all").saysNot("msg_2", "msg_3")
	b.get(at+"&status=failed").is(200).says("msg_1", "until=").saysNot("msg_0<", "msg_2")
	b.get(at+"&status=rejected").is(200).says("No deliveries of this time are like that", "Clear the filter")
	b.get("/webhooks/1?from=yesterday").is(200).says("msg_3").saysNot("Only deliveries")
	b.get("/webhooks/2/over-time").is(404)
}
