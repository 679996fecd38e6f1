package demand

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func (w writer) areas(before []Area, changes []AreaInput) []Area {
	if !w.Few("areas", len(changes), MaxAreas) {
		return before
	}
	next := int64(1)
	for _, a := range before {
		next = max(next, a.ID+1)
	}
	seen := map[int64]bool{}
	var all []Area
	for i, c := range changes {
		f := w.In("areas[%d]", i)
		a := w.area(f, c)
		switch {
		case !c.ID.Given():
			a.ID, next = next, next+1
		case !slices.ContainsFunc(before, func(b Area) bool { return b.ID == c.ID.Value }):
			f.Wrong("id", fault.CodeOutOfRange, c.ID.Value, "the search request has no area with this id")
		case form.Once(f, "id", c.ID.Value, seen):
			a.ID = c.ID.Value
		}
		all = append(all, a)
	}
	return all
}

func (w writer) area(f form.Form, c AreaInput) Area {
	var a Area
	var kind string
	f.Code("type", &kind, c.Type, form.Names(AreaTypes()))
	f.Text("code", &a.Code, c.Code, 20)
	f.Name("label", &a.Label, c.Label, form.MaxName)
	f.Flag("excluded", &a.Excluded, c.Excluded)
	a.Type = AreaType(kind)
	switch a.Type {
	case City:
		if a.Code == "" && a.Label == "" {
			f.Wrong("label", fault.CodeRequired, nil, "a CITY has a label, its name, or a code, that of the commune")
		}
		if a.Code != "" {
			checkCode(f, a)
		}
	case PostalCode, INSEE, Department:
		if a.Code == "" {
			f.Wrong("code", fault.CodeRequired, nil, "an area of this type has a code")
			break
		}
		checkCode(f, a)
	case Radius:
		a.Center = w.center(f, c)
		a.RadiusKm = c.RadiusKm.Or(0)
		if a.RadiusKm <= 0 || a.RadiusKm > maxRadiusKm {
			f.Wrong("radius_km", fault.CodeOutOfRange, a.RadiusKm, "radius_km is more than 0 and at most %d", maxRadiusKm)
		}
	case Shape:
		a.Outline = w.outline(f, c)
	default:
		if c.Type.Or("") == "" {
			f.Wrong("type", fault.CodeRequired, nil, "an area has a type")
		}
	}
	return a
}

// Postal codes and codes of towns of all countries. Those of some have letters.
var (
	postalCode = regexp.MustCompile(`^[A-Z0-9](-?[A-Z0-9]){2,9}$`)
	townCode   = regexp.MustCompile(`^[A-Z0-9]{3,12}$`)
)

// checkCode reports a code that no place can have.
func checkCode(f form.Form, a Area) {
	var possible bool
	var right fault.Text
	switch code := compact(a.Code); a.Type {
	case Department:
		possible, right = product.IsDepartment(code), fault.Textf("a department is 01 to 95, 2A and 2B for Corsica, or 971 to 978 and 984 to 989 overseas")
	case INSEE:
		possible, right = product.IsCommune(code), fault.Textf("an INSEE code is the five characters of a French commune, such as 69383, 2A004 or 97411")
	case City:
		possible, right = townCode.MatchString(code) && hasDigit(code), fault.Textf("the code of a CITY is that of its commune, such as 69123")
	default:
		possible = postalCode.MatchString(code) && hasDigit(code)
		right = fault.Textf("a postal code is 3 to 10 letters and digits, such as 69003, 1050 or SW1A 1AA")
	}
	if !possible {
		f.Wrong("code", fault.CodeInvalidFormat, a.Code, "%s", right)
	}
}

func hasDigit(code string) bool { return strings.ContainsAny(code, "0123456789") }

func (w writer) center(f form.Form, c AreaInput) criteria.Position {
	p := criteria.Position{Latitude: c.Latitude.Or(0), Longitude: c.Longitude.Or(0)}
	switch {
	case !c.Latitude.Given():
		f.Wrong("latitude", fault.CodeRequired, nil, "a RADIUS has the latitude of its center")
	case !c.Longitude.Given():
		f.Wrong("longitude", fault.CodeRequired, nil, "a RADIUS has the longitude of its center")
	case !onGlobe(p):
		f.Wrong("latitude", fault.CodeInvalidCoordinates, nil, "the latitude lies between -90 and 90, the longitude between -180 and 180")
	}
	return p
}

func onGlobe(p criteria.Position) bool {
	return math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180
}

// outline reads a Polygon or MultiPolygon. GeoJSON writes longitude first.
func (w writer) outline(f form.Form, c AreaInput) Outline {
	f = f.In("polygon")
	if !c.Polygon.Given() {
		f.Wrong("coordinates", fault.CodeRequired, nil, "a POLYGON has a polygon, in GeoJSON")
		return nil
	}
	var polygons []any
	switch kind := c.Polygon.Value.Type.Or("Polygon"); kind {
	case "Polygon":
		polygons = []any{c.Polygon.Value.Coordinates.V}
	case "MultiPolygon":
		polygons, _ = c.Polygon.Value.Coordinates.V.([]any)
	default:
		f.Refuse("type", fault.Detail{
			Code: fault.CodeInvalidFormat, Value: kind, Accepted: []string{"Polygon", "MultiPolygon"}, Message: fault.Textf("polygon is a Polygon or a MultiPolygon"),
		})
		return nil
	}
	corners := 0
	var outline Outline
	for _, polygon := range polygons {
		var rings [][]criteria.Position
		list, _ := polygon.([]any)
		for _, ring := range list {
			points, ok := ringOf(ring)
			corners += len(points)
			if !ok || corners > maxCorners {
				f.Wrong("coordinates", fault.CodeInvalidCoordinates, nil,
					"a ring is at least 4 positions [longitude, latitude], the last of which is the first; all rings together have at most %d", maxCorners)
				return nil
			}
			rings = append(rings, points)
		}
		if len(rings) > 0 {
			outline = append(outline, rings)
		}
	}
	if len(outline) == 0 {
		f.Wrong("coordinates", fault.CodeRequired, nil, "a polygon has coordinates")
	}
	return outline
}

func ringOf(raw any) ([]criteria.Position, bool) {
	list, _ := raw.([]any)
	if len(list) > maxCorners {
		return nil, false
	}
	var ring []criteria.Position
	for _, item := range list {
		pair, _ := item.([]any)
		if len(pair) < 2 {
			return nil, false
		}
		longitude, ok1 := numeric(pair[0])
		latitude, ok2 := numeric(pair[1])
		p := criteria.Position{Latitude: latitude, Longitude: longitude}
		if !ok1 || !ok2 || !onGlobe(p) {
			return nil, false
		}
		ring = append(ring, p)
	}
	return ring, len(ring) >= 4 && ring[0] == ring[len(ring)-1]
}

func numeric(raw any) (float64, bool) {
	literal, ok := raw.(criteria.Literal)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(literal), 64)
	return n, err == nil
}
