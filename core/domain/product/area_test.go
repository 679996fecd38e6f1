package product_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func at(latitude, longitude float64) criteria.Position {
	return criteria.Position{Latitude: latitude, Longitude: longitude}
}

func drawAt(t *rapid.T, label string) criteria.Position {
	return at(rapid.Float64Range(-90, 90).Draw(t, label+" latitude"), rapid.Float64Range(-180, 180).Draw(t, label+" longitude"))
}

func TestACircleHasItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		center, p := drawAt(t, "center"), drawAt(t, "p")
		distance := center.Kilometres(p)
		if !(product.Near{Center: center, Radius: distance}).Holds(p) {
			t.Fatalf("%v is not on the line of its own circle around %v", p, center)
		}
		if distance > 0 && (product.Near{Center: center, Radius: math.Nextafter(distance, 0)}).Holds(p) {
			t.Fatalf("%v is in a circle around %v that ends before it", p, center)
		}
	})
}

func TestABoxHasItsLines(t *testing.T) {
	box := product.Within{South: 45, West: 4, North: 46, East: 5}
	across := product.Within{South: -10, West: 170, North: 10, East: -170}
	toTheLine := product.Within{South: -10, West: 170, North: 10, East: 180}
	fromTheLine := product.Within{South: -10, West: -180, North: 10, East: -170}
	for _, c := range []struct {
		box  product.Within
		p    criteria.Position
		want bool
	}{
		{box, at(45, 4), true}, {box, at(46, 5), true}, {box, at(45.5, 4.5), true},
		{box, at(44.999999, 4.5), false}, {box, at(46.000001, 4.5), false}, {box, at(45.5, 3.999999), false}, {box, at(45.5, 5.000001), false},
		{across, at(0, 170), true}, {across, at(0, -170), true}, {across, at(0, 180), true}, {across, at(0, -180), true},
		{across, at(0, 0), false}, {across, at(0, 169.999999), false}, {across, at(0, -169.999999), false}, {across, at(11, 175), false},
		{toTheLine, at(0, 180), true}, {toTheLine, at(0, -180), true}, {toTheLine, at(0, -179.999999), false},
		{fromTheLine, at(0, 180), true}, {fromTheLine, at(0, -180), true}, {fromTheLine, at(0, 179.999999), false},
		{product.Within{South: -90, West: -180, North: 90, East: 180}, at(90, -180), true},
		{product.Within{South: -90, West: -180, North: 90, East: 180}, at(-12, 33), true},
		{product.Within{South: 0, West: 5, North: 90, East: 5}, at(3, 5), true},
		{product.Within{South: 0, West: 5, North: 90, East: 5}, at(3, 6), false},
	} {
		if got := c.box.Holds(c.p); got != c.want {
			t.Errorf("%v in %+v: %t", c.p, c.box, got)
		}
	}
}

// TestABoxAndTheRestAreEverything: what is east of one meridian and not east of
// the other is in the box between them, whichever comes first.
func TestABoxAndTheRestAreEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, p := drawAt(t, "a").Longitude, drawAt(t, "b").Longitude, drawAt(t, "p")
		there := product.Within{South: -90, West: a, North: 90, East: b}.Holds(p)
		back := product.Within{South: -90, West: b, North: 90, East: a}.Holds(p)
		onALine := p.Longitude == a || p.Longitude == b || math.Abs(p.Longitude) == 180
		if !onALine && a != b && there == back {
			t.Fatalf("%v from %v to %v: %t, and back: %t", p, a, b, there, back)
		}
	})
}

func TestAProductWithoutAPositionIsNowhere(t *testing.T) {
	everywhere := func(f *product.Filter) {
		f.Near = &product.Near{Radius: math.Pi * 2 * criteria.EarthRadius}
		f.Within = &product.Within{South: -90, West: -180, North: 90, East: 180}
	}
	c := candidate(t)
	c.Product.Criteria[criteria.KeyPosition] = criteria.Text("45.764043,4.835659")
	if !finds(t, c, everywhere) {
		t.Error("a product with a position is not on Earth")
	}
	for _, text := range []string{"", "ici", "0,0", "91,0"} {
		c.Product.Criteria[criteria.KeyPosition] = criteria.Text(text)
		if finds(t, c, everywhere) {
			t.Errorf("a product is found at %q", text)
		}
	}
	delete(c.Product.Criteria, criteria.KeyPosition)
	if finds(t, c, everywhere) {
		t.Error("a product without a position is found")
	}
}

func TestNearAndWithinMustBothHold(t *testing.T) {
	c := candidate(t)
	c.Product.Criteria[criteria.KeyPosition] = criteria.Text("45.764043,4.835659")
	here, there := product.Near{Center: at(45.764, 4.8357), Radius: 1}, product.Near{Center: at(48, 4), Radius: 1}
	inside, outside := product.Within{South: 45, West: 4, North: 46, East: 5}, product.Within{South: 45, West: 5, North: 46, East: 6}
	for _, near := range []product.Near{here, there} {
		for _, within := range []product.Within{inside, outside} {
			want := near == here && within == inside
			if got := finds(t, c, func(f *product.Filter) { f.Near, f.Within = &near, &within }); got != want {
				t.Errorf("%+v and %+v: %t", near, within, got)
			}
		}
	}
}
