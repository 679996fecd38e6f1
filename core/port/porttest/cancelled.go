package porttest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
)

func cancellations() []example {
	return []example{
		{"AnEndedContextStartsNothing", endedContext},
		{"AContextThatEndsStopsTheUnit", endingContext},
		{"WaitingEndsWithTheContext", waitingEnds},
	}
}

func endedContext(t *testing.T, w *world) {
	p := w.place(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	unchanged(t, w, p, "an ended context", func() {
		write := func(tx port.Tx) error { return appends(tx, p.site, 1) }
		read := func(tx port.Tx) error { _, err := tx.Sites().Get(p.site); return err }
		_, headErr := w.Head(ended, p.site)
		for what, err := range map[string]error{"Head": headErr, "View": w.View(ended, read), "Update": w.Update(ended, write)} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, want context.Canceled", what, err)
			}
		}
	})
}

func endingContext(t *testing.T, w *world) {
	p := w.place(t)
	for what, fn := range map[string]func(port.Tx) error{
		"a unit that goes on":    func(tx port.Tx) error { return appends(tx, p.site, 1) },
		"a unit that reads on":   func(tx port.Tx) error { _, err := tx.Products().Get(p.site, 1); return err },
		"a unit that just ends":  func(port.Tx) error { return nil },
		"a unit that forgets it": func(tx port.Tx) error { _ = appends(tx, p.site, 1); return nil },
	} {
		unchanged(t, w, p, what, func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := w.Update(ctx, func(tx port.Tx) error {
				if err := appends(tx, p.site, 1); err != nil {
					return err
				}
				cancel()
				return fn(tx)
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, want context.Canceled", what, err)
			}
		})
	}
}

// waitingEnds lets a unit wait for a product that another one holds.
func waitingEnds(t *testing.T, w *world) {
	p := w.place(t)
	unchanged(t, w, p, "a unit that waited", func() {
		held, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			done <- w.Update(t.Context(), func(tx port.Tx) error {
				_, err := tx.Products().Get(p.site, 1)
				close(held)
				<-release
				return err
			})
		}()
		<-held
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		err := w.Update(ctx, func(tx port.Tx) error {
			found, err := tx.Products().Get(p.site, 1)
			if err != nil {
				return err
			}
			found.Color = 2
			return tx.Products().Replace(found)
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting ended with %v, want context.DeadlineExceeded", err)
		}
		close(release)
		if err := <-done; err != nil {
			t.Errorf("the unit that was waited for: %v", err)
		}
	})
}
