package openapi

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// envelopeName names what is made of a generic type, which has no name of its own:
// a page of records, a list of them, or one.
func envelopeName(schema object) string {
	properties, _ := schema["properties"].(object)
	data, _ := properties["data"].(object)
	items, isList := data["items"].(object)
	switch _, isPage := properties["has_more"]; {
	case isPage:
		return recordName(items) + "Page"
	case isList:
		return recordName(items) + "List"
	default:
		return recordName(data) + "Envelope"
	}
}

// recordName returns the name of a component, or of a simple type.
func recordName(schema object) string {
	if ref, ok := schema["$ref"].(string); ok {
		return ref[strings.LastIndex(ref, "/")+1:]
	}
	return upperFirst(kind(schema))
}

func upperFirst(name string) string { return firstAs(unicode.ToUpper, name) }
func lowerFirst(name string) string { return firstAs(unicode.ToLower, name) }

func firstAs(change func(rune) rune, name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return ""
	}
	return string(change(first)) + name[size:]
}
