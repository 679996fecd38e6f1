package sources

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// fetch gets the file at the address of a source, unless its server says that it is the one that was taken
// over last.
func (f *Files) fetch(ctx context.Context, of operator.ImportSource) (*transfer.SourceFile, error) {
	at, err := url.Parse(of.Settings.URL)
	if err != nil || at.Scheme != "https" && !f.options.Insecure {
		return nil, fault.Textf("the url does not begin with https://")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, of.Settings.URL, nil)
	if err != nil {
		return nil, fault.Textf("the url is none")
	}
	if !of.State.Asked {
		setIfKnown(request.Header, "If-None-Match", of.State.ETag)
		setIfKnown(request.Header, "If-Modified-Since", of.State.Modified)
	}
	response, err := f.options.Client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Textf("the server was not reached: %s", innermost(err))
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotModified:
		return nil, nil
	default:
		return nil, fault.Textf("the server answers %s", response.Status)
	}
	file := operator.TakenFile{Name: path.Base(at.Path)}
	if file.Name == "/" || file.Name == "." {
		file.Name = at.Host
	}
	made, err := f.keep(ctx, response.Body, file, of.Settings, "")
	if err != nil {
		return nil, err
	}
	if response.ContentLength >= 0 && made.Size != response.ContentLength {
		return nil, errors.Join(fault.Textf("the file did not come to its end"), made.Close())
	}
	made.ETag, made.LastModified = response.Header.Get("ETag"), response.Header.Get("Last-Modified")
	return made, nil
}

func setIfKnown(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// innermost returns what an error is about in the end: around it the address may be told, with a password.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
