package catalogue_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// places are where searches by place may go wrong: clusters, the same place
// twice, edges of bands, the equator, both poles, both sides of the antimeridian
// and the meridian itself under both its names. Two are none.
var places = []string{
	"45.764043,4.835659", "45.764043,4.835659", "45.764044,4.835659", "45.7,4.9", "45.75,4.85", "45.749999,4.85",
	"48.8566,2.3522", "43.296482,5.36978", "-20.882057,55.450675", "16.265,-61.551", "0,0.000001", "-0.000001,-0.000001",
	"90,0", "90,120", "89.99,-170", "89.96,10", "-90,0", "-89.999999,33", "-70,2",
	"12,180", "12,-180", "12.5,179.999999", "11.5,-179.999999", "-17.8,178", "-17.9,-178", "66,-180",
	"", "ici",
}

func points() []criteria.Position {
	var all []criteria.Position
	for _, text := range places {
		if p, err := criteria.ParsePosition("", text); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// drawPosition draws a place, one beside it, or any at all.
func drawPosition(t *rapid.T) criteria.Position {
	p := pick(t, "point", points())
	switch luck(t, "exactly") / 32 {
	case 0:
		p.Latitude = rapid.Float64Range(-90, 90).Draw(t, "latitude")
		p.Longitude = rapid.Float64Range(-180, 180).Draw(t, "longitude")
	case 1:
		p.Latitude = min(90, p.Latitude+rapid.Float64Range(0, 0.2).Draw(t, "north"))
	}
	return p
}

// drawNear draws a circle, often one whose line goes through a place or passes
// just beside it.
func drawNear(t *rapid.T) product.Near {
	n := product.Near{Center: drawPosition(t)}
	switch radius := n.Center.Kilometres(drawPosition(t)); luck(t, "line") / 32 {
	case 0:
		n.Radius = pick(t, "radius", []float64{0.0001, 0.001, 1, 5.5, 50, 1000, 10_000, 15_000, 20_100})
	case 1:
		n.Radius = math.Nextafter(radius, 0)
	default:
		n.Radius = radius
	}
	return n
}

// drawWithin draws a box with places in its corners.
func drawWithin(t *rapid.T) product.Within {
	a, b := drawPosition(t), drawPosition(t)
	w := product.Within{South: min(a.Latitude, b.Latitude), North: max(a.Latitude, b.Latitude), West: a.Longitude, East: b.Longitude}
	if percent(t, "all around", 10) {
		w.West, w.East = -180, 180
	}
	return w
}

// TestPlacesAgreeWithTheirSpecification asks for circles and boxes and nothing
// else, of catalogues small enough to look at and large enough for the sorted column
// of places to be read.
func TestPlacesAgreeWithTheirSpecification(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		builder, oracle := catalogue.NewTunedBuilder(catalogue.Options{}, drawTuning(t)), cataloguetest.NewOracle()
		size := pick(t, "size", []int{20, 200, 3})
		for i := range size {
			p := product.Product{ID: product.ID(i + 1), Agency: 1}
			text := drawPosition(t).String()
			if percent(t, "listed", 60) {
				text = pick(t, "place", places)
			}
			p.Criteria = criteria.Values{criteria.KeyPosition: criteria.Text(text)}
			builder.Add(product.Candidate{Product: p})
			oracle.Add(product.Candidate{Product: p})
		}
		index := builder.Index(1)
		for range 12 {
			f := product.Filter{Agencies: everyAgency}
			if percent(t, "circle", 60) {
				near := drawNear(t)
				f.Near = &near
			} else {
				within := drawWithin(t)
				f.Within = &within
			}
			agree(t, index, oracle, catalogue.Query{Filter: f, Limit: 400})
			found += index.Count(f)
		}
	})
	if found == 0 {
		t.Error("nothing was found")
	}
}

// TestTheAntimeridianIsOneMeridian finds two products on it, under both its
// names, among many elsewhere, so that the column sorted by position is read.
func TestTheAntimeridianIsOneMeridian(t *testing.T) {
	builder := catalogue.NewBuilder(catalogue.Options{})
	for i := range 2000 {
		text := "48.8566,2.3522"
		if i < 2 {
			text = []string{"12,180", "12,-180"}[i]
		}
		builder.Add(product.Candidate{Product: product.Product{
			ID: product.ID(i + 1), Agency: 1, Criteria: criteria.Values{criteria.KeyPosition: criteria.Text(text)},
		}})
	}
	index := builder.Index(1)
	for _, longitude := range []float64{180, -180, 179.999, -179.999} {
		near := product.Near{Center: criteria.Position{Latitude: 12, Longitude: longitude}, Radius: 1}
		if n := index.Count(product.Filter{Agencies: everyAgency, Near: &near}); n != 2 {
			t.Errorf("around longitude %v there are %d products", longitude, n)
		}
	}
	for _, within := range []product.Within{
		{South: 11.9, West: 179, North: 12.1, East: 180}, {South: 11.9, West: -180, North: 12.1, East: -179}, {South: 11.9, West: 179, North: 12.1, East: -179},
	} {
		if n := index.Count(product.Filter{Agencies: everyAgency, Within: &within}); n != 2 {
			t.Errorf("in %+v there are %d products", within, n)
		}
	}
}
