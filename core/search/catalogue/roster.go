package catalogue

import "hash/maphash"

// roster finds the token of a text: a hash table that holds tokens alone and
// looks the texts up in their arena. The zero roster is empty.
type roster struct {
	// The seed makes it impossible to prepare texts that collide. No answer
	// depends on it.
	seed  maphash.Seed
	table []uint32 // none where there is no token
	count int
}

// home is where the search for a text starts.
func (r *roster) home(text []byte) int {
	return int(maphash.Bytes(r.seed, text) & uint64(len(r.table)-1))
}

func (r *roster) next(at int) int { return (at + 1) & (len(r.table) - 1) }

// find returns the token of a text.
func (r *roster) find(texts *arena, text string) (token uint32, ok bool) {
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

// add enters a token whose text is not in the roster.
func (r *roster) add(texts *arena, token uint32) {
	if 5*(r.count+1) > 4*len(r.table) {
		r.grow(texts)
	}
	r.enter(texts, token)
	r.count++
}

func (r *roster) enter(texts *arena, token uint32) {
	at := r.home(texts.text(token))
	for r.table[at] != none {
		at = r.next(at)
	}
	r.table[at] = token
}

func (r *roster) grow(texts *arena) {
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
			r.enter(texts, token)
		}
	}
}

// remove takes a token out. The tokens behind it close the gap, or else the
// search for them would end there.
func (r *roster) remove(texts *arena, token uint32) {
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

func (r *roster) bytes() int { return 4 * cap(r.table) }
