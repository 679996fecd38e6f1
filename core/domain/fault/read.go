package fault

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Read returns the text that was kept as its English, such as why a run failed, so that it can be shown in any
// language: that of the format which has the most of its words, with what stands between them as arguments, which
// are read in the same way. A text of no format is Verbatim.
func Read(english string) Text {
	best, most, args := "", 0, []string(nil)
	for format, words := range formatWords() {
		if between, fits := words.between(english); fits && (words.length > most || words.length == most && format < best) {
			best, most, args = format, words.length, between
		}
	}
	if most == 0 {
		return Verbatim(english)
	}
	t := Text{english: english, format: best}
	for _, arg := range args {
		t.args = append(t.args, readArgument(arg))
	}
	return t
}

// readArgument returns an argument that stands as it is, whatever the verb, unless it is a text itself.
func readArgument(arg string) any {
	if t := Read(arg); t.format != "" {
		return t
	}
	return said(arg)
}

// said is an argument of a format as it was shown.
type said string

// Format implements fmt.Formatter.
func (s said) Format(to fmt.State, _ rune) { _, _ = to.Write([]byte(s)) }

// words are what a format says around its arguments: one piece more than there are arguments.
type words struct {
	pieces []string
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
		if from = at[1]; format[at[0]:at[1]] == "%%" {
			piece += "%"
			continue
		}
		w.pieces, w.length, piece = append(w.pieces, piece), w.length+len(piece), ""
	}
	piece += format[from:]
	return words{append(w.pieces, piece), w.length + len(piece)}
}

// between returns what stands between the words in a text, if they are the words of the text.
func (w words) between(text string) (args []string, fits bool) {
	last := len(w.pieces) - 1
	if last == 0 {
		return nil, text == w.pieces[0]
	}
	rest, begins := strings.CutPrefix(text, w.pieces[0])
	rest, ends := strings.CutSuffix(rest, w.pieces[last])
	if !begins || !ends {
		return nil, false
	}
	for _, piece := range w.pieces[1:last] {
		arg, after, found := strings.Cut(rest, piece)
		if !found {
			return nil, false
		}
		args, rest = append(args, arg), after
	}
	return append(args, rest), true
}
