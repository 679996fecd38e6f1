// Package edit says what a change made of the fields of a record: the value that each had
// before, and the one it has after. It decides which texts may be written down at all.
package edit

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Edit is a field that has another value after a change, or what else there is to know about
// what was done. An empty text is no value.
type Edit struct {
	Field, Before, After string
}

// Bounds of what Encode keeps.
const (
	// MaxFields is how many fields of one change are kept.
	MaxFields = 40
	// MaxText is how many characters of a value are kept.
	MaxText = 200
	// maxBytes is how long the values of one change are together.
	maxBytes = 16_000
)

// Encode returns edits as one text, which Decode reads; none is the empty text. A value is cut
// to MaxText characters and says how long it was. Of fields beyond MaxFields nothing is kept, and
// of values beyond 16,000 bytes in all their lengths.
func Encode(edits []Edit) string {
	if len(edits) == 0 {
		return ""
	}
	edits = edits[:min(len(edits), MaxFields)]
	kept, bytes := make([]string, len(edits)), 0
	for i, e := range edits {
		before, after := Shorten(e.Before), Shorten(e.After)
		if bytes += len(before) + len(after); bytes > maxBytes {
			before, after = length(e.Before), length(e.After)
		}
		kept[i] = unmarked.Replace(e.Field) + betweenParts + unmarked.Replace(before) + betweenParts + unmarked.Replace(after)
	}
	return strings.Join(kept, betweenEdits)
}

// The separators of ASCII are between the parts of edits, and in none of them.
const betweenParts, betweenEdits = "\x1f", "\x1e"

var unmarked = strings.NewReplacer(betweenParts, " ", betweenEdits, " ")

var errNoEdits = errors.New("edit: the text has no edits in it")

// Decode reads what Encode returned. It returns an error when the text is something else.
func Decode(text string) ([]Edit, error) {
	if text == "" {
		return nil, nil
	}
	var edits []Edit
	for kept := range strings.SplitSeq(text, betweenEdits) {
		parts := strings.Split(kept, betweenParts)
		if len(parts) != 3 {
			return nil, errNoEdits
		}
		edits = append(edits, Edit{parts[0], parts[1], parts[2]})
	}
	return edits, nil
}

// Shorten returns a text, or its first MaxText characters and how many it has.
func Shorten(s string) string {
	n := utf8.RuneCountInString(s)
	if n <= MaxText {
		return s
	}
	end := 0
	for range MaxText {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return fmt.Sprintf("%s… ‹string, %d›", s[:end], n)
}

// length returns how long a text is, and nothing of it.
func length(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf("‹string, %d›", utf8.RuneCountInString(s))
}

// Fields names the fields of edits.
func Fields(edits []Edit) []string {
	names := make([]string, len(edits))
	for i, e := range edits {
		names[i] = e.Field
	}
	return names
}

// snake returns the name of a field as requests write it: Deposit.Due is deposit.due, and
// BirthName is birth_name.
func snake(path string) string {
	var name strings.Builder
	runes := []rune(path)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && runes[i-1] != '.' && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}
