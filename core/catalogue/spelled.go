package catalogue

import "bytes"

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

func (p spelled) cost() float64 { return costOfText }

func (p spelled) share(float64) float64 { return shareOfTexts }

// spelling makes the predicate for texts that pass the test, all of which have
// the phrase in them. Texts that may pass are verified here and now if they are
// few for what the search has before it, which leaves a set of slots; otherwise
// the search verifies those it comes across.
func (x *Index) spelling(l *lexicon, phrase string, test func(text []byte) bool, ahead prospect) predicate {
	var candidates *set
	count, share := l.size(), shareOfTexts
	if l.grams != nil && len(phrase) >= gramSize {
		candidates = l.grams.candidates(phrase)
		count = candidates.size()
		share = float64(count) / float64(l.size())
	}
	if float64(count) > x.tuning.verifyRatio*ahead.looks(share) {
		return spelled{l, candidates, test}
	}
	tokens := l.all()
	if candidates != nil {
		tokens = candidates.all()
	}
	return member{l.holders(func(yield func(uint32) bool) {
		for token := range tokens {
			if test(l.texts.text(token)) && !yield(token) {
				return
			}
		}
	}, x.slots)}
}

// prospect is what a search is likely to have before it.
type prospect struct {
	// slots is how many the other predicates leave.
	slots float64
	// wanted is how many matches end the search.
	wanted float64
}

// looks is how many slots the search will look at if it finds what it wants in
// the given share of them.
func (p prospect) looks(share float64) float64 { return min(p.slots, p.wanted/share) }
