package catalogue

// none is no slot, or no token.
const none = ^uint32(0)

// arrangement is a new numbering of the slots, which may leave some out.
type arrangement struct {
	from []uint32 // the old slot of each new one
	to   []uint32 // the new slot of each old one, or none
}

// arrange makes the arrangement in which the slots come in the given order.
func arrange(from []uint32, slots int) arrangement {
	how := arrangement{from: from, to: make([]uint32, slots)}
	for i := range how.to {
		how.to[i] = none
	}
	for to, slot := range from {
		how.to[slot] = uint32(to)
	}
	return how
}
