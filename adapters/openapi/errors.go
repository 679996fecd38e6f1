package openapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// errorStatus is a status other than success, and where it occurs.
type errorStatus struct {
	status int
	name   string
	kind   fault.Kind
	header string
	occurs func(o siteapi.Operation, from sources) bool
}

func always(siteapi.Operation, sources) bool { return true }

var errorStatuses = []errorStatus{
	{400, "Unrecognised", fault.Unrecognised, "", func(o siteapi.Operation, _ sources) bool { return o.ID == "product.update" }},
	{401, "Unauthenticated", fault.Unauthenticated, "WWW-Authenticate", always},
	{403, "Forbidden", fault.Forbidden, "", func(o siteapi.Operation, _ sources) bool { return o.ID != "token.revoke" }},
	{404, "NotFound", fault.NotFound, "", func(o siteapi.Operation, from sources) bool { return from.path || o.ID == "token.site" }},
	{409, "Conflict", fault.Conflict, "", func(o siteapi.Operation, _ sources) bool {
		return o.Repeatable() || slices.Contains([]string{"hook.auth.delete", "customer.delete", "customer.update", "search.update", "followup.update"}, o.ID)
	}},
	{412, "PreconditionFailed", fault.Stale, "", func(_ siteapi.Operation, from sources) bool { return from.match }},
	{413, "PayloadTooLarge", fault.TooLarge, "", func(_ siteapi.Operation, from sources) bool { return from.json || from.form || from.file }},
	{415, "UnsupportedMediaType", fault.Unsupported, "", func(_ siteapi.Operation, from sources) bool { return from.json || from.file }},
	{422, "Invalid", fault.Invalid, "", func(o siteapi.Operation, from sources) bool {
		return from.json || from.form || from.file || from.query || o.Repeatable()
	}},
	{429, "TooManyRequests", fault.Limited, "Retry-After", always},
	{500, "InternalError", fault.Internal, "", always},
	{503, "Unavailable", fault.Unavailable, "Retry-After", always},
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
		found := object{"X-Request-Id": headerRef("X-Request-Id"), "X-Contract-Version": headerRef("X-Contract-Version")}
		if e.header != "" {
			found[e.header] = headerRef(e.header)
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
	text := object{"type": "string"}
	s.components["Error"] = object{
		"type": "object", "required": []string{"error", "request_id"},
		"properties": object{
			"error": object{
				"type": "object", "required": []string{"code", "message"},
				"properties": object{
					"code":    object{"type": "string", "description": "stable; more may be added"},
					"message": object{"type": "string", "description": "for people"},
					"details": object{"type": "array", "items": object{"$ref": "#/components/schemas/ErrorDetail"}},
				},
			},
			"request_id": object{"type": "string", "format": "uuid", "description": "equal to X-Request-Id"},
		},
	}
	s.components["ErrorDetail"] = object{
		"type": "object", "required": []string{"field", "code", "message"},
		"properties": object{
			"field": object{"type": "string", "description": "path of the field, such as criteria[2].value"},
			"code":  text, "message": text,
			"value":           object{"description": "the offending value, when it helps"},
			"accepted_values": object{"type": "array", "items": text},
		},
	}
}
