package sender

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// What is sent by net/http, through proxies and on systems that are not asked about
// connections, must not end otherwise.
func TestBothExchangesTellTheSame(t *testing.T) {
	networks, err := webhook.ParseNetworks("127.0.0.0/8:*")
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Allowance: webhook.Allowance{HTTP: true, Networks: networks}, Timeout: 3 * time.Second, BreakerTimeout: -1}
	ours, theirs := New(options), New(options)
	transport := newTransport((&net.Dialer{Control: guard(options.Allowance)}).DialContext, nil, options)
	theirs.exchange, theirs.closeIdle = over(transport), transport.CloseIdleConnections
	t.Cleanup(ours.Close)
	t.Cleanup(theirs.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, url := range map[string]string{
		"nobody":                "http://" + closed.Addr().String(),
		"thanks":                saying(t, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks"),
		"a body without end":    saying(t, "HTTP/1.1 200 OK\r\n\r\nthanks"),
		"a rejection":           saying(t, "HTTP/1.1 422 No\r\nContent-Length: 20\r\n\r\n{\"message\":\"double\"}"),
		"too many":              saying(t, "HTTP/1.1 429 Wait\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n"),
		"another place":         saying(t, "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
		"a mistake":             saying(t, "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"),
		"announcements":         saying(t, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"),
		"another protocol":      saying(t, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
		"an announcement alone": saying(t, "HTTP/1.1 102 Processing\r\n\r\n"),
		"something else":        saying(t, "220 mail.example ESMTP\r\n"),
		"silence":               saying(t, ""),
		"not TLS":               "https" + saying(t, "220 mail.example ESMTP\r\n")[len("http"):],
		"no TLS":                "https" + saying(t, "")[len("http"):],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := webhook.Request{Site: 1, Hook: 1, Epoch: 1, URL: url, Body: []byte("{}")}
			want := theirs.Send(t.Context(), r)
			got := ours.Send(t.Context(), r)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(webhook.Answer{}, "Duration")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// saying is the address of a receiver that says something to whoever has said
// something, and then nothing.
func saying(t *testing.T, what string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := conn.Read(make([]byte, http.DefaultMaxHeaderBytes)); err != nil {
					return
				}
				io.WriteString(conn, what)
				io.Copy(io.Discard, conn)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}
