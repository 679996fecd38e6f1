package showcase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sync/singleflight"
)

// The bounds of what is fetched: bytes of a picture, how long it may take, how long a visitor waits for it, how many at a time.
const (
	mostBytes  = 30 << 20
	fetchIn    = 20 * time.Second
	waitFor    = 15 * time.Second
	mostAtOnce = 8
)

// Photo is a picture of a listing.
type Photo struct {
	// Path is where the site has it, and Set its smaller copies as the attribute srcset has them.
	Path, Set, Label string
	// Width and Height are its pixels; 0 where the server does not tell.
	Width, Height int
	files         []file
}

// file is a picture as the server has it, by the name that it is kept under.
type file struct{ name, url string }

// photoOf returns a picture of a product. Its names are made of its content where the server tells that, so that
// they can be kept for ever.
func photoOf(product int64, p photo) Photo {
	hash := p.SHA256
	if len(hash) < 16 || strings.Trim(hash, "0123456789abcdef") != "" {
		hash = digest(p.URL)
	}
	made := Photo{Label: p.Label, Width: p.Width, Height: p.Height}
	var set []string
	add := func(url string, width int) {
		name := fmt.Sprintf("%s-%d.jpg", hash[:16], width)
		made.Path = fmt.Sprintf("/photos/%d/%s", product, name)
		made.files = append(made.files, file{name, url})
		set = append(set, fmt.Sprintf("%s %dw", made.Path, width))
	}
	for _, s := range p.Sizes {
		add(s.URL, s.Width)
	}
	add(p.URL, p.Width)
	if p.Width > 0 {
		made.Set = strings.Join(set, ", ")
	}
	return made
}

// Small returns the address of the copy that is the nearest to 800 pixels wide.
func (p Photo) Small() string {
	for _, candidate := range strings.Split(p.Set, ", ") {
		if path, wide := strings.CutSuffix(candidate, " 800w"); wide {
			return path
		}
	}
	return p.Path
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// photographs keeps the pictures that visitors asked for in a folder, one folder a listing, and serves them from there.
// Without a folder it keeps none.
type photographs struct {
	folder  string
	client  *http.Client
	fetches singleflight.Group
	slots   chan struct{}
}

func newPhotographs(folder string) *photographs {
	return &photographs{folder: folder, client: &http.Client{}, slots: make(chan struct{}, mostAtOnce)}
}

// errSlow says that a picture did not come in time.
var errSlow = errors.New("the server is slow to answer")

// errNoPicture says that an address has no picture that browsers show.
var errNoPicture = errors.New("there is no picture")

// get returns a picture, from the folder if it is there and no older than fresh.
func (p *photographs) get(ctx context.Context, name, url string, fresh time.Duration) ([]byte, error) {
	path := filepath.Join(p.folder, name)
	kept, err := os.ReadFile(path)
	if err == nil {
		if about, err := os.Stat(path); err == nil && (fresh == 0 || time.Since(about.ModTime()) < fresh) {
			return kept, nil
		}
	}
	// Who asked first may leave: the others still wait for the picture.
	fetched := p.fetches.DoChan(name, func() (any, error) {
		fetching, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchIn)
		defer cancel()
		return p.fetch(fetching, path, url)
	})
	patience := time.NewTimer(waitFor)
	defer patience.Stop()
	err = errSlow
	select {
	case answer := <-fetched:
		if content, is := answer.Val.([]byte); is && answer.Err == nil {
			return content, nil
		}
		err = answer.Err
	case <-patience.C:
	case <-ctx.Done():
	}
	if kept != nil {
		return kept, nil
	}
	return nil, err
}

// fetch reads a picture from the server and keeps it. One that cannot be kept is served all the same.
func (p *photographs) fetch(ctx context.Context, path, url string) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, errSlow
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoPicture, err)
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, mostBytes+1))
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	kind := http.DetectContentType(content)
	switch {
	case answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests:
		return nil, fmt.Errorf("%s: %s", url, answer.Status)
	case answer.StatusCode != http.StatusOK, len(content) > mostBytes, !slices.Contains([]string{"image/jpeg", "image/png", "image/webp", "image/gif"}, kind):
		return nil, fmt.Errorf("%w at %s: %s, %s, %d bytes", errNoPicture, url, answer.Status, kind, len(content))
	}
	_ = p.keep(path, content) // a full disk takes no picture off a page
	return content, nil
}

// keep writes a file into the folder; it is there whole or not at all. Without a folder nothing is kept.
func (p *photographs) keep(path string, content []byte) error {
	if p.folder == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

const forever = "public, max-age=31536000, immutable"

// serve answers with a picture.
func serve(w http.ResponseWriter, r *http.Request, content []byte, caching string) {
	w.Header().Set("Cache-Control", caching)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// photograph answers with a picture of a listing that is shown. What left the record is not served any more.
func (s *Site) photograph(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("product"), 10, 64)
	folder := strconv.FormatInt(id, 10)
	if err != nil || folder != r.PathValue("product") {
		return s.missing(w, r)
	}
	l, _, err := s.published(r.Context(), id)
	if err != nil {
		return err
	}
	if l == nil {
		return s.missing(w, r)
	}
	for _, p := range l.Photos {
		for _, f := range p.files {
			if f.name != r.PathValue("file") {
				continue
			}
			content, err := s.photographs.get(r.Context(), filepath.Join(folder, f.name), f.url, 0)
			switch {
			case errors.Is(err, errNoPicture):
				s.log.Warn("reading a photograph", "product", id, "error", err)
				return s.missing(w, r)
			case err != nil:
				s.log.Warn("reading a photograph", "product", id, "error", err)
				w.Header().Set("Retry-After", "30")
				http.Error(w, "La photographie ne peut pas être lue en ce moment.", http.StatusBadGateway)
				return nil
			}
			serve(w, r, content, forever)
			return nil
		}
	}
	return s.missing(w, r)
}

// aDay is how long a logo or a portrait is shown before it is read again.
const aDay = 24 * time.Hour

// ofAgencies is the folder of logos and portraits.
const ofAgencies = "agencies"

// portrait answers with a logo or a portrait, or with initials where there is none that can be read.
func (s *Site) portrait(w http.ResponseWriter, r *http.Request, url, name string) error {
	if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
		content, err := s.photographs.get(r.Context(), filepath.Join(ofAgencies, digest(url)), url, aDay)
		if err == nil {
			serve(w, r, content, "public, max-age=3600")
			return nil
		}
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#e4e1da"/>`+
		`<text x="48" y="50" font-family="Georgia, serif" font-size="38" fill="#4d4a43" text-anchor="middle" dominant-baseline="middle">%s</text></svg>`, template.HTMLEscapeString(initials(name)))
	return err
}

// initials returns the first letters of the first and the last word of a name.
func initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 2 {
		words = []string{words[0], words[len(words)-1]}
	}
	var letters strings.Builder
	for _, w := range words {
		letters.WriteRune(unicode.ToUpper([]rune(w)[0]))
	}
	return letters.String()
}

// CleanPhotographs removes from the disk the pictures that no listing and no agency has any more.
func (s *Site) CleanPhotographs(ctx context.Context) error {
	folders, err := os.ReadDir(s.photographs.folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, folder := range folders {
		wanted, wrong := s.wanted(ctx, folder.Name())
		if wrong == nil {
			wrong = clean(filepath.Join(s.photographs.folder, folder.Name()), wanted)
		}
		err = errors.Join(err, wrong, ctx.Err())
		if ctx.Err() != nil {
			break
		}
	}
	return err
}

// wanted returns the names of the pictures that belong into a folder.
func (s *Site) wanted(ctx context.Context, folder string) (names []string, err error) {
	if folder == ofAgencies {
		agencies, err := s.agencies(ctx)
		for _, a := range agencies {
			names = append(names, digest(a.Logo))
			for _, u := range a.Users {
				names = append(names, digest(u.Photo))
			}
		}
		return names, err
	}
	id, _ := strconv.ParseInt(folder, 10, 64) // a folder that is not of a listing is of 0, which there is not
	l, _, err := s.published(ctx, id)
	if err != nil || l == nil {
		return nil, err
	}
	for _, p := range l.Photos {
		for _, f := range p.files {
			names = append(names, f.name)
		}
	}
	return names, err
}

// clean removes the files of a folder that are not wanted, and the folder if none are. A file that is being written is left.
func clean(folder string, wanted []string) error {
	files, err := os.ReadDir(folder)
	for _, f := range files {
		if about, wrong := f.Info(); wrong == nil && !slices.Contains(wanted, f.Name()) && time.Since(about.ModTime()) > time.Minute {
			err = errors.Join(err, os.Remove(filepath.Join(folder, f.Name())))
		}
	}
	if len(wanted) == 0 {
		_ = os.Remove(folder) // only an empty one goes
	}
	return err
}
