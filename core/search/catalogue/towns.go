package catalogue

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
)

// townOf returns a text of what areas with a name compare. None of it has a line break.
func townOf(p demand.Place) string { return p.City + "\n" + p.PostalCode + "\n" + p.INSEE }

func placeOfTown(town string) demand.Place {
	city, codes, _ := strings.Cut(town, "\n")
	postalCode, insee, _ := strings.Cut(codes, "\n")
	return demand.Place{City: city, PostalCode: postalCode, INSEE: insee}
}

// whereabouts returns the place of the product in a slot.
func (x *Index) whereabouts(slot uint32) demand.Place {
	token, _ := x.towns.tokens.at(slot)
	place := placeOfTown(string(x.towns.texts.text(token)))
	if s, located := x.points.at(slot); located {
		position := s.position()
		place.Position = &position
	}
	return place
}

// inAreas demands a place that is demand.Within some areas. Areas with a name are compared
// with each town once; those that are drawn, with positions within their frames.
type inAreas struct {
	x            *Index
	named, drawn []demand.Area
	frames       []demand.Frame // of the drawn ones
	// anywhere reports that areas are only excluded.
	anywhere bool
	// towns are the verdicts by token, computed when first needed.
	towns []townVerdict
}

// townVerdict is the result of comparing a town with the named areas.
type townVerdict uint8

const (
	unseen townVerdict = iota
	outside
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
	s, located := p.x.points.at(slot)
	if !located {
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
	verdict := outside
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
