package httpapi

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// The bounds of a JSON body besides its size: they keep a small body from
// becoming a large tree.
const (
	maxDepth  = 64
	maxValues = 100_000
)

type kind uint8

const (
	nullNode kind = iota
	boolNode
	numberNode
	stringNode
	arrayNode
	objectNode
)

// node is a JSON value as it was written: numbers keep their digits, objects
// the order of their members and their duplicates. Encoding/json is not used to
// bind requests because it matches keys whatever their case, lets later
// spellings win, and accepts broken UTF-8.
type node struct {
	kind kind
	// name is the key, in a member of an object.
	name string
	// text is the value of a string, the digits of a number, true or false. It
	// is part of the body: clone it to keep it.
	text string
	// list is the items of an array or the members of an object.
	list []node
}

// parseJSON reads exactly one JSON object. Nothing at all is an empty object,
// so that what is missing is told field by field.
func parseJSON(body []byte) (*node, error) {
	if !utf8.Valid(body) {
		return nil, malformed("the body is not valid UTF-8")
	}
	p := parser{text: strings.TrimPrefix(string(body), "\ufeff")} // some editors begin a text with that mark
	p.space()
	if p.at == len(p.text) {
		return &node{kind: objectNode}, nil
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at != len(p.text) {
		return nil, p.wrong(fault.Textf("the end of the body"))
	}
	if root.kind != objectNode {
		return nil, malformed("the body must be a JSON object")
	}
	return &root, nil
}

func malformed(format string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodeMalformedJSON, format, args...)
}

type parser struct {
	text   string
	at     int
	values int
}

func (p *parser) wrong(wanted fault.Text) error {
	if p.at >= len(p.text) {
		return malformed("the body ends where %s should be", wanted)
	}
	return malformed("the body is not JSON: %s should be at byte %d", wanted, p.at)
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// next skips space and takes the byte c if it is there.
func (p *parser) next(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value(depth int) (node, error) {
	if p.values++; p.values > maxValues {
		return node{}, fault.New(fault.TooLarge, fault.CodePayloadTooLarge, "the body has more than %d values", maxValues)
	}
	if depth > maxDepth {
		return node{}, malformed("the body is nested more than %d levels deep", maxDepth)
	}
	p.space()
	if p.at == len(p.text) {
		return node{}, p.wrong(fault.Textf("a value"))
	}
	switch c := p.text[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		text, err := p.quoted()
		return node{kind: stringNode, text: text}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, word := range []node{{kind: nullNode, text: "null"}, {kind: boolNode, text: "true"}, {kind: boolNode, text: "false"}} {
		if strings.HasPrefix(p.text[p.at:], word.text) {
			p.at += len(word.text)
			return word, nil
		}
	}
	return node{}, p.wrong(fault.Textf("a value"))
}

func (p *parser) object(depth int) (node, error) {
	p.at++
	object := node{kind: objectNode}
	if p.next('}') {
		return object, nil
	}
	for {
		if p.space(); p.at == len(p.text) || p.text[p.at] != '"' {
			return node{}, p.wrong(fault.Textf("a key in quotes"))
		}
		name, err := p.quoted()
		if err != nil {
			return node{}, err
		}
		if !p.next(':') {
			return node{}, p.wrong(fault.Textf("a colon"))
		}
		member, err := p.value(depth + 1)
		if err != nil {
			return node{}, err
		}
		member.name = name
		object.list = append(object.list, member)
		if p.next('}') {
			return object, nil
		}
		if !p.next(',') {
			return node{}, p.wrong(fault.Textf("a comma or the end of the object"))
		}
	}
}

func (p *parser) array(depth int) (node, error) {
	p.at++
	array := node{kind: arrayNode}
	if p.next(']') {
		return array, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return node{}, err
		}
		array.list = append(array.list, item)
		if p.next(']') {
			return array, nil
		}
		if !p.next(',') {
			return node{}, p.wrong(fault.Textf("a comma or the end of the array"))
		}
	}
}

func (p *parser) number() (node, error) {
	end := numberEnd(p.text[p.at:])
	if end == 0 {
		return node{}, p.wrong(fault.Textf("a number"))
	}
	text := p.text[p.at : p.at+end]
	p.at += end
	return node{kind: numberNode, text: text}, nil
}

// numberEnd returns the length of the JSON number that text begins with.
func numberEnd(text string) int {
	at := 0
	digits := func() bool {
		from := at
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at++
		}
		return at > from
	}
	one := func(set string) bool {
		if at < len(text) && strings.IndexByte(set, text[at]) >= 0 {
			at++
			return true
		}
		return false
	}
	one("-")
	if !one("0") && !digits() {
		return 0
	}
	if one(".") && !digits() {
		return 0
	}
	if one("eE") {
		one("+-")
		if !digits() {
			return 0
		}
	}
	return at
}

// quoted reads a string. One without escapes is part of the body.
func (p *parser) quoted() (string, error) {
	p.at++
	from := p.at
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			text := p.text[from:p.at]
			p.at++
			return text, nil
		case c == '\\':
			return p.escaped(from)
		case c < ' ':
			return "", malformed("the body is not JSON: a control character inside a string at byte %d", p.at)
		}
		p.at++
	}
	return "", p.wrong(fault.Textf("the end of a string"))
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped reads the rest of a string that began at from and has an escape here.
func (p *parser) escaped(from int) (string, error) {
	out := append([]byte(nil), p.text[from:p.at]...)
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return string(out), nil
		case c < ' ':
			return "", malformed("the body is not JSON: a control character inside a string at byte %d", p.at-1)
		case c != '\\':
			out = append(out, c)
			continue
		}
		if p.at == len(p.text) {
			break
		}
		c = p.text[p.at]
		p.at++
		switch {
		case c == 'u':
			r, ok := p.codePoint()
			if !ok {
				return "", malformed("the body is not JSON: an escape without a character at byte %d", p.at)
			}
			out = utf8.AppendRune(out, r)
		case escapes[c] != 0:
			out = append(out, escapes[c])
		default:
			return "", malformed("the body is not JSON: an unknown escape at byte %d", p.at-1)
		}
	}
	return "", p.wrong(fault.Textf("the end of a string"))
}

// codePoint reads what follows \u; halves of surrogate pairs are no characters.
func (p *parser) codePoint() (rune, bool) {
	first, ok := p.hex4()
	if !ok || !utf16.IsSurrogate(first) {
		return first, ok
	}
	if !strings.HasPrefix(p.text[p.at:], `\u`) {
		return 0, false
	}
	p.at += 2
	second, ok := p.hex4()
	both := utf16.DecodeRune(first, second)
	return both, ok && both != utf8.RuneError
}

func (p *parser) hex4() (rune, bool) {
	if len(p.text)-p.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[p.at:p.at+4], 16, 16)
	if err != nil {
		return 0, false
	}
	p.at += 4
	return rune(n), true
}

// text names the kind in an error message.
func (k kind) text() fault.Text {
	switch k {
	case nullNode:
		return fault.Verbatim("null")
	case boolNode:
		return fault.Textf("a boolean")
	case numberNode:
		return fault.Textf("a number")
	case stringNode:
		return fault.Textf("a string")
	case arrayNode:
		return fault.Textf("an array")
	case objectNode:
		return fault.Textf("an object")
	}
	return fault.Verbatim("")
}
