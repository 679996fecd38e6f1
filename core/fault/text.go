package fault

import "fmt"

// Text is a sentence for a person, or a part of one. It is itself an error, so that a
// rule can answer with it.
type Text struct {
	english string
}

// Textf makes a text of a format of package fmt and its arguments.
func Textf(format string, args ...any) Text {
	return Text{english: fmt.Sprintf(format, args...)}
}

// Verbatim is a text that is the same in every language, such as the number of a
// record.
func Verbatim(text string) Text { return Text{english: text} }

// String is the text in English.
func (t Text) String() string { return t.english }

// Error is the text in English.
func (t Text) Error() string { return t.english }
