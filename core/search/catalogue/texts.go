package catalogue

import "iter"

// texts has at most one normalised text for each slot: the values of a criterion.
//
// Addresses are cut in two: the same streets appear with many numbers, so that there are
// far fewer numbers and streets than addresses to search.
type texts struct {
	// numbered reports that texts are cut after a number at their beginning.
	numbered bool
	numbers  lexicon
	// rest are the texts without their numbers, and never empty after one.
	rest lexicon
}

// cut returns the number at the beginning of a text and the rest: "12 bis" and "rue de la
// paix". The number is empty if there is none, or nothing after it.
func (t *texts) cut(text string) (number, rest string) {
	if !t.numbered || text == "" || !isDigit(text[0]) {
		return "", text
	}
	end := 0
	for before, after := range cuts(text) {
		if after == "" || !isNumber(before[end:]) {
			break
		}
		end = len(before) + 1
	}
	if end == 0 {
		return "", text
	}
	return text[:end-1], text[end:]
}

// cuts lists the texts before and after each space of a text.
func cuts(text string) iter.Seq2[string, string] {
	return func(yield func(before, after string) bool) {
		for i := range len(text) {
			if text[i] == ' ' && !yield(text[:i], text[i+1:]) {
				return
			}
		}
	}
}

// isNumber reports whether a word is part of the number of a house. A wrong answer makes
// searches slower; they find the same.
func isNumber(word string) bool {
	switch word {
	case "":
		return false
	case "bis", "ter", "quater":
		return true
	}
	return len(word) == 1 || isDigit(word[0])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (t *texts) put(slot uint32, text string) {
	number, rest := t.cut(text)
	t.rest.put(slot, rest)
	if number == "" {
		t.numbers.drop(slot)
	} else {
		t.numbers.put(slot, number)
	}
}

// hasText reports whether the slot has exactly this text.
func (t *texts) hasText(slot uint32, text string) bool {
	number, rest := t.cut(text)
	if !t.rest.hasText(slot, rest) {
		return false
	}
	if number == "" {
		return !t.numbers.tokens.has(slot)
	}
	return t.numbers.hasText(slot, number)
}

func (t *texts) drop(slot uint32) {
	t.numbers.drop(slot)
	t.rest.drop(slot)
}

// exactly demands the text.
func (t *texts) exactly(text string) predicate {
	number, rest := t.cut(text)
	same := member{t.rest.exactly(rest)}
	switch {
	case number != "":
		return all{member{t.numbers.exactly(number)}, same}
	case t.numbered:
		return all{same, t.unnumbered()}
	}
	return same
}

// unnumbered demands no number. It does not demand a text.
func (t *texts) unnumbered() predicate { return not{having[uint32]{&t.numbers.tokens}} }

// written returns the predicate of a text that contains a phrase.
func (x *Index) written(t *texts, p phrase, work estimate) predicate {
	rest := x.phrasePredicate(&t.rest, p, work)
	if t.numbers.size() == 0 {
		return rest
	}
	var found either
	switch p.where {
	case anywhere:
		found = either{rest, x.phrasePredicate(&t.numbers, p, work)}
	case atStart:
		found = either{all{rest, t.unnumbered()}, x.phrasePredicate(&t.numbers, p, work)}
	default:
		found = either{rest}
	}
	// A phrase that begins in the number and ends in the rest has a space at the border. It
	// contains the whole number, or the whole rest, if it must be at that end of the text.
	for number, street := range cuts(p.text) {
		begins, ends := phrase{number, atEnd}, phrase{street, atStart}
		switch p.where {
		case anywhere:
		case atStart:
			begins.where = whole
		default:
			ends.where = whole
		}
		if begin := x.phrasePredicate(&t.numbers, begins, work); !impossible(begin) {
			found = append(found, all{begin, x.phrasePredicate(&t.rest, ends, work)})
		}
	}
	return found.simplified()
}

// indexTrigrams indexes the texts by their trigrams once there are enough of them.
func (t *texts) indexTrigrams() {
	t.numbers.indexTrigrams()
	t.rest.indexTrigrams()
}

func (t *texts) open(slot uint32) {
	t.numbers.open(slot)
	t.rest.open(slot)
}

func (t *texts) arrange(how arrangement) {
	t.numbers.arrange(how)
	t.rest.arrange(how)
}

func (t *texts) finish() {
	t.numbers.finish()
	t.rest.finish()
}

func (t *texts) bytes() int { return t.numbers.bytes() + t.rest.bytes() }

// textTest demands a text that passes the test. It tests only the texts of the slots that
// earlier predicates left.
type textTest struct {
	lexicon *lexicon
	// candidates are the tokens whose texts may pass; nil is all.
	candidates *set
	test       func(text []byte) bool
}

func (p textTest) narrow(w *window) {
	p.lexicon.tokens.keep(w, p.passes)
}

func (p textTest) meets(slot uint32) bool {
	token, some := p.lexicon.tokens.at(slot)
	return some && p.passes(token)
}

func (p textTest) passes(token uint32) bool {
	return (p.candidates == nil || p.candidates.has(token)) && p.test(p.lexicon.texts.text(token))
}

func (p textTest) cost() float64 { return costOfText }

func (p textTest) share(float64) float64 { return shareOfTexts }

// phrasePredicate returns the predicate of texts with a phrase. All texts that may have it
// are verified at once if they are few compared with what the search will read: the result is
// a set of slots. Otherwise the search verifies the texts that it reads.
func (x *Index) phrasePredicate(l *lexicon, p phrase, work estimate) predicate {
	if p.where == whole {
		return member{l.exactly(p.text)}
	}
	var candidates *set
	count, share := l.size(), shareOfTexts
	if l.trigrams != nil && len(p.text) >= trigramSize {
		candidates = l.trigrams.candidates(p.text)
		count = candidates.size()
		share = float64(count) / float64(l.size())
	}
	if float64(count) > x.tuning.verifyRatio*work.reads(share) {
		return textTest{l, candidates, p.test()}
	}
	return member{l.withPhrase(p, candidates, x.slots)}
}

// withPhrase returns the slots whose texts have a phrase. Candidates are the tokens of
// texts that may have it; nil is all.
func (l *lexicon) withPhrase(p phrase, candidates *set, slots uint32) *set {
	tokens, test := l.all(), p.test()
	if candidates != nil {
		tokens = candidates.all()
	}
	return l.withTokens(func(yield func(uint32) bool) {
		for token := range tokens {
			if test(l.texts.text(token)) && !yield(token) {
				return
			}
		}
	}, slots)
}

// estimate is the expected work of a search.
type estimate struct {
	// slots is how many slots the other predicates leave.
	slots float64
	// wanted is the number of matches that end the search.
	wanted float64
}

// reads returns how many slots the search will read if the given share of them matches.
func (p estimate) reads(share float64) float64 { return min(p.slots, p.wanted/share) }
