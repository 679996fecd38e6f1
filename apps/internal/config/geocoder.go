package config

import "errors"

// Geocoding says who is asked where addresses are.
type Geocoding struct {
	Geocoder     string  `env:"VITRINE_GEOCODER" default:"${geocoder}" enum:"none,ban,nominatim,offline" help:"Who is asked where a product without Alentour is: ${enum}."`
	GeocoderURL  string  `name:"geocoder-url" env:"VITRINE_GEOCODER_URL" placeholder:"URL" help:"Where the /search of the geocoder is; ban has a default, nominatim needs one."`
	GeocoderFile string  `name:"geocoder-file" env:"VITRINE_GEOCODER_FILE" type:"existingfile" help:"Towns, as postal codes of GeoNames or communes of geo.api.gouv.fr: for offline, and for what an online geocoder does not know."`
	GeocoderRate float64 `name:"geocoder-rate" env:"VITRINE_GEOCODER_RATE" default:"0" help:"Requests a second this process sends to the geocoder; 0 is 20 for ban and 1 for nominatim."`
	// Towns is the content of a file for offline that comes with a command.
	Towns string `kong:"-"`
}

// Validate reports everything that cannot be right.
func (g Geocoding) Validate() error {
	if g.GeocoderRate < 0 {
		return errors.New("--geocoder-rate cannot be negative")
	}
	return nil
}
