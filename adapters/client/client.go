// Package client calls a server of the Site API v2, Vitrine or another. Tokens, retries,
// pages, errors and the signatures of webhooks are looked after; there is a method for each operation of the
// contract, and an iterator for each that answers in pages.
//
//	c, err := client.New(client.Config{URL: "https://crm.example.org", ClientID: id, ClientSecret: secret, SiteID: 1})
//	for product, err := range c.SearchProductsAll(ctx, nil, client.SearchProductsRequest{StatusWeb: client.Some(true)}) {
//
// A Client is safe for concurrent use.
package client

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/oapi-codegen/nullable"
)

// Config says which server is called, and for whom.
type Config struct {
	// URL is the scheme and host of the server, such as https://crm.example.org.
	URL string
	// ClientID and ClientSecret are those of the credential, or APIKey is one of its keys.
	ClientID, ClientSecret string
	APIKey                 string
	// SiteID is the site that a token is for, or AgencyID an agency of it. An API key is for one
	// site, and needs neither.
	SiteID, AgencyID int64

	// HTTPClient sends the requests; by default http.DefaultClient.
	HTTPClient *http.Client
	// Logger is told of each request that is sent again, without secrets and bodies; by default
	// nobody is.
	Logger *slog.Logger
	// MaxRetries is how often a request is sent again at most; 0 is 4, and below 0 is never.
	MaxRetries int
	// Options are those of every call, before its own.
	Options []Option
}

// Client calls the operations of a server for one site.
type Client struct {
	config Config
	tokens tokens
}

// New returns a client. It sends nothing: the first token is obtained by the first call.
func New(c Config) (*Client, error) {
	address, err := url.Parse(c.URL)
	if err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" {
		return nil, errors.New("client: URL must be the scheme and host of a server, such as https://crm.example.org")
	}
	switch {
	case c.APIKey != "" && c.ClientSecret != "":
		return nil, errors.New("client: give ClientSecret or APIKey, not both")
	case c.APIKey != "":
	case c.ClientID == "" || c.ClientSecret == "":
		return nil, errors.New("client: ClientID and ClientSecret, or APIKey, are missing")
	case (c.SiteID == 0) == (c.AgencyID == 0):
		return nil, errors.New("client: give one of SiteID and AgencyID")
	}
	c.URL = strings.TrimRight(c.URL, "/")
	c.HTTPClient = cmp.Or(c.HTTPClient, http.DefaultClient)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.MaxRetries == 0 {
		c.MaxRetries = 4
	}
	return &Client{config: c, tokens: tokens{turn: make(chan struct{}, 1)}}, nil
}

// String returns what a client is for, without its secret. Format has every verb of fmt print
// no more.
func (c *Client) String() string {
	return fmt.Sprintf("client of %s for site %d, agency %d", c.config.URL, c.config.SiteID, c.config.AgencyID)
}

// Format implements fmt.Formatter.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// String returns a configuration without its secrets. Format has every verb of fmt print no more.
func (c Config) String() string {
	return fmt.Sprintf("Config{URL: %q, ClientID: %q, SiteID: %d, AgencyID: %d, …}", c.URL, c.ClientID, c.SiteID, c.AgencyID)
}

// Format implements fmt.Formatter.
func (c Config) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// Some returns a value that a request sets, zero too.
func Some[T any](value T) nullable.Nullable[T] { return nullable.NewNullableWithValue(value) }

// Null returns a value that clears a field.
func Null[T any]() nullable.Nullable[T] { return nullable.NewNullNullable[T]() }

// An Option is about one call.
type Option func(*options)

type options struct {
	header     http.Header
	key        string
	resendPost bool
	tag        *string
}

// IfMatch has a write refused by 412 when the record is not at the version of the tag any more.
func IfMatch(tag string) Option { return func(o *options) { o.header.Set("If-Match", tag) } }

// IfNoneMatch has a read answered by ErrNotModified when the answer would be that of the tag.
func IfNoneMatch(tag string) Option { return func(o *options) { o.header.Set("If-None-Match", tag) } }

// Tag keeps the ETag of the answer, for IfMatch and IfNoneMatch.
func Tag(into *string) Option { return func(o *options) { o.tag = into } }

// IdempotencyKey sends a POST under a key of the caller's, in place of one that is drawn for the
// call: a program that is started again does not do it twice.
func IdempotencyKey(key string) Option { return func(o *options) { o.key = key } }

// RetryPosts says whether a POST whose answer was lost is sent again. It is by default, under one
// Idempotency-Key; say false for servers that know no such keys.
func RetryPosts(again bool) Option { return func(o *options) { o.resendPost = again } }

// BookingToken shows that who reads, cancels or moves a booking made it, or gives back a time that was held.
func BookingToken(token string) Option {
	return func(o *options) { o.header.Set("X-Booking-Token", token) }
}

// Language asks for messages of errors in a language, such as fr.
func Language(tag string) Option { return func(o *options) { o.header.Set("Accept-Language", tag) } }
