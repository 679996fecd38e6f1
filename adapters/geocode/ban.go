package geocode

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

const (
	banURL = "https://data.geopf.fr/geocodage"
	// banPerSecond keeps well below the 50 a second that an address may send.
	banPerSecond = 20
)

// BAN asks the French national address service, or another that speaks its
// protocol (addok, the Géoplateforme). It covers France, overseas included.
func BAN(o Options) (*Online, error) {
	if o.URL == "" {
		o.URL = banURL
	}
	if o.PerSecond == 0 {
		o.PerSecond = banPerSecond
	}
	return online(ban{}, o)
}

type ban struct{}

const (
	// maxQuestion is the longest q, in characters.
	maxQuestion = 200
	// sure is the least score of an answer that nothing but its text supports.
	sure = 0.5
)

func (ban) query(a product.Address) url.Values {
	if national(a.Country) != france {
		return nil
	}
	q := strings.Join(strings.Fields(a.Street+" "+a.PostalCode+" "+a.City), " ")
	// A question begins with a letter or digit.
	q = strings.TrimLeftFunc(q, func(r rune) bool { return !isLetterOrDigit(r) })
	if runes := []rune(q); len(runes) > maxQuestion {
		q = string(runes[:maxQuestion])
	}
	values := url.Values{"q": {q}, "limit": {"1"}, "autocomplete": {"0"}}
	if code := postcode(a); code != "" {
		values.Set("postcode", code)
	}
	if a.Street == "" {
		values.Set("type", "municipality")
	}
	return values
}

// postcode returns the postal code in the form the service filters by; empty when it
// is none of France.
func postcode(a product.Address) string {
	code := strings.Join(strings.Fields(a.PostalCode), "")
	if len(code) != 5 || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

func (ban) read(body []byte, asked product.Address) (product.Place, error) {
	var found struct {
		Features *[]struct {
			Geometry struct {
				Coordinates []float64 `json:"coordinates"` // longitude, latitude
			} `json:"geometry"`
			Properties struct {
				Type     string  `json:"type"`
				Score    float64 `json:"score"`
				CityCode string  `json:"citycode"`
			} `json:"properties"`
		} `json:"features"`
	}
	if err := json.Unmarshal(body, &found); err != nil || found.Features == nil {
		return product.Place{}, fmt.Errorf("the geocoder answers something else than features: %w", orGarbage(err))
	}
	if len(*found.Features) == 0 {
		return product.Place{}, notFound()
	}
	first := (*found.Features)[0]
	if len(first.Geometry.Coordinates) < 2 {
		return product.Place{}, fmt.Errorf("the geocoder answers a feature without coordinates: %w", errGarbage)
	}
	place := product.Place{
		Position: criteria.Position{Latitude: first.Geometry.Coordinates[1], Longitude: first.Geometry.Coordinates[0]},
		Source:   product.FromCity, Score: first.Properties.Score, Commune: first.Properties.CityCode,
	}
	switch first.Properties.Type {
	case "housenumber", "street", "locality":
		place.Source = product.FromAddress
	}
	filtered := asked.Street == "" && postcode(asked) != ""
	if place.Score < sure && !filtered {
		return product.Place{}, notFound()
	}
	return place, nil
}
