package drawing

import (
	"bytes"
	"image"
	_ "image/jpeg" // what is drawn is JPEG
	"slices"
	"testing"
)

// The codes of TypeBien and of rooms that the demo data use, and one that nobody
// knows.
var (
	kinds = []string{
		"Appartement", "Bureau", "Chalet", "Duplex", "Entrepot", "FondsCommerce", "Garage", "Hotel", "Immeuble", "LocalActivite",
		"LocalCommercial", "Loft", "Maison", "Parking", "Peniche", "Restaurant", "Studio", "Terrain", "Villa", "Chateau", "",
	}
	roomKinds = []string{"SEJOUR", "SALON", "CUISINE", "CHAMBRE", "TERRASSE", "SDB", "SDE", "BALCON", "BUREAU", "AUTRE"}
)

func mustBePicture(t *testing.T, name string, content []byte) image.Image {
	t.Helper()
	drawn, format, err := image.Decode(bytes.NewReader(content))
	if err != nil || format != "jpeg" {
		t.Fatalf("%s is %q: %v", name, format, err)
	}
	if size := drawn.Bounds().Size(); size != image.Pt(960, 640) {
		t.Fatalf("%s is drawn in %v", name, size)
	}
	return drawn
}

// isBlank reports a picture of hardly any colours.
func isBlank(drawn image.Image) bool {
	seen := map[uint32]bool{}
	for y := 0; y < drawn.Bounds().Dy(); y += 8 {
		for x := 0; x < drawn.Bounds().Dx(); x += 8 {
			r, g, b, _ := drawn.At(x, y).RGBA()
			seen[r>>11<<16|g>>11<<8|b>>11] = true
		}
	}
	return len(seen) < 30
}

func TestEveryKindOfPropertyIsDrawn(t *testing.T) {
	for n, kind := range kinds {
		for storeys := -1; storeys <= 40; storeys += 8 {
			p := Property{Reference: kind, Type: kind, Storeys: storeys, Balcony: n%2 == 0, Garden: n%3 == 0, Pool: n%2 == 1}
			if isBlank(mustBePicture(t, kind, Facade(p))) {
				t.Errorf("%+v is hardly drawn", p)
			}
		}
	}
}

func TestEveryKindOfRoomIsDrawn(t *testing.T) {
	for _, kind := range roomKinds {
		for n, view := range []string{"", "MONTAGNE", "RUE"} {
			floor := []string{"CARRELAGE", "", "MOQUETTE"}[n]
			if isBlank(mustBePicture(t, kind, Interior(NewRoom(kind, floor, view, n)))) {
				t.Errorf("a room of type %q is hardly drawn", kind)
			}
		}
	}
}

func TestOneDescriptionIsOnePicture(t *testing.T) {
	p := Property{Reference: "A-1", Type: "Maison", Storeys: 1}
	if !bytes.Equal(Facade(p), Facade(p)) {
		t.Error("a property is drawn in two ways")
	}
	other := p
	other.Reference = "A-2"
	if bytes.Equal(Facade(p), Facade(other)) {
		t.Error("two properties look the same")
	}
	var rooms [][]byte
	for n := range 3 {
		rooms = append(rooms, Interior(NewRoom("SEJOUR", "PARQUET", "RUE", n)))
	}
	if slices.EqualFunc(rooms[:2], rooms[1:], bytes.Equal) {
		t.Error("variants of a room look the same")
	}
}
