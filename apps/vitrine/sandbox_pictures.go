package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// featured is how many listings the front page of a website shows: the newest.
const featured = 6

// addPictures returns to every product of the demo data a picture of its outside, and to those that
// are on the web some of rooms and a plan, and counts how many pictures that are. Added is called for
// each that is read.
func addPictures(in transfer.Setup, added func()) (total int) {
	for _, site := range in.Sites {
		newest := newestOnWeb(site.Products)
		for n := range site.Products {
			p := &site.Products[n]
			for _, picture := range picturesOf(*p, slices.Contains(newest, n)) {
				p.Pictures = append(p.Pictures, transfer.SetupPicture{Label: picture.Label, Open: func(context.Context) (listing.File, error) {
					added()
					return listing.File{Content: bytes.NewReader(picture.WebP), Size: int64(len(picture.WebP))}, nil
				}})
			}
			total += len(p.Pictures)
		}
	}
	return total
}

// newestOnWeb returns where the newest products are that are on the web.
func newestOnWeb(products []transfer.SetupProduct) []int {
	var found []int
	for n, p := range products {
		if p.WebStatus {
			found = append(found, n)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return products[b].DateAdded.Compare(products[a].DateAdded) })
	return found[:min(featured, len(found))]
}

func picturesOf(p transfer.SetupProduct, featured bool) []demo.Picture {
	kind, _ := p.Criteria["TypeBien"].(string)
	shown := demo.Property{Kind: kind, Reference: fmt.Sprintf("%d %s", p.AgencyID, p.Model), Featured: featured}
	if !p.WebStatus {
		return []demo.Picture{demo.Outside(shown)}
	}
	for _, r := range p.Rooms {
		shown.Rooms = append(shown.Rooms, r.Type)
	}
	return demo.Pictures(shown)
}

// addFaces gives agencies and users of the demo data the logos and portraits that the sandbox serves
// under its domain.
func addFaces(in transfer.Setup, domain string) {
	at := domain + listing.PhotosPath + "/"
	for _, site := range in.Sites {
		for n := range site.Agencies {
			site.Agencies[n].LogoURL = at + demo.Logo(site.Agencies[n].ID)
		}
		for n := range site.Users {
			site.Users[n].PhotoURL = at + demo.Portrait(site.Users[n].ID)
		}
	}
}

// cleanedOnce is a port.Images that cleans equal files once: the products of the sandbox share their
// pictures, and decoding one takes longer than all else that is done with it.
type cleanedOnce struct {
	port.Images
	files sync.Map // what cleans a file, by its SHA-256
}

// Clean implements port.Images.
func (c *cleanedOnce) Clean(ctx context.Context, file io.ReadSeeker, maxPixels int) (port.Image, error) {
	content, err := io.ReadAll(file)
	if err != nil {
		return port.Image{}, err
	}
	clean, _ := c.files.LoadOrStore(sha256.Sum256(content), sync.OnceValues(func() (port.Image, error) {
		return c.Images.Clean(ctx, bytes.NewReader(content), maxPixels)
	}))
	return clean.(func() (port.Image, error))()
}
