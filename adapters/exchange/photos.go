package exchange

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// photos finds the content of pictures by what a file calls them.
type photos struct {
	files fs.FS
	// name is the name within files of what a listing in a folder names, empty if it is not
	// there.
	name func(folder, wanted string) string
	web  *Web
}

// of returns a picture with what is behind its name, which is a URL or that of a file.
func (p photos) of(folder string, picture transfer.ListingPicture) transfer.ListingPicture {
	name := picture.Name
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		picture.Remote = true
		picture.Open = func(ctx context.Context) (listing.File, error) { return p.web.get(ctx, name) }
		return picture
	}
	picture.Open = func(context.Context) (listing.File, error) { return p.file(folder, name) }
	return picture
}

var errNoFile = errors.New(fault.Textf("there is no such file with the listings").String())

func (p photos) file(folder, name string) (listing.File, error) {
	wanted := strings.ReplaceAll(name, `\`, "/")
	if !fs.ValidPath(wanted) {
		return listing.File{}, errNoFile
	}
	known := p.name(folder, path.Clean(wanted))
	if known == "" {
		return listing.File{}, errNoFile
	}
	f, err := p.files.Open(known)
	if err != nil {
		return listing.File{}, errNoFile
	}
	defer f.Close()
	return read(f)
}

// read takes a picture into memory, up to one byte more than it may have: the
// rules of the core refuse that.
func read(r io.Reader) (listing.File, error) {
	content, err := io.ReadAll(io.LimitReader(r, product.MaxPictureBytes+1))
	return listing.File{Content: bytes.NewReader(content), Size: int64(len(content))}, err
}

const (
	// fetchTimeout bounds one download, from the name to the last byte.
	fetchTimeout = 30 * time.Second
	maxRedirects = 3
)

// Web fetches pictures by their URL, from permitted addresses only: a file that
// somebody sends must not reach into the network where it is imported.
type Web struct{ client *http.Client }

// NewWeb reaches public addresses, and what is allowed beyond.
func NewWeb(a webhook.Allowance) *Web { return &Web{NewClient(a, fetchTimeout)} }

// NewClient returns a client that reaches public addresses, and what is allowed beyond. An answer must
// come to its end within a time.
func NewClient(a webhook.Allowance, within time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: fetchTimeout, Control: func(network, address string, _ syscall.RawConn) error {
		// Here the name is resolved, and nothing can change the address any more.
		target, err := netip.ParseAddrPort(address)
		if err != nil || network != "tcp4" && network != "tcp6" || !a.Permits(target) {
			return errNotPermitted
		}
		return nil
	}}
	return &http.Client{
		Timeout:   within,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: fetchTimeout, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errRedirects
			}
			return nil
		},
	}
}

func (w *Web) get(ctx context.Context, url string) (listing.File, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return listing.File{}, fault.Textf("this is no address")
	}
	response, err := w.client.Do(request)
	if err != nil {
		return listing.File{}, unreached(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return listing.File{}, fault.Textf("the server answers %s", response.Status)
	}
	file, err := read(response.Body)
	if err != nil {
		return file, fault.Textf("the picture did not come to its end")
	}
	return file, nil
}

var (
	errNotPermitted = errors.New(fault.Textf("the address is not permitted").String())
	errRedirects    = errors.New(fault.Textf("more than %d redirects", maxRedirects).String())
)

// unreached says why a picture was not fetched, for the sender of its address: nothing
// of the network in which it is imported.
func unreached(err error) error {
	var unknown *net.DNSError
	var untrusted *tls.CertificateVerificationError
	var slow net.Error
	switch {
	case errors.Is(err, errNotPermitted):
		return errNotPermitted
	case errors.Is(err, errRedirects):
		return errRedirects
	case errors.As(err, &unknown):
		return fault.Textf("the picture's host was not found")
	case errors.As(err, &untrusted):
		return fault.Textf("the certificate of the picture's host is not good")
	case errors.As(err, &slow) && slow.Timeout():
		return fault.Textf("the picture's host does not answer in time")
	}
	return fault.Textf("the picture's host cannot be reached")
}
