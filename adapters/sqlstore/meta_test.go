package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestMetaIsRemembered(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		if _, err := s.Meta(t.Context(), "environment"); !errors.Is(err, fault.NotFound) {
			t.Errorf("%v, want fault.NotFound", err)
		}
		for _, value := range []string{"sandbox", "", "live"} {
			if err := s.SetMeta(t.Context(), "environment", value); err != nil {
				t.Fatal(err)
			}
			if got, err := p.open(t).Meta(t.Context(), "environment"); got != value || err != nil {
				t.Errorf("%q, %v, want %q", got, err, value)
			}
		}
		if got, err := s.EnsureMeta(t.Context(), "environment", "other"); got != "live" || err != nil {
			t.Errorf("%q, %v, want what was set before", got, err)
		}
	})
}

func TestProcessesThatStartAtOnceAgreeOnMeta(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		p.migrated(t)
		var group sync.WaitGroup
		var agreed, sealed [6]string
		for i := range agreed {
			s := p.open(t)
			group.Go(func() {
				var err error
				if agreed[i], err = s.EnsureMeta(t.Context(), "name", fmt.Sprint(i)); err != nil {
					t.Error(err)
				}
				if sealed[i], err = s.EnsureSealed(t.Context(), "pepper", fmt.Sprint(i)); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		for _, values := range [][6]string{agreed, sealed} {
			for _, value := range values {
				if value == "" || value != values[0] {
					t.Errorf("%q differ", values)
					break
				}
			}
		}
	})
}

func TestSealedFactsAreSealedAndRemembered(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		for _, value := range []string{"grain", "other"} {
			if got, err := s.EnsureSealed(t.Context(), "pepper", value); got != "grain" || err != nil {
				t.Errorf("%q, %v, want what was set first", got, err)
			}
		}
		// One from before facts were sealed stays what it is, and is sealed.
		if err := s.SetMeta(t.Context(), "old", "plain"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := s.EnsureSealed(t.Context(), "old", "other"); got != "plain" || err != nil {
				t.Errorf("%q, %v, want what was there", got, err)
			}
		}
		for _, key := range []string{"pepper", "old"} {
			if stored, err := s.Meta(t.Context(), key); !strings.HasPrefix(stored, "v1:") || err != nil {
				t.Errorf("%s is stored as %q, %v", key, stored, err)
			}
		}
		// What is sealed for one fact opens no other.
		stored, err := s.Meta(t.Context(), "pepper")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetMeta(t.Context(), "old", stored); err != nil {
			t.Fatal(err)
		}
		if got, err := s.EnsureSealed(t.Context(), "old", "other"); err == nil || got != "" {
			t.Errorf("a value from another fact is taken for %q, %v", got, err)
		}

		if err := s.RemoveMeta(t.Context(), "old"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Meta(t.Context(), "old"); !errors.Is(err, fault.NotFound) {
			t.Errorf("a fact that was removed: %v", err)
		}
	})
}
