package catalogue

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"sync"
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

// phrases caches the slots with phrases that are expensive to find. Every change of a text
// updates it.
//
// Searches add to it concurrently, under the read lock of the index. The sets it returns
// are not changed while that lock is held.
type phrases struct {
	// from is the number of verifications from which on a phrase is cached, and most the
	// largest number of phrases.
	from float64
	most int

	mu    sync.Mutex
	known map[inTexts]*remembered
	// level is the worth of the last phrase that was evicted.
	level float64
}

// inTexts is a phrase and the texts it is searched in.
type inTexts struct {
	lexicon *lexicon
	phrase
}

// remembered is a cached phrase.
type remembered struct {
	test func(text []byte) bool
	// slots is nil until it is worth finding all of them.
	slots *set
	// effort is the number of verifications that finding the slots took, or that searches
	// have made without them.
	effort float64
	// worth decides about eviction: the phrase goes that saves least and was not searched
	// for longest. It is the effort above the level at the time of the last search.
	worth float64
}

// recall returns the slots with a phrase, nil when they are not cached.
func (p *phrases) recall(l *lexicon, sought phrase) *set {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.known[inTexts{l, sought}]
	if r == nil || r.slots == nil {
		return nil
	}
	r.worth = p.level + r.effort
	return r.slots
}

// keep caches the slots with a phrase, if finding them took some effort.
func (p *phrases) keep(l *lexicon, sought phrase, slots *set, effort float64) {
	if effort <= p.from {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(inTexts{l, sought}, effort).slots = slots
}

// note counts the verifications of a search that does not find all slots with a phrase,
// and returns how many such searches have made before.
func (p *phrases) note(l *lexicon, sought phrase, reads float64) (before float64) {
	if reads <= p.from {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.known[inTexts{l, sought}]; r != nil {
		before = r.effort
	}
	p.put(inTexts{l, sought}, before+reads)
	return before
}

// put stores the effort of a phrase, and evicts the one of least worth if there are too
// many.
func (p *phrases) put(sought inTexts, effort float64) *remembered {
	r := p.known[sought]
	if r == nil {
		if p.known == nil {
			p.known = map[inTexts]*remembered{}
		}
		r = &remembered{test: sought.test()}
		p.known[sought] = r
	}
	r.effort, r.worth = effort, p.level+effort
	if len(p.known) > p.most {
		p.forget()
	}
	return r
}

func (p *phrases) forget() {
	var least inTexts
	for sought, r := range p.known {
		if first := p.known[least]; first == nil || r.worth < first.worth {
			least = sought
		}
	}
	p.level = p.known[least].worth
	delete(p.known, least)
}

// changed updates the cached sets with the new text of a slot, or that it has none any more.
func (p *phrases) changed(l *lexicon, slot uint32, text []byte, some bool) {
	for sought, r := range p.known {
		if sought.lexicon == l && r.slots != nil {
			r.slots.put(slot, some && r.test(text))
		}
	}
}

// sets lists the sets of slots.
func (p *phrases) sets() iter.Seq[*set] {
	return func(yield func(*set) bool) {
		for _, r := range p.known {
			if r.slots != nil && !yield(r.slots) {
				return
			}
		}
	}
}

func (p *phrases) open(slot uint32) {
	for slots := range p.sets() {
		slots.open(slot)
	}
}

func (p *phrases) arrange(how arrangement) {
	for slots := range p.sets() {
		slots.arrange(how)
	}
}

func (p *phrases) finish() {
	for slots := range p.sets() {
		slots.finish()
	}
}

// rememberedBytes is about the size of a phrase without its text and its slots.
const rememberedBytes = 256

// bytes may be called while searches add phrases.
func (p *phrases) bytes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	total := 0
	for sought, r := range p.known {
		total += rememberedBytes + 2*len(sought.text)
		if r.slots != nil {
			total += setBytes + r.slots.bytes()
		}
	}
	return total
}
