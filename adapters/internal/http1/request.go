package http1

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// ErrInvalid is the error of a request that cannot be written, and was not.
var ErrInvalid = errors.New("a header of the request is not valid")

// check refuses what would end a header, or the request, before its end.
func (r Request) check() error {
	for _, f := range r.Header {
		if !httpguts.ValidHeaderFieldName(f.Name) || !httpguts.ValidHeaderFieldValue(f.Value) || framing(f.Name) {
			return ErrInvalid
		}
	}
	return nil
}

// framing reports whether a header says where a request goes or ends, which Post
// does itself.
func framing(name string) bool {
	switch len(name) {
	case len("Host"), len("Content-Length"), len("Transfer-Encoding"), len("Trailer"):
		return strings.EqualFold(name, "Host") || strings.EqualFold(name, "Content-Length") ||
			strings.EqualFold(name, "Transfer-Encoding") || strings.EqualFold(name, "Trailer")
	}
	return false
}

const userAgent = "User-Agent"

// appendRequest writes a request as net/http does: the host, the agent and the
// length first, then the other headers sorted by their names.
func appendRequest(b []byte, r Request) []byte {
	b = append(b, "POST "...)
	b = append(b, r.URL.RequestURI()...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, strings.TrimSuffix(r.URL.Host, ":")...)
	b = append(b, "\r\n"...)
	sorted := make([]Field, 0, 16)
	for _, f := range r.Header {
		if f.Name != userAgent {
			sorted = append(sorted, f)
		} else if f.Value != "" {
			b = appendField(b, f)
		}
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(len(r.Body)), 10)
	b = append(b, "\r\n"...)
	slices.SortStableFunc(sorted, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range sorted {
		b = appendField(b, f)
	}
	b = append(b, "\r\n"...)
	return append(b, r.Body...)
}

func appendField(b []byte, f Field) []byte {
	b = append(b, f.Name...)
	b = append(b, ": "...)
	b = append(b, strings.Trim(f.Value, " \t")...)
	return append(b, "\r\n"...)
}
