package catalogue

import "github.com/vitrine-crm/vitrine/core/domain/demand"

// inAreas demands a place that demand.Within some areas. Areas with a name are
// held against each town once; those that are drawn, against positions within
// their frames.
type inAreas struct {
	x            *Index
	named, drawn []demand.Area
	frames       []demand.Frame // of the drawn ones
	// anywhere is true when areas are only excluded.
	anywhere bool
	// towns are the verdicts by token, as far as they are known.
	towns []townVerdict
}

// townVerdict is what the named areas say about a town.
type townVerdict uint8

const (
	unseen townVerdict = iota
	elsewhere
	wanted
	excluded
)

func (x *Index) inAreas(areas []demand.Area) predicate {
	p := inAreas{x: x, anywhere: true, towns: make([]townVerdict, len(x.towns.first))}
	for _, a := range areas {
		p.anywhere = p.anywhere && a.Excluded
		if a.Type.Drawn() {
			p.drawn, p.frames = append(p.drawn, a), append(p.frames, a.Frame(false))
		} else {
			p.named = append(p.named, a)
		}
	}
	return p
}

func (p inAreas) narrow(w *window) {
	for slot := range w.slots(false) {
		if !p.meets(slot) {
			w.words[slot/wordSize%windowWords] &^= 1 << (slot % wordSize)
		}
	}
}

func (p inAreas) meets(slot uint32) bool {
	town := p.town(slot)
	if town == excluded {
		return false
	}
	in := p.anywhere || town == wanted
	if len(p.drawn) == 0 {
		return in
	}
	s, placed := p.x.spots.at(slot)
	if !placed {
		return in
	}
	position := s.position()
	for i := range p.drawn {
		a := &p.drawn[i]
		if in && !a.Excluded || !p.frames[i].Has(position) || !a.Has(demand.Place{Position: &position}) {
			continue
		}
		if a.Excluded {
			return false
		}
		in = true
	}
	return in
}

func (p inAreas) town(slot uint32) townVerdict {
	token, _ := p.x.towns.tokens.at(slot)
	if p.towns[token] == unseen {
		p.towns[token] = p.judge(placeOfTown(string(p.x.towns.texts.text(token))))
	}
	return p.towns[token]
}

func (p inAreas) judge(town demand.Place) townVerdict {
	verdict := elsewhere
	for _, a := range p.named {
		switch {
		case !a.Has(town):
		case a.Excluded:
			return excluded
		default:
			verdict = wanted
		}
	}
	return verdict
}

func (p inAreas) cost() float64 { return 4 * costOfColumn }

func (p inAreas) share(float64) float64 { return shareOfTexts }
