package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// tokens obtains tokens. One call does so at a time, and the others wait for what it gets.
type tokens struct {
	// turn is held by who reads or changes current.
	turn    chan struct{}
	current token
}

// token is what calls are sent with.
type token struct {
	value, domain string
	until         time.Time
}

// token returns a token that is good. stale is one that the server refused, and so is not returned again.
func (c *Client) token(ctx context.Context, stale string) (token, error) {
	t := &c.tokens
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return token{}, ctx.Err()
	}
	if t.current.value != "" && t.current.value != stale && time.Now().Before(t.current.until) {
		return t.current, nil
	}
	form := url.Values{}
	if c.config.SiteID != 0 {
		form.Set("site_id", strconv.FormatInt(c.config.SiteID, 10))
	} else {
		form.Set("manufacturer_id", strconv.FormatInt(c.config.AgencyID, 10))
	}
	var got struct {
		Domain      string `json:"domain"`
		AccessToken string `json:"access_token"`
		ExpiresIn   int64  `json:"expires_in"`
	}
	asked := time.Now()
	err := c.exchange(ctx, &request{
		method: http.MethodPost, url: c.config.URL + "/api/client/token/site", body: bytesOf([]byte(form.Encode())), contentType: "application/x-www-form-urlencoded",
		authorise: func(r *http.Request) { r.SetBasicAuth(c.config.ClientID, c.config.ClientSecret) }, resend: true,
	}, &got)
	if err != nil {
		return token{}, err
	}
	// A token is given up when nine tenths of its life are over, so that none ends on its way.
	life := time.Duration(got.ExpiresIn) * time.Second * 9 / 10
	t.current = token{got.AccessToken, got.Domain, asked.Add(life)}
	return t.current, nil
}
