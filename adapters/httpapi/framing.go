package httpapi

import "net/http"

// closeAmbiguous has the connection of a request closed after its answer when the
// body has two lengths, a Content-Length and a Transfer-Encoding (RFC 9112, 6.1):
// a proxy before this server may have gone by the other one, and taken for a
// part of the body what would be answered here as the next request.
//
// Http.Server goes by the Transfer-Encoding, or under HTTP/1.0 by the
// Content-Length, and removes the other. A guarded connection has counted the lines
// it came in: when there were more than requests have shown, one was removed, or
// another request has come already, or a body has such a line, and then closing does
// no harm. On other connections every request that may have two lengths is taken
// for one.
func closeAmbiguous(w http.ResponseWriter, r *http.Request) {
	chunked := len(r.TransferEncoding) > 0
	lengths, encodings := true, true
	if guarded, ok := r.Context().Value(connKey{}).(*conn); ok {
		lengths, encodings = guarded.hides(r.Header.Get(contentLength) != "", chunked)
	}
	if chunked && lengths || !r.ProtoAtLeast(1, 1) && encodings {
		w.Header().Set("Connection", "close")
	}
}

// CloseAmbiguous returns a handler next to the API's that closes the connection after a
// request whose body has two lengths, as the API's own do.
func CloseAmbiguous(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		closeAmbiguous(w, r)
		next.ServeHTTP(w, r)
	})
}

// hides takes off the lines that a request shows, and reports whether there were
// others.
func (c *conn) hides(length, encoding bool) (lengths, encodings bool) {
	c.reading.Lock()
	defer c.reading.Unlock()
	if length {
		c.seen.lengths--
	}
	if encoding {
		c.seen.encodings--
	}
	return c.seen.lengths > 0, c.seen.encodings > 0
}
