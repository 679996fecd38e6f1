package conform

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// inbox receives deliveries of webhooks, each at an address of its own.
type inbox struct {
	// base is the beginning of addresses, empty where the server cannot reach one.
	base   string
	server *http.Server

	mu      sync.Mutex
	answers map[string]func(attempt int) (status int, body string)
	came    map[string][]Delivery
}

// Delivery is one request to a receiver.
type Delivery struct {
	At     time.Time
	Method string
	Header http.Header
	Body   []byte
	json   any
}

// open listens where the target says, or on a free port where the server is on this machine.
func (b *inbox) open(ctx context.Context, t Target) error {
	b.answers, b.came = map[string]func(int) (int, string){}, map[string][]Delivery{}
	address, base := t.ReceiverListen, t.Receiver
	if base == "" && address == "" {
		if !onThisMachine(t.URL) {
			return nil
		}
		address = "127.0.0.1:0"
	}
	if address == "" {
		return fmt.Errorf("the receiver %s needs an address to listen at", base)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	if base == "" {
		base = "http://" + listener.Addr().String()
	}
	b.base = strings.TrimRight(base, "/")
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = b.server.Serve(listener) }() // ends when it is closed
	return nil
}

func (b *inbox) close() {
	if b.server != nil {
		_ = b.server.Close()
	}
}

// onThisMachine reports whether an address is a loopback one.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	b.mu.Lock()
	answer := b.answers[name]
	if answer != nil {
		b.came[name] = append(b.came[name], Delivery{time.Now(), r.Method, r.Header.Clone(), body, decode(body)})
	}
	attempt := len(b.came[name])
	b.mu.Unlock()
	status, text := http.StatusNotFound, ""
	if answer != nil {
		status, text = answer(attempt)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// deliveries are those that came to a name.
func (b *inbox) deliveries(name string) []Delivery {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Delivery(nil), b.came[name]...)
}

// script says how a name answers from now on.
func (b *inbox) script(name string, answer func(attempt int) (status int, body string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[name] = answer
}
