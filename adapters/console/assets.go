package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// files are what browsers load beside the pages. assets/README.md says where they
// come from, and under which licences.
//
//go:embed assets
var files embed.FS

// assetTypes are the assets, in an order in which each comes after those it names,
// with their media types.
var assetTypes = [...]struct{ name, media string }{
	{"inter.woff2", "font/woff2"},
	{"jetbrains-mono.woff2", "font/woff2"},
	{"console.css", "text/css; charset=utf-8"},
	{"htmx.min.js", "text/javascript; charset=utf-8"},
	{"hx-csp.min.js", "text/javascript; charset=utf-8"},
	{"console.js", "text/javascript; charset=utf-8"},
	{"passkeys.js", "text/javascript; charset=utf-8"},
	{"icon.svg", "image/svg+xml"},
}

// assets are the files by the names under which they are served. A name has the
// hash of the content in it, so that browsers may keep them for ever.
type assets struct {
	// names are the names as they are served, by those in the source.
	names  map[string]string
	served map[string]asset
}

type asset struct {
	media string
	plain []byte
	// gzipped is nil where compressing saves nothing.
	gzipped []byte
}

func loadAssets() (assets, error) {
	a := assets{names: map[string]string{}, served: map[string]asset{}}
	for _, f := range assetTypes {
		content, err := files.ReadFile("assets/" + f.name)
		if err != nil {
			return a, err
		}
		for source, served := range a.names {
			content = bytes.ReplaceAll(content, []byte(`"`+source+`"`), []byte(`"`+served+`"`))
		}
		compressed, err := gzipped(content)
		if err != nil {
			return a, fmt.Errorf("compressing %s: %w", f.name, err)
		}
		sum := sha256.Sum256(content)
		stem, ending, _ := strings.Cut(f.name, ".")
		a.names[f.name] = stem + "." + hex.EncodeToString(sum[:6]) + "." + ending
		a.served[a.names[f.name]] = asset{f.media, content, compressed}
	}
	return a, nil
}

// gzipped is the compressed content, or nil where that is hardly shorter, as of fonts.
func gzipped(content []byte) ([]byte, error) {
	var to bytes.Buffer
	w, err := gzip.NewWriterLevel(&to, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if to.Len() > len(content)*9/10 {
		return nil, nil
	}
	return to.Bytes(), nil
}

// ServeHTTP answers with the asset that the last part of the path names.
func (a assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, ok := a.served[path.Base(r.URL.Path)]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	header, body := w.Header(), found.plain
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Content-Type", found.media)
	if found.gzipped != nil {
		header.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r) {
			header.Set("Content-Encoding", "gzip")
			body = found.gzipped
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

// acceptsGzip reports whether the browser takes gzip. All do; a tool that says
// nothing, or gzip;q=0, gets the plain content.
func acceptsGzip(r *http.Request) bool {
	for choice := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, _ := strings.Cut(choice, ";")
		if strings.TrimSpace(coding) == "gzip" {
			return !strings.HasSuffix(strings.ReplaceAll(weight, " ", ""), "q=0")
		}
	}
	return false
}
