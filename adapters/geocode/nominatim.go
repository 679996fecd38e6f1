package geocode

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// nominatimPerSecond is the policy of the public servers.
const nominatimPerSecond = 1

// Nominatim asks a server of OpenStreetMap's geocoder. There is no default: the
// public server is not for programs that send whole databases.
func Nominatim(o Options) (*Online, error) {
	if o.PerSecond == 0 {
		o.PerSecond = nominatimPerSecond
	}
	return online(nominatim{}, o)
}

type nominatim struct{}

func (nominatim) query(a product.Address) url.Values {
	values := url.Values{"format": {"jsonv2"}, "limit": {"1"}, "countrycodes": {national(a.Country)}}
	for name, value := range map[string]string{"street": a.Street, "postalcode": a.PostalCode, "city": a.City} {
		if value = strings.TrimSpace(value); value != "" {
			values.Set(name, value)
		}
	}
	return values
}

// Ranks of places, from the whole world to a single house.
const (
	smallestCounty = 12
	widestStreet   = 26
)

func (nominatim) read(body []byte, _ product.Address) (product.Place, error) {
	var found []struct {
		Latitude  string `json:"lat"`
		Longitude string `json:"lon"`
		Rank      int    `json:"place_rank"`
	}
	if err := json.Unmarshal(body, &found); err != nil || found == nil {
		return product.Place{}, fmt.Errorf("the geocoder answers something else than a list of places: %w", orGarbage(err))
	}
	if len(found) == 0 || found[0].Rank <= smallestCounty {
		return product.Place{}, notFound()
	}
	latitude, err := strconv.ParseFloat(found[0].Latitude, 64)
	longitude, err2 := strconv.ParseFloat(found[0].Longitude, 64)
	if err != nil || err2 != nil {
		return product.Place{}, fmt.Errorf("the geocoder answers a place without coordinates: %w", errGarbage)
	}
	place := product.Place{Position: criteria.Position{Latitude: latitude, Longitude: longitude}, Source: product.FromCity}
	if found[0].Rank >= widestStreet {
		place.Source = product.FromAddress
	}
	return place, nil
}
