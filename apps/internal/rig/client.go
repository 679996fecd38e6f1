package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Object is JSON.
type Object = map[string]any

// Client calls the API of whichever server it is pointed at, of those that share
// a database. It never tries anything again.
type Client struct {
	HTTP       http.Client
	id, secret string

	mu     sync.Mutex
	tokens map[int]string
}

// NewClient makes a client with a credential. A request may take as long as
// timeout, or any time if that is 0.
func NewClient(id, secret string, timeout time.Duration) *Client {
	return &Client{
		HTTP: http.Client{Timeout: timeout, Transport: &http.Transport{MaxIdleConnsPerHost: 32}},
		id:   id, secret: secret, tokens: map[int]string{},
	}
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Call sends a request about a site to the server at an address and reads the
// answer whole. The body is sent as it is if it is bytes, else as JSON, or not at
// all if it is nil. An error means that nobody knows what became of the request.
func (c *Client) Call(ctx context.Context, server string, site int, method, path string, body any) (Answer, error) {
	token, err := c.Token(ctx, server, site)
	if err != nil {
		return Answer{}, err
	}
	return c.CallWith(ctx, token, server, method, path, body)
}

// CallWith is Call with a token of the caller's, and with headers, of which each name is
// followed by its value.
func (c *Client) CallWith(ctx context.Context, token, server, method, path string, body any, headers ...string) (Answer, error) {
	content, err := encode(body)
	if err != nil {
		return Answer{}, err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+server+kernel.BasePath+path, bytes.NewReader(content))
	if err != nil {
		return Answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return c.send(r)
}

func encode(body any) ([]byte, error) {
	switch body := body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return body, nil
	default:
		return json.Marshal(body)
	}
}

func (c *Client) send(r *http.Request) (Answer, error) {
	response, err := c.HTTP.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return Answer{response.StatusCode, response.Header, body}, err
}

// Do is Call of something that must succeed. The answer is read into something,
// unless that is nil.
func (c *Client) Do(ctx context.Context, server string, site int, method, path string, body, into any) error {
	got, err := c.Call(ctx, server, site, method, path, body)
	if err != nil {
		return err
	}
	if got.Status/100 != 2 {
		return fmt.Errorf("%s %s: %d: %s", method, path, got.Status, got.Body)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(got.Body, into)
}

// Token returns the bearer token for a site, which is asked for once.
func (c *Client) Token(ctx context.Context, server string, site int) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens[site] != "" {
		return c.tokens[site], nil
	}
	token, err := c.Grant(ctx, server, site)
	if err != nil {
		return "", err
	}
	c.tokens[site] = token
	return token, nil
}

// Grant asks for another bearer token for a site.
func (c *Client) Grant(ctx context.Context, server string, site int) (string, error) {
	got, err := c.form(ctx, server, "/api/client/token/site", url.Values{"site_id": {strconv.Itoa(site)}})
	if err != nil {
		return "", err
	}
	var granted struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(got.Body, &granted); err != nil || granted.Token == "" {
		return "", fmt.Errorf("no token for site %d: %d: %s", site, got.Status, got.Body)
	}
	return granted.Token, nil
}

// Revoke revokes a token.
func (c *Client) Revoke(ctx context.Context, server, token string) error {
	got, err := c.form(ctx, server, "/api/client/token/revoke", url.Values{"token": {token}})
	if err == nil && got.Status != http.StatusOK {
		err = fmt.Errorf("revoking a token: %d: %s", got.Status, got.Body)
	}
	return err
}

// form sends a form as the client itself, without a token.
func (c *Client) form(ctx context.Context, server, path string, values url.Values) (Answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+server+path, strings.NewReader(values.Encode()))
	if err != nil {
		return Answer{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(c.id, c.secret)
	return c.send(r)
}

// Create makes something out of a body and returns its id.
func (c *Client) Create(ctx context.Context, server string, site int, path string, body any) (int64, error) {
	var made struct {
		Data struct {
			ID int64 `json:"id"`
		} `json:"data"`
	}
	err := c.Do(ctx, server, site, http.MethodPost, path, body, &made)
	return made.Data.ID, err
}

// Subscribe makes a webhook that is told of events of some types.
func (c *Client) Subscribe(ctx context.Context, server string, site int, target string, types ...string) (int64, error) {
	return c.Create(ctx, server, site, "/hooks", Object{"url": target, "origines": types})
}
