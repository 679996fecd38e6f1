package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// stack is the whole server, listening, with its default options except that
// there is no rate limit.
type stack struct {
	*wire.Server
	hooks  config.Hooks
	client *rig.Client
	// end stops the server, and ended is closed then.
	end   context.CancelFunc
	ended chan struct{}
}

// Options of servers: one that is used to what it is asked, and one that has to
// build nearly every answer.
const (
	warmCache = ""
	coldCache = "--render-memory=1"
)

// stack starts the server with some options, or finds the one that runs.
func (b *bench) stack(ctx context.Context, w *world, options string) (*stack, error) {
	if s := w.stacks[options]; s != nil {
		return s, nil
	}
	s, err := b.listen(ctx, w, func(*kernel.Ports) {}, strings.Fields(options)...)
	if err == nil {
		w.stacks[options] = s
	}
	return s, err
}

// listen starts a server with some options, and ports of which some are others.
func (b *bench) listen(ctx context.Context, w *world, over func(*kernel.Ports), more ...string) (*stack, error) {
	options := append(rig.ServerOptions(w.database(), filepath.Join(b.folder, w.name()+".photos")),
		"--listen=127.0.0.1:0", "--shutdown-timeout=2s", "--secret-key="+rig.Secrets.SecretKey)
	var c config.Server
	if err := rig.Parse(append(options, more...), &c); err != nil {
		return nil, err
	}
	server, err := wire.NewServerOver(ctx, c, w.store, over, discarded())
	if err != nil {
		return nil, err
	}
	started := &stack{Server: server, hooks: c.Hooks, client: w.client, ended: make(chan struct{})}
	serving, end := context.WithCancel(b.serving)
	started.end = end
	b.servers.Go(func() error {
		defer close(started.ended)
		defer end()
		return server.Run(serving)
	})
	return started, nil
}

// endStacks stops the servers there are: each of them would deliver as well.
func (w *world) endStacks() {
	for _, s := range w.stacks {
		s.end()
		<-s.ended
	}
	clear(w.stacks)
}

func (s *stack) address() string { return strings.TrimPrefix(s.Domain, "http://") }

// token returns the bearer token for a site.
func (s *stack) token(ctx context.Context, id site.ID) (string, error) {
	return s.client.Token(ctx, s.address(), int(id))
}

// call makes one request about a site that succeeds and reads the answer.
func (s *stack) call(ctx context.Context, method string, id site.ID, path string, body, answer any) error {
	return s.client.Do(ctx, s.address(), int(id), method, path, body, answer)
}

// wireRequest returns a request as it travels.
func wireRequest(method, path, token string, body []byte) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n", method, path, token)
	if body != nil {
		fmt.Fprintf(&out, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	out.WriteString("\r\n")
	out.Write(body)
	return out.Bytes()
}
