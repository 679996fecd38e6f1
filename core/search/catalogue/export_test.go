package catalogue

// Tuning has the limits at which an index changes its strategy, so that tests reach them
// with few products.
type Tuning struct {
	TrigramsFrom, CompactFrom int
	VerifyRatio               float64
	RememberFrom              float64
	RememberMost              int
	ProbeShare                float64
}

// NewTunedBuilder returns a builder of an index with these limits.
func NewTunedBuilder(options Options, t Tuning) *Builder {
	return newBuilder(options, tuning{t.TrigramsFrom, t.CompactFrom, t.VerifyRatio, t.RememberFrom, t.RememberMost, t.ProbeShare})
}

// Slots returns the number of slots of the index.
func (x *Index) Slots() int { return int(x.slots) }
