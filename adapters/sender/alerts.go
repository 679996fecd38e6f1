package sender

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// alertBody is what a channel that is a webhook gets.
type alertBody struct {
	ID     string      `json:"id"`
	Test   bool        `json:"test,omitempty"`
	Text   string      `json:"text"`
	Alerts []alertLine `json:"alerts"`
}

type alertLine struct {
	// State is standing or over.
	State    string         `json:"state"`
	Cause    alert.Cause    `json:"cause"`
	Severity alert.Severity `json:"severity"`
	SiteID   int64          `json:"site_id,omitempty"`
	Subject  string         `json:"subject"`
	Text     string         `json:"text"`
	Mend     string         `json:"mend"`
	Since    time.Time      `json:"since"`
	Until    *time.Time     `json:"until,omitempty"`
	URL      string         `json:"url,omitempty"`
}

// AlertRequest returns the request that brings a message to a channel that is a webhook, with the headers
// of deliveries: webhook-id is the same whenever the message is sent, and the signature is there if the
// channel has a secret.
func AlertRequest(c alert.Channel, m alert.Message, agent string, now time.Time) (webhook.Request, error) {
	whole := alertBody{m.ID, m.Test, m.Text(), []alertLine{}}
	for _, l := range m.Lines {
		line := alertLine{"standing", l.Cause, l.Severity, int64(l.Site), l.Subject, l.Words.In(m.Language), l.Mend.In(m.Language), l.Since, nil, l.Page}
		if !l.Over.IsZero() {
			line.State, line.Until = "over", &l.Over
		}
		whole.Alerts = append(whole.Alerts, line)
	}
	body, err := json.Marshal(whole)
	if err != nil {
		return webhook.Request{}, err
	}
	r := webhook.Request{URL: c.Address, Body: body, Secrets: webhook.SecretsOf(c.Address), Headers: []webhook.Header{
		{Name: "Content-Type", Value: "application/json"}, {Name: "User-Agent", Value: agent},
		{Name: "webhook-id", Value: m.ID}, {Name: "webhook-timestamp", Value: strconv.FormatInt(now.Unix(), 10)},
	}}
	if c.Secret != "" {
		signature, err := webhook.Secret(c.Secret).Sign(m.ID, now, body)
		if err != nil {
			return r, err
		}
		r.Headers = append(r.Headers, webhook.Header{Name: "webhook-signature", Value: signature})
	}
	return r, nil
}
