package httpapi

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// reader is a client at the other end, which takes bytes at a pace of its own: so
// many per tick, out of a system that accepts them in lots.
type reader struct {
	net.Conn
	now      time.Time
	deadline time.Time
	// perTick is what the client takes in a tick, lot how much room the system
	// waits for before it accepts more, kept how much it keeps.
	perTick, lot, kept int
	queued             int
	lingers            bool
}

func (r *reader) SetWriteDeadline(t time.Time) error {
	r.deadline = t
	return nil
}

func (r *reader) SetLinger(int) error {
	r.lingers = true
	return nil
}

// Write implements net.Conn: it writes until the deadline.
func (r *reader) Write(p []byte) (n int, err error) {
	for {
		if r.kept-r.queued >= r.lot {
			m := min(len(p)-n, r.kept-r.queued)
			r.queued, n = r.queued+m, n+m
		}
		if n == len(p) {
			return n, nil
		}
		if !r.deadline.IsZero() && !r.now.Before(r.deadline) {
			return n, fmt.Errorf("write: %w", os.ErrDeadlineExceeded)
		}
		r.now = r.now.Add(time.Second)
		r.queued -= min(r.queued, r.perTick)
	}
}

func connTo(r *reader) *conn {
	r.now = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	return &conn{Conn: r, stalledAfter: stalledAfter, now: func() time.Time { return r.now }, queued: func() int { return r.queued }}
}

func TestH16_WhoReadsNothingIsLetGo(t *testing.T) {
	for _, kept := range []int{0, 1, 100_000} {
		r := &reader{kept: kept, lot: 1}
		c := connTo(r)
		began := r.now
		n, err := c.Write(make([]byte, 1<<20))
		if took := r.now.Sub(began); n != kept || !errors.Is(err, os.ErrDeadlineExceeded) || took < 20*time.Second || took > 30*time.Second || !r.lingers {
			t.Errorf("of a system that keeps %d bytes: %d, %v after %s, forgotten %t", kept, n, err, took, r.lingers)
		}
	}
}

func TestH16_WhoReadsSlowlyGetsTheWholeAnswer(t *testing.T) {
	r := &reader{perTick: 5_000, kept: 4 << 20, lot: 1 << 20}
	c := connTo(r)
	began := r.now
	if n, err := c.Write(make([]byte, 20<<20)); n != 20<<20 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if took := r.now.Sub(began); took < 50*time.Minute {
		t.Errorf("that took only %s", took)
	}
}

func TestH16_WhoStopsReadingIsLetGo(t *testing.T) {
	r := &reader{perTick: 5_000, kept: 1 << 20, lot: 1 << 18}
	c := connTo(r)
	if _, err := c.Write(make([]byte, 2<<20)); err != nil {
		t.Fatal(err)
	}
	stopped := r.now
	r.perTick = 0
	if _, err := c.Write(make([]byte, 2<<20)); err == nil || r.now.Sub(stopped) > 30*time.Second {
		t.Errorf("%v after %s", err, r.now.Sub(stopped))
	}
}

func TestH16_TheServerSaysUntilWhenInAll(t *testing.T) {
	for _, limit := range []time.Duration{-time.Second, 0, time.Second, 10 * time.Second, time.Minute} {
		r := &reader{perTick: 10, kept: 1000, lot: 1}
		c := connTo(r)
		began := r.now
		if err := c.SetWriteDeadline(began.Add(limit)); err != nil {
			t.Fatal(err)
		}
		_, err := c.Write(make([]byte, 1<<20))
		if took := r.now.Sub(began); !errors.Is(err, os.ErrDeadlineExceeded) || took != max(limit, 0) {
			t.Errorf("a limit of %s: %v after %s", limit, err, took)
		}
	}
}

// Over real connections of this system: who does not read is cut off, and what one
// takes is seen.
func TestH16_ARealConnectionIsCutOff(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	served, err := guard{l, 50 * time.Millisecond}.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer served.Close()
	if _, err := served.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

var framingLine = regexp.MustCompile(`(?i)(?:^|\n)(content-length|transfer-encoding):`)

// However a stream is cut into reads, the lines that begin with either name are
// counted.
func TestG33_LinesThatSayALengthAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream := rapid.StringOf(rapid.SampledFrom([]rune("\n\r: x"))).Draw(t, "before")
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			stream += rapid.SampledFrom([]string{
				"\nContent-Length:", "\r\ncontent-length: 5\r\n", "\nTRANSFER-ENCODING:chunked", "Transfer-Encoding: x", "Content-Length", ":", "\n", " ", "{\"a\":1}",
				"\nTransfer-Encodings:", "\nContent-Length :", "\n:", "\nX-Content-Length:",
			}).Draw(t, "piece")
		}
		var want, got framing
		for _, found := range framingLine.FindAllStringSubmatch(stream, -1) {
			if strings.EqualFold(found[1], contentLength) {
				want.lengths++
			} else {
				want.encodings++
			}
		}
		for rest := []byte(stream); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "read")
			got.scan(rest[:n])
			rest = rest[n:]
		}
		if got.lengths != want.lengths || got.encodings != want.encodings {
			t.Fatalf("%q: %d and %d, want %d and %d", stream, got.lengths, got.encodings, want.lengths, want.encodings)
		}
	})
}

const (
	plain11   = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
	sized     = "POST /s HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
	chunked   = "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
	both      = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
	bothCased = "POST /b HTTP/1.1\r\nHost: x\r\ntransfer-encoding: Chunked\r\ncontent-length: 7\r\n\r\n0\r\n\r\n"
	both10    = "POST /o HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}"
	sized10   = "POST /p HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}"
	quoting   = "POST /q HTTP/1.1\r\nHost: x\r\nContent-Length: 19\r\n\r\n\r\nContent-Length: 2"
)

// answeredOver are the paths of the requests that are answered when all are sent at
// once over a connection, and whether it is then closed.
func answeredOver(t *testing.T, handler http.Handler, guarded bool, requests string) (paths string, closed bool) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	if guarded {
		server.Listener, server.Config.ConnContext = Guard(server.Listener), GuardContext
	}
	server.Start()
	defer server.Close()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	// The last request closes the connection by itself, if it is answered.
	if _, err := io.WriteString(connection, requests+"GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for answers := bufio.NewReader(connection); ; {
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			return strings.TrimSuffix(paths, "/last"), !strings.HasSuffix(paths, "/last")
		}
		path, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		paths += string(path)
	}
}

func TestG33_ABodyWithTwoLengthsClosesTheConnection(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		closeAmbiguous(w, r)
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, r.URL.Path)
	})
	for name, c := range map[string]struct {
		requests string
		guarded  string
		closed   bool
		// alone is what is answered without a guard.
		alone       string
		aloneCloses bool
	}{
		"without bodies":            {plain11 + plain11, "/a/a", false, "/a/a", false},
		"with a length":             {sized + sized, "/s/s", false, "/s/s", false},
		"chunked":                   {chunked + chunked, "/c/c", false, "/c", true},
		"with both":                 {both + plain11, "/b", true, "/b", true},
		"with both, spelt freely":   {bothCased + sized, "/b", true, "/b", true},
		"with both, after others":   {sized + plain11 + both + chunked, "/s/a/b", true, "/s/a/b", true},
		"with a length, read early": {chunked + sized, "/c", true, "/c", true},
		"HTTP/1.0 with a length":    {sized10 + plain11, "/p/a", false, "/p", true},
		"HTTP/1.0 with both":        {both10 + plain11, "/o", true, "/o", true},
		"a body that quotes one":    {quoting + plain11, "/q/a", false, "/q/a", false},
		"one that quotes, chunked":  {quoting + chunked, "/q/c", true, "/q/c", true},
	} {
		if paths, closed := answeredOver(t, handler, true, c.requests); paths != c.guarded || closed != c.closed {
			t.Errorf("%s: %s is answered, closed %t", name, paths, closed)
		}
		if paths, closed := answeredOver(t, handler, false, c.requests); paths != c.alone || closed != c.aloneCloses {
			t.Errorf("%s, unguarded: %s is answered, closed %t", name, paths, closed)
		}
	}
}

func BenchmarkFramingOfAnUpload(b *testing.B) {
	picture := bytes.Repeat([]byte("\x00\xff picture\n without a length: none"), 30_000)
	b.SetBytes(int64(len(picture)))
	for b.Loop() {
		var f framing
		f.scan(picture)
	}
}
