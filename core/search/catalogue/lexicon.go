package catalogue

import (
	"iter"
	"slices"
)

// lexicon has at most one text for each slot. Every different text is stored once, under
// a number: its token.
type lexicon struct {
	texts    byteArena // by token
	table    hashTable
	trigrams trigrams // nil while there are few texts
	tokens   column[uint32]
	// first is the only slot with a token, or none. Of a token with several slots it is
	// the constant several, and the slots are in shared.
	first  []uint32
	shared map[uint32]*set
	free   []uint32 // tokens without a text
	// trigramsFrom is the number of different texts from which on there are trigrams; 0 is
	// never.
	trigramsFrom int
	// counted lexicons keep in first how many slots have a text, and not which, because
	// nothing needs them.
	counted bool
}

// several marks in first that a token has more than one slot.
const several = none - 1

// put sets the text of the slot.
func (l *lexicon) put(slot uint32, text string) {
	if l.hasText(slot, text) {
		return
	}
	l.drop(slot)
	token, known := l.table.find(&l.texts, text)
	if !known {
		token = l.newToken(text)
	}
	l.tokens.put(slot, token)
	l.link(token, slot)
}

// hasText reports whether the slot has exactly this text.
func (l *lexicon) hasText(slot uint32, text string) bool {
	token, ok := l.tokens.at(slot)
	return ok && string(l.texts.text(token)) == text
}

// drop removes the text of the slot, if it has one.
func (l *lexicon) drop(slot uint32) {
	if old, had := l.tokens.at(slot); had {
		l.tokens.drop(slot)
		l.unlink(old, slot)
	}
}

// newToken returns a token for a text that has none.
func (l *lexicon) newToken(text string) uint32 {
	token := uint32(len(l.first))
	if last := len(l.free) - 1; last >= 0 {
		token, l.free = l.free[last], l.free[:last]
	} else {
		l.first = append(l.first, none)
	}
	l.texts.put(token, text)
	l.table.add(&l.texts, token)
	if l.trigrams != nil {
		l.trigrams.add(token, l.texts.text(token))
	}
	return token
}

// freeToken releases a token without slots.
func (l *lexicon) freeToken(token uint32) {
	if l.trigrams != nil {
		l.trigrams.remove(token, l.texts.text(token))
	}
	l.table.remove(&l.texts, token)
	l.texts.drop(token)
	l.free = append(l.free, token)
}

func (l *lexicon) link(token, slot uint32) {
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

func (l *lexicon) unlink(token, slot uint32) {
	if l.counted && l.first[token] > 1 {
		l.first[token]--
		return
	}
	if l.first[token] != several {
		l.first[token] = none
		l.freeToken(token)
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

// withTokens returns the slots that have one of the tokens. All slots are below the given
// number.
func (l *lexicon) withTokens(tokens iter.Seq[uint32], slots uint32) *set {
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

// exactly returns the slots that have the text.
func (l *lexicon) exactly(text string) *set {
	token, known := l.table.find(&l.texts, text)
	if !known {
		return new(set)
	}
	if holders := l.shared[token]; holders != nil {
		return holders
	}
	return &set{list: []uint32{l.first[token]}}
}

// size returns the number of different texts.
func (l *lexicon) size() int { return len(l.first) - len(l.free) }

// indexTrigrams indexes the texts by their trigrams once there are enough of them.
func (l *lexicon) indexTrigrams() {
	if l.trigrams != nil || l.trigramsFrom == 0 || l.size() < l.trigramsFrom {
		return
	}
	l.trigrams = trigrams{}
	for token := range l.all() {
		l.trigrams.add(token, l.texts.text(token))
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
			l.link(token, uint32(slot))
		}
	}
	for _, token := range tokens {
		if l.first[token] == none {
			l.freeToken(token)
		}
	}
}

// finish releases spare capacity and indexes the trigrams.
func (l *lexicon) finish() {
	l.texts.pack()
	l.tokens.finish()
	l.first = slices.Clip(slices.Clone(l.first))
	for _, holders := range l.shared {
		holders.finish()
	}
	l.indexTrigrams()
	l.trigrams.finish()
}

func (l *lexicon) bytes() int {
	total := l.texts.bytes() + l.table.bytes() + l.trigrams.bytes() + l.tokens.bytes() +
		4*cap(l.first) + 4*cap(l.free) + mapBytes(len(l.shared), 12) + setBytes*len(l.shared)
	for _, holders := range l.shared {
		total += holders.bytes()
	}
	return total
}
