package look

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// shared are the files that every page loads. assets/README.md says where they come
// from, and under which licences.
//
//go:embed assets
var shared embed.FS

// sharedNames are in an order in which each comes after those it names.
var sharedNames = []string{"inter.woff2", "jetbrains-mono.woff2", "look.css", "icon.svg", "copy.js"}

// media are the types of assets by the ends of their names.
var media = map[string]string{
	".woff2": "font/woff2", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".webp": "image/webp", ".json": "application/json",
}

// Assets are the files that browsers load besides pages, by the names under which
// they are served. A name has the hash of the content in it, so that browsers may
// keep them for ever.
type Assets struct {
	at string
	// names are the names as they are served, by those in the source.
	names  map[string]string
	served map[string]File
}

// NewAssets returns what all pages load, served below a path.
func NewAssets(at string) (*Assets, error) {
	a := &Assets{at: at, names: map[string]string{}, served: map[string]File{}}
	return a, a.AddFrom(shared, sharedNames...)
}

// AddFrom adds files of the folder assets, in an order in which each comes after
// those it names.
func (a *Assets) AddFrom(folder fs.FS, names ...string) error {
	for _, name := range names {
		content, err := fs.ReadFile(folder, "assets/"+name)
		if err != nil {
			return err
		}
		if err := a.Add(name, content); err != nil {
			return err
		}
	}
	return nil
}

// Add adds a file. Where it names another one in quotes, it gets the name under
// which that is served.
func (a *Assets) Add(name string, content []byte) error {
	for source, served := range a.names {
		content = bytes.ReplaceAll(content, []byte(`"`+source+`"`), []byte(`"`+served+`"`))
	}
	file, err := NewFile(media[path.Ext(name)], content)
	if err != nil {
		return fmt.Errorf("compressing %s: %w", name, err)
	}
	stem, ending, _ := strings.Cut(name, ".")
	a.names[name] = stem + "." + file.Hash()[:12] + "." + ending
	a.served[a.names[name]] = file
	return nil
}

// Path returns where an asset is served.
func (a *Assets) Path(name string) (string, error) {
	served, known := a.names[name]
	if !known {
		return "", fmt.Errorf("there is no asset %q", name)
	}
	return a.at + served, nil
}

// ServeHTTP answers with the asset that the last part of the path names.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, ok := a.served[path.Base(r.URL.Path)]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	found.ServeHTTP(w, r)
}
