package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// shelf has the one file of a source.
type shelf struct {
	files
	content string
	err     error
	// part reports that the file says of itself that it has changes alone.
	part bool
}

// part is a file with changes alone.
type part struct{ transfer.ImportFile }

// IsPart implements transfer.PartFile.
func (part) IsPart() (bool, error) { return true, nil }

func (s *shelf) Look(_ context.Context, of operator.ImportSource) (*transfer.SourceFile, error) {
	if s.err != nil || s.content == "" {
		return nil, s.err
	}
	return &transfer.SourceFile{
		TakenFile: operator.TakenFile{Name: "annonces.csv", Hash: s.content}, Close: func() error { return nil },
		Open: func(ctx context.Context) (transfer.ImportFile, error) {
			f, err := s.Open(ctx, strings.NewReader(s.content), of.Settings.Format)
			if s.part && err == nil {
				f = part{f}
			}
			return f, err
		},
	}, nil
}

// sourced is a process with a source.
type sourced struct {
	*process
	shelf *shelf
}

func newSourced(t *testing.T, change func(*transfer.SetupImportSource)) sourced {
	t.Helper()
	return newShared().sourced(t, change)
}

func (s shared) sourced(t *testing.T, change func(*transfer.SetupImportSource)) sourced {
	t.Helper()
	p := s.process(t, files{})
	if _, err := p.Transfer.Provision(t.Context(), withSource(func(s *transfer.SetupImportSource) {
		s.Mode = "full"
		change(s)
	})); err != nil {
		t.Fatal(err)
	}
	return sourced{p, &shelf{}}
}

// looks has the source looked at with a file, and returns how that ended.
func (s sourced) looks(content string) string {
	s.t.Helper()
	s.shelf.content = content
	s.clock.Advance(operator.DefaultEvery)
	return s.ends()
}

// ends carries out what is due, and returns how that ended; nothing if nothing was.
func (s sourced) ends() string {
	s.t.Helper()
	return apitest.Once(s.t, func(ctx context.Context, o lease.Options) { s.Sources.Run(ctx, s.shelf, o) })
}

func (s sourced) source() transfer.ImportSourceRecord {
	s.t.Helper()
	r, err := s.Sources.Get(s.t.Context(), s.c, transfer.ImportSourcePath{ID: 1})
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// onTheWeb lists the references of living products, those off the web in parentheses.
func (s sourced) onTheWeb() string {
	s.t.Helper()
	var shown []string
	err := s.Kernel().Store.View(s.t.Context(), func(tx port.Tx) error {
		all, err := tx.Products().Scan(1, 0, 10_000)
		for _, p := range all {
			reference := p.Reference
			if !p.WebStatus {
				reference = "(" + reference + ")"
			}
			shown = append(shown, reference)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Sort(shown)
	return strings.Join(shown, " ")
}

func (s sourced) is(what, outcome, want, products string) {
	s.t.Helper()
	if got := s.onTheWeb(); outcome != want || got != products {
		s.t.Errorf("%s: %s with %s, want %s with %s; problem: %s", what, outcome, got, want, products, s.source().State.Problem)
	}
}

func gently(s *transfer.SetupImportSource) { n := 50; s.WithdrawalLimit = &n }

func TestAFullSourceWithdrawsWhatItNamesNoMore(t *testing.T) {
	s := newSourced(t, gently)
	s.byPeople("P")
	s.is("the first file", s.looks("A:1 B:2 C:3 P:4"), "done", "A B C P")
	s.is("without B, and P that people made", s.looks("A:1 C:3"), "done", "(B) A C P")
	if run := s.source().LastRuns[0]; run.Withdrawn != 1 || run.Unchanged != 2 || run.Name != "annonces.csv" || run.Total != 2 {
		t.Errorf("%+v", run)
	}
	if got := s.report(int64(s.source().LastRuns[0].ID)); len(got) != 1 || got[0] != "1 withdrawn  B" {
		t.Errorf("the report is %q", got)
	}
	s.is("with B again", s.looks("A:1 B:2 C:3"), "done", "A B C P")
	before := s.seq()
	s.is("the same file", s.looks("A:1 B:2 C:3"), "unchanged", "A B C P")
	if runs := len(s.source().LastRuns); runs != 3 || s.seq() != before {
		t.Errorf("the same file made %d runs", runs)
	}
}

// A file that has only what changed is no reason to withdraw the rest, whatever the source was set to.
func TestAFullSourceWithdrawsNothingByAFileWithChangesAlone(t *testing.T) {
	s := newSourced(t, gently)
	s.is("the first file", s.looks("A:1 B:2 C:3"), "done", "A B C")
	s.shelf.part = true
	s.is("changes of A", s.looks("A:9"), "done", "A B C")
	s.shelf.part = false
	s.is("all that there are", s.looks("A:9 B:2"), "done", "(C) A B")
}

func TestTheWithdrawalLimitKeepsASourceFromWithdrawingMuch(t *testing.T) {
	s := newSourced(t, func(*transfer.SetupImportSource) {})
	s.looks("A:1 B:1 C:1 D:1 E:1")
	s.is("a fifth", s.looks("A:1 B:1 C:1 D:1"), "done", "(E) A B C D")
	s.is("a quarter", s.looks("A:2 B:1 C:1"), "refused", "(E) A B C D")
	if r := s.source(); !strings.Contains(r.State.Problem, "1 of the 4 listings") || r.LastRuns[0].Problem != r.State.Problem || r.LastRuns[0].Changed != 1 {
		t.Errorf("%+v", r)
	}
	if got := s.looks("A:2 B:1 C:1"); got != "unchanged" || s.source().State.Problem == "" {
		t.Errorf("the same file once more is %s: %+v", got, s.source().State)
	}
	if _, err := s.Sources.RunNow(t.Context(), s.c, transfer.RunImportSource{ID: 1, WithoutLimit: true}); err != nil {
		t.Fatal(err)
	}
	s.is("once without the limit", s.ends(), "done", "(D) (E) A B C")
	if s.source().State.Problem != "" {
		t.Errorf("what was wrong stays: %+v", s.source().State)
	}
	s.is("an empty list", s.looks(" "), "refused", "(D) (E) A B C")
}

func TestNothingIsWithdrawnThatMayBeNamed(t *testing.T) {
	for name, c := range map[string]struct {
		content, outcome string
		err              error
	}{
		"a listing without a reference": {content: "A:1 :2", outcome: "refused"},
		"a last listing that is cut":    {content: "A:cut", outcome: "refused"},
		"listings that cannot be read":  {content: "B:cut A:1", outcome: "done"},
		"damage beside the listings":    {content: "A:1 ?", outcome: "refused"},
		"a file that breaks off":        {content: "A:1 !", outcome: "failed"},
		"an answer that is no file":     {err: errors.New("the server answers 503"), outcome: "failed"},
		"a reference that is twice":     {content: "A:1 B:1 B:2", outcome: "done"},
		"no new file":                   {outcome: "unchanged"},
	} {
		s := newSourced(t, gently)
		s.looks("A:1 B:2")
		s.shelf.err = c.err
		s.is(name, s.looks(c.content), c.outcome, "A B")
		if problem := s.source().State.Problem; (problem != "") != (c.outcome == "failed" || c.outcome == "refused") {
			t.Errorf("%s: the problem is %q", name, problem)
		}
	}
	wrong := newSourced(t, func(s *transfer.SetupImportSource) { s.Format = "ac3" })
	wrong.is("a file of another format", wrong.looks("A:1"), "failed", "")
	wrong.is("and again", wrong.looks("A:1"), "unchanged", "")
	if p := wrong.source().State.Problem; p != "the file shows no XML" {
		t.Errorf("the problem is %q", p)
	}
	some := newSourced(t, func(s *transfer.SetupImportSource) { s.Mode = "incremental" })
	some.looks("A:1 B:2")
	some.is("an incremental source", some.looks("C:1"), "done", "A B C")
}

func TestASourceThatDeletesRestoresWhatIsNamedAgain(t *testing.T) {
	s := newSourced(t, func(s *transfer.SetupImportSource) { gently(s); s.Withdrawal = "delete" })
	s.looks("A:1 B:2 C:3")
	s.is("without B", s.looks("A:1 C:3"), "done", "A C")
	s.is("with B again", s.looks("A:1 C:3 B:7"), "done", "A B C")
	if run := s.source().LastRuns[0]; run.Refused != 0 || run.Changed != 1 {
		t.Errorf("%+v", run)
	}
	if _, err := s.Listing.Unchecked().DeleteProduct(t.Context(), s.c, listing.DeleteProduct{ID: int64(s.named("C"))}); err != nil {
		t.Fatal(err)
	}
	s.is("what people deleted", s.looks("A:1 C:4 B:7"), "done", "A B")
}

func TestAListingThatIsGoneByItsFileIsWithdrawn(t *testing.T) {
	for _, mode := range []string{"full", "incremental"} {
		for withdrawal, without := range map[string]string{"off_web": "(B) ", "delete": ""} {
			s := newSourced(t, func(s *transfer.SetupImportSource) { gently(s); s.Mode, s.Withdrawal = mode, withdrawal })
			s.byPeople("P")
			s.looks("A:1 B:2 C:3 P:1")
			named := map[string]string{"full": "A:1 C:3 P:1 "}[mode]
			s.is("one of people and one that is not there", s.looks(named+map[string]string{"full": "B:2 "}[mode]+"P:gone X:gone"), "done", "A B C P")
			if run := s.source().LastRuns[0]; run.Withdrawn != 0 || run.Listings != run.Total || mode == "incremental" && run.Unchanged != 2 {
				t.Errorf("%s: %+v", mode, run)
			}
			s.is("B", s.looks(named+"B:gone"), "done", without+"A C P")
			if run := s.source().LastRuns[0]; run.Withdrawn != 1 || run.Listings != run.Total {
				t.Errorf("%s: %+v", mode, run)
			}
			s.is("B once more", s.looks(named+"B:gone Y:gone"), "done", without+"A C P")
			s.is("B again", s.looks(named+"B:gone B:4"), "done", "A B C P")
			s.is("too many", s.looks("A:gone B:gone"), "refused", "A B C P")
			s.is("and what cannot be read", s.looks(named+"B:gone :2"), "done", without+"A C P")
		}
	}
}

func TestByHandAListingThatIsGoneIsWithdrawnWhereSomebodySaysSo(t *testing.T) {
	for withdrawal, want := range map[string]string{"": "A B refused", "off_web": "(A) B withdrawn", "delete": "B withdrawn"} {
		for _, together := range []bool{true, false} {
			s := newSourced(t, gently)
			s.byPeople("A")
			s.byPeople("B")
			for _, dryRun := range []bool{true, false} {
				into := s.Transfer.Import(transfer.Portfolio{Site: 1, Agency: 11}, dryRun)
				into.Withdrawal = withdrawal
				done, err := transfer.Imported{}, error(nil)
				if gone := (transfer.Listing{Source: "line 1", Reference: "A", Gone: true}); !together {
					done, err = into.Listing(t.Context(), gone)
				} else {
					for one, failed := range into.All(t.Context(), func(yield func(transfer.Listing, error) bool) { yield(gone, nil) }) {
						done, err = one.Imported, failed
					}
				}
				if wanted := "A B" + want[strings.LastIndex(want, " "):]; err != nil || s.onTheWeb()+" "+string(done.Action) != map[bool]string{true: wanted, false: want}[dryRun] {
					t.Errorf("%q, dry run %t: %s %+v %v", withdrawal, dryRun, s.onTheWeb(), done, err)
				}
			}
		}
	}
}

func TestASourceAdoptsWhatWasThereOnlyWhenItIsToldTo(t *testing.T) {
	for adopt, want := range map[bool]string{false: "A B", true: "(B) A"} {
		s := newSourced(t, func(s *transfer.SetupImportSource) { gently(s); s.Adopt = adopt })
		s.byPeople("A")
		s.byPeople("B")
		s.looks("A:1 B:1")
		s.is(fmt.Sprint("adopting is ", adopt), s.looks("A:1"), "done", want)
	}
}

func TestWhatPeopleTookOffTheWebStaysOff(t *testing.T) {
	s := newSourced(t, gently)
	s.looks("A:1 B:2 C:3")
	id := int64(s.named("B"))
	off := listing.UpdateProduct{ID: id, ProductID: opt.Of(id), Change: product.Change{WebStatus: opt.Of(false)}}
	if _, err := s.Listing.Unchecked().UpdateProduct(t.Context(), s.c, off); err != nil {
		t.Fatal(err)
	}
	s.is("named still", s.looks("A:1 B:3 C:3"), "done", "(B) A C")
	s.is("named no more", s.looks("A:1 C:3"), "done", "(B) A C")
	s.is("named again", s.looks("A:1 C:3 B:4"), "done", "(B) A C")
}

// A process that was killed leaves a lease behind, which ends after a while.
func TestARunThatFellSilentIsBegunAnewByAnotherProcess(t *testing.T) {
	both := newShared()
	s := both.sourced(t, gently)
	s.looks("A:1 B:2 C:3")
	s.shelf.content, s.shelf.reached = "A:1 B:2", make(chan string)
	s.clock.Advance(operator.DefaultEvery)
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	tick, lost := make(chan time.Time), make(chan struct{})
	go func() {
		defer close(lost)
		s.Sources.Run(ctx, s.shelf, lease.Options{
			Tick: tick, Ended: func(o string) { t.Errorf("the first one ended: %s", o) }, Trouble: func(err error) { t.Errorf("trouble: %v", err) },
		})
	}()
	<-s.shelf.reached
	other := sourced{both.process(t, files{}), &shelf{content: "A:1 C:4 D:1"}}
	if due := other.claimable(); due != 0 {
		t.Errorf("%d sources are due while one process has the lease", due)
	}
	s.clock.Advance(2 * operator.ImportSilence)
	other.is("another process", other.ends(), "done", "(B) A C D")
	for range 2 { // the first one is told, and has been
		tick <- s.clock.Now()
	}
	kill()
	<-lost
	if got := other.onTheWeb(); got != "(B) A C D" {
		t.Errorf("the first one left %s", got)
	}
	runs := other.source().LastRuns
	if len(runs) != 3 || runs[0].State != operator.ImportDone || runs[1].State != operator.ImportInterrupted || runs[0].Withdrawn != 1 {
		t.Errorf("%+v", runs)
	}
}

func TestAPausedSourceIsNotLookedAt(t *testing.T) {
	s := newSourced(t, gently)
	if _, err := s.Sources.Pause(t.Context(), s.c, transfer.PauseImportSource{ID: 1, Paused: true}); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(operator.DefaultEvery)
	if n := s.claimable(); n != 0 {
		t.Error("it is due")
	}
	if _, err := s.Sources.RunNow(t.Context(), s.c, transfer.RunImportSource{ID: 1}); err == nil {
		t.Error("it runs now")
	}
	if _, err := s.Sources.Pause(t.Context(), s.c, transfer.PauseImportSource{ID: 1}); err != nil {
		t.Fatal(err)
	}
	s.is("no longer", s.looks("A:1"), "done", "A")
}

// claimable is how many sources are due.
func (s sourced) claimable() (n int) {
	err := s.Kernel().Store.View(s.t.Context(), func(tx port.Tx) error {
		due, err := tx.ImportSources().Due(s.clock.Now(), 9)
		n = len(due)
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
	return n
}

// named returns the product with a reference.
func (s sourced) named(reference string) (id product.ID) {
	s.t.Helper()
	err := s.Kernel().Store.View(s.t.Context(), func(tx port.Tx) (err error) {
		id, err = tx.Products().Holder(1, 11, reference)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// byPeople imports a listing from no source.
func (s sourced) byPeople(reference string) {
	s.t.Helper()
	done, err := s.Transfer.Import(transfer.Portfolio{Site: 1, Agency: 11}, false).Listing(s.t.Context(), transfer.Listing{Reference: reference})
	if err != nil || done.Action != transfer.ImportCreated {
		s.t.Fatal(done, err)
	}
}
