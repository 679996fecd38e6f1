// Package openapi writes the OpenAPI 3.1 document of the table of operations,
// and serves it as an interactive page.
//
// The schemas are reflected from the records by a small reflector of its own:
// what makes these records special (a field that may be absent or null, an answer
// named before it is built, a choice of records, fields embedded by pointer) is
// just what a general reflector gets wrong.
package openapi

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// object is a JSON object; encoding/json writes its keys in order.
type object = map[string]any

// Info is what the table of operations does not know.
type Info struct {
	// Title names the service.
	Title string
	// Description introduces it, in Markdown.
	Description string
	// Server is where it is, such as https://crm.example; "/" by default.
	Server string
	// License is the SPDX identifier of the licence of the document, if it has one.
	License string
	// Examples are what was sent to operations and what they answered, by their ID.
	Examples map[string]Example
}

// Example is the body of a request, or the fields of a form, and that of the answer.
type Example struct {
	Request json.RawMessage `json:"request,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

// within returns the example as a part of what a body is.
func within(content object, example json.RawMessage) object {
	if len(example) > 0 {
		content["example"] = example
	}
	return content
}

func (i Info) object() object {
	described := object{"title": i.Title, "description": i.Description, "version": kernel.ContractVersion}
	if i.License != "" {
		described["license"] = object{"name": i.License, "identifier": i.License}
	}
	return described
}

// Document returns the OpenAPI 3.1 document of the operations that need a token,
// below kernel.BasePath, and of those that hand tokens out, at the root.
func Document(info Info, operations, tokens []kernel.Operation) ([]byte, error) {
	if info.Server == "" {
		info.Server = "/"
	}
	paths, schemas := object{}, newSchemas()
	schemas.meanings, schemas.examples = fieldMeanings(), info.Examples
	add := func(prefix string, table []kernel.Operation) {
		for _, o := range table {
			path, _ := paths[prefix+o.Path].(object)
			if path == nil {
				path = object{}
				paths[prefix+o.Path] = path
			}
			path[strings.ToLower(o.Method)] = schemas.operation(o)
		}
	}
	add(kernel.BasePath, operations)
	add("", tokens)
	maps.Copy(paths, pages())
	schemas.addErrors()
	schemas.addChangelog()
	webhooks := schemas.webhooks()
	if schemas.err != nil {
		return nil, schemas.err
	}
	document, err := json.MarshalIndent(object{
		"openapi":  "3.1.0",
		"info":     info.object(),
		"servers":  []object{{"url": info.Server}},
		"tags":     tags(operations, tokens),
		"paths":    paths,
		"webhooks": webhooks,
		"components": object{
			"schemas":    schemas.components,
			"parameters": parameters(),
			"responses":  errorResponses(),
			"headers":    headers(),
			"securitySchemes": object{
				"bearerAuth": object{"type": "http", "scheme": "bearer", "description": "an access token, bound to one site"},
				"apiKeyAuth": object{"type": "apiKey", "in": "header", "name": "X-Api-Key", "description": "an API key, bound to one site and to some packs; never beside a bearer token"},
				"basicAuth":  object{"type": "http", "scheme": "basic", "description": "client id and client secret"},
			},
		},
	}, "", " ")
	return append(document, '\n'), err
}
