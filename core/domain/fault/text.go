package fault

import (
	"fmt"
)

// Language is one in which texts are shown.
type Language uint8

// The languages. English is that of logs, and the default.
const (
	English Language = iota
	French
)

// Text is a sentence for a person, or a part of one, written in English and shown
// in any language. It is itself an error, so that a rule can answer with it.
type Text struct {
	english string
	format  string
	args    []any
}

// Textf makes a text of a format of package fmt and its arguments. An argument that
// is a text is shown in the language of the whole; any other stays as it is.
func Textf(format string, args ...any) Text {
	return Text{english: fmt.Sprintf(format, args...), format: format, args: args}
}

// Verbatim returns a text that is the same in every language, such as the number of a
// record.
func Verbatim(text string) Text { return Text{english: text} }

// String returns the text in English.
func (t Text) String() string { return t.english }

// Error returns the text in English.
func (t Text) Error() string { return t.english }

// Without returns the text in English with … in place of the arguments that keep does not
// return true for; texts among them are shown in the same way. It is empty for a text that is the
// same in every language.
func (t Text) Without(keep func(arg any) bool) string {
	args := make([]any, len(t.args))
	for i, arg := range t.args {
		switch part, ok := arg.(Text); {
		case ok:
			args[i] = Text{english: part.Without(keep)}
		case keep(arg):
			args[i] = arg
		default:
			args[i] = left{}
		}
	}
	return fmt.Sprintf(t.format, args...)
}

// left stands for an argument that is not shown, whatever the verb.
type left struct{}

// Format implements fmt.Formatter.
func (left) Format(to fmt.State, _ rune) { _, _ = to.Write([]byte("…")) }

// In returns the text in a language.
func (t Text) In(l Language) string {
	format, known := InFrench(t.format)
	if l != French || !known {
		return t.english
	}
	args := make([]any, len(t.args))
	for i, arg := range t.args {
		if part, ok := arg.(Text); ok {
			arg = part.In(l)
		}
		args[i] = arg
	}
	return fmt.Sprintf(format, args...)
}
