package catalogue

import (
	"iter"
	"sync"
)

// phrases remembers which slots have phrases in their texts that take long to
// find, so that they are found once. Every change of a text keeps it up to date.
//
// Searches add to it side by side, under the lock for reading of the index; what
// they have got from it stays as it is as long as they hold that.
type phrases struct {
	// from is how many verifications a phrase must take, and most how many phrases
	// there are at most.
	from float64
	most int

	mu    sync.Mutex
	known map[inTexts]*remembered
	// level is the worth of the last phrase that was forgotten.
	level float64
}

// inTexts is a phrase and the texts it is looked for in.
type inTexts struct {
	lexicon *lexicon
	phrase
}

// remembered is what is known of a phrase.
type remembered struct {
	test func(text []byte) bool
	// slots is nil until the phrase is worth finding all of them.
	slots *set
	// effort is how many verifications the slots took, or searches have made without.
	effort float64
	// worth puts phrases in order: those go that save least and were not asked for
	// for longest. It is the effort above the level of the time they were asked for.
	worth float64
}

// recall returns the slots with a phrase, nil when they are not remembered.
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

// keep remembers the slots with a phrase, if they took some effort.
func (p *phrases) keep(l *lexicon, sought phrase, slots *set, effort float64) {
	if effort <= p.from {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.learn(inTexts{l, sought}, effort).slots = slots
}

// note counts the verifications of a search that does not find all slots with a
// phrase, and returns how many such searches have made before.
func (p *phrases) note(l *lexicon, sought phrase, looks float64) (before float64) {
	if looks <= p.from {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.known[inTexts{l, sought}]; r != nil {
		before = r.effort
	}
	p.learn(inTexts{l, sought}, before+looks)
	return before
}

// learn enters a phrase, and forgets the one that is worth least if there are too
// many.
func (p *phrases) learn(sought inTexts, effort float64) *remembered {
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

// changed notes the text of a slot, or that it has none any more.
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

func (p *phrases) settle() {
	for slots := range p.sets() {
		slots.settle()
	}
}

// rememberedBytes is about what a phrase takes beside its text and its slots.
const rememberedBytes = 256

// bytes may be asked for while searches add to what is remembered.
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
