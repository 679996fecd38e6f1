package siteapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
)

// seesPrivatePictures reports whether the caller is software of the agency.
func (c Caller) seesPrivatePictures() bool { return c.Grant.Packs.Any(access.Properties) }

// AddPublicPicture adds a picture that everybody sees (contract: POST
// /products/{productId}/pictures/public).
func (s *Service) AddPublicPicture(ctx context.Context, c Caller, in AddPicture) (AddedPicture, error) {
	return s.addPicture(ctx, c, in, product.Public)
}

// AddPrivatePicture adds a picture for the agency alone (contract: POST
// /products/{productId}/pictures/private).
func (s *Service) AddPrivatePicture(ctx context.Context, c Caller, in AddPicture) (AddedPicture, error) {
	return s.addPicture(ctx, c, in, product.Private)
}

// addPicture keeps the content first and then the record. Whatever happens in
// between leaves content that nobody is shown, and that SweepPictures removes.
// A file that the product already has with this visibility is the picture it
// was, and changes nothing.
func (s *Service) addPicture(ctx context.Context, c Caller, in AddPicture, v product.Visibility) (AddedPicture, error) {
	if s.ports.Blobs == nil || s.ports.Images == nil {
		return AddedPicture{}, fault.New(fault.Unavailable, fault.CodeUnavailable, "this service keeps no pictures")
	}
	p, err := s.readProduct(ctx, c, product.ID(in.ID))
	if err != nil {
		return AddedPicture{}, err
	}
	var problems fault.Problems
	if product.CheckPictureFile(in.File.Size, &problems); !problems.Empty() {
		return AddedPicture{}, problems.Err()
	}
	made := product.Picture{Visibility: v}
	if made.Sent, err = hashOf(in.File.reader()); err != nil {
		return AddedPicture{}, err
	}
	if _, known := p.SentBefore(made); !known {
		if err := s.keepContent(ctx, c, p, in.File, &made); err != nil {
			return AddedPicture{}, err
		}
	}
	kept := made
	added, err := write(ctx, s, c, func(tx port.Tx) (added AddedPicture, err error) {
		added.Changed, err = s.changeIn(tx, c, p.ID, IfMatch{}, func(_ port.Tx, p product.Product) (after product.Product, err error) {
			after, kept, err = withPicture(p, made)
			return after, err
		})
		added.PictureID = strconv.FormatInt(int64(kept.ID), 10)
		added.Location = s.url(fmt.Sprintf("/products/%d/pictures/%d", p.ID, kept.ID))
		return added, err
	})
	switch {
	case err != nil:
		return AddedPicture{}, err
	case kept.ID == made.ID:
		s.plan(p, made)
	case made.ID != 0:
		s.discard(ctx, p, made)
	}
	return added, nil
}

// withPicture is a copy of the product with a new picture, or the product as it
// is when it has that file already. It returns the picture the product has then.
func withPicture(p product.Product, made product.Picture) (product.Product, product.Picture, error) {
	if known, found := p.SentBefore(made); found {
		return p, known, nil
	}
	if made.ID == 0 {
		return p, made, fault.New(fault.Conflict, fault.CodeConflict, "the product had this picture until a moment ago; send it again")
	}
	var problems fault.Problems
	p.CheckRoomForPicture(&problems)
	after := p.Clone()
	after.Pictures = append(after.Pictures, made)
	return after, made, problems.Err()
}

// keepContent makes of a file what is kept of it, and keeps it. The picture gets
// its id first, because that is part of the name its content is kept under: what
// is kept for one picture is never another's.
func (s *Service) keepContent(ctx context.Context, c Caller, p product.Product, f File, made *product.Picture) error {
	var problems fault.Problems
	p.CheckRoomForPicture(&problems)
	image, err := s.clean(ctx, f, &problems)
	if err := firstError(err, problems.Err()); err != nil {
		return err
	}
	made.Width, made.Height, made.ContentType = image.Width, image.Height, image.ContentType
	made.Size, made.SHA256, made.Added = int64(len(image.Content)), hashOfBytes(image.Content), s.now()
	c.claim = nil // drawing an id answers nobody
	made.ID, err = write(ctx, s, c, func(tx port.Tx) (product.PictureID, error) {
		ids, err := tx.NextIDs(port.PictureIDs, 1)
		if err != nil {
			return 0, err
		}
		return product.PictureID(ids[0]), nil
	})
	if err != nil {
		return err
	}
	return s.ports.Blobs.Put(ctx, pictureKey(p, *made), image.Content)
}

func (f File) reader() *io.SectionReader { return io.NewSectionReader(f.Content, 0, f.Size) }

// clean makes of a file what is kept of it. Everything its header tells is
// judged before any of it is decoded.
func (s *Service) clean(ctx context.Context, f File, problems *fault.Problems) (port.Image, error) {
	facts, err := s.ports.Images.Inspect(ctx, f.reader())
	if err == nil {
		if product.CheckPictureSize(facts.Width, facts.Height, problems); !problems.Empty() {
			return port.Image{}, nil
		}
		var image port.Image
		if image, err = s.ports.Images.Clean(ctx, f.reader(), product.MaxPicturePixels); err == nil {
			return image, nil
		}
	}
	if errors.Is(err, port.ErrUnsupportedImage) {
		problems.Add("file", fault.CodeUnsupportedImage, "file is not a JPEG, PNG or WebP image, or is damaged")
		return port.Image{}, nil
	}
	return port.Image{}, err
}

func hashOf(r io.Reader) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, r); err != nil {
		return "", fmt.Errorf("reading the file: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

func hashOfBytes(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// readProduct reads a product of the caller's site, with the errors of
// Caller.product.
func (s *Service) readProduct(ctx context.Context, c Caller, id product.ID) (p product.Product, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		p, err = c.product(tx, id)
		return err
	})
	return p, err
}

// ListPictures lists the pictures of a product that the caller may see, in
// order.
func (s *Service) ListPictures(ctx context.Context, c Caller, in ProductPath) (PhotoList, error) {
	p, err := s.readProduct(ctx, c, product.ID(in.ID))
	if err != nil {
		return PhotoList{}, err
	}
	return PhotoList{s.photos(p, c, s.now()), Version(p.Version)}, nil
}

// GetPicture reads the record of a picture.
func (s *Service) GetPicture(ctx context.Context, c Caller, in PicturePath) (OnePhoto, error) {
	p, err := s.readProduct(ctx, c, product.ID(in.ID))
	if err != nil {
		return OnePhoto{}, err
	}
	for _, photo := range s.photos(p, c, s.now()) {
		if photo.ID == in.PictureID {
			return OnePhoto{photo, Version(p.Version)}, nil
		}
	}
	return OnePhoto{}, unknownPicture()
}

func unknownPicture() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "the product has no picture with this id")
}

// UpdatePicture moves, labels, publishes or hides a picture. A request that
// changes nothing leaves no trace.
func (s *Service) UpdatePicture(ctx context.Context, c Caller, in UpdatePicture) (Changed, error) {
	id := product.PictureID(in.PictureID)
	return s.change(ctx, c, product.ID(in.ID), in.IfMatch, func(_ port.Tx, p product.Product) (product.Product, error) {
		if _, found := p.Picture(id); !found {
			return p, unknownPicture()
		}
		var problems fault.Problems
		after := p.ChangePicture(id, product.PictureChange{Position: in.Position, Label: in.Label, Visibility: in.Visibility}, &problems)
		return after, problems.Err()
	})
}

// DeletePicture removes a picture from a product, and then its content.
func (s *Service) DeletePicture(ctx context.Context, c Caller, in DeletePicture) (Changed, error) {
	var owner product.Product
	var gone product.Picture
	changed, err := s.change(ctx, c, product.ID(in.ID), in.IfMatch, func(_ port.Tx, p product.Product) (product.Product, error) {
		var found bool
		if gone, found = p.Picture(product.PictureID(in.PictureID)); !found {
			return p, unknownPicture()
		}
		owner = p
		return p.WithoutPicture(gone.ID), nil
	})
	if err == nil {
		s.discard(ctx, owner, gone)
	}
	return changed, err
}

// photos are the pictures of a product that the caller may see.
func (s *Service) photos(p product.Product, c Caller, now time.Time) []Photo {
	photos := []Photo{}
	for _, q := range p.Pictures {
		if q.Visibility == product.Private && !c.seesPrivatePictures() {
			continue
		}
		photo := Photo{
			ID: int64(q.ID), URL: s.photoURL(p, q, 0, now), Visibility: string(q.Visibility), Position: len(photos) + 1,
			Label: nullable(q.Label), Width: q.Width, Height: q.Height, Size: q.Size, ContentType: q.ContentType, SHA256: q.SHA256,
			DateAdded: Instant{q.Added}, Sizes: []PhotoSize{},
		}
		for _, width := range q.DerivedWidths() {
			photo.Sizes = append(photo.Sizes, PhotoSize{Width: width, URL: s.photoURL(p, q, width, now)})
		}
		photos = append(photos, photo)
	}
	return photos
}

// showPictures fills in what a record tells about pictures.
func (s *Service) showPictures(fields *ProductFields, p product.Product, c Caller, parts product.Parts, now time.Time) {
	if public := p.PublicPictures(); len(public) > 0 {
		fields.CoverPhotoURL = pointer(s.photoURL(p, public[0], 0, now))
	}
	set(parts, product.Photos, &fields.ProductsPhotos, func() *[]Photo { return pointer(s.photos(p, c, now)) })
}
