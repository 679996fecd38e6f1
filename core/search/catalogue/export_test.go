package catalogue

// Tuning has the limits at which an index changes its strategy, so that tests reach them
// with few products.
type Tuning struct {
	TrigramsFrom, CompactFrom int
	VerifyRatio               float64
	ProbeShare                float64
}

// NewTunedBuilder returns a builder of an index with these limits.
func NewTunedBuilder(options Options, t Tuning) *Builder {
	return newBuilder(options, tuning{t.TrigramsFrom, t.CompactFrom, t.VerifyRatio, t.ProbeShare})
}

// Slots returns the number of slots of the index.
func (x *Index) Slots() int { return int(x.slots) }
