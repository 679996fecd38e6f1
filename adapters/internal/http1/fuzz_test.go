package http1

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// hostile is a peer that answers a request with anything, in pieces, and hangs up
// or holds on.
func hostile(answer []byte, piece int, holds bool) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			if r, err := http.ReadRequest(bufio.NewReader(theirs)); err != nil || drained(r.Body) != nil {
				return
			}
			for left := answer; len(left) > 0; {
				n := min(max(1, piece), len(left))
				if _, err := theirs.Write(left[:n]); err != nil {
					return
				}
				left = left[n:]
			}
			if holds {
				io.Copy(io.Discard, theirs)
			}
		}()
		return ours, nil
	}
}

func drained(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// FuzzAnswer holds Post to the client of net/http, whatever is answered.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		ok, ok + ok, "", "H", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.1 200 OK\n\nok",
		"HTTP/1.1 100 Continue\r\n\r\n" + ok, "HTTP/1.1 101 Switching\r\n\r\nmore", "HTTP/1.1 103 Hints\r\nA: b\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\nok",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\nT: v\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
		"SSH-2.0-OpenSSH_9.2\r\n", "\r\n\r\n" + ok, "\x00\x01\x02\xff", "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 304 Not\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + strings.Repeat("x", 2000), "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 2000),
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 9<<10) + "\r\n\r\n", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 400),
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("e", 100)+"\r\nx\r\n", 300),
	} {
		f.Add([]byte(text), uint16(len(text)))
		f.Add([]byte(text), uint16(1))
	}
	f.Fuzz(func(t *testing.T, answer []byte, piece uint16) {
		const maxHeader, maxBody = 8 << 10, 1 << 10
		dial := hostile(answer, int(piece), false)
		ours := &Client{Dial: dial, MaxHeader: maxHeader, MaxBody: maxBody, Idle: time.Minute, PerHost: 1, InAll: 1}
		defer ours.Close()
		got, err := ours.Post(t.Context(), to(t, "http://portal.example/"))
		if len(got.Body) > maxBody {
			t.Errorf("%d bytes were read", len(got.Body))
		}

		theirs := &http.Transport{DialContext: dial, MaxResponseHeaderBytes: maxHeader, DisableCompression: true}
		defer theirs.CloseIdleConnections()
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://portal.example/", strings.NewReader(body))
		want, wanted := theirs.RoundTrip(request)
		if (err == nil) != (wanted == nil) {
			t.Fatalf("the error is %v, and with net/http %v", err, wanted)
		}
		if err != nil {
			return
		}
		defer want.Body.Close()
		var read []byte
		if want.ContentLength != 0 && want.StatusCode != http.StatusSwitchingProtocols {
			read, _ = io.ReadAll(io.LimitReader(want.Body, maxBody))
		}
		if got.Status != want.StatusCode || !bytes.Equal(got.Body, read) {
			t.Errorf("the answer is %d with %q, and with net/http %d with %q", got.Status, got.Body, want.StatusCode, read)
		}
	})
}

// FuzzHolding lets the peer hold on after whatever it has said: the deadline ends it.
func FuzzHolding(f *testing.F) {
	for _, text := range []string{"", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nA", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		c := &Client{Dial: hostile(answer, len(answer), true), MaxHeader: 8 << 10, MaxBody: 1 << 10, Idle: time.Minute, PerHost: 1, InAll: 1}
		defer c.Close()
		r := to(t, "http://portal.example/")
		r.Deadline = time.Now().Add(5 * time.Millisecond)
		_, err := c.Post(t.Context(), r)
		if bytes.HasPrefix([]byte("HTTP/1.1 200 OK\r\n"), answer) && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %q it ended with %v", answer, err)
		}
	})
}
