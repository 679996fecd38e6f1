package cells

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

const id site.ID = 7

func opened(t *testing.T) *sqlstore.Store {
	t.Helper()
	keys, err := sqlstore.NewKeyring(make([]byte, sqlstore.KeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vitrine.db"), sqlstore.Sealed(keys))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func blobs() port.Blobs { return memstore.NewBlobs(func() time.Time { return time.Unix(1, 0) }) }

// between is a mover of a site that has something of everything.
func between(t *testing.T) Mover {
	t.Helper()
	m := New(opened(t), opened(t))
	porttest.FillSite(t, m.From.Store, id)
	m.From.Blobs, m.To.Blobs = blobs(), blobs()
	m.Domain, m.Redirect = "https://crm2.example.org", 24*time.Hour
	return m
}

// states are those of a site at both ends; "-" is where it is not.
func states(t *testing.T, m Mover) string {
	t.Helper()
	return statesOf(t, m, id)
}

func statesOf(t *testing.T, m Mover, id site.ID) string {
	t.Helper()
	var both []string
	for _, end := range []End{m.From, m.To} {
		found, err := moveOf(t.Context(), end.Store, id)
		switch {
		case errors.Is(err, fault.NotFound):
			both = append(both, "-")
		case err != nil:
			t.Fatal(err)
		default:
			both = append(both, found.State.String())
		}
	}
	return strings.Join(both, " ")
}

// steps are the phases of a move, in their order, and how the site stands after each.
var steps = []struct {
	run  func(Mover, context.Context, *move) error
	want string
}{
	{Mover.copyPictures, "open -"},
	{Mover.rest, "resting -"},
	{Mover.freeze, "moving -"},
	{Mover.copyPictures, "moving -"},
	{Mover.copy, "moving arriving"},
	{Mover.close, "moved arriving"},
	{Mover.open, "moved open"},
}

// interrupted is a move that ended after some steps, as when its process was killed.
func interrupted(t *testing.T, after int) Mover {
	t.Helper()
	m := between(t)
	begun, err := m.begin(t.Context(), []site.ID{id})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps[:after] {
		if err := step.run(m, t.Context(), begun[0]); err != nil {
			t.Fatal(err)
		}
		if got := states(t, m); got != step.want {
			t.Fatalf("the site is %s, want %s", got, step.want)
		}
	}
	return m
}

// Wherever a move was interrupted, it goes on.
func TestAMoveGoesOn(t *testing.T) {
	for n := range len(steps) {
		t.Run(fmt.Sprint("after ", n), func(t *testing.T) {
			t.Parallel()
			m := interrupted(t, n)
			if err := m.Move(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if got := states(t, m); got != "moved open" {
				t.Errorf("the site is %s", got)
			}
			if err := m.Move(t.Context(), id); err == nil || !strings.Contains(err.Error(), "moved already") {
				t.Errorf("again: %v", err)
			}
			back := m
			back.From, back.To = m.To, m.From
			if err := back.Move(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if got := states(t, m); got != "open moved" {
				t.Errorf("back, the site is %s", got)
			}
		})
	}
}

// Wherever a move was interrupted, it can be undone, until the site is open elsewhere.
func TestAMoveIsUndone(t *testing.T) {
	for n := range len(steps) + 1 {
		t.Run(fmt.Sprint("after ", n), func(t *testing.T) {
			t.Parallel()
			m := interrupted(t, n)
			err := m.Abort(t.Context(), id)
			if n == len(steps) {
				if err == nil || states(t, m) != "moved open" {
					t.Errorf("a complete move was undone: %s, %v", states(t, m), err)
				}
				return
			}
			if got := states(t, m); err != nil || got != "open -" {
				t.Fatalf("the site is %s: %v", got, err)
			}
			if err := m.From.Store.Update(t.Context(), func(tx port.Tx) error {
				taken, err := tx.Webhooks().Take("a server", time.Now(), time.Now().Add(time.Millisecond), 9)
				if len(taken) == 0 {
					t.Error("nothing is delivered any more")
				}
				return err
			}); err != nil {
				t.Error(err)
			}
			if err := m.Move(t.Context(), id); err != nil {
				t.Errorf("another move: %v", err)
			}
		})
	}
}

// second is another site.
const second = id + 1

// severalInterrupted is a move of everything, two sites, that ended after some steps: each
// is a step for one of them.
func severalInterrupted(t *testing.T, after int) Mover {
	t.Helper()
	m := between(t)
	porttest.FillSite(t, m.From.Store, second)
	m.Installation = true
	operators(t, m.From.Store, func(tx port.Tx) error {
		return tx.Operators().Add(operator.Operator{ID: 1, Email: "ada@example.org", Name: "Ada"})
	})
	begun, err := m.begin(t.Context(), []site.ID{id, second})
	if err == nil {
		err = m.copyInstallation(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for n := range after {
		if err := steps[n/2].run(m, t.Context(), begun[n%2]); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// operators changes the one who looks after the installation at an end, and says what they
// are called.
func operators(t *testing.T, s *sqlstore.Store, change func(tx port.Tx) error) (names []string) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx port.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		all, err := tx.Operators().All()
		names = nil
		for _, o := range all {
			names = append(names, o.Name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

func isCalled(name string) func(port.Tx) error {
	return func(tx port.Tx) error {
		return tx.Operators().Replace(operator.Operator{ID: 1, Email: "ada@example.org", Name: name})
	}
}

// Wherever a move of several sites was interrupted, it goes on: those that have arrived are
// left alone, and operators are as they are when the sites leave.
func TestAMoveOfSeveralSitesGoesOn(t *testing.T) {
	all := 2 * len(steps)
	for n := range all {
		t.Run(fmt.Sprint("after ", n), func(t *testing.T) {
			t.Parallel()
			m := severalInterrupted(t, n)
			operators(t, m.From.Store, isCalled("Ada at the source"))
			want := "Ada at the source"
			if n == all-1 { // the first site is open: somebody works there
				want = "Ada at the target"
				operators(t, m.To.Store, isCalled(want))
			}
			if err := m.Move(t.Context(), id, second); err != nil {
				t.Fatal(err)
			}
			for _, of := range []site.ID{id, second} {
				if got := statesOf(t, m, of); got != "moved open" {
					t.Errorf("site %d is %s", of, got)
				}
			}
			if got := operators(t, m.To.Store, func(port.Tx) error { return nil }); len(got) != 1 || got[0] != want {
				t.Errorf("operators at the target: %q, want %q", got, want)
			}
			if err := m.Move(t.Context(), id, second); err == nil || !strings.Contains(err.Error(), "moved already") {
				t.Errorf("again: %v", err)
			}
		})
	}
}

// Wherever it was interrupted, what has not arrived can be undone.
func TestAMoveOfSeveralSitesIsUndone(t *testing.T) {
	all := 2 * len(steps)
	for _, n := range []int{3, 5, 9, 11, all - 1} {
		t.Run(fmt.Sprint("after ", n), func(t *testing.T) {
			t.Parallel()
			m := severalInterrupted(t, n)
			err := m.Abort(t.Context(), id, second)
			first := "open -"
			if n == all-1 {
				first = "moved open"
			}
			if (err != nil) != (n == all-1) || statesOf(t, m, id) != first || statesOf(t, m, second) != "open -" {
				t.Errorf("the sites are %s and %s: %v", statesOf(t, m, id), statesOf(t, m, second), err)
			}
		})
	}
}

// slowBlobs do something while somebody reads them.
type slowBlobs struct {
	port.Blobs
	meanwhile func()
}

func (b slowBlobs) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	b.meanwhile()
	return b.Blobs.Open(ctx, key)
}

// What operators do while pictures are copied, which may take hours, comes along.
func TestOperatorsGoOnWhilePicturesAreCopied(t *testing.T) {
	m := severalInterrupted(t, 0)
	m.From.Blobs = slowBlobs{m.From.Blobs, func() { operators(t, m.From.Store, isCalled("Ada meanwhile")) }}
	if err := m.Move(t.Context(), id, second); err != nil {
		t.Fatal(err)
	}
	if got := operators(t, m.To.Store, func(port.Tx) error { return nil }); len(got) != 1 || got[0] != "Ada meanwhile" {
		t.Errorf("operators at the target: %q", got)
	}
}

func TestWhatCannotMove(t *testing.T) {
	put := func(s *sqlstore.Store, v site.Move) {
		v.Site = id
		if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().PutMove(v) }); err != nil {
			t.Fatal(err)
		}
	}
	for want, prepare := range map[string]func(m Mover){
		"open there":          func(m Mover) { porttest.FillSite(t, m.To.Store, id) },
		"only just arriving":  func(m Mover) { put(m.From.Store, site.Move{State: site.Arriving, ID: "x"}) },
		"to another database": func(m Mover) { put(m.From.Store, site.Move{State: site.Moved, ID: "x"}) },
		"import 1 is under way": func(m Mover) {
			run := operator.ImportRun{Site: id, ID: 1, State: operator.ImportRunning, Seen: time.Now()}
			if err := m.From.Store.Update(t.Context(), func(tx port.Tx) error { return tx.Imports().Save(run, nil) }); err != nil {
				t.Fatal(err)
			}
		},
	} {
		m := between(t)
		prepare(m)
		before := states(t, m)
		if err := m.Move(t.Context(), id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if after := states(t, m); after != before {
			t.Errorf("it was %s, and is %s", before, after)
		}
	}
	m := between(t)
	if err := m.Move(t.Context(), id+1); err == nil || !strings.Contains(err.Error(), "no such site") {
		t.Error(err)
	}
	m.To.Blobs = nil
	if err := m.Move(t.Context(), id); err == nil || !strings.Contains(err.Error(), "--to-photos") || states(t, m) != "open -" {
		t.Errorf("%s: %v", states(t, m), err)
	}
}

// What a server does is waited for, unless the server is gone.
func TestAMoveWaitsForLeases(t *testing.T) {
	m := between(t)
	until := time.Now().Add(300 * time.Millisecond)
	if err := m.From.Store.Update(t.Context(), func(tx port.Tx) error {
		taken, err := tx.Webhooks().Take("a server", time.Now(), until, 9)
		if len(taken) == 0 {
			t.Error("nothing is due")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := m.Move(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if time.Now().Before(until) {
		t.Error("the site moved while somebody delivered")
	}
}

// Pictures come along, also one that was added after the others were copied.
func TestPicturesComeAlong(t *testing.T) {
	m := between(t)
	var keys []string
	for p, err := range m.From.Store.KeptProducts(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range p.Pictures {
			keys = append(keys, p.PictureKey(q))
		}
	}
	if len(keys) < 2 {
		t.Fatal(keys)
	}
	for _, key := range keys[1:] {
		if err := m.From.Blobs.Put(t.Context(), key, []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	m.Log = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	if err := m.Move(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		r, err := m.To.Blobs.Open(t.Context(), key)
		if (err == nil) != (i > 0) {
			t.Errorf("%s: %v", key, err)
		}
		if err == nil {
			_ = r.Close()
		}
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "is not where pictures are kept") {
		t.Errorf("one that is lost is not told of: %s", all)
	}
}
