package webhook_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const base = "https://crm.example.org/api/v2/site"

// update happened at a moment given in another zone and more exactly than
// payloads say.
func update() webhook.Delivery {
	d := pending()
	d.At = time.Date(2026, 11, 2, 12, 30, 1, 23_999_999, time.FixedZone("", 3600))
	return d
}

func TestW16_Formats(t *testing.T) {
	customer := update()
	customer.Type, customer.Resource = event.CustomerCreate, 9_007_199_254_740_993
	action := update()
	action.Type = "ACTION_CREATE"
	agency := update()
	agency.Type, agency.Resource = "AGENCY_UPDATE", 11
	for _, c := range []struct {
		format      webhook.Format
		delivery    webhook.Delivery
		contentType string
		want        string
	}{
		{webhook.Default, update(), "application/json",
			`{"event_type":"PRODUCT_UPDATE","resource_id":508,"timestamp":"2026-11-02T11:30:01.023Z"}`},
		{webhook.Default, customer, "application/json",
			`{"event_type":"CUSTOMER_CREATE","resource_id":9007199254740993,"timestamp":"2026-11-02T11:30:01.023Z"}`},
		{webhook.Standard, update(), "application/json",
			`{"type":"product.update","timestamp":"2026-11-02T11:30:01.023Z","data":{"id":508,"resource_type":"product"}}`},
		{webhook.CloudEvents, update(), "application/cloudevents+json",
			`{"specversion":"1.0","id":"msg_1","source":"https://crm.example.org/api/v2/site","type":"product.update",` +
				`"subject":"508","resourcetype":"product","time":"2026-11-02T11:30:01.023Z","datacontenttype":"application/json",` +
				`"data":{"event_type":"PRODUCT_UPDATE","resource_id":508,"timestamp":"2026-11-02T11:30:01.023Z"}}`},
		{webhook.RESO, update(), "application/json",
			`{"@reso.context":"urn:reso:metadata:2.0:resource:entityevent",` +
				`"value":[{"EntityEventSequence":1042,"ResourceName":"Property","ResourceRecordKey":"508"}]}`},
		{webhook.RESO, customer, "application/json",
			`{"@reso.context":"urn:reso:metadata:2.0:resource:entityevent",` +
				`"value":[{"EntityEventSequence":1042,"ResourceName":"Contacts","ResourceRecordKey":"9007199254740993"}]}`},
		{webhook.RESO, agency, "application/json",
			`{"@reso.context":"urn:reso:metadata:2.0:resource:entityevent",` +
				`"value":[{"EntityEventSequence":1042,"ResourceName":"Office","ResourceRecordKey":"11"}]}`},
		{webhook.RESO, action, "application/json",
			`{"@reso.context":"urn:reso:metadata:2.0:resource:entityevent",` +
				`"value":[{"EntityEventSequence":1042,"ResourceName":"ACTION","ResourceRecordKey":"508"}]}`},
	} {
		got := c.format.Payload(c.delivery, base)
		if string(got.Body) != c.want || got.ContentType != c.contentType {
			t.Errorf("%s is\n%s %s\nnot\n%s %s", c.format, got.ContentType, got.Body, c.contentType, c.want)
		}
		if !json.Valid(got.Body) {
			t.Errorf("%s is not JSON: %s", c.format, got.Body)
		}
	}
}

// The id of an action is that of a product or a customer, whose ids are counted
// apart. The standard formats say which it is, for every event; the default one is
// the contract's and does not.
func TestW16_StandardAndCloudEventsSayWhichKindOfResourceAnEventIsAbout(t *testing.T) {
	said := func(format webhook.Format, d webhook.Delivery) any {
		t.Helper()
		var body struct {
			Data map[string]any `json:"data"`
			Kind any            `json:"resourcetype"`
		}
		if err := json.Unmarshal(format.Payload(d, base).Body, &body); err != nil {
			t.Fatal(err)
		}
		if format == webhook.Standard {
			return body.Data["resource_type"]
		}
		return body.Kind
	}
	about := func(kind event.Type, subject string) webhook.Delivery {
		d := update()
		d.Type, d.Subject = kind, subject
		return d
	}
	for _, format := range []webhook.Format{webhook.Standard, webhook.CloudEvents} {
		for _, kind := range append(event.Types(), event.HookTest) {
			var want any = strings.ToLower(kind.Resource())
			if kind == event.ActionCreate {
				want = nil // recorded before events said it
			}
			if got := said(format, about(kind, "")); got != want {
				t.Errorf("%s: %s is about a %v, not a %v", format, kind, got, want)
			}
		}
		for _, subject := range []string{"PRODUCT", "CUSTOMER"} {
			if got := said(format, about(event.ActionCreate, subject)); got != strings.ToLower(subject) {
				t.Errorf("%s: an action about a %s is about a %v", format, subject, got)
			}
		}
	}
	if a, b := about(event.ActionCreate, "PRODUCT"), about(event.ActionCreate, "CUSTOMER"); string(webhook.Default.Payload(a, base).Body) != string(webhook.Default.Payload(b, base).Body) {
		t.Error("the default payload changed")
	}
}

// The default payload is the contract's: these three fields, and their types.
func TestV1_V2_V3_TheDefaultPayloadIsTheContracts(t *testing.T) {
	for _, name := range []string{"", "default"} {
		format, ok := webhook.ParseFormat(name)
		if !ok || format != webhook.Default {
			t.Fatalf("%q is read as %q, %t", name, format, ok)
		}
	}
	var fields map[string]any
	if err := json.Unmarshal(webhook.Default.Payload(update(), base).Body, &fields); err != nil {
		t.Fatal(err)
	}
	if len(fields) != 3 || fields["event_type"] != "PRODUCT_UPDATE" || fields["resource_id"] != 508.0 {
		t.Errorf("the payload is %v", fields)
	}
	at, err := time.Parse(time.RFC3339, fields["timestamp"].(string))
	if err != nil || at.Location() != time.UTC || !at.Equal(update().At.Truncate(time.Millisecond)) {
		t.Errorf("the timestamp is %v (%v)", fields["timestamp"], err)
	}
}

func TestV2_ThePayloadIsTheSameOverRetries(t *testing.T) {
	for _, format := range webhook.Formats() {
		first, later := update(), update()
		later.Number, later.Failures, later.Due = 3, 3, later.Due.Add(time.Hour)
		if a, b := format.Payload(first, base), format.Payload(later, base); string(a.Body) != string(b.Body) {
			t.Errorf("%s changes from %s to %s", format, a.Body, b.Body)
		}
	}
}

func TestW15_UnknownFormatsAreRefused(t *testing.T) {
	for _, format := range webhook.Formats() {
		if got, ok := webhook.ParseFormat(string(format)); !ok || got != format {
			t.Errorf("%s is read as %q, %t", format, got, ok)
		}
	}
	for _, name := range []string{"Default", "RESO", " reso", "xml", "null"} {
		if _, ok := webhook.ParseFormat(name); ok {
			t.Errorf("%q is taken for a format", name)
		}
	}
}

func TestDottedNames(t *testing.T) {
	for kind, want := range map[event.Type]string{event.ProductUpdate: "product.update", "HOOK_TEST": "hook.test"} {
		if got := webhook.Dotted(kind); got != want {
			t.Errorf("%s is dotted %s, not %s", kind, got, want)
		}
	}
}
