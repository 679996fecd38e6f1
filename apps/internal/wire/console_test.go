package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/backoffice"
)

// free is an address that nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// status is how a page is answered, redirects not followed.
func status(t *testing.T, url string) int {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

// closesAmbiguous checks that a request whose body has two lengths ends its connection,
// and one whose body has one does not.
func closesAmbiguous(t *testing.T, address, path string) {
	t.Helper()
	connection, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	answers := bufio.NewReader(connection)
	const length, chunks = "Content-Length: 2\r\n", "Transfer-Encoding: chunked\r\n"
	for _, c := range []struct {
		framed string
		closed bool
	}{{length + "\r\n{}", false}, {chunks + "\r\n2\r\n{}\r\n0\r\n\r\n", false}, {length + chunks + "\r\n2\r\n{}\r\n0\r\n\r\n", true}} {
		fmt.Fprint(connection, "POST "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\n"+c.framed)
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("%s after %q: %v", path, c.framed, err)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil || answer.Close != c.closed {
			t.Errorf("%s after %q: closed %t, %v", path, c.framed, answer.Close, err)
		}
	}
}

var setUpLink = regexp.MustCompile(`link=(http://\S+/console/set-up/([A-Za-z0-9_-]{43}))`)

// TestTheConsoleIsClosedByDefault: nothing answers at its path, no link is drawn, and
// the log is silent about it, unless the console has an address or is put beside the
// API. So is the portal of clients, which no operator is let in by.
func TestTheConsoleIsClosedByDefault(t *testing.T) {
	for name, c := range map[string]struct {
		own, beside, portal bool
		api, other          int
	}{
		"by default":               {api: http.StatusNotFound},
		"on an address of its own": {own: true, api: http.StatusNotFound, other: http.StatusOK},
		"beside the API":           {beside: true, api: http.StatusOK},
		"a portal alone":           {portal: true, api: http.StatusNotFound},
		"a portal too":             {portal: true, beside: true, api: http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vitrine.db")
			store := database(t, path, "")
			options := config.Server{Database: config.Database{Database: path}, Listen: free(t)}
			options.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
			options.Hooks.Timeout, options.ShutdownTimeout, options.ConsoleBeside, options.Portal = 1, 5*time.Second, c.beside, c.portal
			if c.own {
				options.ConsoleListen = free(t)
			}
			var log bytes.Buffer
			server, err := wire.NewServer(t.Context(), options, store, slog.New(slog.NewTextHandler(&log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			over := make(chan error)
			go func() { over <- server.Run(ctx) }()
			for _, path := range []string{"/console/sign-in", "/console/nowhere", "/portal/sign-in", "/healthz", "/api/v2/site/products/search"} {
				closesAmbiguous(t, options.Listen, path)
				if c.own {
					closesAmbiguous(t, options.ConsoleListen, path)
				}
			}
			if got := status(t, "http://"+options.Listen+"/console/sign-in"); got != c.api {
				t.Errorf("beside the API it answers %d, want %d", got, c.api)
			}
			if got := status(t, "http://"+options.Listen+"/portal/sign-in"); (got == http.StatusOK) != c.portal {
				t.Errorf("the portal answers %d", got)
			}
			if c.own {
				if got := status(t, "http://"+options.ConsoleListen+"/console/sign-in"); got != c.other {
					t.Errorf("on its own address it answers %d, want %d", got, c.other)
				}
				if got := status(t, "http://"+options.ConsoleListen+"/api/v2/site/site"); got != http.StatusNotFound {
					t.Errorf("the address of the console answers for the API: %d", got)
				}
			}
			link := setUpLink.FindStringSubmatch(log.String())
			if on := c.own || c.beside; on != (link != nil) {
				t.Errorf("the log says %s", log.String())
			} else if on {
				letsOneIn(t, server, link[1], link[2])
			}
			stop()
			if err := <-over; err != nil {
				t.Error(err)
			}
		})
	}
}

// letsOneIn comes in by the link of the log, and finds that it is good once.
func letsOneIn(t *testing.T, server *wire.Server, link, secret string) {
	t.Helper()
	if got := status(t, link); got != http.StatusOK {
		t.Errorf("the link answers %d", got)
	}
	in := backoffice.Accept{Secret: secret, Email: "root@example.org", Name: "Root", Password: "trombone agrafe lune"}
	if _, err := server.Backoffice.Accept(t.Context(), in); err != nil {
		t.Error(err)
	}
	if _, err := server.Backoffice.Accept(t.Context(), in); err == nil {
		t.Error("the link is good twice")
	}
	if got := status(t, link); got != http.StatusNotFound {
		t.Errorf("the link that was used answers %d", got)
	}
}
