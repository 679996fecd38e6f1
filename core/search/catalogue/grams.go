package catalogue

import (
	"cmp"
	"slices"
)

// grams says which texts contain which three bytes in a row. A text that
// contains a phrase contains all trigrams of the phrase, but not the other way
// round: what grams find has to be verified.
type grams map[uint32]*set

const gramSize = 3

func gramAt[T string | []byte](text T, i int) uint32 {
	return uint32(text[i])<<16 | uint32(text[i+1])<<8 | uint32(text[i+2])
}

func (g grams) add(token uint32, text []byte) {
	for i := range len(text) - gramSize + 1 {
		gram := gramAt(text, i)
		tokens := g[gram]
		if tokens == nil {
			tokens = new(set)
			g[gram] = tokens
		}
		tokens.add(token)
	}
}

func (g grams) remove(token uint32, text []byte) {
	for i := range len(text) - gramSize + 1 {
		gram := gramAt(text, i)
		if tokens := g[gram]; tokens != nil {
			tokens.remove(token)
			if tokens.size() == 0 {
				delete(g, gram)
			}
		}
	}
}

// enough is how few candidates are sooner verified than narrowed further.
const enough = 16

// candidates returns the tokens whose texts contain all trigrams of the phrase,
// or somewhat more. The phrase must be as long as a trigram.
func (g grams) candidates(phrase string) *set {
	var sets []*set
	for i := range len(phrase) - gramSize + 1 {
		tokens := g[gramAt(phrase, i)]
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

// common returns the members that both sets have.
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

// settle gives back room kept for more texts.
func (g grams) settle() {
	for _, tokens := range g {
		tokens.settle()
	}
}

func (g grams) bytes() int {
	if g == nil {
		return 0
	}
	total := mapBytes(len(g), 16) + setBytes*len(g)
	for _, tokens := range g {
		total += tokens.bytes()
	}
	return total
}
