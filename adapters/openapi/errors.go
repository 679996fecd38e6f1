package openapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// errorStatus is a status other than success, and where it occurs.
type errorStatus struct {
	status int
	name   string
	kind   fault.Kind
	header string
	occurs func(o kernel.Operation, from sources) bool
}

func always(kernel.Operation, sources) bool { return true }
func never(kernel.Operation, sources) bool  { return false }

var errorStatuses = []errorStatus{
	{308, "Moved", fault.Moved, "Location", always},
	{400, "Unrecognised", fault.Unrecognised, "", never},
	{401, "Unauthenticated", fault.Unauthenticated, "WWW-Authenticate", always},
	{403, "Forbidden", fault.Forbidden, "", always},
	{404, "NotFound", fault.NotFound, "", func(_ kernel.Operation, from sources) bool { return from.path }},
	{409, "Conflict", fault.Conflict, "", func(o kernel.Operation, _ sources) bool { return o.Repeatable() }},
	{410, "Gone", fault.Gone, "", func(o kernel.Operation, _ sources) bool { return strings.HasPrefix(o.Path, "/customers/{") }},
	{412, "PreconditionFailed", fault.Stale, "", func(_ kernel.Operation, from sources) bool { return from.match }},
	{413, "PayloadTooLarge", fault.TooLarge, "", func(_ kernel.Operation, from sources) bool { return from.json || from.form || from.file }},
	{415, "UnsupportedMediaType", fault.Unsupported, "", always},
	{422, "Invalid", fault.Invalid, "", func(o kernel.Operation, from sources) bool {
		return from.json || from.form || from.file || from.query || o.Repeatable()
	}},
	{429, "TooManyRequests", fault.Limited, "Retry-After", always},
	{500, "InternalError", fault.Internal, "", always},
	{503, "Unavailable", fault.Unavailable, "Retry-After", always},
}

// comesFrom reports whether an operation can answer with the status: because of
// its parameters, or because it says so itself.
func (e errorStatus) comesFrom(o kernel.Operation, from sources) bool {
	return e.occurs(o, from) || slices.Contains(o.Faults, e.kind)
}

// errorResponses describes each error status with the codes it comes with.
func errorResponses() object {
	responses := object{}
	for _, e := range errorStatuses {
		var codes []string
		for _, entry := range fault.Catalogue() {
			if slices.Contains(entry.Kinds, e.kind) {
				codes = append(codes, "`"+string(entry.Code)+"`: "+entry.Meaning)
			}
		}
		found := object{}
		for _, name := range []string{"X-Request-Id", "X-Contract-Version", "Content-Language"} {
			found[name] = headerRef(name)
		}
		if e.header != "" {
			found[e.header] = headerRef(e.header)
		}
		if e.kind == fault.Limited {
			addLimits(found)
		}
		responses[e.name] = object{
			"description": http.StatusText(e.status) + "\n\n- " + strings.Join(codes, "\n- "),
			"headers":     found,
			"content":     object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Error"}}},
		}
	}
	return responses
}

// addErrors describes the one shape of errors.
func (s *schemas) addErrors() {
	text := func(description string) object { return object{"type": "string", "description": description} }
	message := text("for people; it may change. In English, or in French where Accept-Language prefers it")
	s.components["Error"] = object{
		"type": "object", "required": []string{"error", "request_id"},
		"properties": object{
			"error": object{
				"type": "object", "required": []string{"code", "message"}, "description": "what went wrong",
				"properties": object{
					"code":    text("stable; more may be added"),
					"message": message,
					"details": object{"type": "array", "description": "what is wrong with the request, field by field", "items": object{"$ref": "#/components/schemas/ErrorDetail"}},
				},
			},
			"request_id": object{"type": "string", "format": "uuid", "description": "equal to X-Request-Id"},
		},
	}
	s.components["ErrorDetail"] = object{
		"type": "object", "required": []string{"field", "code", "message"},
		"properties": object{
			"field":           text("path of the field, such as criteria[2].value"),
			"code":            text("stable; more may be added"),
			"message":         message,
			"value":           object{"description": "the offending value, when it helps"},
			"accepted_values": object{"type": "array", "description": "what would have been accepted", "items": object{"type": "string"}},
		},
	}
}
