package product

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Source is what a position was taken from.
type Source string

// The sources, the most exact first.
const (
	FromAlentour Source = "alentour"
	FromAddress  Source = "address"
	FromCity     Source = "city"
)

// Place is where something is, and how that is known. Without a Source it is
// nowhere.
type Place struct {
	criteria.Position
	Source Source
	// Score says how sure a geocoder is, up to 1; 0 when it does not say.
	Score float64
	// Commune is the INSEE code of the French commune it is in, empty when nobody
	// says.
	Commune string
}

// Address is what a geocoder can be asked about.
type Address struct {
	Street, PostalCode, City string
	// Country is an ISO 3166 code, empty where the site's own is meant.
	Country string
}

// Geocoded is what was answered about an address.
type Geocoded struct {
	// For is the folded address; zero when nobody has asked yet.
	For Address
	// Place is nowhere when there is no such place.
	Place Place
}

// Address returns the address a product may be located by. That of a masked one is
// its town, lest its position tell what the mask hides.
func (p Product) Address() Address { return addressOf(p.Criteria) }

func addressOf(v criteria.Lookup) Address {
	a := Address{
		Street: v.Text(criteria.KeyAddress), PostalCode: v.Text(criteria.KeyPostalCode),
		City: v.Text(criteria.KeyCity), Country: v.Code(criteria.KeyCountry),
	}
	if v.Flag(criteria.KeyHideAddress) {
		a.Street = ""
	}
	return a
}

// Folded returns the form in which two ways to write an address are one.
func (a Address) Folded() Address {
	return Address{
		Street: criteria.Fold(a.Street), PostalCode: criteria.Fold(a.PostalCode),
		City: criteria.Fold(a.City), Country: criteria.Fold(a.Country),
	}
}

// Questions returns the addresses to ask a geocoder about, one after the other
// until one is found: the whole, then the town alone. There are none without a
// town: a street of that name may be anywhere.
func (a Address) Questions() []Address {
	town := a
	town.Street = ""
	switch {
	case a.City == "" && a.PostalCode == "":
		return nil
	case a.Street == "":
		return []Address{town}
	default:
		return []Address{a, town}
	}
}

// Accept makes of a geocoder's answer about the address what may be kept, and
// reports whether it is a place at all. Who was asked about a town has not
// found a house.
func (a Address) Accept(found Place) (Place, bool) {
	position, ok := criteria.NewPosition(found.Latitude, found.Longitude)
	kept := Place{Position: position, Source: FromCity}
	if found.Source == FromAddress && a.Street != "" {
		kept.Source = FromAddress
	}
	if found.Score > 0 && found.Score <= 1 {
		kept.Score = found.Score
	}
	if _, _, known := LocateCommune(found.Commune); known {
		kept.Commune = found.Commune
	}
	return kept, ok
}

// Place returns where the product is: where Alentour says, or else where its address
// was found. What was found for an address it had before does not count.
func (p Product) Place() (Place, bool) { return PlaceOf(p.Criteria, p.Geocoded) }

// PlaceOf returns the place of the product that has these values, and of whose address this is
// known.
func PlaceOf(v criteria.Lookup, known Geocoded) (Place, bool) {
	if position, given := alentour(v); given {
		return Place{Position: position, Source: FromAlentour}, true
	}
	if known.Place.Source == "" || known.For != addressOf(v).Folded() {
		return Place{}, false
	}
	return known.Place, true
}

// Position returns the position of Place.
func (p Product) Position() (criteria.Position, bool) {
	place, found := p.Place()
	return place.Position, found
}

func alentour(v criteria.Lookup) (criteria.Position, bool) {
	text := v.Text(criteria.KeyPosition)
	if text == "" {
		return criteria.Position{}, false
	}
	position, err := criteria.ParsePosition("", text)
	return position, err == nil
}

// Unlocated returns the address that a geocoder should be asked about, if there is
// one: Alentour is absent, and nobody has asked about this address.
func (p Product) Unlocated() (Address, bool) {
	if _, given := alentour(p.Criteria); given {
		return Address{}, false
	}
	a := p.Address()
	return a, len(a.Questions()) > 0 && p.Geocoded.For != a.Folded()
}

// Locate notes what was answered about an address. It changes nothing and
// reports false when the product has another address by now, or needs none any
// more.
func (p *Product) Locate(asked Address, answer Place) bool {
	now, needed := p.Unlocated()
	if !needed || now.Folded() != asked.Folded() {
		return false
	}
	p.Geocoded = Geocoded{For: asked.Folded(), Place: answer}
	return true
}
