package httpapi

import (
	"net/url"
	"reflect"
	"regexp"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// pairs reads a query or a form as if it were the JSON object it means, so that
// one set of rules binds them all. Repeated texts become one with commas, as in
// fetch=a&fetch=b or fetch[]=a&fetch[1]=b; of other repeated values the last one wins.
// Unknown names are left out unless they are wanted. What cannot be read of a query is
// noted: a filter that is left out would find more. Of a form the use case says what is
// missing.
func (r *record) pairs(b *binding, encoded string, unknown bool) *node {
	object := &node{kind: objectNode}
	for pair := range strings.SplitSeq(encoded, "&") {
		name, text, err := unescapePair(pair)
		if err != nil && !unknown {
			b.enter(plain(name))
			b.problem(fault.CodeInvalidFormat, "%s has a percent sign that two hexadecimal digits do not follow", b.field())
			b.leave()
		}
		if err != nil || pair == "" {
			continue
		}
		found, known := r.names.find(name)
		if entry := listEntry.FindStringSubmatch(name); !known && entry != nil {
			if found, known = r.names.find(entry[1]); known {
				name = entry[1]
			}
		}
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

// listEntry is how PHP, and clients that follow it, name the entries of a list.
var listEntry = regexp.MustCompile(`^(.+)\[\d*\]$`)

// unescapePair returns a name and a text, or the name as it was sent and why it cannot be
// read.
func unescapePair(pair string) (name, text string, err error) {
	sent, text, _ := strings.Cut(pair, "=")
	if name, err = url.QueryUnescape(sent); err != nil {
		return sent, "", err
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

// typed returns a text as the JSON value it stands for in a field of a kind.
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
