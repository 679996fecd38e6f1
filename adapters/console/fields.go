package console

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// form is what a form shows: what was typed, or what there is, and what is wrong
// with it.
type form struct {
	// typed is nil before anything was sent.
	typed url.Values
	// unsaved is what was typed over a record that somebody else has changed meanwhile:
	// the form then has what there is now, and says next to it what was typed.
	unsaved url.Values
	wrong   []wrong
	// Summary are the problems of no field that was asked for, in the form as such.
	Summary []wrong
}

// wrong is a problem as the API says it.
type wrong struct {
	field         string
	Code, Message string
}

// newForm returns a form as it was sent, with why it was refused; both are nil for one
// that is shown for the first time.
func newForm(typed url.Values, refused error) form {
	f := form{typed: typed}
	var known *fault.Error
	switch {
	case refused == nil:
	case errors.Is(refused, fault.Stale):
		f.typed, f.unsaved = nil, typed
		f.wrong = []wrong{{"", string(fault.From(refused).Code), overtaken}}
	case errors.As(refused, &known) && len(known.Details) > 0:
		for _, d := range known.Details {
			f.wrong = append(f.wrong, wrong{d.Field, string(d.Code), naming(typed, d.Field, toOperators(d.Code, d.Message))})
		}
	default:
		known = fault.From(refused)
		f.wrong = []wrong{{"", string(known.Code), toOperators(known.Code, known.Message)}}
	}
	f.Summary = f.wrong
	return f
}

// numberedField is a field of which there are several, such as origines[2].
var numberedField = regexp.MustCompile(`^(\w+)\[(\d+)\]$`)

// naming returns what is wrong with a field, with what was typed if there are several of it
// and the message does not say which.
func naming(typed url.Values, field, message string) string {
	parts := numberedField.FindStringSubmatch(field)
	if parts == nil {
		return message
	}
	i, _ := strconv.Atoi(parts[2])
	value := nth(typed[parts[1]], i)
	if value == "" || strings.Contains(message, value) {
		return message
	}
	return value + ": " + message
}

// overtaken is what somebody is told whose form was about a state that is over.
const overtaken = "Somebody else changed this while you had it open. It is shown as it is now; what you had typed stands beside it."

// withUnsaved returns the hint of a field, with what had been typed where it is not what the
// field has now.
func (f *form) withUnsaved(hint, typed, now string) string {
	if f.unsaved == nil || typed == now {
		return hint
	}
	return strings.TrimSpace(hint + " You had: " + cmp.Or(typed, "nothing") + ".")
}

// value returns what was typed into a field, or what it has at first.
func (f *form) value(name, first string) string {
	if f.typed == nil {
		return first
	}
	return f.typed.Get(name)
}

// chosen returns what was ticked, or what is ticked at first.
func (f *form) chosen(name string, first []string) []string {
	if f.typed == nil {
		return first
	}
	return f.typed[name]
}

// problem returns the first thing wrong with a field, and takes it out of the summary:
// it is said at the field. A field that is about several parts of a request, such as
// origines and origines[2], has the problems of all.
func (f *form) problem(names ...string) *wrong {
	var found *wrong
	var rest []wrong
	for _, w := range f.Summary {
		if !about(w.field, names) {
			rest = append(rest, w)
		} else if found == nil {
			found = &w
		}
	}
	f.Summary = rest
	return found
}

func about(field string, names []string) bool {
	for _, name := range names {
		tail, found := strings.CutPrefix(field, name)
		if found && (tail == "" || tail[0] == '[' || tail[0] == '.') {
			return true
		}
	}
	return false
}

// about returns what is wrong with a field, by the name that people see: the API begins with
// the one that programs use.
func (w *wrong) about(name, label string) *wrong {
	if w == nil {
		return nil
	}
	if rest, begins := strings.CutPrefix(w.Message, name+" "); begins {
		w.Message = label + " " + rest
	}
	return w
}

// field is one field of a form, as the template "field" shows it.
type field struct {
	Name, Label, Hint string
	// Section is the heading of the fields that begin here; empty within a section.
	Section string
	// Type is that of the input; "select", "area" and "checks" are others.
	Type, Value string
	// Fill says what the browser may fill in.
	Fill     string
	Required bool
	// ReadOnly fields are shown, and cannot be changed.
	ReadOnly bool
	// Narrow fields are short, or lists of short choices.
	Narrow  bool
	Choices []choice
	Wrong   *wrong
}

// choice is one of several that a field offers.
type choice struct {
	Value, Label, Hint string
	Chosen             bool
}

// ID returns what the label of the field points at.
func (f field) ID() string { return "field-" + f.Name }

// text returns a field for a line of text.
func (f *form) text(name, label, hint, first string) field {
	return field{Name: name, Label: label, Hint: f.withUnsaved(hint, f.unsaved.Get(name), first), Type: "text", Value: f.value(name, first), Wrong: f.problem(name).about(name, label)}
}

// as returns the field with another type of input.
func (f field) as(kind string) field {
	f.Type = kind
	return f
}

// required returns the field, which must be filled in.
func (f field) required() field {
	f.Required = true
	return f
}

// filled returns the field, which the browser may fill in.
func (f field) filled(with string) field {
	f.Fill = with
	return f
}

// password returns a field for a password, which never comes back.
func (f *form) password(name, label, hint, fill string) field {
	return field{Name: name, Label: label, Hint: hint, Type: "password", Fill: fill, Required: true, Wrong: f.problem(name).about(name, label)}
}

// one returns a field that offers several choices, of which one is taken. Problems may
// know it by other names, too.
func (f *form) one(name, label, hint, first string, choices []choice, also ...string) field {
	value := f.value(name, first)
	for i := range choices {
		choices[i].Chosen = choices[i].Value == value
	}
	hint = f.withUnsaved(hint, chosenOf(choices, f.unsaved.Get(name)), chosenOf(choices, value))
	return field{Name: name, Label: label, Hint: hint, Type: "select", Choices: choices, Wrong: f.problem(append(also, name)...).about(name, label)}
}

// some returns a field that offers several choices, of which any are taken.
func (f *form) some(name, label string, first []string, choices []choice) field {
	taken := map[string]bool{}
	for _, value := range f.chosen(name, first) {
		taken[value] = true
	}
	for i := range choices {
		choices[i].Chosen = taken[choices[i].Value]
	}
	return field{
		Name: name, Label: label, Hint: f.withUnsaved("", chosenOf(choices, f.unsaved[name]...), chosenOf(choices, first...)), Type: "checks", Choices: choices, Wrong: f.problem(name).about(name, label),
	}
}

// chosenOf returns the labels of what was chosen, in the order they are offered in.
func chosenOf(choices []choice, values ...string) string {
	var labels []string
	for _, c := range choices {
		if slices.Contains(values, c.Value) {
			labels = append(labels, c.Label)
		}
	}
	return strings.Join(labels, ", ")
}

// named makes choices of names that say enough.
func named(names []string) []choice {
	choices := make([]choice, len(names))
	for i, name := range names {
		choices[i] = choice{Value: name, Label: name}
	}
	return choices
}
