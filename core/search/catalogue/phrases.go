package catalogue

import (
	"bytes"
	"cmp"
	"slices"
)

// phrase is a part of a text that is searched for, and where it must be.
type phrase struct {
	text  string
	where where
}

type where uint8

// At the start or end of an empty text there is no phrase, not even the empty one.
const (
	anywhere where = iota
	atStart
	atEnd
	whole
)

// test returns a function that reports whether a text has the phrase.
func (p phrase) test() func(text []byte) bool {
	sought := []byte(p.text)
	switch p.where {
	case atStart:
		return func(text []byte) bool { return len(text) > 0 && bytes.HasPrefix(text, sought) }
	case atEnd:
		return func(text []byte) bool { return len(text) > 0 && bytes.HasSuffix(text, sought) }
	case whole:
		return func(text []byte) bool { return bytes.Equal(text, sought) }
	default:
		return func(text []byte) bool { return bytes.Contains(text, sought) }
	}
}

// trigrams has the tokens of the texts that contain each three bytes in a row. A text
// that contains a phrase contains all trigrams of the phrase, but not the other way
// round: candidates have to be verified.
type trigrams map[uint32]*set

const trigramSize = 3

func trigramAt[T string | []byte](text T, i int) uint32 {
	return uint32(text[i])<<16 | uint32(text[i+1])<<8 | uint32(text[i+2])
}

func (g trigrams) add(token uint32, text []byte) {
	for i := range len(text) - trigramSize + 1 {
		gram := trigramAt(text, i)
		tokens := g[gram]
		if tokens == nil {
			tokens = new(set)
			g[gram] = tokens
		}
		tokens.add(token)
	}
}

func (g trigrams) remove(token uint32, text []byte) {
	for i := range len(text) - trigramSize + 1 {
		gram := trigramAt(text, i)
		if tokens := g[gram]; tokens != nil {
			tokens.remove(token)
			if tokens.size() == 0 {
				delete(g, gram)
			}
		}
	}
}

// enough is the number of candidates from which down verifying is faster than narrowing.
const enough = 16

// candidates returns the tokens whose texts contain all trigrams of the phrase,
// or somewhat more. The phrase must be at least as long as a trigram.
func (g trigrams) candidates(phrase string) *set {
	var sets []*set
	for i := range len(phrase) - trigramSize + 1 {
		tokens := g[trigramAt(phrase, i)]
		if tokens == nil {
			return new(set)
		}
		sets = append(sets, tokens)
	}
	slices.SortFunc(sets, func(a, b *set) int { return cmp.Compare(a.size(), b.size()) })
	found := sets[0]
	for _, other := range sets[1:] {
		if found.size() <= enough {
			break
		}
		found = common(found, other)
	}
	return found
}

// common returns the members of both sets.
func common(a, b *set) *set {
	if a.words != nil && b.words != nil {
		both := set{words: slices.Clone(a.words[:min(len(a.words), len(b.words))])}
		for i := range both.words {
			both.words[i] &= b.words[i]
		}
		both.recount()
		return &both
	}
	if a.words != nil {
		a, b = b, a
	}
	var list []uint32
	for _, n := range a.list {
		if b.has(n) {
			list = append(list, n)
		}
	}
	return &set{list: list}
}

// finish releases spare capacity.
func (g trigrams) finish() {
	for _, tokens := range g {
		tokens.finish()
	}
}

func (g trigrams) bytes() int {
	if g == nil {
		return 0
	}
	total := mapBytes(len(g), 16) + setBytes*len(g)
	for _, tokens := range g {
		total += tokens.bytes()
	}
	return total
}
