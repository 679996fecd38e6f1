package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/background"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// explained is an error of a driver as a store tells it.
func explained(trouble sqlstore.Trouble) error {
	d := sqlstore.Dialect{Classify: func(error) sqlstore.Trouble { return trouble }}
	return d.Explain(context.Background(), io.EOF)
}

func TestAnOutageIsLoggedWhenItBeginsAndWhenItEnds(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vitrine.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var lines bytes.Buffer
	log := watchOutage(store, slog.New(slog.NewTextHandler(&lines, nil)))
	o := log.Handler().(duringOutage).outage
	unit := func(writes bool, err error) {
		_, end := o.Begin(t.Context(), writes)
		end(false, err)
	}
	late := func() func(bool, error) { _, end := o.Begin(t.Context(), true); return end }
	awayErr := explained(sqlstore.Away)
	workers := func() { // what every part of the background says, in its own words
		for range 20 {
			background.LogDeliveries(log).Trouble(awayErr)
			log.Error("following the clock", "area", "agenda", "error", fmt.Errorf("following as x: %w", awayErr))
			log.With("part", "a").WithGroup("g").Warn("a site is not loaded", "error", explained(sqlstore.Standby))
		}
	}
	said := func(name string, wants ...string) {
		t.Helper()
		got := strings.Split(strings.TrimSuffix(lines.String(), "\n"), "\n")
		lines.Reset()
		if len(got) == 1 && got[0] == "" {
			got = nil
		}
		if len(got) != len(wants) {
			t.Fatalf("%s: %d lines, want %d: %q", name, len(got), len(wants), got)
		}
		for i, want := range wants {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: line %d is %s, want %s", name, i, got[i], want)
			}
		}
	}
	const went, back = "the database does not answer; ", "the database answers again"

	unit(false, nil)
	unit(true, fault.NotFound)
	said("while it answers")
	before := late()
	unit(false, awayErr)
	for range 50 {
		unit(true, awayErr)
		unit(false, awayErr)
		workers()
	}
	said("it goes", went)
	before(false, nil)
	unit(false, context.Canceled)
	unit(true, fault.NotFound)
	said("what began before, or was given up, tells nothing")
	log.Info("serving", "error", awayErr)
	log.Error("sweeping pictures", "error", fault.New(fault.Unavailable, fault.CodeUnavailable, "the folder is full").Because(errors.New("x")))
	log.Error("delivering", "error", errors.New("a mistake"))
	log.Error("request", "request_id", "r", "status", 503, "error", awayErr)
	said("other lines stay", "serving", "sweeping pictures", "delivering", "request_id=r")
	unit(false, nil)
	said("it is back", back)
	workers()
	if got := strings.Count(lines.String(), "\n"); got != 60 {
		t.Errorf("while it answers %d of 60 lines are written", got)
	}
	lines.Reset()

	for range 9 { // a full disk, or a copy that only reads
		unit(true, explained(sqlstore.Standby))
		unit(false, nil)
	}
	said("only reads are answered", went)
	unit(true, nil)
	said("changes are taken again", back)
	unit(true, explained(sqlstore.Held))
	unit(true, explained(sqlstore.Again))
	said("one row is held")
	if !errors.Is(awayErr, fault.Unavailable) || !errors.Is(awayErr, io.EOF) || errors.Is(explained(sqlstore.Held), sqlstore.ErrAway) {
		t.Error("the errors are not told apart")
	}
}
