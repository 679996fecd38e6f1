package product

import (
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// Limits of pictures.
const (
	MaxPictures = 100
	// MinPictureWidth is in pixels, the picture held upright.
	MinPictureWidth = 800
	// MaxPictureBytes bounds a file as it is sent.
	MaxPictureBytes = 20 << 20
	// MaxPicturePixels bounds width times height.
	MaxPicturePixels = 50_000_000
)

// PictureID identifies a picture among those of all products.
type PictureID int64

// Visibility says who sees a picture.
type Visibility string

const (
	// Public: everybody.
	Public Visibility = "public"
	// Private: the agency's own software.
	Private Visibility = "private"
)

// Picture is one picture of a product: what is known of it, not its content.
type Picture struct {
	ID         PictureID
	Visibility Visibility
	Label      string
	// Width and Height are in pixels, the picture held upright.
	Width, Height int
	// Size is in bytes.
	Size int64
	// ContentType is a media type such as image/jpeg.
	ContentType string
	// SHA256 is of the content as it is kept, in hex.
	SHA256 string
	// Sent is the SHA-256 of the file as it was sent, before anything was
	// removed from it, in hex: by it a file is known again.
	Sent  string
	Added time.Time
}

func (p Picture) same(q Picture) bool {
	sameTime := p.Added.Equal(q.Added)
	p.Added, q.Added = time.Time{}, time.Time{}
	return sameTime && p == q
}

// PictureKey returns the key under which the content of a picture of the product is
// kept.
func (p Product) PictureKey(q Picture) string {
	return fmt.Sprintf("%d/%d/%d-%s", p.Site, p.ID, q.ID, q.SHA256)
}

// DerivedWidths returns the widths, in pixels, that a picture can be had in besides
// its own. It is never made wider than it is.
func (p Picture) DerivedWidths() []int {
	widths := []int{320, 800, 1600}
	return slices.DeleteFunc(widths, func(w int) bool { return w >= p.Width })
}

// Picture finds a picture of the product by its id.
func (p Product) Picture(id PictureID) (Picture, bool) {
	n := slices.IndexFunc(p.Pictures, func(q Picture) bool { return q.ID == id })
	if n < 0 {
		return Picture{}, false
	}
	return p.Pictures[n], true
}

// PublicPictures lists the pictures everybody sees, in order. The first is the
// cover.
func (p Product) PublicPictures() []Picture {
	var public []Picture
	for _, q := range p.Pictures {
		if q.Visibility == Public {
			public = append(public, q)
		}
	}
	return public
}

// SentBefore finds the picture that was made of the same file with the same
// visibility, or that is kept as this file: who sends a picture that they got here
// sends the same one.
func (p Product) SentBefore(q Picture) (Picture, bool) {
	n := slices.IndexFunc(p.Pictures, func(known Picture) bool {
		return (known.Sent == q.Sent || known.SHA256 == q.Sent) && known.Visibility == q.Visibility
	})
	if n < 0 {
		return Picture{}, false
	}
	return p.Pictures[n], true
}

// CheckRoomForPicture reports a product that has as many pictures as it can
// have.
func (p Product) CheckRoomForPicture(problems *fault.Problems) {
	if len(p.Pictures) >= MaxPictures {
		problems.Add("file", fault.CodeOutOfRange, "a product can have at most %d pictures", MaxPictures)
	}
}

// CheckPictureFile reports a file that cannot become a picture because of its
// size in bytes.
func CheckPictureFile(size int64, problems *fault.Problems) {
	switch {
	case size == 0:
		problems.Add("file", fault.CodeRequired, "file is empty")
	case size > MaxPictureBytes:
		problems.Add("file", fault.CodeFileTooLarge, "a picture has at most %d bytes, not %d", MaxPictureBytes, size)
	}
}

// CheckPictureSize reports dimensions a picture cannot have: those of the
// picture held upright, in pixels.
func CheckPictureSize(width, height int, problems *fault.Problems) {
	switch {
	case int64(width)*int64(height) > MaxPicturePixels:
		problems.Add("file", fault.CodeImageTooLarge, "a picture has at most %d pixels, not %d × %d", MaxPicturePixels, width, height)
	case width < MinPictureWidth:
		problems.Add("file", fault.CodeImageTooSmall, "a picture is at least %d pixels wide, not %d", MinPictureWidth, width)
	}
}

// PictureChange is what a request wants of a picture. Absent parts stay as they
// are.
type PictureChange struct {
	// Position counts from 1, among all pictures of the product.
	Position   opt.Field[int]
	Label      opt.Field[string]
	Visibility opt.Field[string]
}

// ChangePicture applies a request to the picture with the given id in a copy of
// the product, which must have it, and reports everything wrong with the
// request.
func (p Product) ChangePicture(id PictureID, c PictureChange, problems *fault.Problems) Product {
	p = p.Clone()
	n := slices.IndexFunc(p.Pictures, func(q Picture) bool { return q.ID == id })
	q := p.Pictures[n]
	form.Form{Problems: problems}.Text("label", &q.Label, c.Label, form.MaxName)
	if c.Visibility.Set {
		q.Visibility = Visibility(c.Visibility.Or(""))
		if q.Visibility != Public && q.Visibility != Private {
			problems.Append(fault.Detail{
				Field: "visibility", Code: fault.CodeInvalidFormat, Message: fault.Textf("visibility is public or private"),
				Value: string(q.Visibility), Accepted: []string{string(Public), string(Private)},
			})
		}
	}
	to := n + 1
	if c.Position.Set {
		to = c.Position.Or(0)
		if to < 1 || to > len(p.Pictures) {
			problems.Wrong("position", fault.CodeOutOfRange, to, "position counts from 1 to the number of pictures")
			to = n + 1
		}
	}
	p.Pictures = slices.Insert(slices.Delete(p.Pictures, n, n+1), to-1, q)
	return p
}

// WithoutPicture returns a copy of the product that lacks the picture with the given
// id.
func (p Product) WithoutPicture(id PictureID) Product {
	p = p.Clone()
	p.Pictures = slices.DeleteFunc(p.Pictures, func(q Picture) bool { return q.ID == id })
	return p
}
