package catalogue

import (
	"iter"
	"slices"
)

// lexicon gives each slot at most one text. Every different text is kept once,
// under a number: its token.
type lexicon struct {
	texts  arena // by token
	roster roster
	grams  grams // nil while there are few texts
	tokens column[uint32]
	// first is the only holder of a token, or none. The holders of a token that
	// has several are in shared, and then it says so.
	first  []uint32
	shared map[uint32]*set
	free   []uint32 // tokens without a text
	// spellFrom is how many different texts are worth trigrams; 0 is never.
	spellFrom int
	// counted lexicons know how many slots hold a text, in first, and not which,
	// because nothing asks for them.
	counted bool
	// phrases are told of every change, if there are any.
	phrases *phrases
}

// several stands in for the only holder of a token that has more.
const several = none - 1

// put gives the slot a text.
func (l *lexicon) put(slot uint32, text string) {
	if l.holds(slot, text) {
		return
	}
	l.release(slot)
	token, known := l.roster.find(&l.texts, text)
	if !known {
		token = l.coin(text)
	}
	l.tokens.put(slot, token)
	l.join(token, slot)
	if l.phrases != nil {
		l.phrases.changed(l, slot, l.texts.text(token), true)
	}
}

// holds reports whether the slot has exactly this text.
func (l *lexicon) holds(slot uint32, text string) bool {
	token, ok := l.tokens.at(slot)
	return ok && string(l.texts.text(token)) == text
}

// drop takes the text of the slot away, if it has one.
func (l *lexicon) drop(slot uint32) {
	if l.release(slot) && l.phrases != nil {
		l.phrases.changed(l, slot, nil, false)
	}
}

func (l *lexicon) release(slot uint32) (had bool) {
	old, had := l.tokens.at(slot)
	if had {
		l.tokens.drop(slot)
		l.leave(old, slot)
	}
	return had
}

// coin makes a token for a text that has none.
func (l *lexicon) coin(text string) uint32 {
	token := uint32(len(l.first))
	if last := len(l.free) - 1; last >= 0 {
		token, l.free = l.free[last], l.free[:last]
	} else {
		l.first = append(l.first, none)
	}
	l.texts.put(token, text)
	l.roster.add(&l.texts, token)
	if l.grams != nil {
		l.grams.add(token, l.texts.text(token))
	}
	return token
}

// melt gives up a token that nobody holds.
func (l *lexicon) melt(token uint32) {
	if l.grams != nil {
		l.grams.remove(token, l.texts.text(token))
	}
	l.roster.remove(&l.texts, token)
	l.texts.drop(token)
	l.free = append(l.free, token)
}

func (l *lexicon) join(token, slot uint32) {
	if l.counted {
		if l.first[token] == none {
			l.first[token] = 0
		}
		l.first[token]++
		return
	}
	switch first := l.first[token]; first {
	case several:
		l.shared[token].add(slot)
	case none:
		l.first[token] = slot
	default:
		holders := new(set)
		holders.add(first)
		holders.add(slot)
		if l.shared == nil {
			l.shared = map[uint32]*set{}
		}
		l.shared[token], l.first[token] = holders, several
	}
}

func (l *lexicon) leave(token, slot uint32) {
	if l.counted && l.first[token] > 1 {
		l.first[token]--
		return
	}
	if l.first[token] != several {
		l.first[token] = none
		l.melt(token)
		return
	}
	holders := l.shared[token]
	holders.remove(slot)
	if holders.size() == 1 {
		for last := range holders.all() {
			l.first[token] = last
		}
		delete(l.shared, token)
	}
}

// holders returns the slots that hold one of the tokens. Slots are below the
// given one.
func (l *lexicon) holders(tokens iter.Seq[uint32], slots uint32) *set {
	found := &set{words: make([]uint64, (slots+wordSize-1)/wordSize)}
	for token := range tokens {
		if slot := l.first[token]; slot != several {
			found.words[slot/wordSize] |= 1 << (slot % wordSize)
			continue
		}
		holders := l.shared[token]
		for i, word := range holders.words {
			found.words[i] |= word
		}
		for _, slot := range holders.list {
			found.words[slot/wordSize] |= 1 << (slot % wordSize)
		}
	}
	found.recount()
	return found
}

// exactly returns the slots that hold the text.
func (l *lexicon) exactly(text string) *set {
	token, known := l.roster.find(&l.texts, text)
	if !known {
		return new(set)
	}
	if holders := l.shared[token]; holders != nil {
		return holders
	}
	return &set{list: []uint32{l.first[token]}}
}

// size is the number of different texts.
func (l *lexicon) size() int { return len(l.first) - len(l.free) }

// spell indexes the texts by their trigrams once there are enough of them.
func (l *lexicon) spell() {
	if l.grams != nil || l.spellFrom == 0 || l.size() < l.spellFrom {
		return
	}
	l.grams = grams{}
	for token := range l.all() {
		l.grams.add(token, l.texts.text(token))
	}
}

// all lists the tokens in ascending order.
func (l *lexicon) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, first := range l.first {
			token := uint32(i)
			if first != none && !yield(token) {
				return
			}
		}
	}
}

func (l *lexicon) open(slot uint32) {
	if l.counted {
		l.tokens.open(slot)
		return
	}
	var moved set
	for token := range l.tokens.from(slot) {
		if moved.has(token) {
			continue
		}
		moved.add(token)
		if l.first[token] == several {
			l.shared[token].open(slot)
		} else {
			l.first[token]++
		}
	}
	l.tokens.open(slot)
}

func (l *lexicon) arrange(how arrangement) {
	tokens := slices.Collect(l.all())
	l.tokens.arrange(how)
	l.shared = nil
	for i := range l.first {
		l.first[i] = none
	}
	for slot := range how.from {
		if token, ok := l.tokens.at(uint32(slot)); ok {
			l.join(token, uint32(slot))
		}
	}
	for _, token := range tokens {
		if l.first[token] == none {
			l.melt(token)
		}
	}
}

// settle gives back room kept for more texts and sees to the trigrams.
func (l *lexicon) settle() {
	l.texts.pack()
	l.tokens.settle()
	l.first = slices.Clip(slices.Clone(l.first))
	for _, holders := range l.shared {
		holders.settle()
	}
	l.spell()
	l.grams.settle()
}

func (l *lexicon) bytes() int {
	total := l.texts.bytes() + l.roster.bytes() + l.grams.bytes() + l.tokens.bytes() +
		4*cap(l.first) + 4*cap(l.free) + mapBytes(len(l.shared), 12) + setBytes*len(l.shared)
	for _, holders := range l.shared {
		total += holders.bytes()
	}
	return total
}
