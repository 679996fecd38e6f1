package operator

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Location is where files come from, or go to.
type Location struct {
	// Folder is a folder below the one of the server for these files, URL an address with https, or http
	// where that is allowed. A location has one of them.
	Folder, URL string
}

func (l Location) check() error {
	switch {
	case (l.Folder == "") == (l.URL == ""):
		return errors.New("it needs a folder or a url, and not both")
	case path.IsAbs(l.Folder) || path.Clean("/" + l.Folder)[1:] != strings.TrimSuffix(l.Folder, "/") || strings.Contains(l.Folder, `\`):
		return fmt.Errorf("folder %q: it is written below that of the server, such as agence/nantes", l.Folder)
	case l.URL == "":
		return nil
	}
	u, err := url.Parse(l.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("url: it is an address that begins with https://") // which may have a password
	}
	return nil
}

// Place returns the location without a password or a query.
func (l Location) Place() string {
	u, err := url.Parse(l.URL)
	if l.URL == "" || err != nil {
		return l.Folder
	}
	return u.Scheme + "://" + u.Host + u.Path
}
