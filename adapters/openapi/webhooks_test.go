package openapi

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func TestEveryEventIsAWebhookOfTheDocument(t *testing.T) {
	described := published(t)["webhooks"].(object)
	want := []string{string(event.HookTest)}
	for _, happened := range event.Types() {
		want = append(want, string(happened))
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(described)); !slices.Equal(got, want) {
		t.Errorf("the document has the webhooks %q, want %q", got, want)
	}
	for name, hook := range described {
		formats := map[string]bool{}
		for _, media := range at(t, hook, "post requestBody content").(object) {
			for format, sample := range media.(object)["examples"].(object) {
				formats[format] = true
				if told := text(t, sample); !strings.Contains(told, name) && !strings.Contains(told, webhook.Dotted(event.Type(name))) && format != string(webhook.RESO) {
					t.Errorf("the sample of %s in %s is %s", name, format, told)
				}
			}
		}
		for _, format := range webhook.Formats() {
			if !formats[string(format)] {
				t.Errorf("%s has no sample in the format %s", name, format)
			}
		}
	}
}

// Receivers are told of the headers that the server sends with each delivery.
func TestADeliveryHasTheHeadersOfTheDocument(t *testing.T) {
	secret, err := webhook.NewSecret(strings.NewReader(strings.Repeat("s", 64)))
	if err != nil {
		t.Fatal(err)
	}
	made, err := webhook.Composition{Signing: webhook.Signing{Current: secret}, Agent: "Vitrine"}.Request(webhook.Delivery{Type: event.ProductUpdate, Message: "evt_1_1"}, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]bool{}
	for _, header := range made.Headers {
		if header.Name != "Content-Type" && header.Name != "User-Agent" {
			sent[header.Name] = true
		}
	}
	if got, want := slices.Sorted(maps.Keys(sent)), slices.Sorted(maps.Keys(deliveryHeaders)); !slices.Equal(got, want) {
		t.Errorf("a delivery has the headers %q, the document %q", got, want)
	}
}

func TestTheBodiesOfDeliveries(t *testing.T) {
	whole := published(t)
	const bodies = "webhooks PRODUCT_UPDATE post requestBody content "
	const plain, cloud = bodies + "application/json schema oneOf ", bodies + "application/cloudevents+json schema "
	for path, want := range map[string]string{
		plain + "0 title":                                                      `"DefaultDelivery"`,
		plain + "0 required":                                                   `["event_type","resource_id","timestamp"]`,
		plain + "0 properties resource_id format":                              `"int64"`,
		plain + "0 properties timestamp format":                                `"date-time"`,
		plain + "1 properties data required":                                   `["id"]`,
		plain + "1 properties data properties resource_type type":              `"string"`,
		plain + "2 properties value items properties EntityEventSequence type": `"integer"`,
		cloud + "properties data required":                                     `["event_type","resource_id","timestamp"]`,
		bodies + "application/json examples default value":                     `{"event_type":"PRODUCT_UPDATE","resource_id":1,"timestamp":"2026-09-16T08:30:00.000Z"}`,
		"webhooks PRODUCT_UPDATE post operationId":                             `"onProductUpdate"`,
	} {
		if got := text(t, at(t, whole, path)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
