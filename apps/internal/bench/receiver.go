package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// receiverMode is the argument that makes this program a receiver of deliveries,
// which in real life is somebody else's process as well.
const receiverMode = "receiver-process"

// wanted asks a receiver for what arrived at a path, once it is so many.
type wanted struct {
	Path string
	N    int
}

// received is what arrived. A receiver says its address at any rate.
type received struct {
	URL      string
	Arrivals []arrival
	Body     []byte // of one of them
	Failure  string
}

type arrival struct {
	At       time.Time
	Resource int64
}

// receiver is the child process as its parent sees it.
type receiver struct {
	*child
	url string
}

func startReceiver() (*receiver, error) {
	c, err := startChild(receiverMode)
	if err != nil {
		return nil, err
	}
	r := &receiver{child: c}
	hello, err := r.await("", 0)
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	r.url = hello.URL
	return r, nil
}

// await waits until so many requests have come in at a path.
func (r *receiver) await(path string, n int) (received, error) {
	var got received
	if err := r.ask(wanted{path, n}, &got); err != nil {
		return got, err
	}
	if got.Failure != "" {
		return got, errors.New(got.Failure)
	}
	return got, nil
}

// mailbox is the child process: it answers 200 at once and notes when what
// arrives.
type mailbox struct {
	mu       sync.Mutex
	arrivals map[string][]arrival // by path
	body     []byte
}

// receive is the child process.
func receive(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	box := &mailbox{arrivals: map[string][]arrival{}}
	server := &http.Server{Handler: box, ErrorLog: log.New(io.Discard, "", 0)}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			os.Exit(1) // the parent will notice
		}
	}()
	serve(in, out, func(w wanted) received {
		got := box.await(w)
		got.URL = "http://" + listener.Addr().String()
		return got
	})
	return server.Close()
}

// ServeHTTP implements http.Handler.
func (m *mailbox) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	now := time.Now()
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var told struct {
		Resource int64 `json:"resource_id"`
	}
	_ = json.Unmarshal(body, &told) // the bare client's bodies are the same
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrivals[request.URL.Path] = append(m.arrivals[request.URL.Path], arrival{now, told.Resource})
	m.body = body
}

func (m *mailbox) await(w wanted) received {
	for deadline := time.Now().Add(deliveryLimit); ; time.Sleep(20 * time.Millisecond) {
		m.mu.Lock()
		here := slices.Clone(m.arrivals[w.Path])
		body := m.body
		m.mu.Unlock()
		switch {
		case len(here) >= w.N:
			return received{Arrivals: here, Body: body}
		case time.Now().After(deadline):
			return received{Failure: "deliveries are missing"}
		}
	}
}
