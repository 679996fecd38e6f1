package catalogue

// arena holds many short texts, by number, in a few pages of bytes: no string
// headers, no rounding up, nothing for the garbage collector to follow.
type arena struct {
	pages [][]byte
	spans []span
	// held counts the bytes of the texts that are there, waste those of texts
	// that were there and still take room.
	held, waste int
}

// span is where a text is: at is the number of the page and the byte it begins with,
// which is in the first of a larger page.
type span struct{ at, size uint32 }

const (
	smallestPage = 1 << 10
	largestPage  = 1 << pageBits
	pageBits     = 20
)

// text returns a text, which the caller must not change.
func (a *arena) text(number uint32) []byte {
	s := a.spans[number]
	if s.size == 0 {
		return nil
	}
	start := s.at % largestPage
	return a.pages[s.at>>pageBits][start : start+s.size]
}

// put stores a text under a number, which may be the next one.
func (a *arena) put(number uint32, text string) {
	if int(number) == len(a.spans) {
		a.spans = append(a.spans, span{})
	}
	if text == "" {
		// The last page may be longer than others, and have no place for it.
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

// drop forgets a text. The number may be used again.
func (a *arena) drop(number uint32) {
	size := len(a.text(number))
	a.spans[number] = span{}
	a.held -= size
	a.waste += size
	if a.waste > a.held+smallestPage {
		a.pack()
	}
}

// pack moves the texts into pages without waste.
func (a *arena) pack() {
	packed := arena{spans: make([]span, 0, len(a.spans))}
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

func (a *arena) bytes() int {
	total := 8*cap(a.spans) + 24*cap(a.pages)
	for _, page := range a.pages {
		total += cap(page)
	}
	return total
}
