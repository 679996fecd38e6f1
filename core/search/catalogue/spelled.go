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
	p.lexicon.tokens.keep(w, p.passes)
}

func (p spelled) meets(slot uint32) bool {
	token, some := p.lexicon.tokens.at(slot)
	return some && p.passes(token)
}

func (p spelled) passes(token uint32) bool {
	return (p.candidates == nil || p.candidates.has(token)) && p.test(p.lexicon.texts.text(token))
}

func (p spelled) cost() float64 { return costOfText }

func (p spelled) share(float64) float64 { return shareOfTexts }

// How much slots that have to be united are worth in verifications of texts, and how
// many of the verifications that remembering a phrase takes must have been made in
// vain before.
const (
	slotsPerVerification = 16
	shareInVain          = 1.0 / 4
)

// spelling makes the predicate for texts with a phrase. Texts that may have it are
// verified here and now if they are few for what the search has before it, or if
// that was asked for before: it leaves a set of slots, which is remembered if it
// took some effort. Otherwise the search verifies the texts it comes across.
func (x *Index) spelling(l *lexicon, p phrase, ahead prospect) predicate {
	if p.where == whole {
		return member{l.exactly(p.text)}
	}
	if slots := x.phrases.recall(l, p); slots != nil {
		return member{slots}
	}
	var candidates *set
	count, share := l.size(), shareOfTexts
	if l.grams != nil && len(p.text) >= gramSize {
		candidates = l.grams.candidates(p.text)
		count = candidates.size()
		share = float64(count) / float64(l.size())
	}
	looks := ahead.looks(share)
	if float64(count) > x.tuning.verifyRatio*looks {
		before := x.phrases.note(l, p, looks)
		if before == 0 || before+looks < shareInVain*float64(count) {
			return spelled{l, candidates, p.test()}
		}
	}
	slots := l.having(p, candidates, x.slots)
	x.phrases.keep(l, p, slots, float64(count)+float64(slots.size())/slotsPerVerification)
	return member{slots}
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
