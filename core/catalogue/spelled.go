package catalogue

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

// spelling makes the predicate for texts with a phrase. Texts that may have it are
// verified here and now if they are few for what the search has before it, which
// leaves a set of slots; otherwise the search verifies those it comes across.
func (x *Index) spelling(l *lexicon, p phrase, ahead prospect) predicate {
	if p.where == whole {
		return member{l.exactly(p.text)}
	}
	var candidates *set
	count, share := l.size(), shareOfTexts
	if l.grams != nil && len(p.text) >= gramSize {
		candidates = l.grams.candidates(p.text)
		count = candidates.size()
		share = float64(count) / float64(l.size())
	}
	if float64(count) > x.tuning.verifyRatio*ahead.looks(share) {
		return spelled{l, candidates, p.test()}
	}
	return member{l.having(p, candidates, x.slots)}
}

// having returns the slots whose texts have a phrase. Candidates are the tokens of
// texts that may have it; nil is all.
func (l *lexicon) having(p phrase, candidates *set, slots uint32) *set {
	tokens, test := l.all(), p.test()
	if candidates != nil {
		tokens = candidates.all()
	}
	return l.holders(func(yield func(uint32) bool) {
		for token := range tokens {
			if test(l.texts.text(token)) && !yield(token) {
				return
			}
		}
	}, slots)
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
