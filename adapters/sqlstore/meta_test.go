package sqlstore_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/core/fault"
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
		var agreed [6]string
		for i := range agreed {
			s := p.open(t)
			group.Go(func() {
				var err error
				if agreed[i], err = s.EnsureMeta(t.Context(), "pepper", fmt.Sprint(i)); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		for _, value := range agreed {
			if value == "" || value != agreed[0] {
				t.Errorf("%q differ", agreed)
				break
			}
		}
	})
}
