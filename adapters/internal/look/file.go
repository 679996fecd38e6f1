package look

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// File is something that is the same for everybody, in each form in which it
// travels.
type File struct {
	media, sum string
	forms      []form
}

// form is a file in a content coding; the empty one is none, and the last.
type form struct {
	coding  string
	content []byte
}

// NewFile compresses a content of a media type, unless that saves hardly anything,
// as of fonts.
func NewFile(media string, content []byte) (File, error) {
	sum := sha256.Sum256(content)
	f := File{media: media, sum: hex.EncodeToString(sum[:12])}
	for _, c := range []struct {
		name     string
		compress func([]byte) ([]byte, error)
	}{{"zstd", zstandard}, {"gzip", gzipped}} {
		shorter, err := c.compress(content)
		if err != nil {
			return f, err
		}
		if len(shorter) < len(content)*9/10 {
			f.forms = append(f.forms, form{c.name, shorter})
		}
	}
	f.forms = append(f.forms, form{"", content})
	return f, nil
}

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
	return to.Bytes(), nil
}

func zstandard(content []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(content, nil), w.Close()
}

// Hash names the content.
func (f File) Hash() string { return f.sum }

// ServeHTTP answers with the file in the shortest form that the browser takes, or
// tells it that it has the file already.
func (f File) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header, sent := w.Header(), f.taken(r)
	tag := `"` + f.sum + `"`
	if sent.coding != "" {
		tag = `"` + f.sum + "-" + sent.coding + `"`
	}
	header.Set("ETag", tag)
	if len(f.forms) > 1 {
		header.Add("Vary", "Accept-Encoding")
	}
	if names(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if sent.coding != "" {
		header.Set("Content-Encoding", sent.coding)
	}
	header.Set("Content-Type", f.media)
	header.Set("Content-Length", strconv.Itoa(len(sent.content)))
	_, _ = w.Write(sent.content)
}

// taken returns the form that is sent for a request.
func (f File) taken(r *http.Request) form {
	for _, one := range f.forms {
		if one.coding == "" || takes(r.Header.Values("Accept-Encoding"), one.coding) {
			return one
		}
	}
	return form{}
}

// takes reports whether a browser takes a coding. All take gzip; a tool that says
// nothing, or gzip;q=0, gets the plain content.
func takes(accepted []string, coding string) bool {
	for choice := range strings.SplitSeq(strings.Join(accepted, ","), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(choice, " ", ""), ";")
		if strings.EqualFold(name, coding) {
			q, err := strconv.ParseFloat(strings.TrimPrefix(weight, "q="), 64)
			return weight == "" || err == nil && q > 0
		}
	}
	return false
}

// names reports whether a browser has what a tag names (RFC 9110, section 13.1.2).
func names(noneMatch []string, tag string) bool {
	for given := range strings.SplitSeq(strings.Join(noneMatch, ","), ",") {
		if given = strings.TrimSpace(given); given == "*" || strings.TrimPrefix(given, "W/") == tag {
			return true
		}
	}
	return false
}
