package sqlstore

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// sampleRow is a packed row with the given criteria and descriptions.
func sampleRow(criteria, descriptions string) packedProduct {
	return packedProduct(strings.Join([]string{
		"7", "9", "1", "2", "3", "4", "5", "6", "8", "1000000", "", "t", "0", "f", "1", "f",
		"2026-01-02", "fr-2021", "", criteria, "null", descriptions, "[]", "R",
	}, rowSeparator))
}

func TestDescriptionsAreReadInAnyFormOfJSON(t *testing.T) {
	want := []product.Description{{Language: "fr", Title: "L'é\"té\n", Text: "<b>"}, {Language: "en", ShortText: "s"}}
	for _, text := range []string{
		`[{"Language":"fr","Title":"L'é\"té\n","Text":"\u003cb\u003e","ShortText":""},{"Language":"en","Title":"","Text":"","ShortText":"s"}]`,
		`[{"Language":"fr","Title":"L'é\"té\n","Text":"<b>"},{"ShortText":"s","Language":"en"}]`,
		` [ {"Language":"fr","Title":"L'é\"té\n","Text":"<b>","ShortText":""},{"Language":"en","ShortText":"s"}]`,
	} {
		var got product.Row
		if err := sampleRow("{}", text).Unpack(product.AllParts, &got); err != nil || !cmp.Equal(got.Descriptions, want) {
			t.Errorf("%s: %v, %v", text, got.Descriptions, err)
		}
	}
}

func TestPicturesAndPlacesAreReadInAnyFormOfJSON(t *testing.T) {
	added := time.Date(2026, 9, 16, 8, 30, 0, 123456000, time.UTC)
	pictures := []product.Picture{
		{ID: 1 << 60, Visibility: product.Public, Label: "L'é\"té\n<b>", Width: 1000, Height: 700, Size: 5, ContentType: "image/png", SHA256: "ab", Sent: "cd", Added: added},
		{ID: 2, Visibility: product.Private},
	}
	where := product.Geocoded{
		For:   product.Address{Street: "12 rue \"Haute\"", PostalCode: "69001", City: "Lyon"},
		Place: product.Place{Position: criteria.Position{Latitude: -45.123456, Longitude: 1e-7}, Source: product.FromCity, Score: 0.25, Commune: "69123"},
	}
	for name, form := range map[string]func(string) string{
		"as it is stored": func(s string) string { return s },
		"with spaces":     func(s string) string { return " " + strings.NewReplacer(",", ", ", "{", "{ ").Replace(s) },
		"in another order": func(s string) string {
			for _, first := range []string{`"Label":`, `"Place":`} {
				s = strings.Replace(s, first, `"other":[1,{}],`+first, 1)
			}
			return s
		},
	} {
		for _, want := range []product.Product{{}, {Pictures: pictures[:1], Geocoded: where}, {Pictures: pictures}, {Geocoded: product.Geocoded{Place: where.Place}}} {
			fields := strings.Split(string(sampleRow("{}", "[]")), rowSeparator)
			fields[18], fields[22] = form(stored(t, want.Geocoded)), form(stored(t, want.Pictures))
			var got product.Row
			for range 2 { // what is read takes the place of what was
				err := packedProduct(strings.Join(fields, rowSeparator)).Unpack(product.AllParts, &got)
				if err != nil || !cmp.Equal(got.Pictures, want.Pictures) || got.Geocoded != want.Geocoded {
					t.Errorf("%s: %+v, %+v, %v", name, got.Pictures, got.Geocoded, err)
				}
			}
		}
	}
}

// stored is a value as a column of documents has it.
func stored[T any](t *testing.T, v T) string {
	text, err := document(&v).Value()
	if err != nil {
		t.Fatal(err)
	}
	return text.(string)
}

func TestADamagedRowIsRefused(t *testing.T) {
	whole := string(sampleRow(`{"Prix":1}`, "[]"))
	if err := packedProduct(whole).Unpack(product.AllParts, new(product.Row)); err != nil {
		t.Fatal(err)
	}
	fields := strings.Split(whole, rowSeparator)
	for i := range fields[:len(fields)-1] {
		if i == 16 || i == 17 {
			continue // any text
		}
		damaged := strings.Split(whole, rowSeparator)
		damaged[i] = "{x"
		for what, row := range map[string]string{
			"damaged": strings.Join(damaged, rowSeparator), "cut off": strings.Join(fields[:i+1], rowSeparator),
		} {
			if err := packedProduct(row).Unpack(product.AllParts, new(product.Row)); err == nil {
				t.Errorf("%s at column %d, and read all the same: %q", what, i, row)
			}
		}
	}
}
