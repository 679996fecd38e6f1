package sender

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const (
	// defaultLifetime is how long a token is used that came without a lifetime.
	defaultLifetime = 5 * time.Minute
	// margin is how long before its end a token is not used any more.
	margin = 30 * time.Second
	// maxTokens bounds the tokens that are remembered.
	maxTokens = 1000
)

// tokens remembers bearer tokens until shortly before they expire.
type tokens struct {
	mu    sync.Mutex
	known map[webhook.Auth]*token
}

// token is the token of one client. The holder of turn may read and change it,
// so that many deliveries at once obtain it once.
type token struct {
	turn  chan struct{}
	value string
	until time.Time
}

func newTokens() *tokens { return &tokens{known: map[webhook.Auth]*token{}} }

// of finds the token of a client. A client whose configuration has changed is
// another client.
func (t *tokens) of(client webhook.Auth) *token {
	client.Name, client.Added, client.Modified = "", time.Time{}, time.Time{}
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.known[client]
	if !ok {
		if len(t.known) >= maxTokens {
			clear(t.known) // the next request obtains it again
		}
		known = &token{turn: make(chan struct{}, 1)}
		t.known[client] = known
	}
	return known
}

// postWithToken sends the request with a bearer token of its client. A receiver
// that refuses the token gets a fresh one, once.
func (s *Sender) postWithToken(ctx context.Context, until time.Time, r webhook.Request) result {
	ctx, cancel := context.WithDeadline(ctx, until) // one may wait for another's token
	defer cancel()
	refused := ""
	for {
		value, failed := s.token(ctx, until, *r.OAuth2, refused)
		if failed != nil {
			return *failed
		}
		ended := s.post(ctx, until, r, value)
		if ended.answer.Status != http.StatusUnauthorized || refused != "" {
			return ended
		}
		refused = value
	}
}

// token returns a token of the client: the remembered one, or a new one when that
// has expired or was refused.
func (s *Sender) token(ctx context.Context, until time.Time, client webhook.Auth, refused string) (string, *result) {
	known := s.tokens.of(client)
	start := time.Now()
	select {
	case known.turn <- struct{}{}:
		defer func() { <-known.turn }()
	case <-ctx.Done():
		ended := result{answer: failure(said("no token within %s", s.timeout)), about: receiver}
		ended.answer.Duration = time.Since(start)
		return "", &ended
	}
	if known.value != "" && known.value != refused && time.Now().Before(known.until) {
		return known.value, nil
	}
	value, lifetime, failed := s.obtain(ctx, until, client)
	if failed != nil {
		failed.answer.Duration = time.Since(start)
		return "", failed
	}
	known.value, known.until = value, start.Add(max(lifetime-margin, lifetime/2))
	return value, nil
}

// obtain asks for a token (RFC 6749, 4.4). It is a request like a delivery,
// with the same limits.
func (s *Sender) obtain(ctx context.Context, until time.Time, client webhook.Auth) (string, time.Duration, *result) {
	form := url.Values{"grant_type": {"client_credentials"}}
	if client.Scope != "" {
		form.Set("scope", client.Scope)
	}
	pair := url.QueryEscape(client.ClientID) + ":" + url.QueryEscape(client.Secret)
	answer, host, failed := s.do(ctx, until, client.TokenURL, []webhook.Header{
		{Name: "Authorization", Value: "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))},
		{Name: "Content-Type", Value: "application/x-www-form-urlencoded"},
		{Name: "Accept", Value: "application/json"},
	}, []byte(form.Encode()))
	if failed != nil {
		failed.answer.Reason = "obtaining a token: " + failed.answer.Reason
		return "", 0, failed
	}
	ended := result{about: receiver, host: host}
	if answer.status != http.StatusOK {
		ended.answer = failure(said("obtaining a token: answered %d", answer.status))
		return "", 0, &ended
	}
	var granted struct {
		AccessToken string      `json:"access_token"`
		ExpiresIn   json.Number `json:"expires_in"`
	}
	if json.Unmarshal(answer.body, &granted) != nil || !isToken(granted.AccessToken) {
		ended.answer = failure(said("obtaining a token: the answer holds none"))
		return "", 0, &ended
	}
	lifetime := defaultLifetime
	if seconds, err := granted.ExpiresIn.Float64(); err == nil && seconds > 0 {
		lifetime = time.Duration(min(seconds, maxRetryAfter.Seconds())) * time.Second
	}
	return granted.AccessToken, lifetime, nil
}

// isToken reports whether text can stand in a header as it is.
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}
