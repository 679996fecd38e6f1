package webhook

import (
	"fmt"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/event"
)

// Payload is the body of a delivery and its content type.
type Payload struct {
	ContentType string
	Body        []byte
}

const (
	plainJSON  = "application/json"
	cloudJSON  = "application/cloudevents+json"
	timestamps = "2006-01-02T15:04:05.000Z"
)

// Payload writes a delivery in a format. It carries ids and a time and nothing
// about anybody, and no character that JSON would want escaped. base is the
// {base_url} of the API.
func (f Format) Payload(d Delivery, base string) Payload {
	at := d.At.UTC().Format(timestamps)
	plain := fmt.Sprintf(`{"event_type":%q,"resource_id":%d,"timestamp":%q}`, d.Type, d.Resource, at)
	switch f {
	case Standard:
		return Payload{plainJSON, fmt.Appendf(nil, `{"type":%q,"timestamp":%q,"data":{"id":%d%s}}`,
			Dotted(d.Type), at, d.Resource, d.kindAs("resource_type"))}
	case CloudEvents:
		return Payload{cloudJSON, fmt.Appendf(nil,
			`{"specversion":"1.0","id":%q,"source":%q,"type":%q,"subject":"%d"%s,"time":%q,"datacontenttype":"application/json","data":%s}`,
			d.Message, base, Dotted(d.Type), d.Resource, d.kindAs("resourcetype"), at, plain)}
	case RESO:
		return Payload{plainJSON, fmt.Appendf(nil,
			`{"@reso.context":"urn:reso:metadata:2.0:resource:entityevent","value":[{"EntityEventSequence":%d,"ResourceName":%q,"ResourceRecordKey":"%d"}]}`,
			d.Event, resoName(d.Type), d.Resource)}
	default:
		return Payload{plainJSON, []byte(plain)}
	}
}

// kindAs returns a further field that says which kind of resource the id is of, such as
// product; nothing where nobody knows, as of actions that were recorded before
// events said it.
func (d Delivery) kindAs(field string) string {
	kind := event.KindOf(d.Type, d.Subject)
	if kind == "" {
		return ""
	}
	return fmt.Sprintf(`,%q:%q`, field, strings.ToLower(kind))
}

// Dotted returns the name of an event as other systems write it: product.update.
func Dotted(t event.Type) string { return strings.ToLower(strings.Replace(string(t), "_", ".", 1)) }

// resoName returns the resource of the RESO data dictionary an event is about.
func resoName(t event.Type) string {
	switch t.Resource() {
	case event.ProductUpdate.Resource():
		return "Property"
	case event.CustomerUpdate.Resource():
		return "Contacts"
	case event.UserUpdate.Resource():
		return "Member"
	case event.AgencyUpdate.Resource():
		return "Office"
	case event.CriteriaUpdate.Resource():
		return "Field"
	}
	return t.Resource()
}
