package e2e_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/pages"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// forgetting is a store that answers as any other, and once told to keeps nothing of
// what is written.
type forgetting struct {
	port.Store
	forgets atomic.Bool
}

var errForgotten = errors.New("nothing is kept")

func (s *forgetting) Update(ctx context.Context, fn func(port.Tx) error) error {
	if !s.forgets.Load() {
		return s.Store.Update(ctx, fn)
	}
	err := s.Store.Update(ctx, func(tx port.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errForgotten
	})
	if errors.Is(err, errForgotten) {
		return nil
	}
	return err
}

// everFresh is a sandbox, with the pages about it, in which each request meets what was
// there when it started at a moment.
func everFresh(t *testing.T, engine string, at time.Time) *world {
	t.Helper()
	var store forgetting
	look := &pages.Demo{}
	w := startedSandbox(t, engine, standingStill(at),
		over(func(s port.Store) port.Store { store.Store = s; return &store }),
		configured(func(c *config.Server) { c.Demo = look }),
		// What the server keeps of a site has what it wrote, which is forgotten here.
		func(c *choices) { c.catalogueBytes = 1 },
	)
	*look = *demo.Look(w.ports)
	w.network(t)
	store.forgets.Store(true)
	return w
}

// withFacade gives the first product of the sandbox the picture that the real one draws.
func withFacade(s transfer.Setup) transfer.Setup {
	s.Sites = slices.Clone(s.Sites)
	s.Sites[0].Products = slices.Clone(s.Sites[0].Products)
	s.Sites[0].Products[0].Pictures = []transfer.SetupPicture{setupPicture("Façade", picture(800, 20))}
	return s
}
