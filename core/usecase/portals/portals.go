// Package portals hands the listings of sites over to publication targets: portals that read files.
package portals

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// AtOnce is how many targets a process hands files over to at the same time.
const AtOnce = 2

// Service hands files over to targets when they are due and something has changed. It checks no pack,
// permission or right: its caller has made sure that the caller may. A target of another site, or none at
// all, is NotFound.
type Service struct {
	// List lists the targets of a site; Get reads one with its last runs.
	List kernel.UseCase[kernel.Nothing, []operator.PublicationTarget]
	Get  kernel.UseCase[TargetPath, TargetRecord]
	// SendNow makes a target due, and its next run send the file though nothing changed.
	SendNow kernel.UseCase[TargetPath, kernel.None]
	// Pause keeps a target from getting anything, or ends that.
	Pause kernel.UseCase[PauseTarget, kernel.None]
	// Save stores the settings of a target by the rules of transfer.Service.Provision, and makes one where the
	// id is 0. It fails as Invalid with what is wrong with them.
	Save kernel.UseCase[transfer.SetupPublicationTarget, kernel.Created]
	// Delete removes a target; the portal keeps what it has.
	Delete kernel.UseCase[TargetPath, kernel.None]
	// Reject notes that a portal did not take a product, until the product changes.
	Reject kernel.UseCase[RejectListing, kernel.None]

	k        *kernel.Kernel
	transfer *transfer.Service
}

// TargetPath names a target, and which of its runs is to be told in full; 0 is the last.
type TargetPath struct{ ID, Run int64 }

// TargetRecord is a target with its last runs, latest first, of which one has its lines.
type TargetRecord struct {
	operator.PublicationTarget
	Runs []operator.TargetRun
}

// PauseTarget asks that a target gets nothing, or does again.
type PauseTarget struct {
	ID     int64
	Paused bool
}

// RejectListing asks to note why a portal did not take a product; an empty reason ends that.
type RejectListing struct {
	ID, Product int64
	Reason      string
}

// New makes the area on a kernel.
func New(k *kernel.Kernel, t *transfer.Service) *Service {
	s := &Service{k: k, transfer: t}
	s.List, s.Get = kernel.Reads(k, newUnit, unit.list), kernel.Reads(k, newUnit, unit.get)
	s.SendNow, s.Pause, s.Reject = kernel.Writes(k, newUnit, unit.sendNow), kernel.Writes(k, newUnit, unit.pause), kernel.Writes(k, newUnit, unit.reject)
	s.Save, s.Delete = kernel.Writes(k, newUnit, unit.save), kernel.Writes(k, newUnit, unit.remove)
	return s
}

// Outbox makes files for targets.
type Outbox interface {
	// Begin begins a file for a target, of all its listings or of a part of them. What is wrong is said in
	// words for operators, without secrets.
	Begin(target operator.PublicationTarget, partial bool) (File, error)
}

// File is a file for a target that is being made.
type File interface {
	// Add adds a listing, or says that one is Gone.
	Add(context.Context, transfer.Exported) error
	// HandOver ends the file and brings it where the target wants it, all of it or nothing. It returns what
	// it is called, and its size in bytes.
	HandOver(context.Context) (name string, size int64, err error)
	// Close removes what was kept to make the file.
	Close() error
}

// Unchanged is the outcome of a look that found nothing to send.
const Unchanged = "unchanged"

// Outcomes lists the outcomes of looks.
func Outcomes() []string {
	return []string{Unchanged, string(operator.TargetSent), string(operator.TargetFailed)}
}

// Run looks at the targets that are due until ctx ends. A look ends with one of Outcomes.
func (s *Service) Run(ctx context.Context, out Outbox, o lease.Options) {
	lease.Engine[operator.PublicationTarget, *job]{
		AtOnce: AtOnce, Trouble: o.Trouble,
		Due: func(ctx context.Context, n int) (due []operator.PublicationTarget, err error) {
			now := s.k.Moment()
			err = s.k.Store.View(ctx, func(tx port.Tx) error {
				due, err = tx.PublicationTargets().Due(now, n)
				return err
			})
			return due, err
		},
		Take: func(ctx context.Context, found operator.PublicationTarget) (*job, bool, error) {
			j := &job{service: s, out: out, options: o}
			c, err := s.k.System(ctx, found.Site)
			if err != nil || !c.IsOpen() {
				return j, false, err
			}
			j.seq, j.settings = c.Site.Head.Seq, c.Site.Head.Settings
			j.target, err = kernel.Writes(s.k, newUnit, unit.take)(ctx, c, found.ID)
			if err != nil || j.target.State.Run == 0 {
				return j, false, err
			}
			j.running, j.lost = context.WithCancel(ctx)
			return j, true, nil
		},
	}.Run(ctx, o.Tick)
}

// FreeLeases makes the targets due whose runs no process carries out. It is for whoever knows that no other
// process works.
func (s *Service) FreeLeases(ctx context.Context) error {
	_, err := kernel.Write(ctx, s.k, kernel.Caller{}, func(u kernel.Unit) (kernel.None, error) {
		all, err := u.PublicationTargets().All()
		for _, t := range all {
			if t.State.Run == 0 || err != nil {
				continue
			}
			t.State.Due = s.k.Moment()
			err = u.PublicationTargets().Put(t)
		}
		return kernel.None{}, err
	})
	return err
}

// All lists the targets of all sites, by site and id.
func (s *Service) All(ctx context.Context) (all []operator.PublicationTarget, err error) {
	err = s.k.Store.View(ctx, func(tx port.Tx) error {
		all, err = tx.PublicationTargets().All()
		return err
	})
	return all, err
}
