package e2e_test

import (
	"fmt"
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// vector is a point on the unit sphere.
func vector(latitude, longitude float64) [3]float64 {
	sinLat, cosLat := math.Sincos(latitude * math.Pi / 180)
	sinLng, cosLng := math.Sincos(longitude * math.Pi / 180)
	return [3]float64{cosLat * cosLng, cosLat * sinLng, sinLat}
}

// kilometres is the distance between two points, by another way than the
// server's.
func kilometres(a, b [3]float64) float64 {
	chord := 0.0
	for i := range a {
		chord += (a[i] - b[i]) * (a[i] - b[i])
	}
	return 2 * 6371.0088 * math.Asin(math.Sqrt(chord)/2)
}

// placed holds the shown position of a product against a rule.
func placed(holds func(latitude, longitude float64) bool) func(object) bool {
	return func(p object) bool {
		position, ok := p["position"].(object)
		return ok && holds(position["latitude"].(float64), position["longitude"].(float64))
	}
}

// Circles and boxes find the products whose shown position is in them; a search
// by cursor, one that sorts and the count agree.
func TestSearchesByPlace(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		all := catalogue(c)
		circle := func(latitude, longitude, radius float64) object {
			return object{"latitude": latitude, "longitude": longitude, "radius_km": radius}
		}
		inCircle := func(latitude, longitude, radius float64) func(object) bool {
			center := vector(latitude, longitude)
			return placed(func(lat, lng float64) bool { return kilometres(center, vector(lat, lng)) <= radius })
		}
		inBox := placed(func(lat, lng float64) bool { return lat >= 45.7 && lat <= 45.9 && lng >= 4.8 && lng <= 6.13 })
		box := object{"south": 45.7, "west": 4.8, "north": 45.9, "east": 6.13}
		maison := textIs("TypeBien", is("Maison"))
		for name, test := range map[string]struct {
			body   object
			wanted func(object) bool
		}{
			"2 km":                    {object{"near": circle(45.7640, 4.8357, 2)}, inCircle(45.7640, 4.8357, 2)},
			"60 km":                   {object{"near": circle(45.7640, 4.8357, 60)}, inCircle(45.7640, 4.8357, 60)},
			"1000 km":                 {object{"near": circle(48.85, 2.35, 1000)}, inCircle(48.85, 2.35, 1000)},
			"as text":                 {object{"near": object{"latitude": "45.7640", "longitude": "4.8357", "radius_km": "2"}}, inCircle(45.7640, 4.8357, 2)},
			"camelCase":               {object{"near": object{"latitude": 45.7640, "longitude": 4.8357, "radiusKm": 2}}, inCircle(45.7640, 4.8357, 2)},
			"nowhere":                 {object{"near": circle(-40, 100, 100)}, func(object) bool { return false }},
			"a box":                   {object{"within": box}, inBox},
			"a box around everything": {object{"within": object{"south": -90, "west": -180, "north": 90, "east": 180}}, placed(func(_, _ float64) bool { return true })},
			"across the antimeridian": {object{"within": object{"south": 0, "west": 5, "north": 90, "east": 4}}, placed(func(_, lng float64) bool { return lng >= 5 || lng <= 4 })},
			"both, and a criterion":   {object{"near": circle(45.7640, 4.8357, 60), "within": box, "criterias": list{condition("TypeBien", "EGAL", "Maison")}}, both(both(inCircle(45.7640, 4.8357, 60), inBox), maison)},
			"null is absent":          {object{"near": nil, "within": nil}, func(object) bool { return true }},
		} {
			wanted := chosen(all, test.wanted)
			if len(wanted) == 0 != (name == "nowhere") {
				t.Errorf("%s: %d products should be found, which tells nothing", name, len(wanted))
			}
			if n := c.count(test.body); n != len(wanted) {
				t.Errorf("%s: counted %d, want %d", name, n, len(wanted))
			}
			test.body["count"], test.body["sort_order"] = 2000, "asc"
			if diff := gocmp.Diff(wanted, c.search(test.body).is(200).ids()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if got := c.search(object{"near": object{"latitude": 45, "longitude": 4, "radiusKm": 2}}); got.header.Get("Deprecation") == "" {
			t.Errorf("%s\nshould say that radiusKm is deprecated", got)
		}
	})
}

func TestSearchesByPlaceAreRefusedByField(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for _, path := range []string{"/products/search", "/products/search/count", "/products/search/facets"} {
			refused := func(key string, value any, code, field string) {
				t.Helper()
				body := object{key: value}
				if path == "/products/search/facets" {
					body["facets"] = list{object{"id": "TypeBien"}}
				}
				c.post(path, body).refused(422, code, field)
			}
			near := func(part string, value any) object {
				return changed(object{"latitude": 45, "longitude": 4, "radius_km": 1}, part, value)
			}
			within := func(part string, value any) object {
				return changed(object{"south": 45, "west": 4, "north": 46, "east": 5}, part, value)
			}
			for _, part := range []string{"latitude", "longitude", "radius_km"} {
				refused("near", near(part, nil), "required", "near."+part)
				refused("near", near(part, "here"), "invalid_type", "near."+part)
				refused("near", near(part, 1000.5), "out_of_range", "near."+part)
			}
			refused("near", near("radius_km", 0), "out_of_range", "near.radius_km")
			refused("near", near("radius_km", -1), "out_of_range", "near.radius_km")
			refused("near", near("latitude", -90.1), "out_of_range", "near.latitude")
			refused("near", "45,4", "invalid_type", "near")
			for _, part := range []string{"south", "west", "north", "east"} {
				refused("within", within(part, nil), "required", "within."+part)
				refused("within", within(part, list{}), "invalid_type", "within."+part)
			}
			refused("within", within("east", 180.1), "out_of_range", "within.east")
			refused("within", within("west", -181), "out_of_range", "within.west")
			refused("within", within("north", 91), "out_of_range", "within.north")
			refused("within", within("south", 46.1), "out_of_range", "within.south")
		}
	})
}

// changed is an object with another part, or without it when the value is nil.
func changed(on object, part string, value any) object {
	if on[part] = value; value == nil {
		delete(on, part)
	}
	return on
}

// A position stays visible when an address is masked (docs/adr/visibility.md), so a website
// finds the product by it; and what is written is found at once.
func TestWebsitesFindMaskedAddressesByPlace(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		network, website := w.network(t), w.website(t)
		// Every run of every engine has a place of its own.
		here := func(latitude float64) object {
			return object{"near": object{"latitude": latitude, "longitude": -150.5, "radius_km": 0.5}}
		}
		latitude := -10 - float64(network.count(object{}))/100
		at := func(latitude float64) string { return fmt.Sprintf("%.6f,-150.500000", latitude) }
		id := network.create(object{"web_status": true, "criteria": list{
			object{"id": "Adresse", "value": "1 rue Cachée"}, object{"id": "AdresseMasquee", "value": 1}, object{"id": "Alentour", "value": at(latitude)},
		}})
		website.get(product(id)).is(200).equals("data.address", nil).equals("data.position.longitude", -150.5)
		if got := website.search(here(latitude)).is(200).ids(); len(got) != 1 || got[0] != id {
			t.Errorf("a website finds %v, want %d", got, id)
		}
		network.patch(product(id), object{"product_id": id, "criteria": list{object{"id": "Alentour", "value": at(latitude + 0.01)}}}).is(204)
		if here, there := website.count(here(latitude)), website.count(here(latitude+0.01)); here != 0 || there != 1 {
			t.Errorf("after it moved, %d are found where it was and %d where it is", here, there)
		}
		network.patch(product(id), object{"product_id": id, "criteria": list{object{"id": "Alentour", "value": nil}}}).is(204)
		if n := website.count(here(latitude + 0.01)); n != 0 {
			t.Errorf("%d are found though none has a position", n)
		}
	})
}
