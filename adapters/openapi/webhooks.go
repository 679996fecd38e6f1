package openapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// deliveryHeaders say what the headers of a delivery are for. Those that a
// subscription adds are its own.
var deliveryHeaders = map[string]string{
	"webhook-id":         "names the event; the same in retries, redeliveries and replays",
	"webhook-timestamp":  "when this attempt was made, in seconds since 1970; refuse what is more than five minutes away",
	"webhook-signature":  "`v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots, in base64; several are separated by blanks",
	"X-Event-Type":       "what happened, as RESOURCE_ACTION",
	"X-Delivery-Attempt": "1 for the first attempt",
}

// webhooks describes what subscribers are sent: each event, in each format. Bodies and
// headers stand there in full: a generator of Go clients forgets components that only
// webhooks refer to.
func (s *schemas) webhooks() object {
	bodies := map[string][]object{}
	for _, format := range webhook.Formats() {
		media := s.sample(event.ProductUpdate, format).ContentType
		bodies[media] = append(bodies[media], s.deliveryBody(format))
	}
	described := object{}
	for _, happened := range append(event.Types(), event.HookTest) {
		content := object{}
		for media, choices := range bodies {
			content[media] = object{"schema": oneChoice(choices), "examples": s.samples(happened, media)}
		}
		described[string(happened)] = object{"post": s.delivery(happened, content)}
	}
	return described
}

func oneChoice(choices []object) object {
	if len(choices) == 1 {
		return choices[0]
	}
	return object{"oneOf": choices}
}

func (s *schemas) delivery(happened event.Type, content object) object {
	var headers []object
	for _, name := range slices.Sorted(maps.Keys(deliveryHeaders)) {
		headers = append(headers, object{"name": name, "in": "header", "required": true, "description": deliveryHeaders[name], "schema": object{"type": "string"}})
	}
	return object{
		"operationId": "on" + titled(strings.Split(webhook.Dotted(happened), ".")...), "tags": []string{"Webhooks"}, "security": []object{},
		"summary":     "Tells subscribers of " + string(happened),
		"description": "Sent to the URL of each webhook with this event among its `origines`, in the `format` of the webhook. Receivers answer within ten seconds.",
		"parameters":  headers,
		"requestBody": object{"required": true, "content": content},
		"responses": object{
			"200": object{"description": "heard"},
			"422": object{"description": "refused for good; the reason is in the body, and is shown beside the resource"},
			"500": object{"description": "this and any other status: tried again, and the webhook suspended after the third retry"},
		},
	}
}

// samples are deliveries of an event in the formats of a media type.
func (s *schemas) samples(happened event.Type, media string) object {
	named := object{}
	for _, format := range webhook.Formats() {
		if payload := s.sample(happened, format); payload.ContentType == media {
			named[string(format)] = object{"value": json.RawMessage(payload.Body)}
		}
	}
	return named
}

// sample returns what the server would send.
func (*schemas) sample(happened event.Type, format webhook.Format) webhook.Payload {
	subject := ""
	if happened == event.ActionCreate {
		subject = event.ProductUpdate.Resource()
	}
	return sampled(happened, subject, format)
}

func sampled(happened event.Type, subject string, format webhook.Format) webhook.Payload {
	d := webhook.Delivery{Site: 1, Event: 225, Message: "evt_1_225", Type: happened, Subject: subject, Resource: 1, At: time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)}
	return format.Payload(d, "https://crm.example"+kernel.BasePath)
}

// deliveryBody returns the schema of a format, read off what the server would send. What
// it leaves out where nobody knows what an action is about is not required.
func (s *schemas) deliveryBody(format webhook.Format) object {
	whole, least := s.decoded(sampled(event.ActionCreate, event.ProductUpdate.Resource(), format)), s.decoded(sampled(event.ActionCreate, "", format))
	schema := s.shape(whole, least)
	schema["title"] = titled(string(format)) + "Delivery"
	return schema
}

func (s *schemas) decoded(p webhook.Payload) (value any) {
	if err := json.Unmarshal(p.Body, &value); err != nil {
		s.fail("a delivery is no JSON: %v", err)
	}
	return value
}

// shape returns the schema of a value, of which least is always there.
func (s *schemas) shape(value, least any) object {
	switch v := value.(type) {
	case map[string]any:
		always, _ := least.(map[string]any)
		properties := object{}
		for name, member := range v {
			property := s.shape(member, always[name])
			if meaning := s.meanings[name]; meaning != "" {
				property["description"] = meaning
			}
			properties[name] = property
		}
		return object{"type": "object", "properties": properties, "required": slices.Sorted(maps.Keys(always))}
	case []any:
		first, _ := least.([]any)
		return object{"type": "array", "items": s.shape(v[0], first[0])}
	case float64:
		return integer()
	case string:
		if _, err := time.Parse(time.RFC3339, v); err == nil {
			return object{"type": "string", "format": "date-time"}
		}
	}
	return object{"type": "string"}
}

// titled joins words as names of types do.
func titled(words ...string) string {
	var name strings.Builder
	for _, word := range words {
		name.WriteString(upperFirst(word))
	}
	return name.String()
}
