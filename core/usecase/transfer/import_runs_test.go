package transfer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// files reads a listing a line: its reference and its price, or that it is gone. A line that begins with
// "?" is damage, and one with "!" ends the file.
type files struct {
	// reached is told of each line that is read, which waits for it.
	reached chan string
}

func (f files) Open(_ context.Context, content io.Reader, format string) (transfer.ImportFile, error) {
	all, err := io.ReadAll(content)
	if format == "ac3" {
		err = errors.New("the file shows no XML")
	}
	return file{f, strings.Fields(string(all))}, err
}

type file struct {
	files
	lines []string
}

func (f file) Count(context.Context) (int, error) { return len(f.lines), nil }

func (f file) Close() error { return nil }

func (f file) Listings(ctx context.Context) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		for n, line := range f.lines {
			if f.reached != nil {
				select {
				case f.reached <- line:
				case <-ctx.Done():
					yield(transfer.Listing{}, ctx.Err())
					return
				}
			}
			l, err := listingOf(n, line)
			if !yield(l, err) {
				return
			}
		}
	}
}

func listingOf(n int, line string) (transfer.Listing, error) {
	source := fmt.Sprint("line ", n+1)
	switch line[0] {
	case '?':
		return transfer.Listing{}, transfer.Damage{Source: source, Why: "no listing"}
	case '!':
		return transfer.Listing{}, errors.New("the file ends here")
	}
	reference, price, _ := strings.Cut(line, ":")
	if price == "cut" {
		return transfer.Listing{Source: source, Reference: reference, Refused: "a quote is not closed"}, nil
	}
	return transfer.Listing{Source: source, Reference: reference, Gone: price == "gone", Criteria: []transfer.ListingCriterion{
		{Source: "price", Key: "Prix", Value: criteria.Raw{V: price}},
	}}, nil
}

// process is one that carries out imports, over a store that others may have.
type process struct {
	*siteapi.Service
	t     *testing.T
	clock *apitest.Clock
	blobs port.Blobs
	c     kernel.Caller
	tick  chan time.Time
	end   func()
}

type shared struct {
	store *memstore.Store
	blobs *memstore.Blobs
	clock *apitest.Clock
}

func newShared() shared {
	clock := apitest.NewClock()
	return shared{memstore.New(), memstore.NewBlobs(clock.Now), clock}
}

func (s shared) process(t *testing.T, f transfer.ImportFiles) *process {
	t.Helper()
	ports := apitest.Ports(s.store, s.clock)
	ports.Blobs = s.blobs
	service, err := siteapi.New(ports, kernel.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Transfer.Provision(t.Context(), apitest.Network()); err != nil {
		t.Fatal(err)
	}
	p := &process{Service: service, t: t, clock: s.clock, blobs: s.blobs, tick: make(chan time.Time)}
	if p.c, err = service.Kernel().System(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		service.Imports.Run(ctx, f, transfer.ImportOptions{Tick: p.tick, Trouble: func(err error) { t.Errorf("trouble: %v", err) }})
	}()
	p.end = func() {
		cancel()
		<-over
	}
	t.Cleanup(p.end)
	return p
}

func (p *process) start(content string) (int64, error) {
	made, err := p.Imports.Start(p.t.Context(), p.c, transfer.StartImport{By: 7, Agency: opt.Of[int64](11), Name: `C:\export\annonces.csv`, File: strings.NewReader(content)})
	return made.ID, err
}

func (p *process) started(content string) int64 {
	p.t.Helper()
	id, err := p.start(content)
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

func (p *process) run(id int64) transfer.ImportRunRecord {
	p.t.Helper()
	run, err := p.Imports.Get(p.t.Context(), p.c, transfer.ImportRunPath{ID: id})
	if err != nil {
		p.t.Fatal(err)
	}
	return run
}

// over waits until a run is over.
func (p *process) over(id int64) transfer.ImportRunRecord {
	p.t.Helper()
	for range 5000 {
		if run := p.run(id); run.State != operator.ImportRunning {
			return run
		}
		time.Sleep(time.Millisecond)
	}
	p.t.Fatalf("import %d goes on and on", id)
	return transfer.ImportRunRecord{}
}

func (p *process) report(id int64, actions ...string) (lines []string) {
	p.t.Helper()
	page, err := p.Imports.Report(p.t.Context(), p.c, transfer.ReadImportReport{ID: id, Actions: actions})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, l := range page.Data {
		lines = append(lines, strings.TrimSpace(fmt.Sprint(l.Number, " ", l.Action, " ", l.Source, " ", l.Reference, " ", l.Why)))
	}
	return lines
}

func (p *process) parts() (n int) {
	for range p.blobs.All(p.t.Context()) {
		n++
	}
	return n
}

func (p *process) seq() int64 {
	c, err := p.Kernel().System(p.t.Context(), 1)
	if err != nil {
		p.t.Fatal(err)
	}
	return c.Site.Head.Seq
}

const importPortfolio = "A:1000 B:2000 ? :3000 A:4000"

func TestADryRunComesFirstAndSaysWhatTheRealOneDoes(t *testing.T) {
	p := newShared().process(t, files{})
	before := p.seq()
	dry := p.over(p.started(importPortfolio))
	want := operator.ImportTally{Total: 5, Listings: 4, Created: 2, Refused: 2, Damaged: 1}
	if dry.State != operator.ImportDone || !dry.DryRun || dry.ImportTally != want || dry.Name != "annonces.csv" || dry.By != 7 || dry.Size != int64(len(importPortfolio)) || !dry.CanCarryOut {
		t.Errorf("%+v", dry)
	}
	if p.seq() != before {
		t.Error("a dry run wrote something")
	}
	lines := []string{
		"1 created line 1 A", "2 created line 2 B", "3 damaged line 3  no listing",
		"4 refused line 4  model: the listing has no reference to know it by", "5 refused line 5 A model: the file has this reference more than once",
	}
	if got := p.report(int64(dry.ID)); !slices.Equal(got, lines) {
		t.Errorf("%q", got)
	}
	made, err := p.Imports.CarryOut(t.Context(), p.c, transfer.ImportRunPath{ID: int64(dry.ID), By: 8})
	if err != nil {
		t.Fatal(err)
	}
	real := p.over(made.ID)
	if real.State != operator.ImportDone || real.DryRun || real.ImportTally != want || real.By != 8 || real.Of != dry.ID || real.HasFile || p.run(int64(dry.ID)).HasFile {
		t.Errorf("%+v", real)
	}
	if got := p.report(made.ID, "refused"); !slices.Equal(got, lines[3:]) {
		t.Errorf("%q", got)
	}
	if p.seq() != before+2 {
		t.Errorf("%d events instead of 2", p.seq()-before)
	}
	for range 1000 { // the file goes right after the end is stored
		if p.parts() == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if p.parts() != 0 {
		t.Error("the file is still kept after the real run")
	}
	for _, id := range []int64{int64(dry.ID), made.ID} {
		_, err = p.Imports.CarryOut(t.Context(), p.c, transfer.ImportRunPath{ID: id})
		apitest.Refused(t, err, fault.Conflict, fault.CodeInvalidTransition)
	}
}

func TestARunShowsItsProgressAndStops(t *testing.T) {
	reached := make(chan string)
	s := newShared()
	p, other := s.process(t, files{reached}), s.process(t, files{})
	id := p.started("A:1 B:2 C:3")
	<-reached
	<-reached // so the first listing is stored
	if run := other.run(id); run.State != operator.ImportRunning || run.Listings != 1 || run.Total != 3 || run.CanCarryOut {
		t.Errorf("another process shows %+v", run)
	}
	_, err := other.start("D:4")
	apitest.Refused(t, err, fault.Conflict, fault.CodeConflict)
	if _, err := other.Imports.Stop(t.Context(), other.c, transfer.ImportRunPath{ID: id}); err != nil {
		t.Fatal(err)
	}
	p.tick <- time.Time{}
	run := p.over(id)
	if run.State != operator.ImportStopped || run.Listings == 0 || run.CanCarryOut || !run.HasFile {
		t.Errorf("%+v", run)
	}
	_, err = p.Imports.Stop(t.Context(), p.c, transfer.ImportRunPath{ID: id})
	apitest.Refused(t, err, fault.Conflict, fault.CodeInvalidTransition)
}

func TestARunWhoseProcessEndsIsInterruptedAndCanGoOn(t *testing.T) {
	reached := make(chan string)
	s := newShared()
	p, other := s.process(t, files{reached}), s.process(t, files{})
	dry := other.started("A:1 B:2 C:3")
	other.over(dry)
	made, err := p.Imports.CarryOut(t.Context(), p.c, transfer.ImportRunPath{ID: dry})
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	<-reached
	p.end()
	if run := other.run(made.ID); run.State != operator.ImportInterrupted || run.Created == 0 || run.Created == 3 || !run.CanCarryOut {
		t.Errorf("%+v", run)
	}
	again, err := other.Imports.CarryOut(t.Context(), other.c, transfer.ImportRunPath{ID: made.ID})
	if err != nil {
		t.Fatal(err)
	}
	if run := other.over(again.ID); run.State != operator.ImportDone || run.Unchanged == 0 || run.Created == 0 || run.Listings != 3 {
		t.Errorf("%+v", run)
	}
}

// A process that is gone says nothing: its run is interrupted when it was silent for
// long, and one that gives signs of life is not.
// seen waits until a sign of life of a run is stored.
func (s shared) seen(t *testing.T, id int64, at time.Time) {
	t.Helper()
	for range 5000 {
		var run operator.ImportRun
		err := s.store.View(t.Context(), func(tx port.Tx) (err error) {
			run, err = tx.Imports().Get(1, operator.ImportRunID(id))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if run.Seen.Equal(at) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("import %d gives no sign of life", id)
}

func TestASilentRunIsInterrupted(t *testing.T) {
	reached := make(chan string)
	s := newShared()
	p := s.process(t, files{reached})
	id := p.started("A:1 B:2")
	<-reached
	s.clock.Advance(operator.ImportSilence - time.Second)
	p.tick <- time.Time{}
	s.seen(t, id, s.clock.Now())
	s.clock.Advance(operator.ImportSilence - time.Second)
	if run := p.run(id); run.State != operator.ImportRunning {
		t.Errorf("with signs of life it is %s", run.State)
	}
	s.clock.Advance(2 * time.Second)
	if run := p.run(id); run.State != operator.ImportInterrupted {
		t.Errorf("after the last sign of life it is %s", run.State)
	}
}

func TestAFileThatCannotBeReadFailsInWords(t *testing.T) {
	p := newShared().process(t, files{})
	made, err := p.Imports.Start(t.Context(), p.c, transfer.StartImport{Agency: opt.Of[int64](11), Format: "ac3", File: strings.NewReader("A:1")})
	if err != nil {
		t.Fatal(err)
	}
	if run := p.over(made.ID); run.State != operator.ImportFailed || run.Problem != "the file shows no XML" {
		t.Errorf("%+v", run)
	}
	if run := p.over(p.started("A:1 !")); run.State != operator.ImportFailed || run.Problem != "the file ends here" || run.Created != 1 || run.CanCarryOut {
		t.Errorf("%+v", run)
	}
}

func TestWhatIsWrongWithAStartIsNamedAndLeavesNothing(t *testing.T) {
	p := newShared().process(t, files{})
	start := func(change func(*transfer.StartImport)) error {
		in := transfer.StartImport{Agency: opt.Of[int64](11), File: strings.NewReader("A:1")}
		change(&in)
		_, err := p.Imports.Start(t.Context(), p.c, in)
		return err
	}
	apitest.RefusedField(t, start(func(in *transfer.StartImport) { in.Agency = opt.Field[int64]{} }), fault.CodeRequired, "agency_id")
	apitest.RefusedField(t, start(func(in *transfer.StartImport) { in.Format = "word" }), fault.CodeInvalidFormat, "format")
	apitest.RefusedField(t, start(func(in *transfer.StartImport) { in.File = nil }), fault.CodeRequired, "file")
	apitest.RefusedField(t, start(func(in *transfer.StartImport) { in.File = strings.NewReader("") }), fault.CodeRequired, "file")
	apitest.RefusedField(t, start(func(in *transfer.StartImport) { in.File = io.LimitReader(zeros{}, transfer.MaxImportFile+1) }), fault.CodeFileTooLarge, "file")
	apitest.RefusedField(t, start(func(in *transfer.StartImport) {
		in.File = io.MultiReader(bytes.NewReader(make([]byte, 5<<20)), broken{})
	}), fault.CodeInvalidFormat, "file")
	apitest.Refused(t, start(func(in *transfer.StartImport) { in.Agency = opt.Of[int64](13) }), fault.Forbidden, fault.CodeAgencyOutOfScope)
	if page, err := p.Imports.List(t.Context(), p.c, transfer.ListImportRuns{}); err != nil || len(page.Data) != 0 || p.parts() != 0 {
		t.Errorf("%d runs and %d parts are left, %v", len(page.Data), p.parts(), err)
	}
	if run := p.over(p.started("A:1")); run.State != operator.ImportDone {
		t.Errorf("afterwards a run is %s", run.State)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("hung up") }

func TestAProcessCarriesOutOnlySoManyImports(t *testing.T) {
	reached := make(chan string)
	p := newShared().process(t, files{reached})
	p.started("A:1")
	if _, err := p.Imports.Start(t.Context(), p.c, transfer.StartImport{Agency: opt.Of[int64](12), File: strings.NewReader("B:1")}); err != nil {
		t.Fatal(err)
	}
	_, err := p.start("C:1")
	apitest.Refused(t, err, fault.Limited, fault.CodeRateLimited)
}

// Large files are kept in parts, and read as they were.
func TestAFileOfManyPartsIsReadWhole(t *testing.T) {
	p := newShared().process(t, files{})
	content := strings.Repeat(" ", 9<<20) + "A:1" + strings.Repeat(" ", 3<<20)
	id := p.started(content)
	if run := p.over(id); run.State != operator.ImportDone || run.Created != 1 || run.Size != int64(len(content)) || p.parts() != 4 {
		t.Errorf("%+v in %d parts", run, p.parts())
	}
}

func TestFilesGoWhenNobodyHasUseForThem(t *testing.T) {
	s := newShared()
	p := s.process(t, files{})
	id := p.started("A:1")
	p.over(id)
	if err := s.blobs.Put(t.Context(), "imports/1/99/0000", []byte("left by a crash")); err != nil {
		t.Fatal(err)
	}
	if err := s.blobs.Put(t.Context(), "1/2/3-x", []byte("something else")); err != nil {
		t.Fatal(err)
	}
	sweeps := func(want int) {
		t.Helper()
		if n, err := p.Imports.SweepFiles(t.Context(), time.Hour); err != nil || n != want {
			t.Errorf("%d parts were removed, %v, want %d", n, err, want)
		}
	}
	sweeps(0)
	s.clock.Advance(2 * time.Hour)
	sweeps(1)
	if !p.run(id).CanCarryOut {
		t.Error("the file of the dry run is not kept any more")
	}
	s.clock.Advance(operator.ImportFileKeptFor)
	sweeps(1)
	if p.run(id).CanCarryOut || p.parts() != 1 {
		t.Error("the file of the dry run is still kept")
	}
}

func TestRunsAreOfASiteAndAreListedPageByPage(t *testing.T) {
	p := newShared().process(t, files{})
	for range 52 {
		p.over(p.started("A:1"))
	}
	first, err := p.Imports.List(t.Context(), p.c, transfer.ListImportRuns{})
	if err != nil || len(first.Data) != 50 || first.NextCursor == nil || first.Data[0].ID != 52 {
		t.Fatalf("%d runs, %v", len(first.Data), err)
	}
	second, err := p.Imports.List(t.Context(), p.c, transfer.ListImportRuns{Before: opt.Of(*first.NextCursor)})
	if err != nil || len(second.Data) != 2 || second.NextCursor != nil || second.Data[1].ID != 1 {
		t.Errorf("%+v, %v", second, err)
	}
	rival, err := p.Kernel().System(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Imports.Get(t.Context(), rival, transfer.ImportRunPath{ID: 1})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = p.Imports.Report(t.Context(), p.c, transfer.ReadImportReport{ID: 1, Actions: []string{"lost"}})
	apitest.RefusedField(t, err, fault.CodeInvalidFormat, "actions[0]")
}
