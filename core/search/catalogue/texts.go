package catalogue

import (
	"iter"
)

// texts gives each slot at most one text, as the values of a criterion.
//
// Addresses are cut in two: the same streets come back behind other numbers, so
// that there are far fewer numbers and streets than addresses to look into.
type texts struct {
	// numbered tells texts that are cut behind a number they begin with.
	numbered bool
	numbers  lexicon
	// rest are the texts without their numbers, and never empty behind one.
	rest lexicon
}

// cut takes the number off a text that begins with one: "12 bis" off "12 bis rue
// de la paix". The number is empty without one, or when nothing is behind it.
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

// cuts are what stands before and behind each space of a text.
func cuts(text string) iter.Seq2[string, string] {
	return func(yield func(before, after string) bool) {
		for i := range len(text) {
			if text[i] == ' ' && !yield(text[:i], text[i+1:]) {
				return
			}
		}
	}
}

// isNumber reports whether a word is part of the number of a house. If it is
// wrong, searches are slower and find the same.
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

// holds reports whether the slot has exactly this text.
func (t *texts) holds(slot uint32, text string) bool {
	number, rest := t.cut(text)
	if !t.rest.holds(slot, rest) {
		return false
	}
	if number == "" {
		return !t.numbers.tokens.has(slot)
	}
	return t.numbers.holds(slot, number)
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

// written demands a text with a phrase in it.
func (x *Index) written(t *texts, p phrase, ahead prospect) predicate {
	rest := x.spelling(&t.rest, p, ahead)
	if t.numbers.size() == 0 {
		return rest
	}
	var found either
	switch p.where {
	case anywhere:
		found = either{rest, x.spelling(&t.numbers, p, ahead)}
	case atStart:
		found = either{all{rest, t.unnumbered()}, x.spelling(&t.numbers, p, ahead)}
	default:
		found = either{rest}
	}
	// A phrase that begins in the number and ends in the rest has the space between
	// them. It has all of the one if it may not begin or end within.
	for number, street := range cuts(p.text) {
		begins, ends := phrase{number, atEnd}, phrase{street, atStart}
		switch p.where {
		case anywhere:
		case atStart:
			begins.where = whole
		default:
			ends.where = whole
		}
		if begin := x.spelling(&t.numbers, begins, ahead); !impossible(begin) {
			found = append(found, all{begin, x.spelling(&t.rest, ends, ahead)})
		}
	}
	return found.simplified()
}

// spell indexes the texts by their trigrams once there are enough of them.
func (t *texts) spell() {
	t.numbers.spell()
	t.rest.spell()
}

func (t *texts) open(slot uint32) {
	t.numbers.open(slot)
	t.rest.open(slot)
}

func (t *texts) arrange(how arrangement) {
	t.numbers.arrange(how)
	t.rest.arrange(how)
}

func (t *texts) settle() {
	t.numbers.settle()
	t.rest.settle()
}

func (t *texts) bytes() int { return t.numbers.bytes() + t.rest.bytes() }
