package webhook_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// TestGoldenStates holds docs/reference/webhook-states.md against what Settle
// does. `make golden` writes it anew.
func TestGoldenStates(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "reference", "webhook-states.md")
	content := statesPage()
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	known, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(known, content) {
		t.Errorf("docs/reference/webhook-states.md is not what the code says; run `make golden` and look at the difference (%v)", err)
	}
}

// situation is where a delivery and its webhook can stand when an attempt ends.
type situation struct {
	name     string
	webhook  webhook.Webhook
	delivery webhook.Delivery
}

func situations() []situation {
	after := func(failures int) webhook.Delivery {
		d := pending()
		d.Failures, d.Number = failures, failures
		return d
	}
	final := after(1)
	final.Status = webhook.Cancelled
	return []situation{
		{"first attempt", active(), after(0)},
		{"first retry", active(), after(1)},
		{"second retry", active(), after(2)},
		{"third retry", active(), after(3)},
		{"updated meanwhile", active().Reconfigured(noon), after(3)},
		{"suspended meanwhile", active().Suspend("answered 503", noon), after(1)},
		{"already final", active(), final},
	}
}

var verdictMeanings = [webhook.Verdicts]string{
	webhook.Accepted: "any 2xx, its status line and headers within 10 seconds",
	webhook.Refused:  "422; the reason is taken from the body",
	webhook.Failure: "any other answer, 3xx included, or none: time-out, name, connection or TLS failed, " +
		"an answer that is not HTTP, an address that is not permitted",
	webhook.Deferred: "no attempt was made, or it ended through no fault of the receiver: a circuit breaker is open, the process is stopping",
}

func statesPage() []byte {
	var b bytes.Buffer
	b.WriteString(`<!-- Written by ` + "`make golden`" + `; do not edit. -->

# States of webhooks and deliveries

A delivery is one event on its way to one webhook. What becomes of both is decided in one place, by ` + "`Policy.Settle`" + ` of
` + "`core/domain/webhook`" + `; this page is what it does.

## Webhook

`)
	fmt.Fprint(&b, webhookDiagram())
	b.WriteString(`
A suspended webhook receives nothing: events that happen meanwhile are cancelled for it at once, and those already pending are
cancelled. Every update begins a new epoch, in which each delivery has all its attempts again.

## Delivery

`)
	fmt.Fprint(&b, deliveryDiagram())
	b.WriteString("\nAll states but `pending` are final. `superseded` is for an update that a later one\nof the same resource took the place of before it was attempted, at a webhook with `coalesce_seconds`.\n\n" +
		"## How an attempt can end\n\n| verdict | |\n|---|---|\n")
	for v := range webhook.Verdicts {
		fmt.Fprintf(&b, "| %s | %s |\n", v, verdictMeanings[v])
	}
	b.WriteString("\n## What follows\n\nThe delivery, how many of its failures count, when it is tried again, and the webhook.\n\n| when |")
	for v := range webhook.Verdicts {
		fmt.Fprintf(&b, " %s |", v)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", int(webhook.Verdicts)) + "\n")
	for _, s := range situations() {
		fmt.Fprintf(&b, "| %s |", s.name)
		for v := range webhook.Verdicts {
			fmt.Fprintf(&b, " %s |", consequence(s, v))
		}
		b.WriteString("\n")
	}
	b.WriteString(`
- Delays vary by a tenth at random. A receiver can ask for a longer one with Retry-After, in an answer 429 or 503, up to `)
	fmt.Fprintf(&b, "%s.\n", short(policy.MaxRetryAfter))
	b.WriteString(`- "Updated meanwhile": the attempt was made under a configuration that is gone. Its failure counts nothing, and the
  present one is tried at once.
- "Suspended meanwhile": an answer still counts for what it is, but nothing is tried again.
- Deliveries of one resource are made one after the other, in the order of the events; one that has to wait holds back those
  that came later.
- With coalesce_seconds updates are due that much later than others. Once the first is due, the last of those that wait for
  the same resource takes the place of all. One that was attempted is never superseded: its failures keep counting.
`)
	return b.Bytes()
}

func settle(s situation, v webhook.Verdict) (webhook.Webhook, webhook.Delivery) {
	return policy.Settle(s.webhook, s.delivery, webhook.Outcome{Verdict: v, Epoch: active().Epoch, RetryAfter: deferral(v)}, noon)
}

func deferral(v webhook.Verdict) time.Duration {
	if v == webhook.Deferred {
		return time.Second
	}
	return 0
}

func consequence(s situation, v webhook.Verdict) string {
	w, d := settle(s, v)
	if s.delivery.Status != webhook.Pending {
		return "–"
	}
	parts := []string{d.Status.String()}
	if counted := d.Failures - s.delivery.Failures; counted > 0 {
		parts = append(parts, fmt.Sprintf("%d counted", d.Failures))
	}
	if d.Status == webhook.Pending {
		switch wait := d.Due.Sub(noon); {
		case wait == 0:
			parts = append(parts, "at once")
		case v == webhook.Deferred:
			parts = append(parts, "when it may be")
		default:
			parts = append(parts, "in "+short(wait))
		}
	}
	if w.State != s.webhook.State {
		parts = append(parts, "**webhook "+w.State.String()+"**")
	}
	return strings.Join(parts, ", ")
}

// short writes 25m0s as 25m, and 1h0m0s as 1h.
func short(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
}

// webhookDiagram draws the transitions that settling was seen to make, and
// those of updates.
func webhookDiagram() string {
	edges := map[string]bool{}
	for _, s := range situations() {
		for v := range webhook.Verdicts {
			if w, _ := settle(s, v); w.State != s.webhook.State {
				edges[fmt.Sprintf("  %s --> %s: %s of the %s", s.webhook.State, w.State, v, s.name)] = true
			}
		}
	}
	for _, w := range []webhook.Webhook{active(), active().Suspend("", noon)} {
		updated := w.Reconfigured(noon)
		edges[fmt.Sprintf("  %s --> %s: PUT /hooks/{hookId}", w.State, updated.State)] = true
		edges[fmt.Sprintf("  %s --> %s: PUT /hooks/{hookId} with status suspended", w.State, updated.Suspend("", noon).State)] = true
	}
	return diagram("  [*] --> active: POST /hooks", edges)
}

func deliveryDiagram() string {
	edges := map[string]bool{
		fmt.Sprintf("  pending --> %s: a later update of the resource takes its place", pending().Supersede().Status): true,
		fmt.Sprintf("  pending --> %s: the webhook is suspended or deleted", pending().Cancel("").Status):             true,
	}
	for _, s := range situations() {
		for v := range webhook.Verdicts {
			_, d := settle(s, v)
			if s.delivery.Status != webhook.Pending || s.webhook.State == webhook.Suspended || d.Status == webhook.Cancelled {
				continue
			}
			label := v.String()
			if d.Status == webhook.Failed {
				label += " of the " + s.name
			}
			edges[fmt.Sprintf("  pending --> %s: %s", d.Status, label)] = true
		}
	}
	return diagram("  [*] --> pending: an event, a replay, a test", edges)
}

func diagram(start string, edges map[string]bool) string {
	return "```mermaid\nstateDiagram-v2\n" + start + "\n" + strings.Join(slices.Sorted(maps.Keys(edges)), "\n") + "\n```\n"
}
