package webhook

import (
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Header is a header of a request, spelt exactly so.
type Header struct{ Name, Value string }

// Request is one attempt, ready to be sent as a POST.
type Request struct {
	Site site.ID
	Hook ID
	// Epoch identifies the configuration of the webhook.
	Epoch   int64
	URL     string
	Headers []Header
	Body    []byte
	// OAuth2 is the client whose token has to be sent as a bearer token; nil
	// when none is needed.
	OAuth2 *Auth
	// Secrets are texts that only sender and receiver know. A receiver may repeat
	// them in its answer; what is kept of it must not.
	Secrets []string
}

// Answer is what came of sending a request.
type Answer struct {
	Verdict Verdict
	// Reason is the receiver's for Refused, and for Failure a sentence that
	// gives no address away.
	Reason     string
	RetryAfter time.Duration
	Status     int // 0 without an answer
	Duration   time.Duration
	// Excerpt is the beginning of the answer's body, at most 1 KiB.
	Excerpt string
}

// Composition is what requests are made from besides the delivery.
type Composition struct {
	Webhook Webhook
	Auth    *Auth // nil without one
	Signing Signing
	// Base is the {base_url} of the API, Agent the User-Agent.
	Base, Agent string
}

// Request makes the request of the next attempt (contract: Events). Headers of
// the webhook come as they were given; those of its authentication win over
// them, and those of the delivery itself over both.
func (c Composition) Request(d Delivery, now time.Time) (Request, error) {
	payload := c.Webhook.Format.Payload(d, c.Base)
	r := Request{Site: d.Site, Hook: d.Hook, Epoch: c.Webhook.Epoch, URL: c.Webhook.URL, Body: payload.Body}
	signature, err := c.signature(d.Message, now, payload.Body)
	if err != nil {
		return r, err
	}
	r.Headers = []Header{
		{"Content-Type", payload.ContentType},
		{"User-Agent", c.Agent},
		{"webhook-id", d.Message},
		{"webhook-timestamp", strconv.FormatInt(now.Unix(), 10)},
		{"webhook-signature", signature},
		{"X-Event-Type", string(d.Type)},
		{"X-Delivery-Attempt", strconv.Itoa(d.Number + 1)},
	}
	for _, header := range c.authorisation() {
		r.add(header)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Webhook.Headers)) {
		r.add(Header{name, c.Webhook.Headers[name]})
	}
	if c.Auth != nil && c.Auth.Type == AuthOAuth2 {
		r.OAuth2 = c.Auth
	}
	r.Secrets = c.secrets()
	return r, nil
}

// minConcealed is how long a secret is that is looked for in answers. Anything
// shorter is no secret, and too likely to be met by chance. A part of a path is
// often a word, and has to be longer.
const (
	minConcealed        = 8
	minConcealedSegment = 16
)

// secrets returns the values of the webhook's own headers and of its
// authentication, as they are and as they travel, and what its URL holds besides
// the host.
func (c Composition) secrets() []string {
	all := append(slices.Collect(maps.Values(c.Webhook.Headers)), SecretsOf(c.Webhook.URL)...)
	if c.Auth != nil {
		all = append(all, c.Auth.Secret)
	}
	for _, header := range c.authorisation() {
		all = append(all, strings.TrimPrefix(header.Value, "Basic "))
	}
	return slices.DeleteFunc(all, func(s string) bool { return len(s) < minConcealed })
}

// SecretsOf returns the parts of an address that may be secret.
func SecretsOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	all := []string{u.EscapedPath(), u.Path, u.RawQuery}
	for _, values := range u.Query() {
		all = append(all, values...)
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if len(segment) >= minConcealedSegment {
			all = append(all, segment)
		}
	}
	return all
}

// add sets a header unless it is set already.
func (r *Request) add(header Header) {
	if !slices.ContainsFunc(r.Headers, func(h Header) bool { return strings.EqualFold(h.Name, header.Name) }) {
		r.Headers = append(r.Headers, header)
	}
}

func (c Composition) signature(message string, now time.Time, body []byte) (string, error) {
	var all []string
	for _, secret := range c.Signing.Valid(now) {
		one, err := secret.Sign(message, now, body)
		if err != nil {
			return "", err
		}
		all = append(all, one)
	}
	if c.Auth != nil && c.Auth.Type == AuthEd25519 {
		one, err := signEd25519(c.Auth.Secret, message, now, body)
		if err != nil {
			return "", err
		}
		all = append(all, one)
	}
	return strings.Join(all, " "), nil
}

func (c Composition) authorisation() []Header {
	if c.Auth == nil {
		return nil
	}
	switch c.Auth.Type {
	case AuthBasic:
		plain := c.Auth.Username + ":" + c.Auth.Secret
		return []Header{{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(plain))}}
	case AuthBearer:
		return []Header{{"Authorization", "Bearer " + c.Auth.Secret}}
	case AuthAPIKey:
		return []Header{{c.Auth.Header, c.Auth.Secret}}
	default: // the others are no header that is known beforehand
		return nil
	}
}
