package catalogue

import "hash/maphash"

// byteArena stores many short texts, by number, in a few pages of bytes: no string
// headers, no rounding up, nothing for the garbage collector to follow.
type byteArena struct {
	pages [][]byte
	spans []span
	// held counts the bytes of the texts, waste those of removed texts that still take
	// memory.
	held, waste int
}

// span locates a text: at is the number of its page and its first byte, which is among the
// first largestPage bytes of a larger page.
type span struct{ at, size uint32 }

const (
	smallestPage = 1 << 10
	largestPage  = 1 << pageBits
	pageBits     = 20
)

// text returns a text, which the caller must not change.
func (a *byteArena) text(number uint32) []byte {
	s := a.spans[number]
	if s.size == 0 {
		return nil
	}
	start := s.at % largestPage
	return a.pages[s.at>>pageBits][start : start+s.size]
}

// put stores a text under a number, which may be the next one.
func (a *byteArena) put(number uint32, text string) {
	if int(number) == len(a.spans) {
		a.spans = append(a.spans, span{})
	}
	if text == "" {
		// An offset into the last page may be too large for a span.
		a.spans[number] = span{}
		return
	}
	last := len(a.pages) - 1
	if last < 0 || cap(a.pages[last])-len(a.pages[last]) < len(text) {
		// Pages grow with the arena, so that little of the last one is unused.
		room := min(max(a.held/16, smallestPage), largestPage)
		a.pages = append(a.pages, make([]byte, 0, max(room, len(text))))
		last++
	}
	start := len(a.pages[last])
	a.pages[last] = append(a.pages[last], text...)
	a.spans[number] = span{uint32(last)<<pageBits | uint32(start), uint32(len(text))}
	a.held += len(text)
}

// drop removes a text. The number may be used again.
func (a *byteArena) drop(number uint32) {
	size := len(a.text(number))
	a.spans[number] = span{}
	a.held -= size
	a.waste += size
	if a.waste > a.held+smallestPage {
		a.pack()
	}
}

// pack moves the texts into pages without waste.
func (a *byteArena) pack() {
	packed := byteArena{spans: make([]span, 0, len(a.spans))}
	rest := a.held
	for number := range a.spans {
		text := a.text(uint32(number))
		last := len(packed.pages) - 1
		if last < 0 || cap(packed.pages[last])-len(packed.pages[last]) < len(text) {
			packed.pages = append(packed.pages, make([]byte, 0, max(min(rest, largestPage), len(text))))
		}
		packed.put(uint32(number), string(text))
		rest -= len(text)
	}
	*a = packed
}

func (a *byteArena) bytes() int {
	total := 8*cap(a.spans) + 24*cap(a.pages)
	for _, page := range a.pages {
		total += cap(page)
	}
	return total
}

// hashTable returns the token of a text. It stores only tokens and reads the texts from
// their arena. The zero hashTable is empty.
type hashTable struct {
	// The seed makes it impossible to prepare texts that collide. No answer
	// depends on it.
	seed  maphash.Seed
	table []uint32 // none where there is no token
	count int
}

// home returns the place where the search for a text starts.
func (r *hashTable) home(text []byte) int {
	return int(maphash.Bytes(r.seed, text) & uint64(len(r.table)-1))
}

func (r *hashTable) next(at int) int { return (at + 1) & (len(r.table) - 1) }

// find returns the token of a text.
func (r *hashTable) find(texts *byteArena, text string) (token uint32, ok bool) {
	if r.count == 0 {
		return none, false
	}
	at := int(maphash.String(r.seed, text) & uint64(len(r.table)-1))
	for ; r.table[at] != none; at = r.next(at) {
		if string(texts.text(r.table[at])) == text {
			return r.table[at], true
		}
	}
	return none, false
}

// add inserts a token whose text is not in the table.
func (r *hashTable) add(texts *byteArena, token uint32) {
	if 5*(r.count+1) > 4*len(r.table) {
		r.grow(texts)
	}
	r.insert(texts, token)
	r.count++
}

func (r *hashTable) insert(texts *byteArena, token uint32) {
	at := r.home(texts.text(token))
	for r.table[at] != none {
		at = r.next(at)
	}
	r.table[at] = token
}

func (r *hashTable) grow(texts *byteArena) {
	if r.table == nil {
		r.seed = maphash.MakeSeed()
	}
	old := r.table
	r.table = make([]uint32, max(8, 2*len(old)))
	for i := range r.table {
		r.table[i] = none
	}
	for _, token := range old {
		if token != none {
			r.insert(texts, token)
		}
	}
}

// remove removes a token. The tokens after it close the gap: a search ends at a gap.
func (r *hashTable) remove(texts *byteArena, token uint32) {
	gap := r.home(texts.text(token))
	for r.table[gap] != token {
		gap = r.next(gap)
	}
	mask := len(r.table) - 1
	for at := r.next(gap); r.table[at] != none; at = r.next(at) {
		home := r.home(texts.text(r.table[at]))
		if (at-home)&mask >= (at-gap)&mask {
			r.table[gap], gap = r.table[at], at
		}
	}
	r.table[gap] = none
	r.count--
}

func (r *hashTable) bytes() int { return 4 * cap(r.table) }
