package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// maxRadius is in kilometres: from the middle of France it reaches beyond every
// border.
const maxRadius = 1000

// near reads a circle, nil when there is none.
func near(given opt.Field[NearInput], problems *fault.Problems) *product.Near {
	if !given.Given() {
		return nil
	}
	in := given.Value
	checkDegrees("near.latitude", in.Latitude, 90, problems)
	checkDegrees("near.longitude", in.Longitude, 180, problems)
	if !(in.RadiusKM > 0 && in.RadiusKM <= maxRadius) {
		problems.Wrong("near.radius_km", fault.CodeOutOfRange, in.RadiusKM, "a radius is above 0 and at most %d kilometres", maxRadius)
	}
	return &product.Near{Center: criteria.Position{Latitude: in.Latitude, Longitude: in.Longitude}, Radius: in.RadiusKM}
}

// within reads a box, nil when there is none.
func within(given opt.Field[WithinInput], problems *fault.Problems) *product.Within {
	if !given.Given() {
		return nil
	}
	in := given.Value
	checkDegrees("within.south", in.South, 90, problems)
	checkDegrees("within.west", in.West, 180, problems)
	checkDegrees("within.north", in.North, 90, problems)
	checkDegrees("within.east", in.East, 180, problems)
	if in.South > in.North {
		problems.Wrong("within.south", fault.CodeOutOfRange, in.South, "south is at most north")
	}
	return &product.Within{South: in.South, West: in.West, North: in.North, East: in.East}
}

func checkDegrees(field string, degrees, most float64, problems *fault.Problems) {
	if !(degrees >= -most && degrees <= most) {
		problems.Wrong(field, fault.CodeOutOfRange, degrees, "degrees are %s to %s", criteria.Number(-most), criteria.Number(most))
	}
}
