package tokens

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// uses remembers when tokens of credentials and keys were last used, until it is
// stored: no request waits for that.
type uses struct {
	mu    sync.Mutex
	fresh map[use]time.Time
}

// use is what was used: a key, or a token of the credential.
type use struct {
	credential access.CredentialID
	key        access.KeyID
}

func newUses() *uses { return &uses{fresh: map[use]time.Time{}} }

func (n *uses) note(by access.CredentialID, key access.KeyID, at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fresh[use{by, key}] = at
}

// take hands over what is not stored yet.
func (n *uses) take() []access.Use {
	n.mu.Lock()
	defer n.mu.Unlock()
	taken := make([]access.Use, 0, len(n.fresh))
	for u, at := range n.fresh {
		taken = append(taken, access.Use{Credential: u.credential, Key: u.key, At: at.UTC().Truncate(time.Microsecond)})
	}
	clear(n.fresh)
	// In one order, so that processes that store the same ones take turns.
	slices.SortFunc(taken, func(a, b access.Use) int {
		return cmp.Or(cmp.Compare(a.Credential, b.Credential), cmp.Compare(a.Key, b.Key))
	})
	return taken
}

// putBack takes back what could not be stored, unless it was used again meanwhile.
func (n *uses) putBack(taken []access.Use) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, t := range taken {
		if u := (use{t.Credential, t.Key}); n.fresh[u].IsZero() {
			n.fresh[u] = t.At
		}
	}
}

// StoreUses stores when credentials and keys were last used through this service.
// Run it now and then, once a minute say, and when the last request is answered.
func (s *Service) StoreUses(ctx context.Context) error {
	fresh := s.uses.take()
	if len(fresh) == 0 {
		return nil
	}
	_, err := writes(s, unit.raiseUses)(ctx, kernel.Caller{}, fresh)
	if err != nil {
		s.uses.putBack(fresh)
	}
	return err
}

func (u unit) raiseUses(fresh []access.Use) (kernel.None, error) {
	for _, f := range fresh {
		if err := u.Credentials().Used(f); err != nil {
			return kernel.None{}, err
		}
	}
	return kernel.None{}, nil
}

// Uses returns when credentials and keys were last used, as far as it is stored, by
// credential and key.
func (s *Service) Uses(ctx context.Context, c kernel.Caller) ([]access.Use, error) {
	return reads(s, unit.listUses)(ctx, c, kernel.Nothing{})
}

func (u unit) listUses(kernel.Nothing) ([]access.Use, error) { return u.Credentials().LastUses() }
