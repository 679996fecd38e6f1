package listing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// PhotosPath follows the domain in the URLs of pictures, and is followed by
// site, product and file.
const PhotosPath = "/photos"

// privateURLLifetime is how long the URL of a private picture is valid.
const privateURLLifetime = 15 * time.Minute

// PhotoRequest is the URL of a picture, in parts.
type PhotoRequest struct {
	Site, Product int64
	// File is the last part of the path.
	File string
	// Expires and Signature are in the query of URLs of private pictures.
	Expires, Signature string
}

// PhotoFile is what the URL of a picture answers with.
type PhotoFile struct {
	Content     io.ReadSeekCloser
	ContentType string
	// Tag changes when the content does, which under one URL it never does.
	Tag string
	// Private content must not be kept by caches on its way.
	Private bool
}

// OpenPhoto opens a picture by its URL. It is NotFound when no product has such
// a picture, or the picture is private and the URL not signed; Forbidden when
// the signature has expired.
func (s *Service) OpenPhoto(ctx context.Context, in PhotoRequest) (PhotoFile, error) {
	p, q, width, err := s.requested(ctx, in)
	if err != nil {
		return PhotoFile{}, err
	}
	f := PhotoFile{ContentType: q.ContentType, Tag: q.SHA256, Private: q.Visibility == product.Private}
	if f.Private {
		if err := checkSignature(s.k.Options, in, s.k.Now()); err != nil {
			return PhotoFile{}, err
		}
	}
	key := p.PictureKey(q)
	if width > 0 {
		key, f.ContentType, f.Tag = derivedKey(key, width), "image/jpeg", f.Tag+"-"+strconv.Itoa(width)
	}
	f.Content, err = s.k.Blobs.Open(ctx, key)
	if width > 0 && errors.Is(err, fault.NotFound) {
		if err = s.derive(ctx, p.PictureKey(q), q.DerivedWidths()); err == nil {
			f.Content, err = s.k.Blobs.Open(ctx, key)
		}
	}
	return f, kernel.AbsentIs(err, noPhoto())
}

func noPhoto() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "there is no such picture")
}

// requested finds the picture a URL names, and the width it asks for, 0 being
// the picture's own.
func (s *Service) requested(ctx context.Context, in PhotoRequest) (p product.Product, q product.Picture, width int, err error) {
	number, _, _ := strings.Cut(in.File, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || s.k.Blobs == nil {
		return p, q, 0, noPhoto()
	}
	if p, err = reads(s, Unit.pictured)(ctx, kernel.Caller{}, in); err != nil {
		return p, q, 0, kernel.AbsentIs(err, noPhoto())
	}
	q, found := p.Picture(product.PictureID(id))
	if !found {
		return p, q, 0, noPhoto()
	}
	for _, width := range append([]int{0}, q.DerivedWidths()...) {
		if photoFile(q, width) == in.File {
			return p, q, width, nil
		}
	}
	return p, q, 0, noPhoto()
}

// pictured reads the product of a picture.
func (u Unit) pictured(in PhotoRequest) (product.Product, error) {
	if err := u.Answers(site.ID(in.Site)); err != nil {
		return product.Product{}, err
	}
	return u.Products().Get(site.ID(in.Site), product.ID(in.Product))
}

// photoFile names a picture in a width, 0 being its own, in its URL. The name
// says nothing that a client chose.
func photoFile(q product.Picture, width int) string {
	name := fmt.Sprintf("%d-%s", q.ID, q.SHA256[:min(16, len(q.SHA256))])
	if width > 0 {
		return fmt.Sprintf("%s-%d.jpg", name, width)
	}
	extension := strings.TrimPrefix(q.ContentType, "image/")
	if extension == "jpeg" {
		extension = "jpg"
	}
	return name + "." + extension
}

// PhotoURL returns where a picture can be had in a width, 0 being its own.
func PhotoURL(o kernel.Options, p product.Product, q product.Picture, width int, now time.Time) string {
	in := PhotoRequest{Site: int64(p.Site), Product: int64(p.ID), File: photoFile(q, width)}
	address := o.Domain + PhotosPath + in.path()
	if q.Visibility == product.Public {
		return address
	}
	in.Expires = strconv.FormatInt(now.Add(privateURLLifetime).Unix(), 10)
	return address + "?" + url.Values{"expires": {in.Expires}, "signature": {string(sign(o, in))}}.Encode()
}

func (in PhotoRequest) path() string { return fmt.Sprintf("/%d/%d/%s", in.Site, in.Product, in.File) }

// sign vouches for the path and the expiry of a URL, under a key of its own.
func sign(o kernel.Options, in PhotoRequest) access.Hash {
	key := access.Pepper(o.Pepper.Hash("urls of private pictures"))
	return key.Hash(in.path() + "?" + in.Expires)
}

func checkSignature(o kernel.Options, in PhotoRequest, now time.Time) error {
	expires, err := strconv.ParseInt(in.Expires, 10, 64)
	switch {
	case err != nil || !sign(o, in).Matches(access.Hash(in.Signature)):
		return noPhoto()
	case !now.Before(time.Unix(expires, 0)):
		return fault.New(fault.Forbidden, fault.CodeForbidden, "the link has expired; read the product again for another")
	}
	return nil
}

// derivedKey returns what the copy of a picture in a width is kept under.
func derivedKey(key string, width int) string { return key + "-" + strconv.Itoa(width) }
