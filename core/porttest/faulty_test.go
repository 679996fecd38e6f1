package porttest

import (
	"errors"
	"testing"

	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/port"
)

func TestEveryWriteOfARequestCanFail(t *testing.T) {
	faulty := &Faulty{Store: memstore.New()}
	w := &world{Store: faulty}
	p := w.place(t)
	for _, what := range []string{
		"action", "customer", "new customer", "no customer", "add", "replace", "delete", "next", "raise", "claim", "receipt", "append", "settings",
		"search", "new search", "no search", "follow-up", "new follow-up", "no follow-up", "lead", "new lead", "lead claim",
	} {
		unchanged(t, w, p, what, func() {
			faulty.FailAt = faulty.Writes + 1
			err := faulty.Update(t.Context(), func(tx port.Tx) error { return p.writes(tx)[what]() })
			if !errors.Is(err, ErrFault) {
				t.Errorf("%s: %v, want the fault", what, err)
			}
		})
	}
}
