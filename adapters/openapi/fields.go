package openapi

import (
	_ "embed"
	"reflect"
	"strconv"
	"strings"
)

// fieldsText says what fields mean wherever they have a name, a line each. A doc tag
// of a field says what it means there instead.
//
//go:embed fields.txt
var fieldsText string

// fieldMeanings returns the lines of fieldsText, by name.
func fieldMeanings() map[string]string {
	meanings := map[string]string{}
	for line := range strings.Lines(fieldsText) {
		name, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		meanings[name] = meaning
	}
	return meanings
}

// documented returns the tag of a field, with what its name means when the tag does not
// say it.
func (s *schemas) documented(tag reflect.StructTag, name string) reflect.StructTag {
	meaning := s.meanings[name]
	if meaning == "" || tag.Get("doc") != "" {
		return tag
	}
	return tag + reflect.StructTag(" doc:"+strconv.Quote(meaning))
}
