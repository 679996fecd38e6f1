package httpapi

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// maxProblems bounds the problems in one answer: a body with a hundred thousand mistakes
// must not cause a larger answer.
const maxProblems = 100

// binding is the state of reading one request: the place in it, and what was found.
type binding struct {
	path     []step
	problems fault.Problems
	count    int
	// strict: unknown members are refused.
	strict bool
	// ignored are names that had no effect, deprecated those that are deprecated.
	ignored, deprecated []string
}

// step is one part of a field's path: a name, or a place in an array.
type step struct {
	name  string
	index int
}

// field returns the path of what is being read, such as criteria[2].value.
func (b *binding) field() string {
	var path strings.Builder
	for i, s := range b.path {
		switch {
		case s.name == "":
			path.WriteString("[" + strconv.Itoa(s.index) + "]")
		case i > 0:
			path.WriteString("." + s.name)
		default:
			path.WriteString(s.name)
		}
	}
	return path.String()
}

func (b *binding) enter(name string) { b.path = append(b.path, step{name: name}) }
func (b *binding) leave()            { b.path = b.path[:len(b.path)-1] }

func (b *binding) problem(code fault.Code, format string, args ...any) {
	if b.count++; b.count <= maxProblems {
		b.problems.Add(b.field(), code, format, args...)
	}
}

func (b *binding) wrongType(wanted fault.Text, got *node) {
	b.problem(fault.CodeInvalidType, "%s must be %s, not %s", b.field(), wanted, got.kind.text())
}

// ignore notes a member of the present object that has no effect. Places in arrays are left
// out, so that the same typo in every room is reported once.
func (b *binding) ignore(name string) {
	const most = 20
	if len(b.ignored) >= most {
		return
	}
	for i := len(b.path) - 1; i >= 0; i-- {
		if b.path[i].name != "" {
			name = b.path[i].name + "." + name
		}
	}
	if name = plain(name); !slices.Contains(b.ignored, name) {
		b.ignored = append(b.ignored, name)
	}
}

// pages reports whether a member of the body pages or sorts a search. A count takes the same
// body as the search and ignores these, which is no mistake.
func (b *binding) pages(name string) bool {
	return len(b.path) == 0 && slices.Contains([]string{"sort_type", "sort_order", "cursor", "skip", "count"}, cmp.Or(snakeCase(name), name))
}

// refuse notes a member of the present object that is none of its fields. It proposes a field
// that is spelt almost alike, or else one whose description has the name in it.
func (b *binding) refuse(name string, r *record) {
	if b.count++; b.count > maxProblems {
		return
	}
	meant := strings.ToLower(name[:min(len(name), 100)])
	var fields []string
	mentions := ""
	for _, f := range r.fields {
		fields = append(fields, f.name)
		said := strings.FieldsFunc(f.doc, func(r rune) bool { return !unicode.IsLetter(r) })
		if slices.Contains(said, meant) && (mentions == "" || len(f.doc) < len(r.named(mentions).doc)) {
			mentions = f.name
		}
	}
	spelt, away := form.Nearest(meant, slices.Sorted(maps.Keys(r.names)))
	nearest := r.named(spelt).name
	if mentions != "" && 3*away > len(spelt) {
		nearest = mentions
	}
	name = strings.ToValidUTF8(name[:min(len(name), 100)], "")
	b.enter(name)
	b.problems.Append(fault.Detail{
		Field: b.field(), Code: fault.CodeUnknownFilter, Message: fault.Textf("%s does not exist here; the nearest field is %s", b.field(), nearest), Accepted: fields,
	})
	b.leave()
}

// deprecate notes a deprecated name, in camelCase as documented.
func (b *binding) deprecate(name string) {
	if !slices.Contains(b.deprecated, name) {
		b.deprecated = append(b.deprecated, strings.Clone(name))
	}
}

// plain returns a name with what a header cannot have replaced.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '.':
			return r
		}
		return '?'
	}, name)
}

// binder stores a JSON value in a Go value, or notes a problem.
type binder func(b *binding, n *node, v reflect.Value)

func bindString(b *binding, n *node, v reflect.Value) {
	if n.kind != stringNode {
		b.wrongType(fault.Textf("a string"), n)
		return
	}
	if b.clean(n.text) {
		v.SetString(strings.Clone(n.text))
	}
}

// bindText reads a string, or a number as the text that it was sent as.
func bindText(b *binding, n *node, v reflect.Value) {
	if n.kind == numberNode {
		v.SetString(strings.Clone(n.text))
		return
	}
	bindString(b, n, v)
}

// clean notes a problem for text that some stores cannot keep, and reports whether there is
// none.
func (b *binding) clean(text string) bool {
	switch {
	case strings.IndexByte(text, 0) >= 0:
		b.problem(fault.CodeInvalidFormat, "%s cannot contain the character U+0000", b.field())
		return false
	case !utf8.ValidString(text):
		b.problem(fault.CodeInvalidFormat, "%s must be valid UTF-8", b.field())
		return false
	}
	return true
}

func bindBool(b *binding, n *node, v reflect.Value) {
	if n.kind != boolNode {
		b.wrongType(fault.Textf("true or false"), n)
		return
	}
	v.SetBool(n.text == "true")
}

var (
	wholeNumber = regexp.MustCompile(`^-?\d+(\.0+)?$`)
	digits      = regexp.MustCompile(`^\d+$`)
	decimal     = regexp.MustCompile(`^[+-]?\d+(\.\d+)?$`)
)

// bindInt reads an integer: a JSON number that is whole, or a string of digits.
func bindInt(b *binding, n *node, v reflect.Value) {
	if n.kind == numberNode && wholeNumber.MatchString(n.text) || n.kind == stringNode && digits.MatchString(n.text) {
		b.setInt(n.text, v)
		return
	}
	if n.kind == numberNode || n.kind == stringNode {
		b.problem(fault.CodeInvalidType, "%s must be an integer", b.field())
		return
	}
	b.wrongType(fault.Textf("an integer"), n)
}

func (b *binding) setInt(text string, v reflect.Value) {
	whole, _, _ := strings.Cut(text, ".")
	i, err := strconv.ParseInt(whole, 10, v.Type().Bits())
	if err != nil {
		b.problem(fault.CodeOutOfRange, "%s is too large an integer", b.field())
		return
	}
	v.SetInt(i)
}

// bindFloat reads a number, or a string with a decimal point.
func bindFloat(b *binding, n *node, v reflect.Value) {
	switch {
	case n.kind == numberNode, n.kind == stringNode && decimal.MatchString(n.text):
		f, err := strconv.ParseFloat(n.text, 64)
		if err != nil || math.IsInf(f, 0) {
			b.problem(fault.CodeOutOfRange, "%s is too large a number", b.field())
			return
		}
		v.SetFloat(f)
	case n.kind == stringNode:
		b.problem(fault.CodeInvalidType, "%s must be a number", b.field())
	default:
		b.wrongType(fault.Textf("a number"), n)
	}
}

// bindRaw reads any value, whose type the criterion decides later.
func bindRaw(b *binding, n *node, v reflect.Value) {
	v.Set(reflect.ValueOf(criteria.Raw{V: b.raw(n)}))
}

func (b *binding) raw(n *node) any {
	switch n.kind {
	case nullNode:
		return nil
	case boolNode:
		return n.text == "true"
	case numberNode:
		return criteria.Literal(strings.Clone(n.text))
	case stringNode:
		if !b.clean(n.text) {
			return nil
		}
		return strings.Clone(n.text)
	case arrayNode:
		items := make([]any, len(n.list))
		for i := range n.list {
			items[i] = b.raw(&n.list[i])
		}
		return items
	case objectNode:
		// No criterion takes an object: what is in it does not matter.
		return map[string]any{}
	}
	return nil
}

// bindObject reads an object and keeps it as JSON.
func bindObject(b *binding, n *node, v reflect.Value) {
	if n.kind != objectNode {
		b.wrongType(fault.Textf("an object"), n)
		return
	}
	object := kernel.Object{Text: string(b.write(nil, n))}
	for i := range n.list {
		object.Members = append(object.Members, kernel.Member{Name: strings.Clone(n.list[i].name), Text: string(b.writeMember(nil, &n.list[i]))})
	}
	v.Set(reflect.ValueOf(object))
}

// write returns a value as JSON.
func (b *binding) write(out []byte, n *node) []byte {
	switch n.kind {
	case nullNode:
		return append(out, "null"...)
	case stringNode:
		return append(out, b.quoted(n.text)...)
	case arrayNode:
		out = append(out, '[')
		for i := range n.list {
			if i > 0 {
				out = append(out, ',')
			}
			out = b.write(out, &n.list[i])
		}
		return append(out, ']')
	case objectNode:
		out = append(out, '{')
		for i := range n.list {
			if i > 0 {
				out = append(out, ',')
			}
			out = b.writeMember(out, &n.list[i])
		}
		return append(out, '}')
	case boolNode, numberNode:
	}
	return append(out, n.text...)
}

// writeMember returns a member of an object as JSON.
func (b *binding) writeMember(out []byte, n *node) []byte {
	return b.write(append(append(out, b.quoted(n.name)...), ':'), n)
}

func (b *binding) quoted(text string) []byte {
	b.clean(text)
	quoted, _ := json.Marshal(text) // a string always can be
	return quoted
}

// bindIDs reads ids as an array, or as one string with commas between them.
func bindIDs(b *binding, n *node, v reflect.Value) {
	switch n.kind {
	case arrayNode:
		bindList(bindInt)(b, n, v)
	case stringNode:
		if strings.TrimSpace(n.text) == "" {
			return
		}
		parts := strings.Split(n.text, ",")
		ids := reflect.MakeSlice(v.Type(), len(parts), len(parts))
		for i, part := range parts {
			if part = strings.TrimSpace(part); !digits.MatchString(part) {
				b.problem(fault.CodeInvalidType, "%s must be integers separated by commas", b.field())
				return
			}
			b.setInt(part, ids.Index(i))
		}
		v.Set(ids)
	default:
		b.wrongType(fault.Textf("an array of integers, or a string of integers separated by commas"), n)
	}
}

// bindCodes reads an array of codes, or a single one.
func bindCodes(b *binding, n *node, v reflect.Value) {
	switch n.kind {
	case arrayNode:
		bindList(bindString)(b, n, v)
	case stringNode:
		v.Set(reflect.ValueOf(kernel.Codes{n.text}))
	default:
		b.wrongType(fault.Textf("a code, or an array of codes"), n)
	}
}

// bindList reads an array.
func bindList(item binder) binder {
	return func(b *binding, n *node, v reflect.Value) {
		if n.kind != arrayNode {
			b.wrongType(fault.Textf("an array"), n)
			return
		}
		items := reflect.MakeSlice(v.Type(), len(n.list), len(n.list))
		for i := range n.list {
			b.path = append(b.path, step{index: i})
			item(b, &n.list[i], items.Index(i))
			b.leave()
		}
		v.Set(items)
	}
}

// bindMap reads an object with any keys, each at most once.
func bindMap(b *binding, n *node, v reflect.Value) {
	if n.kind != objectNode {
		b.wrongType(fault.Textf("an object"), n)
		return
	}
	values := make(map[string]string, len(n.list))
	for i := range n.list {
		member := &n.list[i]
		b.enter(member.name)
		_, twice := values[member.name]
		switch {
		case twice:
			b.problem(fault.CodeAmbiguousField, "%s is present twice", b.field())
		case member.kind != stringNode:
			b.wrongType(fault.Textf("a string"), member)
		case b.clean(member.name) && b.clean(member.text):
			values[strings.Clone(member.name)] = strings.Clone(member.text)
		}
		b.leave()
	}
	v.Set(reflect.ValueOf(values).Convert(v.Type()))
}

// bindOpt reads a field that may be absent, null or have a value.
func bindOpt(value binder) binder {
	return func(b *binding, n *node, v reflect.Value) {
		v.FieldByName("Set").SetBool(true)
		if n.kind == nullNode {
			v.FieldByName("Null").SetBool(true)
			return
		}
		value(b, n, v.FieldByName("Value"))
	}
}
