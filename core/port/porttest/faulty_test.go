package porttest

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

func TestEveryWriteOfARequestCanFail(t *testing.T) {
	faulty := &Faulty{Store: memstore.New()}
	w := &world{Store: faulty}
	p := w.place(t)
	ways := []string{
		"action", "add", "replace", "delete", "next", "raise", "claim", "receipt", "append", "settings", "lead claim", "deal number",
		"purge holds",
	}
	for _, e := range entities() {
		if e != (hookKind{}) { // which few requests write
			ways = slices.AppendSeq(ways, maps.Keys(e.writes(port.Tx{}, p.site)))
		}
	}
	for _, what := range ways {
		unchanged(t, w, p, what, func() {
			faulty.FailAt = faulty.Writes + 1
			err := faulty.Update(t.Context(), func(tx port.Tx) error { return p.writes(tx)[what]() })
			if !errors.Is(err, ErrFault) {
				t.Errorf("%s: %v, want the fault", what, err)
			}
		})
	}
	faulty.FailAt = faulty.Writes + 1
	if err := faulty.Update(t.Context(), func(tx port.Tx) error { return tx.Calendars().Hold(p.site, []site.UserID{1}) }); !errors.Is(err, ErrFault) {
		t.Errorf("holding a calendar: %v, want the fault", err)
	}
}
