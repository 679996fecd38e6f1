package httpapi

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// redactor writes what a trace.Plan lets through of one request, as JSON, and gathers
// which customers the request is about.
type redactor struct {
	out []byte
	// criteria are those of the site.
	criteria  *criteria.Dictionary
	customers []customer.ID
}

// maxName bounds the names of unknown fields, which clients choose.
const maxName = 64

// body returns a body as it is kept. The end of a long one is left out.
func (w *redactor) body(n *node, p *trace.Plan) string {
	w.out = w.out[:0]
	w.value(n, p)
	return w.cut()
}

// cut returns what was written, without what is too much.
func (w *redactor) cut() string {
	const end = "…"
	if len(w.out) <= trace.MaxBody {
		return string(w.out)
	}
	at := trace.MaxBody - len(end)
	for !utf8.RuneStart(w.out[at]) {
		at--
	}
	return string(w.out[:at]) + end
}

// full reports whether whatever is written now would be left out.
func (w *redactor) full() bool { return len(w.out) > trace.MaxBody }

func (w *redactor) value(n *node, p *trace.Plan) {
	switch n.kind {
	case nullNode:
		w.out = append(w.out, "null"...)
	case boolNode:
		w.show(n.text, "boolean", p.ShowsBoolean())
	case numberNode:
		w.mention(n.text, p)
		w.show(n.text, "number", p.ShowsNumber())
	case stringNode:
		w.mention(n.text, p)
		w.text(n.text, p)
	case arrayNode:
		w.array(n, p)
	case objectNode:
		w.object(n, p)
	}
}

// show writes a value that JSON writes without quotes, or how long it is.
func (w *redactor) show(text, what string, shown bool) {
	if shown {
		w.out = append(w.out, text...)
		return
	}
	w.hide(what, len(text))
}

func (w *redactor) text(text string, p *trace.Plan) {
	if !p.ShowsText(text) {
		w.hide("string", utf8.RuneCountInString(text))
		return
	}
	w.quote(text)
}

func (w *redactor) hide(what string, length int) { w.quote(trace.Hidden(what, length)) }

func (w *redactor) quote(text string) { w.out = appendString(w.out, text) }

// mention notes the customer whose id a value is.
func (w *redactor) mention(text string, p *trace.Plan) {
	if !p.NamesCustomers() {
		return
	}
	for part := range strings.SplitSeq(text, ",") {
		w.about(strings.TrimSpace(part))
	}
}

func (w *redactor) about(id string) {
	number, err := strconv.ParseInt(id, 10, 64)
	if err == nil && number > 0 && !slices.Contains(w.customers, customer.ID(number)) {
		w.customers = append(w.customers, customer.ID(number))
	}
}

func (w *redactor) array(n *node, p *trace.Plan) {
	if p.Item() == nil {
		w.hide("array", len(n.list))
		return
	}
	w.out = append(w.out, '[')
	for i := range n.list {
		if w.full() {
			return
		}
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.value(&n.list[i], p.Item())
	}
	w.out = append(w.out, ']')
}

func (w *redactor) object(n *node, p *trace.Plan) {
	if !p.IsObject() {
		w.hide("object", len(n.list))
		return
	}
	if p.HasCriterion() {
		p = w.criterion(n, p)
	}
	w.out = append(w.out, '{')
	for i := range n.list {
		if w.full() {
			return
		}
		if i > 0 {
			w.out = append(w.out, ',')
		}
		member := &n.list[i]
		field, known := fieldOf(p, member.name)
		name := member.name
		if !known {
			name = plain(name[:min(len(name), maxName)])
		}
		w.quote(name)
		w.out = append(w.out, ':')
		w.value(member, field)
	}
	w.out = append(w.out, '}')
}

// fieldOf returns the plan of a field under whatever name requests may give it.
func fieldOf(p *trace.Plan, name string) (of *trace.Plan, known bool) {
	if of, known = p.Field(name); known {
		return of, true
	}
	return p.Field(snakeCase(name))
}

// criterion returns the plan of an object about the criterion that it names.
func (w *redactor) criterion(n *node, p *trace.Plan) *trace.Plan {
	if w.criteria == nil {
		return p
	}
	for i := range n.list {
		if member := &n.list[i]; member.name == "id" && (member.kind == stringNode || member.kind == numberNode) {
			if found, known := w.criteria.Find(member.text); known {
				return p.Of(found)
			}
		}
	}
	return p
}

// query returns a query as it is kept: values that are shown as they were meant, so that
// people can read it.
func (w *redactor) query(p *trace.Plan, raw string) string {
	w.out = w.out[:0]
	for pair := range strings.SplitSeq(raw, "&") {
		name, text, err := unescapePair(pair)
		if err != nil || pair == "" || w.full() {
			continue
		}
		if len(w.out) > 0 {
			w.out = append(w.out, '&')
		}
		field, known := fieldOf(p, name)
		if !known {
			name = plain(name[:min(len(name), maxName)])
		}
		w.mention(text, field)
		if !field.ShowsText(text) {
			text = trace.Hidden("string", utf8.RuneCountInString(text))
		}
		w.out = append(w.out, name+"="+text...)
	}
	return w.cut()
}

// path returns a path as it was routed, with numbers in the places of ids. Other
// parameters stay in braces.
func (w *redactor) path(routed string, vars map[string]string) string {
	for name, text := range vars {
		if !digits.MatchString(text) || len(text) > 18 {
			continue
		}
		if name == customerParameter {
			w.about(text)
		}
		routed = strings.Replace(routed, "{"+name+"}", text, 1)
	}
	return routed
}

// created notes the customer whom an answer says to have been created.
func (w *redactor) created(answer *node) {
	for _, name := range []string{"data", "id"} {
		i := slices.IndexFunc(answer.list, func(n node) bool { return n.name == name })
		if i < 0 {
			return
		}
		answer = &answer.list[i]
	}
	w.about(answer.text)
}

// refusal returns an error as it is kept: its code, and of each detail what may be shown. Details
// beyond what is kept are left out.
func (w *redactor) refusal(code fault.Code, message fault.Text, details []trace.Refusal) string {
	kept := keptRefusal{Error: keptError{Code: code, Details: details}}
	if len(details) == 0 {
		kept.Error.Message = trace.ShownMessage(message)
	}
	var out bytes.Buffer
	for {
		out.Reset()
		_ = appendJSON(&out, kept) // it has texts and numbers alone
		if n := len(kept.Error.Details); out.Len() > trace.MaxBody && n > 0 {
			kept.Error.Details = kept.Error.Details[:n/2]
			continue
		}
		w.out = append(w.out[:0], out.Bytes()...)
		return w.cut()
	}
}

// keptRefusal is what is kept of an answer with an error.
type keptRefusal struct {
	Error keptError `json:"error"`
}

type keptError struct {
	Code    fault.Code      `json:"code"`
	Message string          `json:"message,omitempty"`
	Details []trace.Refusal `json:"details,omitempty"`
}

// refused returns what may be shown of the details of an error.
func (w *redactor) refused(told *fault.Error, k *keeping, sent *node) []trace.Refusal {
	var shown []trace.Refusal
	for _, d := range told.Details {
		at := w.sentAt(sent, k.sent, d.Field)
		plan := k.sent
		if !at.Known {
			if of := w.sentAt(nil, k.query, d.Field); of.Known {
				at, plan = of, k.query
			}
		}
		shown = append(shown, plan.Refused(d, at))
	}
	return shown
}

// sentAt follows the path of a field, such as criteria[2].value, through a body, as far as there is
// one, and its plan.
func (w *redactor) sentAt(n *node, p *trace.Plan, path string) trace.Sent {
	at := trace.Sent{Plan: p}
	for part := range strings.SplitSeq(path, ".") {
		name, places, _ := strings.Cut(part, "[")
		if n != nil && n.kind == objectNode && at.Plan.HasCriterion() {
			at.Plan = w.criterion(n, at.Plan)
		}
		n = memberOf(n, at.Plan, name)
		if at.Plan, at.Known = at.Plan.Field(name); !at.Known {
			return trace.Sent{}
		}
		for place := range strings.SplitSeq(places, "[") {
			i, err := strconv.Atoi(strings.TrimSuffix(place, "]"))
			if err != nil {
				continue
			}
			at.Plan = at.Plan.Item()
			if n != nil && n.kind == arrayNode && i >= 0 && i < len(n.list) {
				n = &n.list[i]
			} else {
				n = nil
			}
		}
	}
	if n != nil && n.kind != arrayNode && n.kind != objectNode {
		at.Text = n.text
	}
	return at
}

// memberOf returns the member of an object with the name of a field, under whatever spelling; nil if
// there is none.
func memberOf(n *node, p *trace.Plan, name string) *node {
	if n == nil || n.kind != objectNode {
		return nil
	}
	of, _ := p.Field(name)
	for i := range n.list {
		member := &n.list[i]
		if field, known := fieldOf(p, member.name); member.name == name || snakeCase(member.name) == name || known && of != nil && field == of {
			return member
		}
	}
	return nil
}
