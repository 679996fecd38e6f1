package kit

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Form is what a form shows: what was typed, or what there is, and what is wrong
// with it.
type Form struct {
	Language
	// Typed is nil before anything was sent.
	Typed url.Values
	// Unsaved is what was typed over a record that somebody else has changed meanwhile:
	// the form then has what there is now, and says next to it what was typed.
	Unsaved url.Values
	Wrong   []Wrong
	// Summary are the problems of no field that was asked for, in the form as such.
	Summary []Wrong
}

// Wrong is a problem as the API says it.
type Wrong struct {
	field         string
	Code, Message string
}

// Alone reports that the summary is one problem that is of no field at all.
func (f Form) Alone() bool { return len(f.Summary) == 1 && f.Summary[0].field == "" }

// NewForm returns a form as it was sent, with why it was refused; both are nil for one
// that is shown for the first time.
func NewForm(l Language, typed url.Values, refused error) Form {
	f := Form{Language: l, Typed: typed}
	var known *fault.Error
	switch {
	case refused == nil:
	case errors.Is(refused, fault.Stale):
		f.Typed, f.Unsaved = nil, typed
		f.Wrong = []Wrong{{"", string(fault.From(refused).Code), l.Show(overtaken)}}
	case errors.As(refused, &known) && len(known.Details) > 0:
		for _, d := range known.Details {
			f.Wrong = append(f.Wrong, Wrong{d.Field, string(d.Code), naming(typed, d.Field, l.toOperators(d.Code, d.Message))})
		}
	default:
		known = fault.From(refused)
		f.Wrong = []Wrong{{"", string(known.Code), l.toOperators(known.Code, known.Message)}}
	}
	f.Summary = f.Wrong
	return f
}

// numberedField is a field of which there are several, such as origines[2], or a part of one of them.
var numberedField = regexp.MustCompile(`^(\w+)\[(\d+)\](?:\.\w+)?$`)

// naming returns what is wrong with a field, with what was typed if there are several of it, or
// several lines in it, and the message does not say which.
func naming(typed url.Values, field, message string) string {
	parts := numberedField.FindStringSubmatch(field)
	if parts == nil {
		return message
	}
	i, _ := strconv.Atoi(parts[2])
	values := typed[parts[1]]
	if len(values) == 1 {
		values = strings.FieldsFunc(values[0], func(r rune) bool { return r == '\n' || r == '\r' })
		values = slices.DeleteFunc(values, func(line string) bool { return strings.TrimSpace(line) == "" })
	}
	value := strings.TrimSpace(Nth(values, i))
	if value == "" || strings.Contains(message, value) {
		return message
	}
	return value + ": " + message
}

// overtaken is what somebody is told whose form was about a state that is over.
const overtaken Text = "Somebody else changed this while you had it open. It is shown as it is now; what you had typed stands beside it."

// withUnsaved returns the hint of a field, with what had been typed where it is not what the
// field has now.
func (f *Form) withUnsaved(hint Text, typed, now string) string {
	if f.Unsaved == nil || typed == now {
		return f.Show(hint)
	}
	if typed == "" {
		typed = f.Say("nothing")
	}
	return strings.TrimSpace(f.Show(hint) + " " + f.Say("You had: %s.", typed))
}

// value returns what was typed into a field, or what it has at first.
func (f *Form) value(name, first string) string {
	if f.Typed == nil {
		return first
	}
	return f.Typed.Get(name)
}

// chosen returns what was ticked, or what is ticked at first.
func (f *Form) chosen(name string, first []string) []string {
	if f.Typed == nil {
		return first
	}
	return f.Typed[name]
}

// Problem returns the first thing wrong with a field, and takes it out of the summary:
// it is said at the field. A field that is about several parts of a request, such as
// origines and origines[2], has the problems of all.
func (f *Form) Problem(names ...string) *Wrong {
	var found *Wrong
	var rest []Wrong
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
func (w *Wrong) about(name, label string) *Wrong {
	if w == nil {
		return nil
	}
	if rest, begins := strings.CutPrefix(w.Message, name+" "); begins {
		w.Message = label + " " + rest
	}
	return w
}

// Field is one field of a form, as the template "field" shows it.
type Field struct {
	Name  string
	Label Text
	Hint  string
	// Section is the heading of the fields that begin here; empty within a section.
	Section Text
	// Type is that of the input; "select", "area" and "checks" are others.
	Type, Value string
	// Fill says what the browser may fill in.
	Fill     string
	Required bool
	// ReadOnly fields are shown, and cannot be changed.
	ReadOnly bool
	// Narrow fields are short, or lists of short choices.
	Narrow  bool
	Choices []Choice
	Wrong   *Wrong
}

// Choice is one of several that a field offers.
type Choice struct {
	Value, Label, Hint string
	Chosen             bool
}

// ID returns what the label of the field points at.
func (f Field) ID() string { return "field-" + f.Name }

// Text returns a field for a line of text.
func (f *Form) Text(name string, label, hint Text, first string) Field {
	return Field{Name: name, Label: label, Hint: f.withUnsaved(hint, f.Unsaved.Get(name), first), Type: "text", Value: f.value(name, first), Wrong: f.Problem(name).about(name, f.Show(label))}
}

// As returns the field with another type of input.
func (f Field) As(kind string) Field {
	f.Type = kind
	return f
}

// MustFill returns the field, which must be filled in.
func (f Field) MustFill() Field {
	f.Required = true
	return f
}

// Filled returns the field, which the browser may fill in.
func (f Field) Filled(with string) Field {
	f.Fill = with
	return f
}

// Password returns a field for a password, which never comes back.
func (f *Form) Password(name string, label, hint Text, fill string) Field {
	return Field{Name: name, Label: label, Hint: f.Show(hint), Type: "password", Fill: fill, Required: true, Wrong: f.Problem(name).about(name, f.Show(label))}
}

// One returns a field that offers several choices, of which one is taken. Problems may
// know it by other names, too.
func (f *Form) One(name string, label, hint Text, first string, choices []Choice, also ...string) Field {
	value := f.value(name, first)
	for i := range choices {
		choices[i].Chosen = choices[i].Value == value
	}
	said := f.withUnsaved(hint, chosenOf(choices, f.Unsaved.Get(name)), chosenOf(choices, value))
	return Field{Name: name, Label: label, Hint: said, Type: "select", Choices: choices, Wrong: f.Problem(append(also, name)...).about(name, f.Show(label))}
}

// Some returns a field that offers several choices, of which any are taken.
func (f *Form) Some(name string, label Text, first []string, choices []Choice) Field {
	taken := map[string]bool{}
	for _, value := range f.chosen(name, first) {
		taken[value] = true
	}
	for i := range choices {
		choices[i].Chosen = taken[choices[i].Value]
	}
	return Field{
		Name: name, Label: label, Hint: f.withUnsaved("", chosenOf(choices, f.Unsaved[name]...), chosenOf(choices, first...)), Type: "checks", Choices: choices, Wrong: f.Problem(name).about(name, f.Show(label)),
	}
}

// chosenOf returns the labels of what was chosen, in the order they are offered in.
func chosenOf(choices []Choice, values ...string) string {
	var labels []string
	for _, c := range choices {
		if slices.Contains(values, c.Value) {
			labels = append(labels, c.Label)
		}
	}
	return strings.Join(labels, ", ")
}

// Named makes choices of names that say enough.
func Named(names []string) []Choice {
	choices := make([]Choice, len(names))
	for i, name := range names {
		choices[i] = Choice{Value: name, Label: name}
	}
	return choices
}

// Words makes choices of codes that are shown as words.
func Words[T ~string](l Language, codes []T) []Choice {
	choices := make([]Choice, len(codes))
	for i, code := range codes {
		choices[i] = Choice{Value: string(code), Label: l.Show(Text(code))}
	}
	return choices
}

// Separated returns what a text names, separated by commas or spaces.
func Separated(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// Texts returns names as texts.
func Texts[T ~string](names []T) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = string(name)
	}
	return list
}

// AnyOf returns the choices of a filter by name, "any" first.
func (l Language) AnyOf(names []string) []Choice {
	return append([]Choice{{Label: l.Say("any")}}, Named(names)...)
}

// Nth returns one of several fields of a name, empty if there are not so many.
func Nth(fields []string, i int) string {
	if i < len(fields) {
		return fields[i]
	}
	return ""
}

// WrongField is a fault of a field that cannot be given to a use case as it was typed.
func WrongField(name string, code fault.Code, message fault.Text) error {
	var problems fault.Problems
	problems.Add(name, code, "%s", message)
	return problems.Err()
}
