package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/vitrine-crm/vitrine/apps/internal/drawing"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// maxRooms is how many rooms of a demo product are drawn.
const maxRooms = 3

// roomLabels are what pictures of rooms are called, in the order in which rooms
// are chosen.
var roomLabels = []struct{ roomType, label string }{
	{"SEJOUR", "Séjour"}, {"SALON", "Salon"}, {"CUISINE", "Cuisine"}, {"CHAMBRE", "Chambre"}, {"TERRASSE", "Terrasse"},
	{"SDB", "Salle de bains"}, {"SDE", "Salle d'eau"}, {"BALCON", "Balcon"}, {"BUREAU", "Bureau"},
}

// addPictures gives every product of the demo data a façade, and those that are
// on the web some rooms, and counts how many pictures that are. Drawn is called for each
// that is drawn.
func addPictures(in transfer.Setup, drawn func()) (total int) {
	var rooms drawnRooms
	for _, site := range in.Sites {
		for n := range site.Products {
			p := &site.Products[n]
			p.Pictures = append(p.Pictures, transfer.SetupPicture{Label: "Façade", Open: func(context.Context) (listing.File, error) {
				return fileOf(drawing.Facade(propertyOf(*p))), nil
			}})
			if p.WebStatus {
				p.Pictures = append(p.Pictures, rooms.of(*p)...)
			}
			for i, picture := range p.Pictures {
				p.Pictures[i].Open = func(ctx context.Context) (listing.File, error) {
					defer drawn()
					return picture.Open(ctx)
				}
			}
			total += len(p.Pictures)
		}
	}
	return total
}

func fileOf(content []byte) listing.File {
	return listing.File{Content: bytes.NewReader(content), Size: int64(len(content))}
}

func propertyOf(p transfer.SetupProduct) drawing.Property {
	kind, _ := p.Criteria["TypeBien"].(string)
	has := func(key string) bool { return number(p.Criteria[key]) > 0 }
	return drawing.Property{
		Reference: fmt.Sprintf("%d %s", p.AgencyID, p.Model), Type: kind, Storeys: number(p.Criteria["NbEtages"]),
		Balcony: has("Balcon") || slices.ContainsFunc(p.Rooms, func(r transfer.SetupRoom) bool { return r.Type == "BALCON" }),
		Garden:  has("Jardin"), Pool: has("Piscine"),
	}
}

// number is the whole number that a criterion of the demo data holds, 0 for
// none.
func number(v any) int {
	switch v := v.(type) {
	case int64:
		return int(v)
	case uint64:
		return int(v)
	case float64:
		return int(v)
	}
	return 0
}

// drawnRooms keeps drawings of rooms: many rooms are alike.
type drawnRooms struct{ drawings sync.Map }

func (d *drawnRooms) of(p transfer.SetupProduct) []transfer.SetupPicture {
	var pictures []transfer.SetupPicture
	for _, known := range roomLabels {
		n := slices.IndexFunc(p.Rooms, func(r transfer.SetupRoom) bool { return r.Type == known.roomType })
		if n < 0 || len(pictures) == maxRooms {
			continue
		}
		room := drawing.NewRoom(known.roomType, p.Rooms[n].Sol, p.Rooms[n].Vue, variant(p))
		pictures = append(pictures, transfer.SetupPicture{Label: known.label, Open: func(context.Context) (listing.File, error) {
			draw, _ := d.drawings.LoadOrStore(room, sync.OnceValue(func() []byte { return drawing.Interior(room) }))
			return fileOf(draw.(func() []byte)()), nil
		}})
	}
	return pictures
}

// variants is in how many ways rooms of a kind are drawn.
const variants = 2

func variant(p transfer.SetupProduct) int {
	hash := fnv.New32a()
	fmt.Fprint(hash, p.AgencyID, p.Model)
	return int(hash.Sum32() % variants)
}
