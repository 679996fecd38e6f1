package client

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
)

// AddPublicPicture sends POST /api/v2/site/products/{productId}/pictures/public: a JPEG, PNG or
// WebP image, which everybody sees. It is sent again only if content is an io.Seeker.
func (c *Client) AddPublicPicture(ctx context.Context, productID int64, name string, content io.Reader, options ...Option) error {
	return c.addPicture(ctx, "public", productID, name, content, options)
}

// AddPrivatePicture sends POST /api/v2/site/products/{productId}/pictures/private: an image for
// the agency alone.
func (c *Client) AddPrivatePicture(ctx context.Context, productID int64, name string, content io.Reader, options ...Option) error {
	return c.addPicture(ctx, "private", productID, name, content, options)
}

func (c *Client) addPicture(ctx context.Context, kind string, productID int64, name string, content io.Reader, options []Option) error {
	path := pathOf("/api/v2/site/products/{productId}/pictures/"+kind, productID)
	return c.send(ctx, call{method: http.MethodPost, path: path, file: &file{name: name, content: content}}, options)
}

// file is one that is uploaded.
type file struct {
	name    string
	content io.Reader
}

func (f *file) seeks() bool {
	_, seeks := f.content.(io.Seeker)
	return seeks
}

// form returns the body of a form with the file, which is read while it is sent. Its boundary is the
// same each time: a request that is sent again has the same bytes.
func (f *file) form() (body func() (io.Reader, error), contentType string, err error) {
	var around bytes.Buffer
	form := multipart.NewWriter(&around)
	if _, err := form.CreateFormFile("file", f.name); err != nil {
		return nil, "", err
	}
	head := around.Len()
	if err := form.Close(); err != nil {
		return nil, "", err
	}
	seeker, seeks := f.content.(io.Seeker)
	var start int64
	if seeks {
		if start, err = seeker.Seek(0, io.SeekCurrent); err != nil {
			return nil, "", err
		}
	}
	return func() (io.Reader, error) {
		if seeks {
			if _, err := seeker.Seek(start, io.SeekStart); err != nil {
				return nil, err
			}
		}
		return io.MultiReader(bytes.NewReader(around.Bytes()[:head]), f.content, bytes.NewReader(around.Bytes()[head:])), nil
	}, form.FormDataContentType(), nil
}
