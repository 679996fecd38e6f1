package criteria

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Position is a point on the globe, in degrees (WGS 84).
type Position struct{ Latitude, Longitude float64 }

// NewPosition returns a position as precise as positions are kept, with 6 decimals.
// It reports false for what is not on the globe, and for 0,0, which means
// "unknown" wherever properties are listed.
func NewPosition(latitude, longitude float64) (Position, bool) {
	p := Position{Latitude: latitude, Longitude: longitude}.Rounded()
	// Written so that NaN is not on the globe.
	return p, math.Abs(latitude) <= 90 && math.Abs(longitude) <= 180 && p != Position{}
}

// String writes the position as Alentour does: 48.856600,2.352200.
func (p Position) String() string {
	return strconv.FormatFloat(p.Latitude, 'f', 6, 64) + "," + strconv.FormatFloat(p.Longitude, 'f', 6, 64)
}

// Rounded returns the position to the sixth decimal, some ten centimetres: as it is
// written, and as it is searched.
func (p Position) Rounded() Position {
	rounded := func(exact float64) float64 { return math.Round(exact*1e6)/1e6 + 0 } // + 0 turns -0 into 0
	return Position{Latitude: rounded(p.Latitude), Longitude: rounded(p.Longitude)}
}

var coordinate = regexp.MustCompile(`^[+-]?\d{1,3}(\.\d{1,8})?$`)

// ParsePosition reads the text of an Alentour criterion, `lat,lng` with decimal
// points. Faults are Invalid with code invalid_coordinates and name field.
// 0,0 is refused: in listings it always stands for "unknown".
func ParsePosition(field, text string) (Position, error) {
	refuse := func(format string, args ...any) (Position, error) {
		var p fault.Problems
		p.Wrong(field, fault.CodeInvalidCoordinates, text, format, args...)
		return Position{}, p.Err()
	}
	parts := strings.Split(text, ",")
	if len(parts) == 4 {
		return refuse("write coordinates with decimal points, as in 48.8566,2.3522; four parts look like decimal commas")
	}
	if len(parts) != 2 {
		return refuse("write coordinates as latitude,longitude, as in 48.8566,2.3522")
	}
	var degrees [2]float64
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if !coordinate.MatchString(part) {
			return refuse("a coordinate is a number with a decimal point and at most 8 decimals")
		}
		degrees[i], _ = strconv.ParseFloat(part, 64)
	}
	p, ok := NewPosition(degrees[0], degrees[1])
	switch {
	case ok:
		return p, nil
	case math.Abs(degrees[0]) > 90:
		return refuse("the latitude must lie between -90 and 90")
	case math.Abs(degrees[1]) > 180:
		return refuse("the longitude must lie between -180 and 180")
	default:
		return refuse("0,0 is not the position of a property; leave Alentour out when it is unknown")
	}
}

// EarthRadius is the mean radius of the Earth in kilometres. Distances are
// those on a sphere of this size, within about half a percent of the true ones.
const EarthRadius = 6371.0088

// Kilometres returns the great-circle distance to another position.
func (p Position) Kilometres(q Position) float64 {
	// The haversine formula, which is exact for short distances, too.
	h := haversine(q.Latitude-p.Latitude) +
		math.Cos(radians(p.Latitude))*math.Cos(radians(q.Latitude))*haversine(q.Longitude-p.Longitude)
	return 2 * EarthRadius * math.Asin(math.Sqrt(min(1, h)))
}

func haversine(degrees float64) float64 {
	half := math.Sin(radians(degrees) / 2)
	return half * half
}

func radians(degrees float64) float64 { return degrees * (math.Pi / 180) }
