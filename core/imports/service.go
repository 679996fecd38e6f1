package imports

import (
	"context"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/importrun"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

// MaxAtOnce is how many imports a process carries out at the same time.
const MaxAtOnce = 2

// Service starts imports, tells about them, and carries them out. It checks no pack,
// permission or right: whoever calls it has made sure that the caller may.
//
// A run of another site, or none at all, is NotFound; one into an agency outside the
// scope is Forbidden.
type Service struct {
	// Start begins a dry run of a file. It is Limited when this process carries out as
	// many as it may, and a Conflict when an import into the agency is under way.
	Start api.UseCase[Start, api.Created]
	// CarryOut begins the real run of what a dry run went through to the end, or goes on
	// with a real run that ended before its time. It fails as Start does, and is a
	// Conflict when the file is not kept any more.
	CarryOut api.UseCase[RunPath, api.Created]
	// Stop ends a run soon, wherever it is carried out. It is a Conflict when it is over.
	Stop api.UseCase[RunPath, api.None]
	// List lists runs, latest first; Get reads one; Report reads what became of each
	// listing.
	List   api.UseCase[ListRuns, RunPage]
	Get    api.UseCase[RunPath, RunRecord]
	Report api.UseCase[ReadReport, ReportPage]

	k        *api.Kernel
	transfer *transfer.Service
	// places are taken by runs that are queued or carried out; jobs are those queued.
	places chan struct{}
	jobs   chan *job

	mu       sync.Mutex
	underWay map[runKey]*job
}

type runKey struct {
	site site.ID
	run  importrun.ID
}

// New makes the engine on a kernel.
func New(k *api.Kernel, t *transfer.Service) *Service {
	s := &Service{
		k: k, transfer: t, places: make(chan struct{}, MaxAtOnce), jobs: make(chan *job, MaxAtOnce), underWay: map[runKey]*job{},
	}
	s.Start, s.CarryOut, s.Stop = s.start, s.carryOut, s.stop
	s.List, s.Get, s.Report = api.Reads(k, newUnit, unit.list), api.Reads(k, newUnit, unit.get), api.Reads(k, newUnit, unit.report)
	return s
}

// Files opens files of listings.
type Files interface {
	// Open opens what is read from content, in one of importrun.Formats; an empty format
	// is found out. What is wrong with the file is said in words for whoever sent it.
	Open(ctx context.Context, content io.Reader, format string) (File, error)
}

// File is a file of listings that is open.
type File interface {
	// Count is how many listings it has.
	Count(context.Context) (int, error)
	// Listings goes through the file. An error that is a transfer.Damage is about a place
	// beside the listings; any other one ends the file.
	Listings(context.Context) iter.Seq2[transfer.Listing, error]
	Close() error
}

// Options say how imports are carried out.
type Options struct {
	// Tick makes the engine give signs of life, well within importrun.Silence.
	Tick <-chan time.Time
	// Trouble is told of what fails for reasons that no file is to blame for.
	Trouble func(error)
}

// Run carries out what this process is asked for until ctx ends; what is under way
// then is interrupted.
func (s *Service) Run(ctx context.Context, files Files, o Options) {
	var workers sync.WaitGroup
	defer workers.Wait()
	for range MaxAtOnce {
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

func (s *Service) work(ctx context.Context, files Files, o Options) {
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
func (s *Service) enter() bool {
	select {
	case s.places <- struct{}{}:
		return true
	default:
		return false
	}
}

// queue has a run carried out for which a place was taken.
func (s *Service) queue(j *job) {
	s.mu.Lock()
	s.underWay[runKey{j.run.Site, j.run.ID}] = j
	s.mu.Unlock()
	s.jobs <- j
}

func (s *Service) leave(j *job) {
	s.mu.Lock()
	delete(s.underWay, runKey{j.run.Site, j.run.ID})
	s.mu.Unlock()
	<-s.places
}

func (s *Service) present() (all []*job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.underWay {
		all = append(all, j)
	}
	return all
}
