package plan_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// store is a store with site 7, whose ledger ends at 41.
type store struct {
	heads int
	// sent are the first parameters of the statements that were sent.
	sent []string
	// changed has the next statement find that something has changed.
	changed bool
}

func (s *store) Head(context.Context, site.ID) (plan.Head, bool) {
	s.heads++
	return plan.Head{Seq: 41, Open: true}, true
}

func (s *store) Counter(context.Context, site.ID, site.AgencyID) (int64, bool) { return 0, false }

func (s *store) Webhooks(context.Context, site.ID) ([]webhook.Webhook, bool) { return nil, true }

func (s *store) Credential(context.Context, access.CredentialID) (access.Credential, bool) {
	return access.Credential{}, false
}

func (s *store) Wait(ctx context.Context) (context.Context, func()) { return ctx, func() {} }

func (s *store) Send(_ context.Context, of plan.Statement) (map[site.ID]bool, error) {
	s.sent = append(s.sent, of.Args[0].(string))
	return map[site.ID]bool{7: !s.changed}, nil
}

func (s *store) Unconfirmed(cause error) error { return cause }

func (s *store) Unsent(context.Context) error { return errors.New("not sent") }

// changePrice makes the plan of the example in the documentation of the package, and returns it
// with the sequence of its event.
func changePrice(t *testing.T, pl *plan.Planner) (*plan.Plan, int64) {
	t.Helper()
	p := pl.Plan()
	product := plan.Record{Table: "product", Site: 7, ID: 5}
	p.See(plan.Seen{Record: product, Version: "1234"})
	if !p.Assume(t.Context(), 7) {
		t.Fatal("nothing can be assumed of the site")
	}
	happened := p.Append(time.Unix(1, 0), []event.Event{{Type: event.ProductUpdate, Resource: 5}})
	p.Write(plan.Part{Name: "changed_product"}, product, map[string]any{"id": 5})
	return p, happened[0].Seq
}

func TestTheExample(t *testing.T) {
	s := new(store)
	pl := plan.New(s)
	if pl.Plan().Assume(t.Context(), 7) {
		t.Error("something is assumed of a site that was not written to")
	}
	pl.TxBegins(7)()
	for n, want := range []string{`"seq":41,`, `"seq":42,`} {
		p, seq := changePrice(t, pl)
		if err := pl.Commit(t.Context(), p); err != nil || seq != int64(42+n) || !strings.Contains(s.sent[n], want) {
			t.Errorf("event %d is stored by %s, %v; want %s", seq, s.sent, err, want)
		}
	}
	s.changed = true
	p, _ := changePrice(t, pl)
	if err := pl.Commit(t.Context(), p); !errors.Is(err, plan.ErrChanged) || !errors.Is(err, plan.ErrNeedsTx) {
		t.Errorf("after a change: %v", err)
	}
	if p, seq := changePrice(t, pl); seq != 42 || s.heads != 2 {
		t.Errorf("after %d heads the next event is %d", s.heads, seq)
	} else {
		p.Release()
	}
}
