package copy_test

import (
	"database/sql"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/copy"
	"github.com/vitrine-crm/vitrine/core/mirror"
	"github.com/vitrine-crm/vitrine/core/mirror/mirrortest"
)

func open(t testing.TB, path string) *copy.Copy {
	t.Helper()
	c, err := copy.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestCopy(t *testing.T) {
	dir, made, paths := t.TempDir(), atomic.Int64{}, map[mirror.Copy]string{}
	at := func(t testing.TB, path string) mirror.Copy {
		c := open(t, path)
		paths[c] = path
		return c
	}
	mirrortest.Copy(t,
		func(t testing.TB) mirror.Copy {
			return at(t, filepath.Join(dir, "copy "+strconv.FormatInt(made.Add(1), 10)+".db"))
		},
		func(t testing.TB, c mirror.Copy) mirror.Copy {
			if err := c.(*copy.Copy).Close(); err != nil {
				t.Fatal(err)
			}
			return at(t, paths[c])
		})
}

func TestProductsAreTakenByRevision(t *testing.T) {
	ctx, c, now := t.Context(), open(t, filepath.Join(t.TempDir(), "copy.db")), time.Now()
	var all []mirror.Record
	for id := range int64(6) {
		all = append(all, mirror.Record{Key: mirror.Key{Kind: mirror.Product, ID: id + 1}, Shown: id != 2, Gone: id == 2, Body: []byte(`{}`)})
	}
	all = append(all, mirror.Record{Key: mirror.Key{Kind: mirror.Agencies}, Shown: true, Body: []byte(`[]`)})
	key := mirror.Key{Kind: mirror.Vocabulary}
	if err := c.Store(ctx, mirror.Change{State: mirror.State{Revision: 1}, At: now, Put: all, Mark: []mirror.Key{key}}); err != nil {
		t.Fatal(err)
	}
	var found []mirror.Record
	keep := func(r mirror.Record) error { found = append(found, r); return nil }
	revision, err := c.ProductsSince(ctx, 0, keep)
	if err != nil || len(found) != 6 || revision != 1 || found[0].ID != 1 || !found[0].Shown || found[2].Shown {
		t.Errorf("%v of revision %d, %v", found, revision, err)
	}
	if _, err := c.ProductsSince(ctx, revision, keep); err != nil || len(found) != 6 {
		t.Errorf("%d after the same revision, %v", len(found), err)
	}
	listings, marks, oldest, err := c.Counts(ctx)
	if err != nil || listings != 5 || marks != 1 || now.Sub(oldest).Abs() > time.Second {
		t.Errorf("%d listings, %d marks since %v, %v", listings, marks, oldest, err)
	}
	if err := c.Forget(ctx, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if gone, err := c.Record(ctx, mirror.Key{Kind: mirror.Product, ID: 3}); err != nil || gone.Gone {
		t.Errorf("what is gone was not forgotten: %v, %v", gone, err)
	}
	if kept, err := c.Record(ctx, mirror.Key{Kind: mirror.Product, ID: 2}); err != nil || !kept.Shown {
		t.Errorf("what is shown was forgotten: %v, %v", kept, err)
	}
}

func TestACopyOfAnotherVersionIsEmptied_AndAnotherDatabaseLeftAlone(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	old := filepath.Join(dir, "old.db")
	c := open(t, old)
	if err := c.Store(ctx, mirror.Change{State: mirror.State{Revision: 7}, At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	execute(t, old, "PRAGMA user_version = 99")
	if s, err := open(t, old).State(ctx); err != nil || s.Revision != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	other := filepath.Join(dir, "other.db")
	execute(t, other, "CREATE TABLE state (a)")
	if _, err := copy.Open(ctx, other); err == nil {
		t.Error("the database of another program is taken for a copy")
	}
}

func execute(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
