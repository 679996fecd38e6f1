package demo

import (
	"embed"
	"hash/fnv"
	"io/fs"
	"slices"
	"strings"
)

// pictures are JPEG files of 960 by 640 pixels, named by what they show and a number.
//
//go:embed pictures/*.jpg
var pictures embed.FS

// picturesOf are the contents of the files by what they show, in the order of their numbers.
var picturesOf = func() map[string][][]byte {
	of := map[string][][]byte{}
	// What is embedded can be read.
	files, _ := fs.Glob(pictures, "pictures/*.jpg")
	for _, file := range files {
		content, _ := pictures.ReadFile(file)
		name := strings.TrimPrefix(file, "pictures/")
		shows := name[:strings.LastIndexByte(name, '-')]
		of[shows] = append(of[shows], content)
	}
	return of
}()

// outsides are what pictures of the outside show, by codes of the criterion TypeBien.
var outsides = map[string]string{
	"Maison": "house", "Villa": "house", "Chalet": "house",
	"Terrain": "plot", "Garage": "garage", "Parking": "garage", "Peniche": "barge",
	"LocalCommercial": "shop", "FondsCommerce": "shop", "Restaurant": "shop", "Hotel": "shop",
	"Entrepot": "hall", "LocalActivite": "hall", "Bureau": "offices",
}

// room is a type of rooms of which there are pictures.
type room struct{ code, label, shows string }

// rooms are in the order in which those are chosen that are shown.
var rooms = []room{
	{"SEJOUR", "Séjour", "living-room"}, {"SALON", "Salon", "living-room"}, {"CUISINE", "Cuisine", "kitchen"},
	{"CHAMBRE", "Chambre", "bedroom"}, {"TERRASSE", "Terrasse", "terrace"}, {"SDB", "Salle de bains", "bathroom"},
	{"SDE", "Salle d'eau", "bathroom"}, {"BALCON", "Balcon", "terrace"}, {"BUREAU", "Bureau", "study"},
}

// maxRooms is how many rooms of a product have pictures.
const maxRooms = 3

// Picture is one of a product of the sandbox.
type Picture struct {
	Label string
	JPEG  []byte
}

// Outside returns the picture of a property from outside. kind is a code of the criterion
// TypeBien; the reference chooses among those that fit.
func Outside(kind, reference string) Picture {
	shows, found := outsides[kind]
	if !found {
		shows = "building"
	}
	return Picture{"Façade", chosen(shows, reference)}
}

// Rooms returns pictures of some of a property's rooms, whose types are given; the
// reference chooses among those that fit.
func Rooms(types []string, reference string) []Picture {
	var found []Picture
	for _, r := range rooms {
		if len(found) < maxRooms && slices.Contains(types, r.code) {
			found = append(found, Picture{r.label, chosen(r.shows, reference)})
		}
	}
	return found
}

func chosen(shows, reference string) []byte {
	from := picturesOf[shows]
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(reference)) // never fails
	return from[int(hash.Sum32()%uint32(len(from)))]
}
