package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// addPictures returns every product of the demo data a façade, and those that are
// on the web some rooms, and counts how many pictures that are. Added is called for each
// that is read.
func addPictures(in transfer.Setup, added func()) (total int) {
	for _, site := range in.Sites {
		for n := range site.Products {
			p := &site.Products[n]
			for _, picture := range picturesOf(*p) {
				p.Pictures = append(p.Pictures, transfer.SetupPicture{Label: picture.Label, Open: func(context.Context) (listing.File, error) {
					added()
					return listing.File{Content: bytes.NewReader(picture.JPEG), Size: int64(len(picture.JPEG))}, nil
				}})
			}
			total += len(p.Pictures)
		}
	}
	return total
}

func picturesOf(p transfer.SetupProduct) []demo.Picture {
	kind, _ := p.Criteria["TypeBien"].(string)
	reference := fmt.Sprintf("%d %s", p.AgencyID, p.Model)
	pictures := []demo.Picture{demo.Outside(kind, reference)}
	if p.WebStatus {
		var rooms []string
		for _, r := range p.Rooms {
			rooms = append(rooms, r.Type)
		}
		pictures = append(pictures, demo.Rooms(rooms, reference)...)
	}
	return pictures
}
