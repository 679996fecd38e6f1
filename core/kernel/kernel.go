package kernel

import (
	"cmp"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel/internal/references"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// BasePath follows the domain in {base_url}.
const BasePath = "/api/v2/site"

// ContractVersion is the version of the contract these packages implement.
const ContractVersion = "1.1.0"

// Ports are what the service needs of the world. All are required, but for DeliveryDays,
// Changes, ProductRows, Blobs and Images, without which no picture can be added, and
// Requests and Traffic, without which no request can be looked up.
type Ports struct {
	Store port.Store
	// DeliveryDays is for a Store that keeps deliveries by days; nil for others.
	DeliveryDays port.DeliveryDays
	// Changes reads what has changed in the Store by one read; nil where units of work have to.
	Changes port.Changes
	// ProductRows reads whole products of the Store by one read; nil where units of work have to.
	ProductRows port.ProductRows
	// Now is the present moment.
	Now func() time.Time
	// Rand is a source of unpredictable bytes.
	Rand io.Reader
	// Zone finds a time zone by its IANA name; time.LoadLocation is one.
	Zone func(name string) (*time.Location, error)
	// Blobs keeps the content of pictures; Images reads and makes them.
	Blobs  port.Blobs
	Images port.Images
	// Requests keeps what is left of requests, Traffic counts them. There are both or
	// none.
	Requests port.Requests
	Traffic  port.Traffic
	// E164 is the international form of a phone number as it is dialled in a
	// country (ISO 3166); empty when it has none.
	E164 func(number, country string) string
}

// Options are choices of whoever runs the service.
type Options struct {
	// Domain is where clients find the service: scheme and host, without a
	// slash at the end.
	Domain string
	// Environment names what the service is for, such as production; API keys have it
	// in them, so that nobody takes one for another.
	Environment string
	// Pepper is the key under which secrets, tokens and API keys are hashed.
	Pepper access.Pepper
	// Lifetimes of tokens; the zero value stands for DefaultLifetimes.
	Lifetimes access.Lifetimes
	// KeepDeleted is how long a deleted product can be restored, and then is purged;
	// the zero value stands for 30 days.
	KeepDeleted time.Duration
	// CatalogueBytes bounds the memory of all that is kept of sites: catalogues, books
	// of search requests, and settings. Settings take a quarter of it at most, and catalogues and
	// books what is left; in either, what was not asked for longest leaves first. 0 is no bound.
	CatalogueBytes int
	// LoadPatience is how long a request waits for what is being loaded of its site,
	// before it fails as fault.Unavailable; 0 is as long as its context lasts.
	LoadPatience time.Duration
	// Hooks is what webhooks may reach beyond the public web.
	Hooks webhook.Allowance
}

// URL is the absolute URL of a path relative to {base_url}.
func (o Options) URL(path string) string { return o.Domain + BasePath + path }

// Kernel is what the areas share. It is safe for concurrent use.
type Kernel struct {
	Ports
	Options Options
	// Deliveries wakes the dispatcher of this process, Addresses its locator.
	Deliveries *DeliveryWakeup
	Addresses  Wakeup

	// snapshots and replicas are what is kept of sites.
	snapshots, replicas *memory.Cache
	// replicaKinds are the names of the kinds of replicas that were asked for.
	replicaKinds sync.Map
	views        SnapshotKind[SiteView]
	// vocabularies are those of the sites whose settings are kept.
	vocabularies *vocabularies
	refs         references.Plans
	// underWay are the claims of this process whose unit of work is running.
	underWay sync.Map
	// zones are the time zones that were asked for, by name.
	zones sync.Map
}

// NewKernel makes a kernel, or says which port or option is missing.
func NewKernel(p Ports, o Options) (*Kernel, error) {
	switch {
	case p.Store == nil, p.Now == nil, p.Rand == nil, p.Zone == nil, p.E164 == nil:
		return nil, errors.New("every port must be supplied")
	case (p.Requests == nil) != (p.Traffic == nil):
		return nil, errors.New("requests and traffic are kept both, or neither")
	case len(o.Pepper) < 16:
		return nil, errors.New("the pepper must have at least 16 bytes")
	}
	if o.Lifetimes == (access.Lifetimes{}) {
		o.Lifetimes = access.DefaultLifetimes()
	}
	o.KeepDeleted = cmp.Or(o.KeepDeleted, 30*24*time.Hour)
	o.Domain = strings.TrimRight(o.Domain, "/")
	k := &Kernel{
		Ports: p, Options: o, Deliveries: newDeliveryWakeup(), Addresses: make(Wakeup, 1),
		vocabularies: newVocabularies(),
	}
	k.snapshots = memory.New(memory.Options{Limit: (o.CatalogueBytes + 3) / 4, Patience: o.LoadPatience, Shared: k.vocabularies.bytes})
	k.replicas = memory.New(memory.Options{Limit: o.CatalogueBytes, Patience: o.LoadPatience, Shared: k.besideReplicas})
	k.views = SnapshotKind[SiteView]{
		Name: "settings", Revision: func(v *SiteView) int64 { return v.Revision }, Load: k.loadView, Bytes: (*SiteView).bytes,
	}
	return k, nil
}

// besideReplicas is the memory of what is kept of sites beside replicas, which leave it
// its room.
func (k *Kernel) besideReplicas() int { return k.snapshots.Bytes() + k.vocabularies.bytes() }

// Cached tells what is kept of sites, by kind, and what became of it.
func (k *Kernel) Cached() map[string]memory.Usage {
	all := k.snapshots.Usage()
	maps.Copy(all, k.replicas.Usage())
	all["vocabularies"] = memory.Usage{Values: k.vocabularies.whole.Len(), Bytes: k.vocabularies.bytes()}
	return all
}

// HasRoom reports whether a tenth of the memory for what is kept of sites is free.
func (k *Kernel) HasRoom() bool {
	limit := k.Options.CatalogueBytes
	return limit == 0 || k.replicas.Bytes()+k.besideReplicas() <= limit/10*9
}

// ProcessName draws a name that no other process has, for the leases of an engine.
func (k *Kernel) ProcessName() (string, error) {
	name := make([]byte, 8)
	_, err := io.ReadFull(k.Rand, name)
	return hex.EncodeToString(name), err
}

// Moment is the present moment, as precise as stores keep it. Use cases read it
// once.
func (k *Kernel) Moment() time.Time { return k.Now().UTC().Truncate(time.Microsecond) }
