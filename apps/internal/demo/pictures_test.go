package demo_test

import (
	"bytes"
	"image"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"github.com/vitrine-crm/vitrine/apps/internal/demo"
)

// mustBePicture checks a picture, which must not be of hardly any colours.
func mustBePicture(t *testing.T, name string, content []byte) {
	t.Helper()
	read, err := webp.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if size := read.Bounds().Size(); size != image.Pt(1600, 1067) {
		t.Fatalf("%s has %v pixels", name, size)
	}
	seen := map[uint32]bool{}
	for y := 0; y < read.Bounds().Dy(); y += 8 {
		for x := 0; x < read.Bounds().Dx(); x += 8 {
			r, g, b, _ := read.At(x, y).RGBA()
			seen[r>>11<<16|g>>11<<8|b>>11] = true
		}
	}
	if len(seen) < 30 {
		t.Errorf("%s is blank", name)
	}
}

// kindsOfProperty are codes of the criterion TypeBien, and one that no picture is made for.
var kindsOfProperty = []string{
	"Appartement", "Bureau", "Chalet", "Duplex", "Entrepot", "FondsCommerce", "Garage", "Hotel", "Immeuble", "LocalActivite",
	"LocalCommercial", "Loft", "Maison", "Parking", "Peniche", "Restaurant", "Studio", "Terrain", "Villa", "Chateau", "",
}

func labels(pictures []demo.Picture) (labels []string) {
	for _, p := range pictures {
		labels = append(labels, p.Label)
	}
	return labels
}

func TestEveryKindOfPropertyHasPictures(t *testing.T) {
	checked := map[string]bool{}
	for _, kind := range kindsOfProperty {
		for _, types := range [][]string{nil, {"WC"}, {"SEJOUR", "SDE"}, {"SALON", "SEJOUR", "CUISINE", "CHAMBRE"}, {"SEJOUR", "CHAMBRE", "CHAMBRE", "TERRASSE", "SDB"}, {"SEJOUR", "CHAMBRE", "CHAMBRE", "CHAMBRE", "CHAMBRE", "BALCON"}, {"BUREAU"}} {
			for _, reference := range []string{"A-1", "A-2", "A-3", "A-4"} {
				for _, featured := range []bool{false, true} {
					p := demo.Property{Kind: kind, Reference: reference, Rooms: types, Featured: featured}
					shown := demo.Pictures(p)
					if !bytes.Equal(shown[0].WebP, demo.Outside(p).WebP) {
						t.Errorf("%q begins with %q", kind, shown[0].Label)
					}
					for n, picture := range shown {
						if picture.Label == "" || slices.ContainsFunc(shown[:n], func(other demo.Picture) bool { return bytes.Equal(other.WebP, picture.WebP) }) {
							t.Errorf("%q with %q has %q twice", kind, types, picture.Label)
						}
						if !checked[string(picture.WebP)] {
							mustBePicture(t, picture.Label, picture.WebP)
							checked[string(picture.WebP)] = true
						}
					}
				}
			}
		}
	}
}

func TestFeaturedPropertiesHaveSixPicturesOthersFewer(t *testing.T) {
	for _, kind := range kindsOfProperty {
		for _, types := range [][]string{nil, {"SEJOUR", "SDE"}, {"SEJOUR", "CUISINE", "CHAMBRE", "SDB", "TERRASSE", "BALCON"}} {
			p := demo.Property{Kind: kind, Reference: "A-1", Rooms: types}
			if others := demo.Pictures(p); len(others) >= demo.ManyPictures {
				t.Errorf("%q with %q has %q", kind, types, labels(others))
			}
			p.Featured = true
			if shown := demo.Pictures(p); len(shown) != demo.ManyPictures {
				t.Errorf("featured, %q with %q has %q", kind, types, labels(shown))
			}
		}
	}
}

func TestPropertiesWithRoomsHaveAPlan(t *testing.T) {
	different := map[string]bool{}
	for _, kind := range kindsOfProperty {
		for _, types := range [][]string{{"WC"}, {"SEJOUR"}, {"SEJOUR", "CHAMBRE"}, {"SEJOUR", "CHAMBRE", "CHAMBRE", "CUISINE", "SDB"}, {"SEJOUR", "CHAMBRE", "CHAMBRE", "CHAMBRE", "CHAMBRE"}} {
			for _, featured := range []bool{false, true} {
				p := demo.Property{Kind: kind, Reference: "A-1", Rooms: types, Featured: featured}
				isPlan := func(shown demo.Picture) bool { return strings.HasPrefix(shown.Label, "Plan") }
				shown := demo.Pictures(p)
				n := slices.IndexFunc(shown, isPlan)
				if kind == "Garage" || kind == "Parking" || kind == "Terrain" { // they have no rooms
					continue
				}
				if n < 0 {
					t.Errorf("%q with %q has %q", kind, types, labels(shown))
					continue
				}
				if kind == "Appartement" {
					different[string(shown[n].WebP)] = true
				}
			}
		}
	}
	if len(different) != 4 {
		t.Errorf("flats of one to five main rooms have %d plans", len(different))
	}
}

func TestRoomsAreShownInTheOrderOfTheirWorth(t *testing.T) {
	p := demo.Property{Kind: "Appartement", Reference: "A-1", Rooms: []string{"BUREAU", "CHAMBRE", "CHAMBRE", "CUISINE", "SEJOUR"}}
	if found := labels(demo.Pictures(p)); !slices.Equal(found, []string{"Façade", "Séjour", "Cuisine", "Plan"}) {
		t.Errorf("shown are %q", found)
	}
	p.Featured = true
	if found := labels(demo.Pictures(p)); !slices.Equal(found, []string{"Façade", "Séjour", "Cuisine", "Chambre", "Bureau", "Plan"}) {
		t.Errorf("shown are %q", found)
	}
}

func TestOneReferenceIsOnePicture(t *testing.T) {
	for kind, pictures := range map[string]int{"Appartement": 4, "Maison": 3} {
		different := map[string]bool{}
		for n := range 40 {
			p := demo.Property{Kind: kind, Reference: string(rune('A' + n))}
			content := demo.Outside(p).WebP
			different[string(content)] = true
			if !bytes.Equal(content, demo.Outside(p).WebP) {
				t.Errorf("%s %s has two pictures", kind, p.Reference)
			}
		}
		if len(different) != pictures {
			t.Errorf("there are %d pictures of %q", len(different), kind)
		}
	}
}

func TestFacesAreServedAndNothingElse(t *testing.T) {
	for path, status := range map[string]int{
		"/photos/" + demo.Logo(11): http.StatusOK, "/photos/" + demo.Portrait(101): http.StatusOK, "/photos/" + demo.Logo(1): http.StatusNotFound,
		"/photos/": http.StatusNotFound, "/photos/street-1.webp": http.StatusNotFound,
	} {
		w := httptest.NewRecorder()
		demo.Faces().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if kind := w.Header().Get("Content-Type"); w.Code != status || (status == http.StatusOK) != strings.HasPrefix(kind, "image/") {
			t.Errorf("%s: %d, %q", path, w.Code, kind)
		}
	}
}
