package catalogue

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
)

// townOf writes down what areas with a name care about. None of it has a line
// break.
func townOf(p demand.Place) string { return p.City + "\n" + p.PostalCode + "\n" + p.INSEE }

func placeOfTown(town string) demand.Place {
	city, codes, _ := strings.Cut(town, "\n")
	postalCode, insee, _ := strings.Cut(codes, "\n")
	return demand.Place{City: city, PostalCode: postalCode, INSEE: insee}
}

// whereabouts is where the product in a slot is.
func (x *Index) whereabouts(slot uint32) demand.Place {
	token, _ := x.towns.tokens.at(slot)
	place := placeOfTown(string(x.towns.texts.text(token)))
	if s, placed := x.spots.at(slot); placed {
		position := s.position()
		place.Position = &position
	}
	return place
}
