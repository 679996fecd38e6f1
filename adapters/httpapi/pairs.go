package httpapi

import (
	"net/url"
	"reflect"
	"strings"
)

// pairs reads a query or a form as if it were the JSON object it means, so that
// one set of rules binds them all. Repeated texts become one with commas, as in
// fetch=a&fetch=b; of other repeated values the last one wins. Unknown names are
// left out unless they are wanted.
func (r *record) pairs(encoded string, unknown bool) *node {
	object := &node{kind: objectNode}
	for pair := range strings.SplitSeq(encoded, "&") {
		name, text, err := unescapePair(pair)
		if err != nil || pair == "" {
			continue
		}
		found, known := r.names.find(name)
		switch {
		case !known && unknown:
			object.list = append(object.list, node{kind: stringNode, name: name, text: text})
		case known && !r.joined(object.list, found.field, name, text):
			member := typed(r.fields[found.field].kind, text)
			member.name = name
			object.list = append(object.list, member)
		}
	}
	return object
}

func unescapePair(pair string) (name, text string, err error) {
	name, text, _ = strings.Cut(pair, "=")
	if name, err = url.QueryUnescape(name); err != nil {
		return "", "", err
	}
	text, err = url.QueryUnescape(text)
	return name, text, err
}

// joined adds a repeated text to the one before.
func (r *record) joined(members []node, field int, name, text string) bool {
	if r.fields[field].kind != reflect.String {
		return false
	}
	for i := range members {
		if members[i].name == name {
			members[i].text += "," + text
			return true
		}
	}
	return false
}

// typed is a text as the JSON value it stands for in a field of a kind.
func typed(kind reflect.Kind, text string) node {
	if kind == reflect.Bool {
		switch text {
		case "1", "true":
			return node{kind: boolNode, text: "true"}
		case "0", "false":
			return node{kind: boolNode, text: "false"}
		}
	}
	if number := kind == reflect.Int || kind == reflect.Int64 || kind == reflect.Float64; number && text != "" && numberEnd(text) == len(text) {
		return node{kind: numberNode, text: text}
	}
	return node{kind: stringNode, text: text}
}
