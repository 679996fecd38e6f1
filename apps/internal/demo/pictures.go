package demo

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
)

// drawings are WebP files of 1600 by 1067 pixels in pictures, named by what they show and a
// number, and in faces the logos of agencies and the portraits of users, named by their ids.
//
//go:embed pictures/*.webp faces/*.png faces/*.webp
var drawings embed.FS

// picturesOf are the contents of the files by what they show, in the order of their numbers.
var picturesOf = func() map[string][][]byte {
	of := map[string][][]byte{}
	// What is embedded can be read.
	files, _ := fs.Glob(drawings, "pictures/*.webp")
	for _, file := range files {
		content, _ := drawings.ReadFile(file)
		name := path.Base(file)
		shows := name[:strings.LastIndexByte(name, '-')]
		of[shows] = append(of[shows], content)
	}
	return of
}()

// view is what a picture shows, and its label.
type view struct{ shows, label string }

// kind is what there are pictures of for a kind of property.
type kind struct {
	outside view
	// plan is what a property with rooms has a plan of, and others that many pictures are shown
	// of; empty for a plan by the number of main rooms.
	plan view
	// inside are further pictures of properties that have no rooms.
	inside []view
}

var (
	home     = []view{{"living-room", "Séjour"}, {"kitchen", "Cuisine"}}
	premises = view{"premises-plan", "Plan"}
	building = kind{view{"building", "Façade"}, view{}, home}
	house    = kind{view{"house", "Façade"}, view{"ground-floor", "Plan du rez-de-chaussée"}, home}
	shop     = kind{view{"shop", "Façade"}, premises, []view{{"shop-inside", "Intérieur"}}}
	hall     = kind{view{"hall", "Façade"}, premises, []view{{"hall-inside", "Intérieur"}}}
	garage   = kind{view{"garage", "Façade"}, view{}, []view{{"garage-inside", "Intérieur"}, {"building", "Immeuble"}}}
)

// kinds are by codes of the criterion TypeBien. All others are shown as a building of flats.
var kinds = map[string]kind{
	"Maison": house, "Villa": house, "Chalet": {view{"chalet", "Façade"}, house.plan, home},
	"Terrain": {view{"plot", "Terrain"}, view{"site-plan", "Plan de situation"}, []view{{"plot", "Vue"}}},
	"Garage":  garage, "Parking": garage, "Peniche": {view{"barge", "Façade"}, view{}, home},
	"LocalCommercial": shop, "FondsCommerce": shop, "Restaurant": shop, "Hotel": shop,
	"Entrepot": hall, "LocalActivite": hall,
	"Bureau": {view{"offices", "Façade"}, premises, []view{{"study", "Bureau"}}},
}

// rooms are views by types of rooms, in the order in which those are chosen that are shown.
var rooms = []struct {
	code string
	view
}{
	{"SEJOUR", view{"living-room", "Séjour"}}, {"SALON", view{"living-room", "Salon"}}, {"CUISINE", view{"kitchen", "Cuisine"}},
	{"CHAMBRE", view{"bedroom", "Chambre"}}, {"TERRASSE", view{"terrace", "Terrasse"}}, {"SDB", view{"bathroom", "Salle de bains"}},
	{"SDE", view{"shower-room", "Salle d'eau"}}, {"BALCON", view{"balcony", "Balcon"}}, {"BUREAU", view{"study", "Bureau"}},
}

// mainRooms are the types of rooms that count in what a home is called, such as "3 pièces".
var mainRooms = []string{"SEJOUR", "SALON", "CHAMBRE", "BUREAU"}

// largestPlan is of how many main rooms there is a plan.
const largestPlan = 4

// around are views of where a property lies.
var around = []view{{"street", "Rue"}, {"roofs", "Quartier"}, {"park", "Environs"}}

// On how many pictures properties are shown: those of a front page, and others with rooms.
const (
	ManyPictures = 6
	fewPictures  = 4
)

// Picture is one of a product of the sandbox.
type Picture struct {
	Label string
	WebP  []byte
}

// Property is what the pictures of a product are chosen by.
type Property struct {
	// Kind is a code of the criterion TypeBien. The reference chooses among the pictures that fit.
	Kind, Reference string
	// Rooms are the types of its rooms.
	Rooms []string
	// Featured properties are shown on ManyPictures.
	Featured bool
}

// Outside returns the picture of a property from outside.
func Outside(p Property) Picture {
	v := p.kind().outside
	return Picture{v.label, p.chosen(v.shows)[0]}
}

// Pictures returns the pictures of a property, which differ: the outside, rooms, the plan, and
// where it lies, as far as there is room for them.
func Pictures(p Property) []Picture {
	k, most := p.kind(), fewPictures
	if p.Featured {
		most = ManyPictures
	}
	views := []view{k.outside}
	for _, r := range rooms {
		if len(views) < most-1 && slices.Contains(p.Rooms, r.code) {
			views = append(views, r.view)
		}
	}
	switch {
	case len(p.Rooms) > 0:
		views = append(views, cmp.Or(k.plan, p.plan()))
	case p.Featured:
		views = append(views, k.inside...)
		if k.plan != (view{}) {
			views = append(views, k.plan)
		}
	}
	if p.Featured {
		views = append(views, around...)
	}
	var pictures []Picture
	for _, v := range views {
		fresh := slices.IndexFunc(p.chosen(v.shows), func(content []byte) bool {
			return !slices.ContainsFunc(pictures, func(shown Picture) bool { return bytes.Equal(shown.WebP, content) })
		})
		if fresh >= 0 && len(pictures) < most {
			pictures = append(pictures, Picture{v.label, p.chosen(v.shows)[fresh]})
		}
	}
	return pictures
}

func (p Property) kind() kind {
	if k, found := kinds[p.Kind]; found {
		return k
	}
	return building
}

// plan is that of a home with as many main rooms, of the largest one for more.
func (p Property) plan() view {
	count := 0
	for _, r := range p.Rooms {
		if slices.Contains(mainRooms, r) {
			count++
		}
	}
	return view{fmt.Sprintf("plan-of-%d", min(max(count, 1), largestPlan)), "Plan"}
}

// chosen returns the pictures of what is shown, beginning with the one that the reference chooses.
func (p Property) chosen(shows string) [][]byte {
	from := picturesOf[shows]
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(p.Reference)) // never fails
	first := int(hash.Sum32() % uint32(len(from)))
	return slices.Concat(from[first:], from[:first])
}

// Logo returns the name of the file with the logo of an agency of the sandbox.
func Logo(agency int64) string { return fmt.Sprintf("logo-%d.png", agency) }

// Portrait returns the name of the file with the portrait of a user of the sandbox.
func Portrait(user int64) string { return fmt.Sprintf("portrait-%d.webp", user) }

// Faces serves logos and portraits by the last part of the path.
func Faces() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=3600")
		http.ServeFileFS(w, r, drawings, "faces/"+path.Base(r.URL.Path))
	})
}
