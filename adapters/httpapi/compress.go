package httpapi

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// coding is a content coding; the empty one is none.
type coding string

const (
	identity  coding = ""
	gzipped   coding = "gzip"
	zstandard coding = "zstd"
)

// codings are those the server has, the best first.
var codings = [...]coding{zstandard, gzipped}

// compressFrom is how long an answer must be to be compressed. What fits into one
// packet gains nothing.
const compressFrom = 1400

// accepted returns the codings a client takes, the one it likes best first (RFC 9110,
// section 12.5.3). identity is always the last: a client cannot refuse it here.
func accepted(lines []string) []coding {
	if len(lines) == 0 {
		return []coding{identity}
	}
	quality := map[coding]float64{}
	for member := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		name, parameters, _ := strings.Cut(member, ";")
		q := 1.0
		if value, given := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameters)), "q="); given {
			var err error
			if q, err = strconv.ParseFloat(value, 64); err != nil {
				q = 0
			}
		}
		quality[coding(strings.ToLower(strings.TrimSpace(name)))] = q
	}
	of := func(c coding) float64 {
		if q, named := quality[c]; named {
			return q
		}
		return quality["*"]
	}
	var liked []coding
	for _, c := range codings {
		switch q := of(c); {
		case q <= 0 || q < quality["identity"]:
		case len(liked) > 0 && q > of(liked[0]):
			liked = append([]coding{c}, liked...)
		default:
			liked = append(liked, c)
		}
	}
	return append(liked, identity)
}

// tag returns the tag of a compressed form: each form of an answer needs its own (RFC
// 9110, section 8.8.3.3).
func (c coding) tag(whole string) string {
	if c == identity || whole == "" {
		return whole
	}
	return strings.TrimSuffix(whole, `"`) + "-" + string(c) + `"`
}

// tags returns those of all forms of an answer, beginning with the form that would be
// sent. A client that names one has that form and can read it, whatever it takes now:
// answers to requests with a token are not in caches that others share.
func (c coding) tags(whole string) []string {
	forms := []string{c.tag(whole)}
	for _, other := range append(codings[:], identity) {
		if other != c {
			forms = append(forms, other.tag(whole))
		}
	}
	return forms
}

// The writers are quick rather than thorough: beyond the first level the processor
// costs more than the bytes that it saves.
var (
	gzips = sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level exists
		return w
	}}
	zstds = sync.OnceValue(func() *zstd.Encoder {
		// No browser takes windows above 8 MiB (RFC 9659), and answers are smaller.
		w, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true))
		return w
	})
)

// compress writes a body in a coding.
func (c coding) compress(body []byte) *bytes.Buffer {
	out := buffers.Get().(*bytes.Buffer)
	switch c {
	case gzipped:
		w := gzips.Get().(*gzip.Writer)
		defer gzips.Put(w)
		w.Reset(out)
		_, _ = w.Write(body) // a buffer takes everything
		_ = w.Close()
	case zstandard:
		out.Grow(len(body) / 4)
		out.Write(zstds().EncodeAll(body, out.AvailableBuffer()))
	case identity:
		out.Write(body)
	}
	return out
}

var (
	encodingHeader = http.CanonicalHeaderKey("Content-Encoding")
	varyHeader     = http.CanonicalHeaderKey("Vary")
)

// tell says in which form an answer is, and that there are others.
func (c coding) tell(header http.Header) {
	header[varyHeader] = append(header[varyHeader], "Accept-Encoding")
	if c != identity {
		header[encodingHeader] = []string{string(c)}
	}
}

// forms are all forms of a body that is always the same.
type forms map[coding][]byte

func formsOf(body []byte) forms {
	all := forms{identity: body}
	for _, c := range codings {
		all[c] = c.compress(body).Bytes()
	}
	return all
}

// ServeHTTP implements http.Handler.
func (f forms) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := accepted(r.Header.Values("Accept-Encoding"))[0]
	c.tell(w.Header())
	send(w, http.StatusOK, f[c])
}
