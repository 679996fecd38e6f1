package agenda_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// visited is a visit of a product by customers an hour ago.
func (w *world) visited(products []int64, customers ...int64) int64 {
	w.T.Helper()
	c := w.event(-time.Hour, 104, 101)
	c.ProductIDs, c.CustomerIDs = opt.Of(products), opt.Of(customers)
	return w.create(c)
}

func (w *world) report(in agenda.ReportVisit) error {
	_, err := w.use.ReportVisit(w.T.Context(), w.Again(w.full), in)
	return err
}

func TestAReportMovesTheFollowUp(t *testing.T) {
	for outcome, want := range map[string][]string{
		"INTERESSE": {"VISITE", "INTERESSE"}, "CONTRE_VISITE": {"VISITE", "INTERESSE"}, "OFFRE": {"VISITE", "OFFRE"}, "SANS_SUITE": {"VISITE", "SANS_SUITE"}, "REFLEXION": {"VISITE"},
	} {
		w := newWorld(t)
		id := w.visited([]int64{w.product()}, 1004)
		w.told(func() error {
			return w.report(agenda.ReportVisit{ID: id, Outcome: opt.Of(outcome), Rating: opt.Of(4), Comment: opt.Of("Beau jardin")})
		},
			"FOLLOWUP_CREATE", "ACTION_CREATE", "APPOINTMENT_UPDATE")
		found := w.followUps(1004)
		if len(found) != 1 || !slices.Equal(history(found[0]), want) || *found[0].Rating != 4 || *found[0].Comment != "Beau jardin" || *found[0].UserID != 104 {
			t.Errorf("%s leads to %+v, want %v", outcome, found, want)
		}
		got := w.get(id)
		if r := got.Reports[0]; got.Status != "REALISE" || r.ID != 1 || *r.CustomerID != 1004 || r.Outcome != outcome || *r.Rating != 4 || r.SlipNumber != nil || r.SignedAt != nil || r.Occurrence != nil {
			t.Errorf("the event is %+v", got)
		}
	}
}

func TestAReportAddsAnActionToTheProduct(t *testing.T) {
	w := newWorld(t)
	p := w.product()
	before := w.ReadProduct(w.full, p, "")
	w.must(w.report(agenda.ReportVisit{ID: w.visited([]int64{p}, 1004), Outcome: opt.Of("INTERESSE"), Comment: opt.Of("Beau jardin")}))
	shown := w.ReadProduct(w.full, p, "actions_history,statistic")
	if len(*shown.ActionsHistory) != 1 || shown.Statistic.VisitsDone != 1 {
		t.Fatalf("the history is %+v, and the statistic %+v", *shown.ActionsHistory, *shown.Statistic)
	}
	w.View(func(tx port.Tx) error {
		found, err := tx.Actions().Latest(1, "product", []int64{p}, nil, 10)
		if len(found) != 1 || found[0].Customer != 1004 || found[0].User != 104 || found[0].Result != "Beau jardin" || !found[0].Performed.Equal(w.Clock.Now().Add(-time.Hour)) {
			t.Errorf("the actions are %+v", found)
		}
		return err
	})
	if !shown.LastModified.Equal(before.LastModified.Time) {
		t.Error("a report moves the date of the product")
	}
	// Without an active type there is no action.
	w = newWorld(t)
	no, n := false, network()
	for i := range n.Sites[0].ActionTypes {
		if n.Sites[0].ActionTypes[i].Model == "VISITE" {
			n.Sites[0].ActionTypes[i].IsActive = &no
		}
	}
	w.Provision(transfer.Setup{Sites: n.Sites[:1]})
	id := w.visited([]int64{w.product()}, 1004)
	w.told(func() error { return w.report(agenda.ReportVisit{ID: id, Outcome: opt.Of("REFLEXION")}) }, "FOLLOWUP_CREATE", "APPOINTMENT_UPDATE")
}

func TestAFollowUpGoesOnAsFarAsItMay(t *testing.T) {
	w := newWorld(t)
	p := w.product()
	attach := func(status string) people.FollowUp {
		search, err := w.People.CreateSearchRequest(t.Context(), w.Again(w.full), people.CreateSearchRequest{CustomerID: 1004, Change: demand.Change{TransactionType: opt.Of("Vente")}})
		w.must(err)
		_, err = w.People.CreateFollowUp(t.Context(), w.Again(w.full), people.CreateFollowUp{CustomerID: 1004, ProductID: opt.Of(p), SearchID: opt.Of(search.ID), FollowUpInput: people.FollowUpInput{Status: opt.Of(status), Rating: opt.Of(2)}})
		w.must(err)
		return w.followUps(1004)[len(w.followUps(1004))-1]
	}
	first, second := attach("ACQUIS"), attach("PROPOSE")
	visit := func(search *int64) int64 {
		id := w.visited([]int64{p}, 1004)
		if search != nil {
			w.must(w.update(id, planning.Change{SearchID: opt.Of(*search)}))
		}
		return id
	}
	w.must(w.report(agenda.ReportVisit{ID: visit(nil), Outcome: opt.Of("SANS_SUITE"), RefusalReason: opt.Of("PRIX")}))
	if got := w.followUps(1004)[0]; got.Status != "ACQUIS" || *got.Rating != 2 {
		t.Errorf("what was acquired is %+v", got)
	}
	w.must(w.report(agenda.ReportVisit{ID: visit(second.SearchID), Outcome: opt.Of("INTERESSE"), RefusalReason: opt.Of("PRIX"), Rating: opt.Of(5)}))
	all := w.followUps(1004)
	if got := all[1]; len(all) != 2 || first.ID == second.ID || got.Status != "INTERESSE" || *got.Rating != 5 || got.RefusalReason != nil {
		t.Errorf("the follow-up of the search is %+v", got)
	}
	w.must(w.report(agenda.ReportVisit{ID: visit(second.SearchID), Outcome: opt.Of("SANS_SUITE"), RefusalReason: opt.Of("PRIX")}))
	if got := w.followUps(1004)[1]; got.Status != "SANS_SUITE" || *got.RefusalReason != "PRIX" {
		t.Errorf("what came to nothing is %+v", got)
	}
}

func TestAReportSaysWhatIsWrongWithIt(t *testing.T) {
	w := newWorld(t)
	p, q := w.product(), w.product()
	id, several := w.visited([]int64{p}, 1004), w.visited([]int64{p, q}, 1001, 1004)
	fine := agenda.ReportVisit{ID: id, Outcome: opt.Of("REFLEXION")}
	for name, c := range map[string]struct {
		edit  func(*agenda.ReportVisit)
		code  fault.Code
		field string
	}{
		"no outcome":        {func(in *agenda.ReportVisit) { in.Outcome = opt.Field[string]{} }, fault.CodeRequired, "outcome"},
		"another outcome":   {func(in *agenda.ReportVisit) { in.Outcome = opt.Of("X") }, fault.CodeCriteriaValueUnknown, "outcome"},
		"a rating of six":   {func(in *agenda.ReportVisit) { in.Rating = opt.Of(6) }, fault.CodeOutOfRange, "rating"},
		"signed tomorrow":   {func(in *agenda.ReportVisit) { in.SignedAt = opt.Of(w.at(time.Second)) }, fault.CodeOutOfRange, "signed_at"},
		"another customer":  {func(in *agenda.ReportVisit) { in.CustomerID = opt.Of(int64(1001)) }, fault.CodeUnknownCustomer, "customer_id"},
		"another product":   {func(in *agenda.ReportVisit) { in.ProductID = opt.Of(q) }, fault.CodeUnknownProduct, "product_id"},
		"which customer":    {func(in *agenda.ReportVisit) { in.ID, in.ProductID = several, opt.Of(p) }, fault.CodeRequired, "customer_id"},
		"which product":     {func(in *agenda.ReportVisit) { in.ID, in.CustomerID = several, opt.Of(int64(1004)) }, fault.CodeRequired, "product_id"},
		"when it never was": {func(in *agenda.ReportVisit) { in.Occurrence = opt.Of("20260916T073000Z") }, fault.CodeOutOfRange, "occurrence"},
	} {
		in := fine
		in.IfMatch = stale()
		c.edit(&in)
		t.Log(name)
		w.invalid(c.code, c.field, func() error { return w.report(in) })
	}
	fine.IfMatch = stale()
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error { return w.report(fine) })
	w.must(w.report(agenda.ReportVisit{ID: id, Outcome: opt.Of("REFLEXION")}))
	w.unchanged(fault.Conflict, fault.CodeAlreadyReported, func() error { return w.report(fine) })
	w.must(w.report(agenda.ReportVisit{ID: several, Outcome: opt.Of("REFLEXION"), CustomerID: opt.Of(int64(1001)), ProductID: opt.Of(p)}))
	w.must(w.report(agenda.ReportVisit{ID: several, Outcome: opt.Of("REFLEXION"), CustomerID: opt.Of(int64(1001)), ProductID: opt.Of(q)}))
	c := w.event(time.Hour, 101)
	c.ProductIDs, c.CustomerIDs = opt.Of([]int64{p}), opt.Of([]int64{1004})
	ahead := w.create(c)
	w.unchanged(fault.Conflict, fault.CodeInvalidTransition, func() error {
		return w.report(agenda.ReportVisit{ID: ahead, Outcome: opt.Of("REFLEXION"), IfMatch: stale()})
	})
	cancelled := w.visited([]int64{p}, 1004)
	w.must(w.update(cancelled, planning.Change{Status: opt.Of("ANNULE")}))
	w.unchanged(fault.Conflict, fault.CodeInvalidTransition, func() error {
		return w.report(agenda.ReportVisit{ID: cancelled, Outcome: opt.Of("REFLEXION"), IfMatch: stale()})
	})
}

func TestAReportIsAboutOneOccurrence(t *testing.T) {
	w := newWorld(t)
	c := w.event(-25*time.Hour, 101)
	c.ProductIDs, c.CustomerIDs, c.RRule = opt.Of([]int64{w.product()}), opt.Of([]int64{1004}), opt.Of("FREQ=DAILY;COUNT=4")
	id := w.create(c)
	in := agenda.ReportVisit{ID: id, Outcome: opt.Of("REFLEXION"), Rating: opt.Of(3)}
	w.invalid(fault.CodeRequired, "occurrence", func() error { return w.report(in) })
	in.Occurrence = opt.Of(w.at(23 * time.Hour))
	w.unchanged(fault.Conflict, fault.CodeInvalidTransition, func() error { return w.report(in) })
	in.Occurrence = opt.Of(w.at(-time.Hour))
	w.must(w.report(in))
	w.unchanged(fault.Conflict, fault.CodeAlreadyReported, func() error { return w.report(in) })
	in.Occurrence = opt.Of(w.at(-25 * time.Hour))
	w.must(w.report(in))
	var statuses []string
	for _, f := range w.search(agenda.SearchEvents{}) {
		statuses = append(statuses, f.Status)
	}
	if want := []string{"REALISE", "REALISE", "PREVU", "PREVU"}; !slices.Equal(statuses, want) || w.get(id).Status != "PREVU" {
		t.Errorf("the statuses are %v", statuses)
	}
	if r := w.get(id).Reports; len(r) != 2 || r[1].ID != 2 || r[1].Occurrence == nil {
		t.Errorf("the reports are %+v", r)
	}
}

// failing is a store whose units of work fail at their end, while told to.
type failing struct {
	port.Store
	fails bool
}

var errBroken = errors.New("broken")

// Update implements port.Store.
func (f *failing) Update(ctx context.Context, fn func(port.Tx) error) error {
	return f.Store.Update(ctx, func(tx port.Tx) error {
		if err := fn(tx); err != nil || !f.fails {
			return err
		}
		return errBroken
	})
}

// Slips are numbered without gaps in each agency, also when units of work fail.
func TestVisitSlipsAreNumberedWithoutGaps(t *testing.T) {
	store := &failing{Store: memstore.New()}
	w := over(t, store)
	p := w.product()
	for n := 1; n <= 3; n++ {
		in := agenda.ReportVisit{ID: w.visited([]int64{p}, 1004), Outcome: opt.Of("REFLEXION"), SignedAt: opt.Of(w.at(0))}
		store.fails = true
		if err := w.report(in); !errors.Is(err, errBroken) {
			t.Errorf("a store that fails: %v", err)
		}
		store.fails = false
		refused := in
		refused.IfMatch = stale()
		w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error { return w.report(refused) })
		w.must(w.report(in))
		if r := w.get(in.ID).Reports[0]; r.SlipNumber == nil || *r.SlipNumber != fmt.Sprintf("11-V%d", n) || r.SignedAt == nil {
			t.Errorf("the slip %d is %+v", n, r)
		}
	}
	other := w.event(-time.Hour, 107)
	other.CustomerIDs, other.ProductIDs = opt.Of([]int64{1004}), opt.Of([]int64{p})
	id := w.create(other)
	w.must(w.report(agenda.ReportVisit{ID: id, Outcome: opt.Of("REFLEXION"), SignedAt: opt.Of(w.at(0))}))
	if got := w.get(id).Reports[0].SlipNumber; *got != "12-V1" {
		t.Errorf("the first slip of another agency is %s", *got)
	}
}
