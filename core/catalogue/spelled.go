package catalogue

import (
	"bytes"
	"slices"
)

// A phrase is found in a text in one of three ways.
func contains(phrase string) func(text []byte) bool {
	sought := []byte(phrase)
	return func(text []byte) bool { return bytes.Contains(text, sought) }
}

func startsWith(phrase string) func(text []byte) bool {
	sought := []byte(phrase)
	return func(text []byte) bool { return len(text) > 0 && bytes.HasPrefix(text, sought) }
}

func endsWith(phrase string) func(text []byte) bool {
	sought := []byte(phrase)
	return func(text []byte) bool { return len(text) > 0 && bytes.HasSuffix(text, sought) }
}

// spelled demands a text that passes the test. It looks at the texts of those
// slots only that are left when its turn comes.
type spelled struct {
	lexicon *lexicon
	// candidates are the tokens whose texts may pass; nil is all.
	candidates *set
	test       func(text []byte) bool
}

func (p spelled) narrow(w *window) {
	p.lexicon.tokens.keep(w, func(token uint32) bool {
		return (p.candidates == nil || p.candidates.has(token)) && p.test(p.lexicon.texts.text(token))
	})
}

func (p spelled) effort() float64 { return effortOfText }

// spelling makes the predicate for texts that pass the test, all of which have
// the phrase in them. Few texts that may pass are verified here and now, which
// leaves a set of slots; if there are more than are worth it for the number of
// slots that can match at all, it is better to wait for those that do.
func (x *Index) spelling(l *lexicon, phrase string, test func(text []byte) bool, slots int) predicate {
	var candidates *set
	count := l.size()
	if l.grams != nil && len(phrase) >= gramSize {
		candidates = l.grams.candidates(phrase)
		count = candidates.size()
	}
	if count > x.tuning.verifyFirst && 16*count > slots {
		return spelled{l, candidates, test}
	}
	tokens := l.all()
	if candidates != nil {
		tokens = candidates.all()
	}
	var holders []uint32
	for token := range tokens {
		if test(l.texts.text(token)) {
			holders = l.holders(holders, token)
		}
	}
	slices.Sort(holders)
	passing := makeSet(holders)
	return member{&passing}
}
