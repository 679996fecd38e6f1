package listing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// seesPrivatePictures reports whether the caller is software of the agency.
func seesPrivatePictures(c kernel.Caller) bool { return c.Grant.Packs.Any(access.Properties) }

func (s *Service) addPublicPicture(ctx context.Context, c kernel.Caller, in AddPicture) (AddedPicture, error) {
	return s.addPicture(ctx, c, in, product.Public)
}

func (s *Service) addPrivatePicture(ctx context.Context, c kernel.Caller, in AddPicture) (AddedPicture, error) {
	return s.addPicture(ctx, c, in, product.Private)
}

// addPicture keeps the content first and then the record. Whatever happens in
// between leaves content that nobody is shown, and that SweepPictures removes.
// A file that the product already has with this visibility is the picture it
// was, and changes nothing.
func (s *Service) addPicture(ctx context.Context, c kernel.Caller, in AddPicture, v product.Visibility) (AddedPicture, error) {
	if err := s.keepsPictures(); err != nil {
		return AddedPicture{}, err
	}
	p, err := reads(s, Unit.Product)(ctx, c, product.ID(in.ID))
	if err != nil {
		return AddedPicture{}, err
	}
	var problems fault.Problems
	if product.CheckPictureFile(in.File.Size, &problems); !problems.Empty() {
		return AddedPicture{}, problems.Err()
	}
	made := product.Picture{Visibility: v}
	if made.Sent, err = in.File.Hash(); err != nil {
		return AddedPicture{}, err
	}
	if _, known := p.SentBefore(made); !known {
		if err := s.keepContent(ctx, c, p, in.File, &made); err != nil {
			return AddedPicture{}, err
		}
	}
	added, err := writes(s, Unit.addPicture)(ctx, c, newPicture{p.ID, made})
	switch {
	case err != nil:
		return AddedPicture{}, err
	case added.PictureID == pictureName(made):
		s.plan(p, made)
	case made.ID != 0:
		s.discard(ctx, p, made)
	}
	return added, nil
}

func (s *Service) keepsPictures() error {
	if s.k.Blobs == nil || s.k.Images == nil {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "this service keeps no pictures")
	}
	return nil
}

// KeepPicture keeps the content of a picture for a product that is about to be
// stored: it has the id, the site and the pictures that it will have. What it
// answers belongs into the record of the product.
func (s *Service) KeepPicture(ctx context.Context, p product.Product, f File, v product.Visibility) (made product.Picture, err error) {
	if err := s.keepsPictures(); err != nil {
		return made, err
	}
	var problems fault.Problems
	if product.CheckPictureFile(f.Size, &problems); !problems.Empty() {
		return made, problems.Err()
	}
	made.Visibility = v
	if made.Sent, err = f.Hash(); err != nil {
		return made, err
	}
	return made, s.keepContent(ctx, kernel.Caller{}, p, f, &made)
}

// newPicture is a picture whose content is kept, for a product.
type newPicture struct {
	of   product.ID
	made product.Picture
}

func (u Unit) addPicture(in newPicture) (added AddedPicture, err error) {
	kept := in.made
	added.Changed, err = u.Change(in.of, kernel.IfMatch{}, func(p product.Product) (after product.Product, err error) {
		after, kept, err = withPicture(p, in.made)
		return after, err
	})
	added.PictureID = pictureName(kept)
	added.Location = u.Options.URL(fmt.Sprintf("/products/%d/pictures/%d", in.of, kept.ID))
	return added, err
}

func pictureName(p product.Picture) string { return strconv.FormatInt(int64(p.ID), 10) }

// withPicture returns a copy of the product with a new picture, or the product as it
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

// keepContent makes what is kept of a file, and keeps it. The picture gets its id
// first, because that is part of the name its content is kept under: what
// is kept for one picture is never another's.
func (s *Service) keepContent(ctx context.Context, c kernel.Caller, p product.Product, f File, made *product.Picture) error {
	var problems fault.Problems
	p.CheckRoomForPicture(&problems)
	image, err := s.clean(ctx, f, &problems)
	if err := kernel.FirstError(err, problems.Err()); err != nil {
		return err
	}
	made.Width, made.Height, made.ContentType = image.Width, image.Height, image.ContentType
	made.Size, made.SHA256, made.Added = int64(len(image.Content)), hashOfBytes(image.Content), s.k.Moment()
	// Drawing an id is not the answer to the request.
	made.ID, err = writes(s, Unit.drawPictureID)(ctx, c.Unclaimed(), kernel.Nothing{})
	if err != nil {
		return err
	}
	return s.k.Blobs.Put(ctx, p.PictureKey(*made), image.Content)
}

func (u Unit) drawPictureID(kernel.Nothing) (product.PictureID, error) {
	return kernel.NextID[product.PictureID](u, port.PictureIDs)
}

func (f File) reader() *io.SectionReader { return io.NewSectionReader(f.Content, 0, f.Size) }

// clean makes what is kept of a file. Everything its header tells is judged
// before any of it is decoded.
func (s *Service) clean(ctx context.Context, f File, problems *fault.Problems) (port.Image, error) {
	facts, err := s.k.Images.Inspect(ctx, f.reader())
	if err == nil {
		if product.CheckPictureSize(facts.Width, facts.Height, problems); !problems.Empty() {
			return port.Image{}, nil
		}
		var image port.Image
		if image, err = s.k.Images.Clean(ctx, f.reader(), product.MaxPicturePixels); err == nil {
			return image, nil
		}
	}
	if errors.Is(err, port.ErrHEIC) {
		problems.Add("file", fault.CodeUnsupportedImage, "file is a HEIC or AVIF image: send it as JPEG")
		return port.Image{}, nil
	}
	if errors.Is(err, port.ErrUnsupportedImage) {
		problems.Add("file", fault.CodeUnsupportedImage, "file is not a JPEG, PNG or WebP image, or is damaged")
		return port.Image{}, nil
	}
	return port.Image{}, err
}

// Hash returns the SHA-256 of the file, in hex.
func (f File) Hash() (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, f.reader()); err != nil {
		return "", fmt.Errorf("reading the file: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

func hashOfBytes(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Product reads a product of the caller's site, with the errors of Products.Get.
func (u Unit) Product(id product.ID) (product.Product, error) { return Products.Get(u, id) }

func (u Unit) listPictures(in ProductPath) (PhotoList, error) {
	p, err := u.Product(product.ID(in.ID))
	if err != nil {
		return PhotoList{}, err
	}
	return PhotoList{photos(p, u.Caller, u.Options, u.Now), kernel.Version(p.Version)}, nil
}

func (u Unit) getPicture(in PicturePath) (OnePhoto, error) {
	p, err := u.Product(product.ID(in.ID))
	if err != nil {
		return OnePhoto{}, err
	}
	for _, photo := range photos(p, u.Caller, u.Options, u.Now) {
		if photo.ID == in.PictureID {
			return OnePhoto{photo, kernel.Version(p.Version)}, nil
		}
	}
	return OnePhoto{}, unknownPicture()
}

func unknownPicture() error { return kernel.Unknown("the product has no picture with this id") }

func (u Unit) updatePicture(in UpdatePicture) (kernel.Changed, error) {
	id := product.PictureID(in.PictureID)
	return u.Change(product.ID(in.ID), in.IfMatch, func(p product.Product) (product.Product, error) {
		if _, found := p.Picture(id); !found {
			return p, unknownPicture()
		}
		var problems fault.Problems
		after := p.ChangePicture(id, product.PictureChange{Position: in.Position, Label: in.Label, Visibility: in.Visibility}, &problems)
		return after, problems.Err()
	})
}

// deletePicture removes the record of a picture, and then its content.
func (s *Service) deletePicture(ctx context.Context, c kernel.Caller, in DeletePicture) (kernel.Changed, error) {
	before, err := reads(s, Unit.Product)(ctx, c, product.ID(in.ID))
	if err != nil {
		return kernel.Changed{}, err
	}
	changed, err := writes(s, Unit.deletePicture)(ctx, c, in)
	if gone, found := before.Picture(product.PictureID(in.PictureID)); found && err == nil {
		s.discard(ctx, before, gone)
	}
	return changed, err
}

func (u Unit) deletePicture(in DeletePicture) (kernel.Changed, error) {
	return u.Change(product.ID(in.ID), in.IfMatch, func(p product.Product) (product.Product, error) {
		gone, found := p.Picture(product.PictureID(in.PictureID))
		if !found {
			return p, unknownPicture()
		}
		return p.WithoutPicture(gone.ID), nil
	})
}

// photos returns the pictures of a product that the caller may see.
func photos(p product.Product, c kernel.Caller, o kernel.Options, now time.Time) []Photo {
	photos := []Photo{}
	for _, q := range p.Pictures {
		if q.Visibility == product.Private && !seesPrivatePictures(c) {
			continue
		}
		photo := Photo{
			ID: int64(q.ID), URL: PhotoURL(o, p, q, 0, now), Visibility: string(q.Visibility), Position: len(photos) + 1,
			Label: kernel.Nullable(q.Label), Width: q.Width, Height: q.Height, Size: q.Size, ContentType: q.ContentType, SHA256: q.SHA256,
			DateAdded: kernel.Instant{Time: q.Added}, Sizes: []PhotoSize{},
		}
		for _, width := range q.DerivedWidths() {
			photo.Sizes = append(photo.Sizes, PhotoSize{Width: width, URL: PhotoURL(o, p, q, width, now)})
		}
		photos = append(photos, photo)
	}
	return photos
}

// publicPictures counts the pictures everybody sees; the first of them is the cover.
func publicPictures(all []product.Picture) (n int, cover *product.Picture) {
	for i := range all {
		if all[i].Visibility != product.Public {
			continue
		}
		if n++; n == 1 {
			cover = &all[i]
		}
	}
	return n, cover
}
