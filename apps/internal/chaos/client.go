package main

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

	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// object is JSON.
type object = map[string]any

// client calls the API of whichever server it is pointed at. It never tries
// anything again.
type client struct {
	http   http.Client
	mu     sync.Mutex
	tokens map[int]string
}

func newClient() *client {
	return &client{
		http:   http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 32}},
		tokens: map[int]string{},
	}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call sends a request about a site and reads the answer whole. An error means
// that nobody knows what became of the request.
func (c *client) call(ctx context.Context, server string, site int, method, path string, body any) (answer, error) {
	token, err := c.token(ctx, server, site)
	if err != nil {
		return answer{}, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+server+siteapi.BasePath+path, bytes.NewReader(text))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	return c.send(r)
}

func (c *client) send(r *http.Request) (answer, error) {
	response, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

// get reads something that must be there.
func (c *client) get(ctx context.Context, server string, site int, method, path string, body, into any) error {
	got, err := c.call(ctx, server, site, method, path, body)
	if err != nil {
		return err
	}
	if got.status/100 != 2 {
		return fmt.Errorf("%s %s: %d: %s", method, path, got.status, got.body)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(got.body, into)
}

// token is the bearer token for a site, which is asked for once.
func (c *client) token(ctx context.Context, server string, site int) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens[site] != "" {
		return c.tokens[site], nil
	}
	form := url.Values{"site_id": {strconv.Itoa(site)}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+server+"/api/client/token/site", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(clientID, clientSecret)
	got, err := c.send(r)
	if err != nil {
		return "", err
	}
	var granted siteapi.TokenResponse
	if err := json.Unmarshal(got.body, &granted); err != nil || granted.AccessToken == "" {
		return "", fmt.Errorf("no token for site %d: %d: %s", site, got.status, got.body)
	}
	c.tokens[site] = granted.AccessToken
	return granted.AccessToken, nil
}

// subscribe makes a webhook.
func (c *client) subscribe(ctx context.Context, server string, site int, target string, types ...string) (int64, error) {
	var made struct {
		Data struct {
			ID int64 `json:"id"`
		} `json:"data"`
	}
	err := c.get(ctx, server, site, http.MethodPost, "/hooks", object{"url": target, "origines": types}, &made)
	return made.Data.ID, err
}
