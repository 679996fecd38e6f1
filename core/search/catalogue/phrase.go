package catalogue

import "bytes"

// phrase is what a text must have in it, and where.
type phrase struct {
	text  string
	where where
}

type where uint8

// A phrase at the start or end of a text is not in an empty one, whatever it is.
const (
	anywhere where = iota
	atStart
	atEnd
	whole
)

// test makes the test of a text for the phrase.
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
