package fault

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Read returns the text that was kept as its English, such as why a run failed, so that it can be shown in any
// language: that of the format which has the most of its words, with what stands between them as arguments, which
// are read in the same way. Of a text of no format what follows its first colon is read, such as after the key of a
// criterion; it is Verbatim where that is of none, either.
func Read(english string) Text {
	t := readWhole(english)
	if before, after, cut := strings.Cut(english, ": "); cut && t.format == "" {
		if rest := readWhole(after); rest.format != "" {
			return Textf("%s: %s", before, rest)
		}
	}
	return t
}

// readWhole is Read without regard to a colon.
func readWhole(english string) Text {
	best, most, verbs, shown := "", 0, []byte(nil), []string(nil)
	for format, words := range formatWords() {
		if words.length < most || words.length == most && format >= best {
			continue
		}
		if between, fits := words.between(english); fits {
			best, most, verbs, shown = format, words.length, words.verbs, between
		}
	}
	if most == 0 {
		return Verbatim(english)
	}
	t := Text{english: english, format: best}
	for i, arg := range shown {
		t.args = append(t.args, argument(arg, verbs[i]))
	}
	return t
}

// said is an argument of a format as it was shown, whatever the verb.
type said string

// Format implements fmt.Formatter.
func (s said) Format(to fmt.State, _ rune) { _, _ = to.Write([]byte(s)) }

// words are what a format says around its arguments.
type words struct {
	// pieces are one more than verbs, each of which is the letter of an argument.
	pieces []string
	verbs  []byte
	// length is that of all pieces.
	length int
}

// verb is one of a format, or %%.
var verb = regexp.MustCompile(`%(\[\d+\])?([-+# 0]*\d*(?:\.\d+)?[a-zA-Z%])`)

// formatWords returns the words of each format that has French, and says more than a colon by itself.
var formatWords = sync.OnceValue(func() map[string]words {
	all := map[string]words{}
	for english := range FrenchFormats() {
		if w := wordsOf(english); strings.Trim(strings.Join(w.pieces, ""), " :,.()") != "" {
			all[english] = w
		}
	}
	return all
})

func wordsOf(format string) (w words) {
	piece, from := "", 0
	for _, at := range verb.FindAllStringIndex(format, -1) {
		piece += format[from:at[0]]
		if from = at[1]; format[from-1] == '%' {
			piece += "%"
			continue
		}
		w.pieces, w.verbs, w.length, piece = append(w.pieces, piece), append(w.verbs, format[from-1]), w.length+len(piece), ""
	}
	piece += format[from:]
	return words{append(w.pieces, piece), w.verbs, w.length + len(piece)}
}

// between returns what stands between the words in a text, if they are the words of the text and the verbs can
// have shown it.
func (w words) between(text string) (shown []string, fits bool) {
	last := len(w.pieces) - 1
	if last == 0 {
		return nil, text == w.pieces[0]
	}
	rest, begins := strings.CutPrefix(text, w.pieces[0])
	rest, ends := strings.CutSuffix(rest, w.pieces[last])
	if !begins || !ends {
		return nil, false
	}
	for i, v := range w.verbs {
		arg, after := rest, ""
		if i+1 < last {
			if arg, after, fits = strings.Cut(rest, w.pieces[i+1]); !fits {
				return nil, false
			}
		}
		if !shows(v, arg) {
			return nil, false
		}
		shown, rest = append(shown, arg), after
	}
	return shown, true
}

// shows reports whether a verb can have shown a text.
func shows(verb byte, text string) bool {
	var err error
	switch verb {
	case 'd':
		_, err = strconv.ParseInt(text, 10, 64)
	case 'q':
		_, err = strconv.Unquote(text)
	}
	return err == nil
}

// argument returns what a verb has shown: a text for words that are one.
func argument(shown string, verb byte) any {
	if verb == 'd' || verb == 'q' {
		return said(shown)
	}
	if t := Read(shown); t.format != "" {
		return t
	}
	return said(shown)
}
