package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/adapters/peer"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

// server says which server is mirrored, and for whom.
type server struct {
	URL          string `required:"" env:"VITRINE_MIRROR_URL" placeholder:"URL" help:"Scheme and host of the server."`
	ClientID     string `env:"VITRINE_MIRROR_CLIENT_ID" placeholder:"ID" help:"Id of the credential."`
	ClientSecret string `env:"VITRINE_MIRROR_CLIENT_SECRET" placeholder:"SECRET" help:"Its secret. Better given as a variable."`
	APIKey       string `env:"VITRINE_MIRROR_API_KEY" placeholder:"KEY" help:"An API key in place of id, secret and site."`
	Site         int64  `env:"VITRINE_MIRROR_SITE" placeholder:"ID" help:"The site whose catalogue is mirrored."`
}

// timeout is how long a server may take to answer.
const timeout = time.Minute

// connect returns a client of the server. What fails is not sent again by it: the mirror does so itself.
func (s server) connect() (*client.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = readers + 1
	c, err := client.New(client.Config{
		URL: s.URL, ClientID: s.ClientID, ClientSecret: s.ClientSecret, APIKey: s.APIKey, SiteID: s.Site,
		HTTPClient: &http.Client{Timeout: timeout, Transport: dated{transport}}, MaxRetries: -1,
	})
	if err != nil {
		return nil, fmt.Errorf("%s (--url, --client-id, --client-secret, --api-key, --site)", strings.TrimPrefix(err.Error(), "client: "))
	}
	return c, nil
}

// derive returns a secret for a purpose. It depends on the secret of the credential alone, so
// that a mirror whose copy was lost has the same webhook again.
func (s server) derive(purpose string) string {
	mac := hmac.New(sha256.New, []byte(s.ClientSecret+s.APIKey))
	_, _ = fmt.Fprintf(mac, "vitrine-mirror\n%s\n%s\n%d", purpose, s.URL, s.Site) // never fails
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// control is where the other commands find a mirror that runs.
type control struct {
	server
	Listen string `default:"127.0.0.1:8090" env:"VITRINE_MIRROR_LISTEN" placeholder:"ADDRESS" help:"Address the mirror listens on."`
}

// serve keeps the copy true.
type serve struct {
	control
	PublicURL      string        `required:"" env:"VITRINE_MIRROR_PUBLIC_URL" placeholder:"URL" help:"Scheme and host at which the server reaches this mirror."`
	AllowHTTP      bool          `name:"allow-http" env:"VITRINE_MIRROR_ALLOW_HTTP" help:"Let the public URL be http, as sandboxes do."`
	Database       string        `default:"vitrine-mirror.db" env:"VITRINE_MIRROR_DATABASE" placeholder:"FILE" help:"File of the copy. If it is deleted, all is read again but messages of visitors that still wait and the pages of their bookings."`
	Photos         string        `name:"photographs" env:"VITRINE_MIRROR_PHOTOGRAPHS" placeholder:"FOLDER" help:"Folder in which photographs are kept. By default beside the file of the copy."`
	Accent         string        `env:"VITRINE_MIRROR_ACCENT" placeholder:"COLOUR" help:"Colour of links and buttons, such as #1f5f4a. It is made dark enough to be read."`
	Tiles          string        `env:"VITRINE_MIRROR_TILES" placeholder:"URL" help:"Map tiles that visitors may ask for, such as https://tiles.example.org/{z}/{x}/{y}.png."`
	Host           string        `env:"VITRINE_MIRROR_HOST" placeholder:"TEXT" help:"Who hosts the site, for the legal page: name, address, telephone."`
	Publisher      string        `env:"VITRINE_MIRROR_PUBLISHER" placeholder:"TEXT" help:"Who answers for what is published, for the legal page."`
	LookEvery      time.Duration `default:"5m" env:"VITRINE_MIRROR_LOOK_EVERY" help:"How often to ask whether the webhook is suspended, where the server tells."`
	Nightly        string        `default:"03:10" env:"VITRINE_MIRROR_NIGHTLY" placeholder:"HH:MM" help:"When to compare everything, each night; up to half an hour later."`
	TimeZone       string        `default:"Europe/Paris" env:"VITRINE_MIRROR_TIME_ZONE" placeholder:"ZONE" help:"Time zone of that time, and of those that visitors are shown."`
	FormDelay      time.Duration `default:"3s" env:"VITRINE_MIRROR_FORM_DELAY" help:"How long after a form was shown it may be sent; who sends it sooner sends it again."`
	TrustedProxies []string      `default:"127.0.0.1,::1" env:"VITRINE_MIRROR_TRUSTED_PROXIES" placeholder:"CIDR" help:"Proxies in front of the mirror, whose X-Forwarded-For is believed. An address may send five forms an hour."`
}

// policy returns how often the mirror asks, and an error that names the option at fault.
func (s serve) policy() (mirror.Policy, error) {
	public, err := url.Parse(s.PublicURL)
	if err != nil || public.Host == "" || public.Scheme != "https" && (public.Scheme != "http" || !s.AllowHTTP) {
		return mirror.Policy{}, errors.New("--public-url must be https and a host, such as https://www.example.org; with --allow-http also http")
	}
	if s.LookEvery < time.Second {
		return mirror.Policy{}, errors.New("--look-every must be at least 1s")
	}
	clock, err := time.Parse("15:04", s.Nightly)
	if err != nil {
		return mirror.Policy{}, errors.New("--nightly must be a time of day, such as 03:10")
	}
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return mirror.Policy{}, fmt.Errorf("--time-zone: %w", err)
	}
	if s.FormDelay < 0 {
		return mirror.Policy{}, errors.New("--form-delay cannot be negative")
	}
	if _, err := peer.Networks(s.TrustedProxies); err != nil {
		return mirror.Policy{}, fmt.Errorf("--trusted-proxies: %w", err)
	}
	// Mirrors of one server do not all begin at the same moment.
	hash := fnv.New32()
	_, _ = hash.Write([]byte(s.derive("night"))) // never fails
	late := time.Duration(hash.Sum32()%1800) * time.Second
	policy := mirror.DefaultPolicy(func(after time.Time) time.Time {
		day := after.In(zone)
		for {
			at := time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, zone).Add(late)
			if at.After(after) {
				return at.UTC()
			}
			day = day.AddDate(0, 0, 1)
		}
	})
	policy.LookEvery = s.LookEvery
	return policy, nil
}
