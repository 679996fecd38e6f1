package porttest

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/port"
)

func TestEveryWriteOfARequestCanFail(t *testing.T) {
	faulty := &Faulty{Store: memstore.New()}
	w := &world{Store: faulty}
	p := w.place(t)
	ways := []string{
		"action", "add", "replace", "delete", "next", "raise", "claim", "receipt", "append", "settings", "lead claim", "deal number",
	}
	for _, e := range entities() {
		ways = slices.AppendSeq(ways, maps.Keys(e.writes(nil, p.site)))
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
}
