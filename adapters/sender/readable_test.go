package sender

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func packed(t *testing.T, to func(io.Writer) io.WriteCloser, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := to(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A receiver compresses its answer or begins it with a mark, whether or not it was asked to.
func TestAReasonIsReadHoweverItIsSent(t *testing.T) {
	zip := func(text string) string {
		return packed(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, text)
	}
	deflate := func(text string) string {
		return packed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, text)
	}
	const said, mark, none = `{"message":"déjà vendu"}`, "\uFEFF", "rejected without reason"
	wide := "\xff\xfe" + strings.Join(strings.Split("{\"message\":\"no\"}", ""), "\x00") + "\x00"
	for name, c := range map[string]struct{ encoding, body, want string }{
		"as it is":               {"", said, "déjà vendu"},
		"behind a mark":          {"", mark + said, "déjà vendu"},
		"in UTF-16":              {"", wide, "no"},
		"gzip":                   {"gzip", zip(said), "déjà vendu"},
		"GZIP":                   {" GZIP ", zip(said), "déjà vendu"},
		"x-gzip":                 {"x-gzip", zip(said), "déjà vendu"},
		"gzip, behind a mark":    {"gzip", zip(mark + said), "déjà vendu"},
		"gzip that is not said":  {"", zip(said), "déjà vendu"},
		"gzip of plain text":     {"gzip", zip("  déjà\nvendu"), "déjà vendu"},
		"gzip cut off":           {"gzip", zip("vendu " + strings.Repeat("0123456789abcdefgh", 3000))[:100], "vendu "},
		"deflate":                {"deflate", deflate(said), "déjà vendu"},
		"gzip that is none":      {"gzip", said, none},
		"deflate that is none":   {"deflate", said, none},
		"an encoding not known":  {"br", said, none},
		"two encodings":          {"gzip, gzip", zip(zip(said)), none},
		"a secret in gzip":       {"gzip", zip(`{"message":"token s3cret"}`), "token …"},
		"nothing":                {"gzip", "", none},
		"much from a small body": {"gzip", zip(strings.Repeat("a", 50<<20))[:min(maxBody, len(zip(strings.Repeat("a", 50<<20))))], strings.Repeat("a", maxReason)},
	} {
		r := response{status: http.StatusUnprocessableEntity, header: http.Header{"Content-Encoding": {c.encoding}}, body: []byte(c.body)}
		if unpacked := readable(r); len(unpacked) > maxBody {
			t.Errorf("%s: %d bytes are unpacked", name, len(unpacked))
		}
		got := judge(r, time.Time{}, concealing([]string{"s3cret"})).answer
		if cutOff := strings.HasSuffix(c.want, " "); got.Reason != c.want && (!cutOff || !strings.HasPrefix(got.Reason, c.want)) {
			t.Errorf("%s: %.80q, want %.80q", name, got.Reason, c.want)
		}
		if strings.HasPrefix(got.Excerpt, mark) || c.want == none && got.Excerpt != "" {
			t.Errorf("%s: the excerpt is %.80q", name, got.Excerpt)
		}
	}
}
