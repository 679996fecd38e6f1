package catalogue

// Tuning is when an index changes its ways, for tests to have it change them
// with few products already.
type Tuning struct {
	SpellFrom, CompactFrom int
	VerifyRatio            float64
	RememberFrom           float64
	RememberMost           int
	ProbeShare             float64
}

// NewTunedBuilder makes a builder whose index is tuned.
func NewTunedBuilder(options Options, t Tuning) *Builder {
	return newBuilder(options, tuning{t.SpellFrom, t.CompactFrom, t.VerifyRatio, t.RememberFrom, t.RememberMost, t.ProbeShare})
}

// Slots is how many slots the index has.
func (x *Index) Slots() int { return int(x.slots) }
