package listing

import (
	"io"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// File is a file of a request. It can be read until the use case returns.
type File struct {
	Content io.ReaderAt
	// Size is in bytes.
	Size int64
}

// AddPicture is the body of POST /products/{productId}/pictures/public and
// …/private.
type AddPicture struct {
	ID   int64 `path:"productId"`
	File File  `file:"file" required:"true" doc:"JPEG, PNG or WebP, at least 800 pixels wide, at most 20 MiB and 50 megapixels"`
}

// AddedPicture is the answer to an upload. Its version is the product's.
type AddedPicture struct {
	kernel.Changed
	PictureID string `json:"-" header:"X-Picture-Id"`
	// Location is the URL of the picture's record.
	Location string `json:"-" header:"Location"`
}

// PicturePath is a picture of a product, named in the path.
type PicturePath struct {
	ID        int64 `path:"productId"`
	PictureID int64 `path:"pictureId"`
}

// DeletePicture is DELETE /products/{productId}/pictures/{pictureId}. The
// condition is on the product.
type DeletePicture struct {
	PicturePath
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// UpdatePicture is the body of PATCH
// /products/{productId}/pictures/{pictureId}: only what is given changes. The
// condition is on the product.
type UpdatePicture struct {
	PicturePath
	IfMatch    kernel.IfMatch    `header:"If-Match"`
	Position   opt.Field[int]    `json:"position" minimum:"1" doc:"place among all pictures of the product, from 1; the first public picture is the cover"`
	Label      opt.Field[string] `json:"label" max:"form.MaxName"`
	Visibility opt.Field[string] `json:"visibility" enum:"public,private"`
}

// PhotoList is the pictures of a product; its version is the product's.
type PhotoList struct {
	Data    []Photo        `json:"data"`
	Version kernel.Version `json:"-" header:"ETag"`
}

// OnePhoto is a picture of a product; its version is the product's.
type OnePhoto struct {
	Data    Photo          `json:"data"`
	Version kernel.Version `json:"-" header:"ETag"`
}

// Photo is a picture of a product.
type Photo struct {
	ID          int64          `json:"id"`
	URL         string         `json:"url" doc:"needs no token; that of a private picture is signed, and valid for 15 minutes"`
	Visibility  string         `json:"visibility" enum:"public,private"`
	Position    int            `json:"position" doc:"place among the pictures that are shown, from 1"`
	Label       *string        `json:"label"`
	Width       int            `json:"width"`
	Height      int            `json:"height"`
	Size        int64          `json:"size" doc:"bytes"`
	ContentType string         `json:"content_type"`
	SHA256      string         `json:"sha256" doc:"of what the url answers with, in hex"`
	DateAdded   kernel.Instant `json:"date_added"`
	Sizes       []PhotoSize    `json:"sizes" doc:"smaller copies, in JPEG"`
}

// PhotoSize is a smaller copy of a picture.
type PhotoSize struct {
	Width int    `json:"width" doc:"320, 800 or 1600"`
	URL   string `json:"url"`
}
