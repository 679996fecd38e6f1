package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// stack is the whole server, listening, with its default options except that
// there is no rate limit.
type stack struct {
	domain string

	mu     sync.Mutex
	tokens map[site.ID]string
}

// Options of servers: one that is used to what it is asked, and one that has to
// build nearly every answer.
const (
	warmCache = ""
	coldCache = "--render-memory=1"
)

// stack starts the server with an option, or finds the one that runs.
func (b *bench) stack(ctx context.Context, w *world, option string) (*stack, error) {
	if s := w.stacks[option]; s != nil {
		return s, nil
	}
	photos := "file://" + filepath.Join(b.folder, w.name()+".photos")
	options := []string{"--listen=127.0.0.1:0", "--photos=" + photos, "--rate-limit=0", "--shutdown-timeout=2s", "--hooks-allow=127.0.0.0/8:*", "--hooks-allow-http", "--secret-key=" + secrets.SecretKey}
	if option != "" {
		options = append(options, option)
	}
	var c config.Server
	parser, err := kong.New(&c, kong.Vars{"database": w.database(), "geocoder": "none"})
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(options); err != nil {
		return nil, err
	}
	server, err := wire.NewServer(ctx, c, w.store, discarded())
	if err != nil {
		return nil, err
	}
	b.servers.Go(func() error { return server.Run(b.serving) })
	s := &stack{domain: server.Domain, tokens: map[site.ID]string{}}
	w.stacks[option] = s
	return s, nil
}

func (s *stack) address() string { return strings.TrimPrefix(s.domain, "http://") }

// token is the bearer token for a site.
func (s *stack) token(ctx context.Context, id site.ID) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens[id] != "" {
		return s.tokens[id], nil
	}
	form := url.Values{"site_id": {strconv.FormatInt(int64(id), 10)}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.domain+"/api/client/token/site", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(clientID, clientSecret)
	var granted siteapi.TokenResponse
	err = send(r, &granted)
	s.tokens[id] = granted.AccessToken
	return granted.AccessToken, err
}

// call makes one request about the big site and reads the answer.
func (s *stack) call(ctx context.Context, method, path string, body []byte, answer any) error {
	token, err := s.token(ctx, bigID)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, s.domain+siteapi.BasePath+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return send(r, answer)
}

func send(r *http.Request, answer any) error {
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %s: %s", r.Method, r.URL, response.Status, body)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(body, answer)
}

// wireRequest is a request as it travels.
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
