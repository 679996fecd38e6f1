package console_test

import (
	"net/http"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

// stored reads a record as it is stored.
func stored[T any](w *world, get func(port.Tx) (T, error)) (found T) {
	w.Helper()
	w.must(w.store.View(w.Context(), func(tx port.Tx) (err error) {
		found, err = get(tx)
		return err
	}))
	return found
}

func (w *world) channel(id alert.ChannelID) alert.Channel {
	return stored(w, func(tx port.Tx) (alert.Channel, error) { return tx.Alerts().Channels.Get(id) })
}

// channelForm is the form of a signed webhook that is sent, with some fields in place of those of a good one.
func channelForm(other ...string) []string {
	return formWith([]string{"kind", "webhook", "address", "https://portal.example.org/in", "least", "critical", "digest", "daily", "language", "fr", "signed", "yes"}, other)
}

func TestAChannelOfAlertsIsEditedAndKeepsItsSecret(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Administrator))
	b.post("/alerts/channels/new", channelForm()...).is(200).says("This is what it signs with.")
	made := w.channel(1)
	b.get("/alerts").is(200).says(`href="/console/alerts/channels/1/edit"`)
	b.get("/alerts/channels/1/edit").is(200).says(
		`value="https://portal.example.org/in"`, `value="critical" selected`, `value="daily" selected`, `value="fr" selected`, `value="yes" checked`, "The secret stays as it is.",
	).saysNot(made.Secret, `name="kind"`)

	moved := channelForm("kind", "mail", "address", "https://portal.example.org/there", "least", "warning", "digest", "hourly", "language", "en")
	b.post("/alerts/channels/1/edit", moved...).is(200).isAt("/alerts").says("The channel is changed.", "https://portal.example.org/there").saysNot("signs with")
	if c, want := w.channel(1), (alert.Channel{ID: 1, Kind: alert.Webhook, Address: "https://portal.example.org/there", Secret: made.Secret, Least: alert.Warning, Digest: alert.Hourly}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	b.post("/alerts/channels/1/edit", channelForm("signed", "anew")...).is(200).says("The channel is changed. This is what it signs with.", "whsec_")
	if w.channel(1).Secret == made.Secret {
		t.Error("no new secret was drawn")
	}
	b.post("/alerts/channels/1/edit", channelForm("signed", "")...).is(200).says("The channel is changed.")
	if c := w.channel(1); c.Secret != "" {
		t.Errorf("%+v", c)
	}
	b.get("/audit").is(200).says("alert-channel.update").saysNot("portal.example.org", made.Secret)
}

func TestAChannelOfAlertsIsNotEditedWrongly(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Administrator))
	b.post("/alerts/channels/new", channelForm()...).is(200)
	made := w.channel(1)
	for field, value := range map[string]string{"address": "mailto:x", "least": "mild", "digest": "weekly"} {
		b.post("/alerts/channels/1/edit", channelForm(field, value)...).is(http.StatusUnprocessableEntity).says(`id="field-` + field + `-wrong"`)
	}
	if c := w.channel(1); c != made {
		t.Errorf("%+v", c)
	}
	b.get("/alerts/channels/7/edit").is(http.StatusNotFound)
	b.post("/alerts/channels/7/edit", channelForm()...).is(http.StatusNotFound)
}
