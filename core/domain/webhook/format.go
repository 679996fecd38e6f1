package webhook

import "slices"

// Format names the shape of payloads.
type Format string

// The formats. Default is the contract's: event_type, resource_id, timestamp.
const (
	Default     Format = "default"
	Standard    Format = "standard"
	CloudEvents Format = "cloudevents"
	RESO        Format = "reso"
)

// Formats lists the formats.
func Formats() []Format { return []Format{Default, Standard, CloudEvents, RESO} }

// ParseFormat reads the name of a format; "" is the default.
func ParseFormat(name string) (Format, bool) {
	if name == "" {
		return Default, true
	}
	return Format(name), slices.Contains(Formats(), Format(name))
}
