package demo_test

import (
	"bytes"
	"image"
	_ "image/jpeg" // what is embedded is JPEG
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/demo"
)

// mustBePicture checks a picture, which must not be of hardly any colours.
func mustBePicture(t *testing.T, name string, content []byte) {
	t.Helper()
	read, format, err := image.Decode(bytes.NewReader(content))
	if err != nil || format != "jpeg" {
		t.Fatalf("%s is %q: %v", name, format, err)
	}
	if size := read.Bounds().Size(); size != image.Pt(960, 640) {
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

func TestEveryKindOfPropertyAndRoomHasPictures(t *testing.T) {
	for _, kind := range []string{
		"Appartement", "Bureau", "Chalet", "Duplex", "Entrepot", "FondsCommerce", "Garage", "Hotel", "Immeuble", "LocalActivite",
		"LocalCommercial", "Loft", "Maison", "Parking", "Peniche", "Restaurant", "Studio", "Terrain", "Villa", "Chateau", "",
	} {
		for _, reference := range []string{"A-1", "A-2", "A-3", "A-4"} {
			mustBePicture(t, kind, demo.Outside(kind, reference).JPEG)
		}
	}
	for _, kind := range []string{"SEJOUR", "SALON", "CUISINE", "CHAMBRE", "TERRASSE", "SDB", "SDE", "BALCON", "BUREAU"} {
		for _, reference := range []string{"A-1", "A-2", "A-3"} {
			found := demo.Rooms([]string{"WC", kind, kind}, reference)
			if len(found) != 1 {
				t.Fatalf("a room of type %q has %d pictures", kind, len(found))
			}
			mustBePicture(t, kind, found[0].JPEG)
		}
	}
	if found := demo.Rooms([]string{"WC"}, "A-1"); len(found) != 0 {
		t.Errorf("an unknown room has %d pictures", len(found))
	}
}

func TestThreeRoomsAreShownInTheOrderOfTheirWorth(t *testing.T) {
	var labels []string
	for _, p := range demo.Rooms([]string{"BUREAU", "CHAMBRE", "CHAMBRE", "CUISINE", "SEJOUR"}, "A-1") {
		labels = append(labels, p.Label)
	}
	if !slices.Equal(labels, []string{"Séjour", "Cuisine", "Chambre"}) {
		t.Errorf("shown are %q", labels)
	}
}

func TestOneReferenceIsOnePicture(t *testing.T) {
	for _, kind := range []string{"Appartement", "Maison"} {
		different := map[string]bool{}
		for n := range 40 {
			reference := string(rune('A' + n))
			content := demo.Outside(kind, reference).JPEG
			different[string(content)] = true
			if !bytes.Equal(content, demo.Outside(kind, reference).JPEG) {
				t.Errorf("%s %s has two pictures", kind, reference)
			}
		}
		if len(different) != 4 {
			t.Errorf("there are %d pictures of %q", len(different), kind)
		}
	}
}
