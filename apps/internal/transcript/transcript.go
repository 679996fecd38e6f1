// Package transcript reads what a page of the documentation shows: commands, and what
// they print. So the pages can be tried, and what is tried is what readers read.
package transcript

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
)

// Block is commands that a page shows.
type Block struct {
	Commands string
	// Answer is JSON that the page shows right behind the commands; empty if it shows
	// none. Dots stand for what is left out.
	Answer string
}

var fenced = regexp.MustCompile("(?m)^```sh\n((?s:.*?))^```\n(?:```json\n((?s:.*?))^```\n)?")

// Section returns the text below a heading of the second level, up to the next one.
func Section(page, heading string) (string, error) {
	_, text, found := strings.Cut(page, "\n## "+heading+"\n")
	if !found {
		return "", fmt.Errorf("there is no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	return text, nil
}

// Blocks returns the commands of a text, in their order.
func Blocks(text string) (blocks []Block) {
	for _, found := range fenced.FindAllStringSubmatch(text+"\n", -1) {
		blocks = append(blocks, Block{Commands: found[1], Answer: found[2]})
	}
	return blocks
}

// dots stand for what a page leaves out.
const dots = "…"

// Values reads the JSON values that a page shows one after the other. Dots may stand
// for the other members of an object, for the last items of a list, and for the rest of
// a text.
func Values(shown string) ([]any, error) { return values(spelledOut(shown)) }

func values(text string) (all []any, err error) {
	for stream := json.NewDecoder(strings.NewReader(text)); ; {
		var one any
		err := stream.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, fmt.Errorf("value %d: %w", len(all)+1, err)
		}
		all = append(all, one)
	}
}

// Holds says where what was printed differs from what a page shows.
func Holds(shown, printed string) error {
	wanted, err := Values(shown)
	if err != nil {
		return fmt.Errorf("the page shows no JSON: %w", err)
	}
	got, err := values(printed)
	if err != nil {
		return fmt.Errorf("what was printed is not the JSON that the page shows: %w", err)
	}
	if len(wanted) != len(got) {
		return fmt.Errorf("the page shows %d values, there are %d", len(wanted), len(got))
	}
	for i, one := range wanted {
		if !Abbreviates(one, got[i]) {
			return fmt.Errorf("value %d is not as the page shows it: %v", i+1, one)
		}
	}
	return nil
}

// spelledOut is JSON with dots made JSON: they become a member of their object or
// an item of their list.
func spelledOut(text string) string {
	var out strings.Builder
	var inside []rune
	quoted := false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '{', r == '[':
			inside = append(inside, r)
		case (r == '}' || r == ']') && len(inside) > 0:
			inside = inside[:len(inside)-1]
		case string(r) == dots && len(inside) > 0:
			out.WriteString(`"` + dots + `"`)
			if inside[len(inside)-1] == '{' {
				out.WriteString(`:null`)
			}
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// Abbreviates reports whether one of the Values shown is the decoded JSON value, but for
// what dots leave out.
func Abbreviates(shown, value any) bool {
	switch shown := shown.(type) {
	case map[string]any:
		value, ok := value.(map[string]any)
		_, more := shown[dots]
		if !ok || !more && len(shown) != len(value) {
			return false
		}
		for key, member := range shown {
			if got, found := value[key]; key != dots && (!found || !Abbreviates(member, got)) {
				return false
			}
		}
		return true
	case []any:
		value, ok := value.([]any)
		more := len(shown) > 0 && shown[len(shown)-1] == dots
		if more {
			shown = shown[:len(shown)-1]
		}
		if !ok || len(shown) > len(value) || !more && len(shown) != len(value) {
			return false
		}
		for i, item := range shown {
			if !Abbreviates(item, value[i]) {
				return false
			}
		}
		return true
	case string:
		value, ok := value.(string)
		beginning, more := strings.CutSuffix(shown, dots)
		return ok && (value == shown || more && strings.HasPrefix(value, beginning))
	}
	return reflect.DeepEqual(shown, value)
}
