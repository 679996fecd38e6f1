package transfer

import (
	"context"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// MaxImportsAtOnce is how many imports a process carries out at the same time.
const MaxImportsAtOnce = 2

// Imports starts, lists and carries out imports. It checks no pack,
// permission or right: its caller has made sure that the caller may.
//
// A run of another site, or none at all, is NotFound; one into an agency outside the
// scope is Forbidden.
type Imports struct {
	// Start begins a dry run of a file. It is Limited when this process carries out as
	// many as it may, and a Conflict when an import into the agency is under way.
	Start kernel.UseCase[StartImport, kernel.Created]
	// CarryOut begins the real run of what a dry run went through to the end, or goes on
	// with a real run that ended before its time. It fails as Start does, and is a
	// Conflict when the file is not kept any more.
	CarryOut kernel.UseCase[ImportRunPath, kernel.Created]
	// Undo begins the dry run of an undo of a real run of a file that an operator sent. Carrying it out takes
	// the products that the run created off the web, and gives those that it changed the values from before.
	// What was changed since, or is named by a later import, stays. It fails as Start does, and is a Conflict
	// when the run cannot be undone.
	Undo kernel.UseCase[ImportRunPath, kernel.Created]
	// Stop ends a run soon, wherever it is carried out. It is a Conflict when it is over.
	Stop kernel.UseCase[ImportRunPath, kernel.None]
	// List lists runs, latest first; Get reads one; Report reads what became of each
	// listing.
	List   kernel.UseCase[ListImportRuns, ImportRunPage]
	Get    kernel.UseCase[ImportRunPath, ImportRunRecord]
	Report kernel.UseCase[ReadImportReport, ImportReportPage]

	k        *kernel.Kernel
	transfer *Service
	// places are taken by runs that are queued or carried out; jobs are those queued.
	places chan struct{}
	jobs   chan *job

	mu       sync.Mutex
	underWay map[runKey]*job
}

type runKey struct {
	site site.ID
	run  operator.ImportRunID
}

// NewImports makes the engine on a kernel.
func NewImports(k *kernel.Kernel, t *Service) *Imports {
	s := &Imports{
		k: k, transfer: t, places: make(chan struct{}, MaxImportsAtOnce), jobs: make(chan *job, MaxImportsAtOnce), underWay: map[runKey]*job{},
	}
	s.Start, s.CarryOut, s.Undo, s.Stop = s.start, s.after(importUnit.carryOut), s.after(importUnit.undo), s.stop
	s.List, s.Get, s.Report = kernel.Reads(k, newImportUnit, importUnit.list), kernel.Reads(k, newImportUnit, importUnit.get), kernel.Reads(k, newImportUnit, importUnit.report)
	return s
}

// ImportFiles opens files of listings.
type ImportFiles interface {
	// Open opens what is read from content, in one of operator.ImportFormats; an empty format
	// is found out. What is wrong with the file is said in words for its sender.
	Open(ctx context.Context, content io.Reader, format string) (ImportFile, error)
}

// ImportFile is a file of listings that is open.
type ImportFile interface {
	// Count is how many listings it has.
	Count(context.Context) (int, error)
	// Listings goes through the file. An error that is a transfer.Damage is about a place
	// beside the listings; any other one ends the file.
	Listings(context.Context) iter.Seq2[Listing, error]
	Close() error
}

// AgencyFile is an ImportFile that says of which agencies its listings are.
type AgencyFile interface {
	// Agencies returns what the file calls them, and of how many listings each is, once they were
	// counted.
	Agencies() map[string]int
}

// PartFile is an ImportFile that may say that it has only listings that were added, changed or are gone.
type PartFile interface {
	IsPart() (bool, error)
}

// ImportOptions say how imports are carried out.
type ImportOptions struct {
	// Tick makes the engine give signs of life, well within operator.ImportSilence.
	Tick <-chan time.Time
	// Trouble is called with errors that are not about a file.
	Trouble func(error)
}

// Run carries out what this process is asked for until ctx ends; what is under way
// then is interrupted.
func (s *Imports) Run(ctx context.Context, files ImportFiles, o ImportOptions) {
	var workers sync.WaitGroup
	defer workers.Wait()
	for range MaxImportsAtOnce {
		workers.Go(func() { s.work(ctx, files, o) })
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.Tick:
			for _, j := range s.present() {
				j.giveSign(ctx, o.Trouble)
			}
		}
	}
}

func (s *Imports) work(ctx context.Context, files ImportFiles, o ImportOptions) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-s.jobs:
			j.carryOut(ctx, files, o.Trouble)
			s.leave(j)
		}
	}
}

// enter takes a place, or reports that none is free.
func (s *Imports) enter() bool {
	select {
	case s.places <- struct{}{}:
		return true
	default:
		return false
	}
}

// queue has a run carried out for which a place was taken.
func (s *Imports) queue(j *job) {
	s.mu.Lock()
	s.underWay[runKey{j.run.Site, j.run.ID}] = j
	s.mu.Unlock()
	s.jobs <- j
}

func (s *Imports) leave(j *job) {
	s.mu.Lock()
	delete(s.underWay, runKey{j.run.Site, j.run.ID})
	s.mu.Unlock()
	<-s.places
}

func (s *Imports) present() (all []*job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.underWay {
		all = append(all, j)
	}
	return all
}
