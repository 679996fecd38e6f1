package kernel

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
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

// Ports are the dependencies of the service. Store, Now, Rand, Zone and E164 are required.
type Ports struct {
	// Store has the records: a sqlstore.Store or one around it, one of your own, or in tests that
	// of package memstore.
	Store port.Store
	// Changes and ProductRows do for some stores in one query what units of work do in several. A
	// sqlstore.Store has methods of these names; nil where there are none.
	Changes     port.Changes
	ProductRows port.ProductRows
	// Now returns the present time, as time.Now does.
	Now func() time.Time
	// Rand is a source of unpredictable bytes, such as crypto/rand.Reader.
	Rand io.Reader
	// Zone returns a time zone by its IANA name, as time.LoadLocation does.
	Zone func(name string) (*time.Location, error)
	// Blobs stores the content of pictures; Images decodes and encodes them. Without them no
	// picture can be added.
	Blobs  port.Blobs
	Images port.Images
	// Requests stores the log of requests, Traffic counts them. Both are set, or none; then no
	// request can be looked up.
	Requests port.Requests
	Traffic  port.Traffic
	// Messenger tells operators of what stands; nil where nobody is told.
	Messenger port.Messenger
	// E164 returns the international form of a phone number as it is dialled in a country
	// (ISO 3166), by which customers are found; empty when it has none. phones.E164 does so.
	E164 func(number, country string) string
}

// Options are the settings of a service. Pepper is required.
type Options struct {
	// Domain is the address under which clients reach the service, such as
	// https://crm.example.org. Token answers and links to pictures begin with it.
	Domain string
	// Environment names the use of the service, such as production. API keys contain it, so
	// that they are not confused.
	Environment string
	// Pepper is the key under which secrets, tokens and API keys are hashed: at least 16 bytes,
	// always the same. With another one all of them are worthless.
	Pepper access.Pepper
	// Lifetimes of tokens, and of a former secret after a rotation; the zero value means
	// access.DefaultLifetimes.
	Lifetimes access.Lifetimes
	// KeepDeleted is how long a deleted product can be restored before it is purged; the
	// zero value means 30 days.
	KeepDeleted time.Duration
	// CatalogueBytes bounds the memory for sites: catalogues, indexes of search requests,
	// and settings. Settings take a quarter of it at most, and the others what is left; in
	// either part the least recently used is evicted first. 0 means no bound.
	CatalogueBytes int
	// LoadPatience is how long a request waits while data of its site is loaded, before it
	// fails as fault.Unavailable; 0 means as long as its context lasts.
	LoadPatience time.Duration
	// Hooks allows webhooks addresses beyond the public web. The sender needs the same.
	Hooks webhook.Allowance
}

// URL returns the absolute URL of a path relative to {base_url}.
func (o Options) URL(path string) string { return o.Domain + BasePath + path }

// Kernel has what the areas share. It is safe for concurrent use.
type Kernel struct {
	Ports
	Options Options
	// Deliveries wakes the dispatcher of this process, Addresses its locator.
	Deliveries *DeliveryWakeup
	Addresses  Wakeup

	// snapshots and replicas are the caches of sites.
	snapshots, replicas *memory.Cache
	// replicaKinds are the names of the kinds of replicas that were loaded.
	replicaKinds sync.Map
	views        SnapshotKind[SiteView]
	// vocabularies are those of the sites whose settings are cached.
	vocabularies *vocabularies
	refs         references.Plans
	// underWay are the claims of this process whose unit of work is running.
	underWay sync.Map
	// zones caches time zones by name.
	zones sync.Map
}

// NewKernel returns a kernel, or an error that names the missing port or option.
func NewKernel(p Ports, o Options) (*Kernel, error) {
	var missing []string
	for _, port := range []struct {
		name   string
		absent bool
	}{
		{"Store", p.Store == nil}, {"Now", p.Now == nil}, {"Rand", p.Rand == nil}, {"Zone", p.Zone == nil}, {"E164", p.E164 == nil},
	} {
		if port.absent {
			missing = append(missing, "Ports."+port.name)
		}
	}
	switch {
	case len(missing) > 0:
		return nil, fmt.Errorf("%s must be given", strings.Join(missing, ", "))
	case (p.Requests == nil) != (p.Traffic == nil):
		return nil, errors.New("Ports.Requests and Ports.Traffic must both be given, or neither")
	case len(o.Pepper) < 16:
		return nil, fmt.Errorf("Options.Pepper must have at least 16 bytes, not %d", len(o.Pepper))
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
	k.replicas = memory.New(memory.Options{Limit: o.CatalogueBytes, Patience: o.LoadPatience, Shared: k.sharedBytes})
	k.views = SnapshotKind[SiteView]{
		Name: "settings", Revision: func(v *SiteView) int64 { return v.Revision }, Load: k.loadView, Bytes: (*SiteView).bytes,
	}
	return k, nil
}

// sharedBytes returns the memory of settings, by which that of replicas is reduced.
func (k *Kernel) sharedBytes() int { return k.snapshots.Bytes() + k.vocabularies.bytes() }

// Cached returns the use of the memory for sites, by kind.
func (k *Kernel) Cached() map[string]memory.Usage {
	all := k.snapshots.Usage()
	maps.Copy(all, k.replicas.Usage())
	all["vocabularies"] = memory.Usage{Values: k.vocabularies.whole.Len(), Bytes: k.vocabularies.bytes()}
	return all
}

// HasRoom reports whether a tenth of the memory for sites is free.
func (k *Kernel) HasRoom() bool {
	limit := k.Options.CatalogueBytes
	return limit == 0 || k.replicas.Bytes()+k.sharedBytes() <= limit/10*9
}

// ProcessName returns a random name of this process, for the leases of an engine.
func (k *Kernel) ProcessName() (string, error) { return k.RandomName(8) }

// RandomName returns so many random bytes in hexadecimal digits.
func (k *Kernel) RandomName(bytes int) (string, error) {
	name := make([]byte, bytes)
	_, err := io.ReadFull(k.Rand, name)
	return hex.EncodeToString(name), err
}

// Moment returns the present time in the precision of stores. Use cases call it once.
func (k *Kernel) Moment() time.Time { return k.Now().UTC().Truncate(time.Microsecond) }
