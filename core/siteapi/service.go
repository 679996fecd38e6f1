// Package siteapi is the Site API: the use cases, a file per area, and the
// table of operations that publishes them. It decides and it asks its ports;
// it speaks no transport.
package siteapi

import (
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// BasePath follows the domain in {base_url}.
const BasePath = "/api/v2/site"

// ContractVersion is the version of the contract this package implements.
const ContractVersion = "1.1.0"

// Ports are what the service needs of the world. All are required, but for
// Blobs and Images: without them no picture can be added.
type Ports struct {
	Store port.Store
	// Now is the present moment.
	Now func() time.Time
	// Rand is a source of unpredictable bytes.
	Rand io.Reader
	// Zone finds a time zone by its IANA name; time.LoadLocation is one.
	Zone func(name string) (*time.Location, error)
	// Blobs keeps the content of pictures; Images reads and makes them.
	Blobs  port.Blobs
	Images port.Images
	// E164 is the international form of a phone number as it is dialled in a
	// country (ISO 3166); empty when it has none.
	E164 func(number, country string) string
}

// Options are choices of whoever runs the service.
type Options struct {
	// Domain is where clients find the service: scheme and host, without a
	// slash at the end.
	Domain string
	// Pepper is the key under which secrets and tokens are hashed.
	Pepper access.Pepper
	// Lifetimes of tokens; the zero value stands for DefaultLifetimes.
	Lifetimes access.Lifetimes
	// CatalogueBytes bounds the memory of all catalogues and books of search
	// requests together; the least recently used leave first. 0 is no bound.
	CatalogueBytes int
	// Hooks is what webhooks may reach beyond the public web.
	Hooks webhook.Allowance
}

// Service is the Site API over some ports. It is safe for concurrent use.
type Service struct {
	ports       Ports
	options     Options
	sessions    *sessions
	settings    *remembered[settings]
	replicas    *replicas
	marks       *remembered[marks]
	derivations *derivations
	// underWay are the claims of this process whose unit of work is running.
	underWay sync.Map
	// due is rung when deliveries may have become due.
	due *bell
	// addressed is written to when a product may have an address to look up.
	addressed chan struct{}
}

// New makes a service, or says which port or option is missing.
func New(p Ports, o Options) (*Service, error) {
	switch {
	case p.Store == nil, p.Now == nil, p.Rand == nil, p.Zone == nil, p.E164 == nil:
		return nil, errors.New("siteapi: every port must be supplied")
	case len(o.Pepper) < 16:
		return nil, errors.New("siteapi: the pepper must have at least 16 bytes")
	}
	if o.Lifetimes == (access.Lifetimes{}) {
		o.Lifetimes = access.DefaultLifetimes()
	}
	o.Domain = strings.TrimRight(o.Domain, "/")
	return &Service{
		ports: p, options: o,
		sessions:    newSessions(),
		settings:    newRemembered(func(k *settings) int64 { return k.revision }, (*Service).loadSettings),
		replicas:    newReplicas(o.CatalogueBytes),
		marks:       newRemembered(func(k *marks) int64 { return k.revision }, (*Service).loadMarks),
		due:         newBell(),
		addressed:   make(chan struct{}, 1),
		derivations: newDerivations(),
	}, nil
}

// now is the instant of a use case, which reads it once. Stores keep
// microseconds.
func (s *Service) now() time.Time { return s.ports.Now().UTC().Truncate(time.Microsecond) }

// url is the absolute URL of a path relative to {base_url}.
func (s *Service) url(path string) string { return s.options.Domain + BasePath + path }
