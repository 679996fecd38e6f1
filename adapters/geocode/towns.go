package geocode

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Towns knows where towns are, from a file, and nothing about streets. It asks
// no service.
type Towns struct {
	// Either name may be missing from a question: a key without it stands for all
	// places that have the other.
	places map[townName]*centre
}

// townName is a postal code, the key of a town, or both.
type townName struct{ country, postalCode, town string }

// centre is the middle of some places, and how far apart they are.
type centre struct {
	n                        int
	latitude, longitude      float64
	south, north, west, east float64
}

func (c *centre) add(p criteria.Position) {
	if c.n == 0 {
		c.south, c.north, c.west, c.east = p.Latitude, p.Latitude, p.Longitude, p.Longitude
	}
	c.n++
	c.latitude += p.Latitude
	c.longitude += p.Longitude
	c.south, c.north = min(c.south, p.Latitude), max(c.north, p.Latitude)
	c.west, c.east = min(c.west, p.Longitude), max(c.east, p.Longitude)
}

// oneTown is how far apart, in degrees, places of one name may be to be parts of
// one town: about 30 kilometres.
const oneTown = 0.3

func (c *centre) isOneTown() bool { return c.north-c.south <= oneTown && c.east-c.west <= oneTown }

var _ port.Geocoder = (*Towns)(nil)

// ReadTownsFile reads the towns from a file; see ReadTowns.
func ReadTownsFile(path string) (*Towns, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	towns, err := ReadTowns(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return towns, nil
}

// ReadTowns reads either of two forms: the postal codes of GeoNames, a line per
// place with columns separated by tabs, such as FR.txt; or the communes of
// geo.api.gouv.fr as JSON, with nom, codesPostaux and centre.
func ReadTowns(r io.Reader) (*Towns, error) {
	t := &Towns{places: map[townName]*centre{}}
	in := bufio.NewReader(r)
	start, err := in.Peek(1)
	if err != nil {
		return nil, errors.New("the file of towns is empty")
	}
	if bytes.ContainsAny(start, "[ \n\r") {
		err = t.readCommunes(in)
	} else {
		err = t.readPostalCodes(in)
	}
	if err == nil && len(t.places) == 0 {
		err = errors.New("there is no town in it")
	}
	return t, err
}

func (t *Towns) add(country, postalCode, town string, latitude, longitude float64) error {
	position, ok := criteria.NewPosition(latitude, longitude)
	if !ok {
		return fmt.Errorf("%s %s is at %v, %v, which is no position", postalCode, town, latitude, longitude)
	}
	whole := townName{national(country), strings.TrimSpace(postalCode), criteria.FoldPlace(town)}
	for _, name := range []townName{whole, {whole.country, whole.postalCode, ""}, {whole.country, "", whole.town}} {
		if t.places[name] == nil {
			t.places[name] = &centre{}
		}
		t.places[name].add(position)
	}
	return nil
}

// The columns of GeoNames that are of use.
const (
	columnCountry, columnPostalCode, columnTown = 0, 1, 2
	columnLatitude, columnLongitude             = 9, 10
)

func (t *Towns) readPostalCodes(r io.Reader) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) <= columnLongitude {
			return fmt.Errorf("line %d has %d columns, not the 12 of GeoNames", n, len(columns))
		}
		latitude, err := strconv.ParseFloat(columns[columnLatitude], 64)
		longitude, err2 := strconv.ParseFloat(columns[columnLongitude], 64)
		if err := errors.Join(err, err2); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := t.add(columns[columnCountry], columns[columnPostalCode], columns[columnTown], latitude, longitude); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

func (t *Towns) readCommunes(r io.Reader) error {
	var communes []struct {
		Name        string   `json:"nom"`
		PostalCodes []string `json:"codesPostaux"`
		Centre      struct {
			Coordinates []float64 `json:"coordinates"` // longitude, latitude
		} `json:"centre"`
	}
	if err := json.NewDecoder(r).Decode(&communes); err != nil {
		return err
	}
	for _, c := range communes {
		if len(c.Centre.Coordinates) != 2 {
			continue // a few have been merged into others
		}
		for _, code := range c.PostalCodes {
			if err := t.add(france, code, c.Name, c.Centre.Coordinates[1], c.Centre.Coordinates[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Locate implements port.Geocoder. A town that its postal code does not know is
// looked for at the postal code; a name alone must mean one town.
func (t *Towns) Locate(_ context.Context, a product.Address) (product.Place, error) {
	name := townName{national(a.Country), strings.Join(strings.Fields(a.PostalCode), ""), criteria.FoldPlace(a.City)}
	if a.Street != "" || name.postalCode == "" && name.town == "" {
		return product.Place{}, notFound()
	}
	found := t.places[name]
	if found == nil && name.postalCode != "" {
		found = t.places[townName{name.country, name.postalCode, ""}]
	}
	if found == nil || name.postalCode == "" && !found.isOneTown() {
		return product.Place{}, notFound()
	}
	middle := criteria.Position{Latitude: found.latitude / float64(found.n), Longitude: found.longitude / float64(found.n)}
	return product.Place{Position: middle, Source: product.FromCity}, nil
}
