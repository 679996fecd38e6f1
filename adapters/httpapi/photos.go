package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// downloadWithin is how long a client may take to read a picture, as long as it goes
// on reading: 20 MB over the slowest of lines.
const downloadWithin = time.Hour

// mountPhotos publishes the pictures themselves. They need no token: that of a
// public picture is known to all, that of a private one is signed.
func (s *server) mountPhotos(svc *siteapi.Service) {
	s.routes.add(s, http.MethodGet, listing.PhotosPath+"/{site}/{product}/{file}", "photo", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		in := listing.PhotoRequest{
			Site: number(r, "site"), Product: number(r, "product"), File: mux.Vars(r)["file"],
			Expires: query.Get("expires"), Signature: query.Get("signature"),
		}
		found, err := svc.Listing.OpenPhoto(r.Context(), in)
		if err != nil {
			w.Header().Set("Cache-Control", "no-store")
			s.fail(r.Context(), err, w)
			return
		}
		defer found.Content.Close()
		header := w.Header()
		header.Set("Content-Type", found.ContentType)
		header.Set("ETag", `"`+found.Tag+`"`)
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
		if found.Private {
			header.Set("Cache-Control", "private, no-store")
		}
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(downloadWithin))
		http.ServeContent(w, r, "", time.Time{}, found.Content)
	}))
	if s.opts.Faces != nil {
		s.routes.add(s, http.MethodGet, listing.PhotosPath+"/{file}", "photo", s.opts.Faces)
	}
}

// number returns an id in the path; anything else is 0, an id that no record has.
func number(r *http.Request, name string) int64 {
	id, err := strconv.ParseUint(mux.Vars(r)[name], 10, 63)
	if err != nil {
		return 0
	}
	return int64(id)
}
