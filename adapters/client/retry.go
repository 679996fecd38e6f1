package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"
)

// request is one of HTTP, which may be sent several times.
type request struct {
	method, url string
	header      http.Header
	// body returns what is sent, from its beginning; nil sends nothing.
	body        func() (io.Reader, error)
	contentType string
	authorise   func(*http.Request)
	// resend reports that the request may be sent again when it is not known whether it had its effect.
	resend bool
	// lost reports that it was sent, and may have had its effect.
	lost bool
	tag  *string
}

// bytesOf returns a body that is the same each time.
func bytesOf(text []byte) func() (io.Reader, error) {
	return func() (io.Reader, error) { return bytes.NewReader(text), nil }
}

// The first wait before a request is sent again, doubled each time, and the longest.
const (
	firstWait   = 200 * time.Millisecond
	longestWait = 30 * time.Second
)

// exchange sends a request until it is answered, and decodes the answer. It is sent again, with
// the same body and Idempotency-Key, when the connection is lost or the server says 429, 502, 503 or 504,
// after as long as the server asks for, or else for a random part of a wait that doubles.
func (c *Client) exchange(ctx context.Context, r *request, into any) error {
	for tries := 0; ; tries++ {
		answer, err := c.once(ctx, *r)
		var refused *Error
		if err == nil {
			err = c.read(answer, *r, into)
		}
		switch {
		case err == nil || errors.Is(err, ErrNotModified) || errors.Is(err, errAnswer) || ctx.Err() != nil:
			return err
		case errors.As(err, &refused):
			if r.lost && r.method == http.MethodDelete && (refused.Status == http.StatusNotFound || refused.Status == http.StatusGone) {
				return nil // the answer that was lost said that it is deleted
			}
			if !mayPass(refused.Status) || !r.resend && refused.Status != http.StatusTooManyRequests {
				return err
			}
		case !r.resend:
			return err
		}
		if tries >= c.config.MaxRetries {
			return err
		}
		r.lost = r.lost || refused == nil || refused.Status != http.StatusTooManyRequests
		wait := time.Duration(rand.Int64N(int64(min(firstWait<<tries, longestWait)))) //nolint:gosec // when a request is sent again is no secret
		if refused != nil && refused.RetryAfter > 0 {
			wait = refused.RetryAfter
		}
		c.config.Logger.LogAttrs(ctx, slog.LevelWarn, "sending a request again", slog.String("method", r.method), slog.Int("try", tries+2), slog.Duration("after", wait), slog.Any("because", err))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// mayPass reports that a refusal with a status may not come again.
func mayPass(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// once sends a request, and returns an answer whatever its status.
func (c *Client) once(ctx context.Context, r request) (*http.Response, error) {
	var body io.Reader
	if r.body != nil {
		var err error
		if body, err = r.body(); err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, r.url, body)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	for name, values := range r.header {
		sent.Header[name] = values
	}
	if r.contentType != "" {
		sent.Header.Set("Content-Type", r.contentType)
	}
	r.authorise(sent)
	answer, err := c.config.HTTPClient.Do(sent)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	return answer, nil
}

// read reads an answer to its end, so that its connection can be used again. An answer that
// breaks off is an error like a lost connection.
func (c *Client) read(answer *http.Response, r request, into any) error {
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("client: the answer broke off: %w", err)
	}
	switch {
	case answer.StatusCode == http.StatusNotModified:
		return ErrNotModified
	case answer.StatusCode >= http.StatusMultipleChoices:
		return refusal(answer, body)
	}
	if r.tag != nil {
		*r.tag = answer.Header.Get("ETag")
	}
	return decode(bytes.NewReader(body), into)
}
