package demand

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// AreaType is how an area is described.
type AreaType string

// The types of the contract.
const (
	City       AreaType = "CITY"
	PostalCode AreaType = "POSTAL_CODE"
	INSEE      AreaType = "INSEE"
	Department AreaType = "DEPARTMENT"
	Radius     AreaType = "RADIUS"
	Shape      AreaType = "POLYGON"
)

// AreaTypes lists the types.
func AreaTypes() []AreaType {
	return []AreaType{City, PostalCode, INSEE, Department, Radius, Shape}
}

// Drawn reports whether areas of the type are drawn on the map, rather than
// named.
func (t AreaType) Drawn() bool { return t == Radius || t == Shape }

// Area is somewhere the customer would live, or with Excluded, would not.
type Area struct {
	ID   int64 // within the search request
	Type AreaType
	// Code is the INSEE code of a CITY (empty when unknown) or of an INSEE area,
	// a postal code, or the code of a department.
	Code string
	// Label is the name for people; a CITY without Code is found by it.
	Label string
	// Center and RadiusKm describe a RADIUS.
	Center   criteria.Position
	RadiusKm float64
	// Outline describes a POLYGON.
	Outline  Outline
	Excluded bool
}

// Place is where a product is, as far as areas care.
type Place struct {
	// City is folded as a place.
	City       string
	PostalCode string
	// INSEE is the code of the commune; empty when unknown.
	INSEE    string
	Position *criteria.Position
}

// PlaceOf returns where a product is.
func PlaceOf(p product.Product) Place {
	place := Place{City: criteria.FoldPlace(p.Criteria.Text(criteria.KeyCity)), PostalCode: postal(p.Criteria.Text(criteria.KeyPostalCode))}
	found, known := p.Place()
	if known {
		place.Position = &found.Position
	}
	place.INSEE = compact(cmp.Or(p.Criteria.Text(criteria.KeyCommune), found.Commune))
	return place
}

// compact brings a code into the form codes are compared in.
func compact(code string) string {
	return strings.ToUpper(strings.Join(strings.Fields(code), ""))
}

// postal is compact for postal codes. The sixteenth arrondissement of Paris has
// two, which are one place.
func postal(code string) string {
	if code = compact(code); code == "75116" {
		return "75016"
	}
	return code
}

// wholeCity returns the city that an arrondissement is in, by their folded names, such
// as lyon for "lyon 3e arrondissement". Any other city is its own.
func wholeCity(city string) string {
	name, number, _ := strings.Cut(city, " ")
	if number != "" && '0' <= number[0] && number[0] <= '9' && slices.Contains([]string{"paris", "lyon", "marseille"}, name) {
		return name
	}
	return city
}

// Department returns the French department of the place, empty when unknown. Codes
// of communes are trusted more than postal codes, which do not know Corsica's
// halves by their first two digits. Two islands that left Guadeloupe are still found by
// the codes that they had there.
func (p Place) Department() string {
	code := p.INSEE
	if code == "" {
		code = p.PostalCode
	}
	switch {
	case len(code) < 5:
		return ""
	case code == p.INSEE && code == "97123", code == p.PostalCode && code == "97133":
		return "977"
	case code == p.INSEE && code == "97127", code == p.PostalCode && code == "97150":
		return "978"
	case strings.HasPrefix(code, "97"), strings.HasPrefix(code, "98"):
		return code[:3]
	case strings.HasPrefix(code, "200"), strings.HasPrefix(code, "201"):
		return "2A"
	case strings.HasPrefix(code, "20"):
		return "2B"
	}
	return code[:2]
}

// Has reports whether a place lies in the area, exclusion aside. Borders
// belong to it. A commune has its arrondissements, which do not have each other nor
// the rest of the commune.
func (a Area) Has(p Place) bool {
	switch a.Type {
	case City:
		if a.Code != "" && p.INSEE != "" {
			return a.hasCommune(p.INSEE)
		}
		label := criteria.FoldPlace(a.Label)
		return p.City != "" && (label == p.City || label == wholeCity(p.City))
	case PostalCode:
		return p.PostalCode != "" && postal(a.Code) == p.PostalCode
	case INSEE:
		return p.INSEE != "" && a.hasCommune(p.INSEE)
	case Department:
		department := p.Department()
		return department != "" && compact(a.Code) == department
	case Radius:
		return p.Position != nil && a.Center.Kilometres(*p.Position) <= a.RadiusKm
	case Shape:
		return p.Position != nil && a.Outline.Has(*p.Position)
	}
	return false
}

func (a Area) hasCommune(commune string) bool {
	code := compact(a.Code)
	return code == commune || code == product.CommuneOf(commune)
}

// Within reports whether a place is in one of the areas that are not excluded,
// or anywhere when there are none, and in no excluded one.
func Within(areas []Area, p Place) bool {
	wanted, open := false, true
	for _, a := range areas {
		switch {
		case a.Excluded && a.Has(p):
			return false
		case !a.Excluded:
			open = false
			wanted = wanted || a.Has(p)
		}
	}
	return open || wanted
}

// Outline is the shape of a POLYGON area, as GeoJSON nests it: polygons of
// rings, the first of which is the outer border and the others holes. A ring
// ends where it begins. Outlines do not cross the 180th meridian.
type Outline [][][]criteria.Position

// Has reports whether a position lies in one of the polygons; borders do.
func (o Outline) Has(p criteria.Position) bool {
	return slices.ContainsFunc(o, func(rings [][]criteria.Position) bool { return inside(rings, p) })
}

// inside counts how often a ray from p to the east crosses the rings: holes
// make the count even again.
func inside(rings [][]criteria.Position, p criteria.Position) bool {
	odd := false
	for _, ring := range rings {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if onSegment(a, b, p) {
				return true
			}
			if (a.Latitude > p.Latitude) == (b.Latitude > p.Latitude) {
				continue
			}
			crossing := a.Longitude + (p.Latitude-a.Latitude)*(b.Longitude-a.Longitude)/(b.Latitude-a.Latitude)
			if p.Longitude < crossing {
				odd = !odd
			}
		}
	}
	return odd
}

func onSegment(a, b, p criteria.Position) bool {
	cross := (b.Longitude-a.Longitude)*(p.Latitude-a.Latitude) - (b.Latitude-a.Latitude)*(p.Longitude-a.Longitude)
	return cross == 0 &&
		p.Longitude >= min(a.Longitude, b.Longitude) && p.Longitude <= max(a.Longitude, b.Longitude) &&
		p.Latitude >= min(a.Latitude, b.Latitude) && p.Latitude <= max(a.Latitude, b.Latitude)
}
