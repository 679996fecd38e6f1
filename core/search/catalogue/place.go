package catalogue

// inArea demands a position in an area, by looking at positions.
type inArea struct {
	spots *column[spot]
	area  *area
}

func (p inArea) narrow(w *window) { p.spots.keep(w, p.area.has) }

func (p inArea) meets(slot uint32) bool {
	s, placed := p.spots.at(slot)
	return placed && p.area.has(s)
}

func (p inArea) cost() float64 { return 4 * costOfColumn }

func (p inArea) share(float64) float64 { return shareOfRange }

// How much of the ranking of places is worth reading ahead of a search: what a
// place costs, in slots whose position could be looked at meanwhile, and what
// finding the next strip does.
const (
	costOfPlace = 4
	costOfStrip = 40
)

// place turns an area into a predicate. What is in a small area is found by its
// place and makes a set, which spares all other predicates work.
func (x *Index) place(a area) predicate {
	slots := int(x.slots)
	budget := slots - costOfStrip*len(a.strips)
	if budget < 0 {
		return inArea{&x.spots, &a}
	}
	found := set{words: make([]uint64, (slots+wordSize-1)/wordSize)}
	for i, strip := range a.strips {
		for from, to := range strip.maybe.stretches() {
			for place, slot := range x.places.between(placeOf(a.first+i, from), placeOf(a.first+i, to)) {
				if budget -= costOfPlace; budget < 0 {
					return inArea{&x.spots, &a}
				}
				if strip.surely.has(int32(place)) || a.holds(x.spots.get(slot).position()) {
					found.words[slot/wordSize] |= 1 << (slot % wordSize)
				}
			}
		}
	}
	found.recount()
	return member{&found}
}
