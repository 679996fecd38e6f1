package openapi

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// pages describes what a server shows besides the operations, to everybody: it needs
// no token and counts towards no limit.
func pages() object {
	text := object{"type": "string"}
	parameter := func(in, name, description string, schema object) object {
		return object{"in": in, "name": name, "required": in == "path", "description": description, "schema": schema}
	}
	read := func(id, tag, summary string, parameters []object, content object, faults ...fault.Kind) object {
		responses := object{
			"200": object{"description": http.StatusText(http.StatusOK), "headers": object{"X-Request-Id": headerRef("X-Request-Id")}, "content": content},
		}
		for _, e := range errorStatuses {
			if slices.Contains(faults, e.kind) {
				responses[strconv.Itoa(e.status)] = object{"$ref": "#/components/responses/" + e.name}
			}
		}
		return object{"get": object{
			"operationId": id, "tags": []string{tag}, "summary": summary, "security": []object{}, "parameters": parameters, "responses": responses,
		}}
	}
	image := object{"schema": object{"type": "string", "format": "binary"}}
	return object{
		listing.PhotosPath + "/{site}/{product}/{file}": read("getPhoto", "Products", "Read a picture itself, under the URL of its record", []object{
			parameter("path", "site", "id of the site", integer()), parameter("path", "product", "id of the product", integer()),
			parameter("path", "file", "name of the file, which no other picture has", text),
			parameter("query", "expires", "of a private picture: when the URL ends to be good", text),
			parameter("query", "signature", "of a private picture: proves who was given the URL", text),
		}, object{"image/jpeg": image, "image/png": image, "image/webp": image}, fault.Forbidden, fault.NotFound, fault.Unavailable),
		"/changelog": read("getChangelog", "Configs", "Read what changed in which version of the contract", []object{
			parameter("query", "format", "`md` is Markdown", object{"type": "string", "enum": []string{"md", "json"}}),
		}, object{
			"application/json": object{"schema": object{"$ref": "#/components/schemas/Changelog"}},
			"text/markdown":    object{"schema": text},
		}, fault.NotFound),
	}
}

// addChangelog describes the answer of /changelog.
func (s *schemas) addChangelog() {
	lines := func(what string) object {
		return object{"type": "array", "items": object{"type": "string"}, "description": what}
	}
	release := object{
		"version": object{"type": "string", "description": "version of the contract"},
		"date":    object{"type": "string", "format": "date", "description": "day of the release"},
	}
	required := []string{"version", "date"}
	for _, category := range []string{"added", "changed", "deprecated", "removed", "fixed", "security"} {
		release[category] = lines("what was " + category)
		required = append(required, category)
	}
	release["security"] = lines("what makes it more secure")
	s.components["Release"] = object{"type": "object", "properties": release, "required": required}
	s.components["Changelog"] = object{"type": "object", "required": []string{"data"}, "properties": object{
		"data": object{"type": "array", "items": object{"$ref": "#/components/schemas/Release"}, "description": "releases, the latest first"},
	}}
}
