package http1

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/internal/socket"
)

func TestWhatIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		kept   bool
	}{
		"a length":                     {ok, true},
		"no content":                   {"HTTP/1.1 204 No Content\r\n\r\n", true},
		"chunks":                       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true},
		"chunks and a trailer":         {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nok\r\n0\r\nT: v\r\n\r\n", true},
		"HTTP/1.0 that keeps":          {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", true},
		"announcements":                {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok, true},
		"a redirect":                   {"HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", true},
		"close":                        {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", false},
		"HTTP/1.0":                     {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false},
		"another protocol":             {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", false},
		"a body longer than is read":   {"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + strings.Repeat("x", 2000), false},
		"more than one answer":         {ok + ok, false},
		"the beginning of another one": {ok + "H", false},
	} {
		for protocol, wrap := range map[string]func(net.Conn) net.Conn{"http": plain, "https": secured(t)} {
			t.Run(protocol+" "+name, func(t *testing.T) {
				peer := play(t, wrap, c.answer, ok)
				post := client(t)
				post.TLS = trusting(t)
				for range 2 {
					if _, err := post.Post(t.Context(), to(t, protocol+"://"+peer.address)); err != nil {
						t.Fatal(err)
					}
				}
				if kept := peer.connections.Load() == 1; kept != c.kept {
					t.Errorf("two requests took %d connections", peer.connections.Load())
				}
			})
		}
	}
}

// What a peer says unasked must not become the answer to the next request, which
// may be another customer's.
func TestWhatComesUnaskedIsNoAnswer(t *testing.T) {
	says := make(chan struct{})
	said := make(chan struct{})
	var first atomic.Bool
	first.Store(true)
	peer := play(t, func(c net.Conn) net.Conn {
		if first.Swap(false) {
			go func() {
				<-says
				io.WriteString(c, "HTTP/1.1 418 Unasked\r\nContent-Length: 0\r\n\r\n")
				close(said)
			}()
		}
		return c
	}, ok, ok)
	c := client(t)
	for i := range 2 {
		got, err := c.Post(t.Context(), to(t, "http://"+peer.address))
		if err != nil || got.Status != 200 {
			t.Fatalf("status %d, %v", got.Status, err)
		}
		if i == 0 {
			close(says)
			<-said
			waitFor(t, func() bool { return !socket.Quiet(c.pool.all.Front().Value.(*conn).socket) })
		}
	}
	if n := peer.connections.Load(); n != 2 {
		t.Errorf("two requests took %d connections", n)
	}
}

func waitFor(t *testing.T, what func() bool) {
	t.Helper()
	for range 1000 {
		if what() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it never happened")
}

// brief hangs up after it has answered, without having said so.
type brief struct{ net.Conn }

func (b brief) Write(p []byte) (int, error) {
	defer b.Close()
	return b.Conn.Write(p)
}

// Nothing is sent on a connection that the peer has closed while it was idle.
func TestAConnectionThatWasClosedIsNotUsed(t *testing.T) {
	peer := play(t, func(c net.Conn) net.Conn { return brief{c} }, ok, ok)
	c := client(t)
	for range 3 {
		got, err := c.Post(t.Context(), to(t, "http://"+peer.address))
		if err != nil || got.Status != 200 {
			t.Fatalf("status %d, %v", got.Status, err)
		}
		<-peer.gone
		waitFor(t, func() bool { return !socket.Quiet(c.pool.all.Front().Value.(*conn).socket) })
	}
	if requests, connections := peer.requests.Load(), peer.connections.Load(); requests != 3 || connections != 3 {
		t.Errorf("three requests arrived as %d over %d connections", requests, connections)
	}
}

// A peer that hangs up on a kept connection may have read the request: it is not
// sent again.
func TestARequestThatMayHaveBeenReadIsNotSentAgain(t *testing.T) {
	peer := play(t, plain, ok, "")
	c := client(t)
	if _, err := c.Post(t.Context(), to(t, "http://"+peer.address)); err != nil {
		t.Fatal(err)
	}
	_, err := c.Post(t.Context(), to(t, "http://"+peer.address))
	var ended *Error
	if !errors.As(err, &ended) || ended.Stage != Ready {
		t.Errorf("the error is %v", err)
	}
	if requests, connections := peer.requests.Load(), peer.connections.Load(); requests != 2 || connections != 1 {
		t.Errorf("two requests arrived as %d over %d connections", requests, connections)
	}
}

// unwritable fails to write from the second request on.
type unwritable struct {
	*net.TCPConn
	writes *atomic.Int64
}

func (u unwritable) Write(p []byte) (int, error) {
	if u.writes.Add(1) == 2 {
		return 0, syscall.EPIPE
	}
	return u.TCPConn.Write(p)
}

func TestARequestOfWhichNothingWasSentIsSentOnAnotherConnection(t *testing.T) {
	peer := play(t, plain, ok, ok)
	c := client(t)
	var writes atomic.Int64
	c.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		socket, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return unwritable{socket.(*net.TCPConn), &writes}, nil
	}
	for range 2 {
		if got, err := c.Post(t.Context(), to(t, "http://"+peer.address)); err != nil || got.Status != 200 {
			t.Fatalf("status %d, %v", got.Status, err)
		}
	}
	if requests, connections := peer.requests.Load(), peer.connections.Load(); requests != 2 || connections != 2 {
		t.Errorf("two requests arrived as %d over %d connections", requests, connections)
	}
}

// A peer may answer before it has read the request, and not read it at all.
func TestAnAnswerBeforeTheRequestIsRead(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			one := make([]byte, 1)
			conn.Read(one)
			io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlong")
			conn.(*net.TCPConn).CloseWrite()
			defer conn.Close()
		}
	}()
	got, err := client(t).Post(t.Context(), to(t, "http://"+l.Addr().String()))
	if err != nil || got.Status != 413 || string(got.Body) != "long" {
		t.Errorf("status %d with %q, %v", got.Status, got.Body, err)
	}
}

func TestACancelledExchangeIsBrokenOff(t *testing.T) {
	for name, wrap := range map[string]func(net.Conn) net.Conn{
		"while it waits for the answer": plain,
		"while TLS is made":             func(c net.Conn) net.Conn { io.Copy(io.Discard, c); return c },
	} {
		t.Run(name, func(t *testing.T) {
			peer := play(t, wrap, hold)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for peer.connections.Load() == 0 {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			protocol := "http://"
			if !strings.Contains(name, "answer") {
				protocol = "https://"
			}
			r := to(t, protocol+peer.address)
			r.Deadline = time.Now().Add(time.Hour)
			if _, err := client(t).Post(ctx, r); err == nil {
				t.Error("there is an answer")
			}
			<-peer.gone
		})
	}
}

func TestLongHeadersAreNotRead(t *testing.T) {
	for name, answer := range map[string]string{
		"a long header":      "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 9<<10) + "\r\n\r\n",
		"many headers":       "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: x\r\n", 2<<10) + "\r\n",
		"many announcements": strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 400) + ok,
		"a long status":      "HTTP/1.1 200 " + strings.Repeat("x", 9<<10) + "\r\n\r\n",
	} {
		peer := play(t, plain, answer)
		if _, err := client(t).Post(t.Context(), to(t, "http://"+peer.address)); !errors.Is(err, errTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What is read ahead of the body does not count.
	peer := play(t, plain, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 7<<10)+"\r\nContent-Length: 900\r\n\r\n"+strings.Repeat("y", 900), ok)
	got, err := client(t).Post(t.Context(), to(t, "http://"+peer.address))
	if err != nil || len(got.Body) != 900 {
		t.Errorf("%d bytes, %v", len(got.Body), err)
	}
}
