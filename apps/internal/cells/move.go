// Package cells moves sites from one database to another one while servers run over
// both. A site is open in one of them at most, and nothing that was written is lost.
//
// The states of a site, at its source and at its target, say how far its move has come,
// so that a move that was interrupted goes on, or is undone:
//
//	source    target
//	open      –          nothing has begun; pictures are copied ahead
//	resting   –          deliveries and background work end; requests are still answered
//	moving    –          reads are answered, writes are to be repeated; all rows are copied
//	moving    arriving   the copy is complete, and not open
//	moved     arriving   the source refers clients to the target
//	moved     open       the site is open at the target
package cells

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// End is one end of a move.
type End struct {
	Store *sqlstore.Store
	// Blobs has the content of its pictures; nil where that is not known.
	Blobs port.Blobs
}

// Mover moves sites from one end to the other.
type Mover struct {
	From, To End
	// Installation is whether records of no single site are copied too, such as operators and
	// the audit.
	Installation bool
	// Domain is the scheme and host of servers over the target, which clients of the
	// source are sent to; empty where both have the same, before a proxy.
	Domain string
	// Redirect is how long the source refers clients to the target, minRedirect at least.
	Redirect time.Duration
	Now      func() time.Time
	Rand     io.Reader
	// Log prints what was done.
	Log func(format string, args ...any)
}

// New returns a mover between two databases without the content of pictures.
func New(from, to *sqlstore.Store) Mover {
	return Mover{From: End{Store: from}, To: End{Store: to}, Now: time.Now, Rand: rand.Reader, Log: func(string, ...any) {}}
}

// minRedirect is how long a site that has moved away stays known at its source at least:
// until the requests that it admitted before are over.
const minRedirect = time.Hour

// phase is a part of a move, which all sites go through before the next one begins.
type phase func(Mover, context.Context, *move) error

// The phases before and after the rows are copied, in order.
var (
	leaving  = []phase{Mover.copyPictures, Mover.rest, Mover.freeze, Mover.copyPictures}
	arriving = []phase{Mover.close, Mover.open}
)

// Move moves sites together, or goes on with moves of them that were interrupted. Of several
// sites, those that have moved already are left out.
func (m Mover) Move(ctx context.Context, ids ...site.ID) error {
	moves, err := m.begin(ctx, ids)
	if err != nil {
		return err
	}
	// What cannot be copied is found before the sites refuse writes.
	if err := m.copyInstallation(ctx); err != nil {
		return err
	}
	if err := m.each(ctx, moves, leaving...); err != nil {
		return err
	}
	// Operators may have changed something while pictures were copied.
	if err := m.copyInstallation(ctx); err != nil {
		return err
	}
	if err := m.each(ctx, moves, Mover.copy); err != nil {
		return err
	}
	if err := sqlstore.ReserveIDs(ctx, m.From.Store, m.To.Store); err != nil {
		return err
	}
	return m.each(ctx, moves, arriving...)
}

func (m Mover) each(ctx context.Context, moves []*move, phases ...phase) error {
	for _, run := range phases {
		for _, v := range moves {
			if err := run(m, ctx, v); err != nil {
				return fmt.Errorf("site %d: %w", v.site, err)
			}
		}
	}
	return nil
}

func (m Mover) copyInstallation(ctx context.Context) error {
	if !m.Installation {
		return nil
	}
	return sqlstore.CopyInstallation(ctx, m.From.Store, m.To.Store)
}

// move is the move of one site.
type move struct {
	site site.ID
	id   string
	// state is that at the source, and arrived whether the copy is complete.
	state   site.State
	arrived bool
	// frozen is when writes began to be refused, zero if that was in an earlier run.
	frozen time.Time
	// pictures are those that are copied.
	pictures map[string]bool
}

// Refused is the reason why a site cannot be moved. Its move was not begun, or can be undone.
type Refused string

// Error returns the reason.
func (r Refused) Error() string { return string(r) }

// NoSite refuses a site that the source does not have.
const NoSite = Refused("there is no such site at --from")

// errHasMoved refuses a site whose move is complete.
const errHasMoved = Refused("it has moved already, from --from to --to")

// begin returns the moves of sites as far as they have come. Of several sites, those that have
// moved are left out: a move that was interrupted while it opened them goes on with the others.
func (m Mover) begin(ctx context.Context, ids []site.ID) (moves []*move, err error) {
	fresh, err := access.NewSecret(m.Rand)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		here, err := moveOf(ctx, m.From.Store, id)
		if errors.Is(err, fault.NotFound) {
			err = NoSite
		}
		var there site.Move
		if err == nil {
			there, err = moveOf(ctx, m.To.Store, id)
		}
		absent := errors.Is(err, fault.NotFound)
		if err == nil || absent {
			err = possible(here, there, absent)
		}
		if errors.Is(err, errHasMoved) && len(ids) > 1 {
			m.Log("site %d: it has moved already", id)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("site %d: %w", id, err)
		}
		v := &move{site: id, id: here.ID, state: here.State, pictures: map[string]bool{}}
		if here.State == site.Open {
			v.id = fresh
		}
		v.arrived = !absent && there.ID == v.id && (there.State == site.Arriving || here.State == site.Moved)
		moves = append(moves, v)
	}
	if len(ids) > 0 && len(moves) == 0 {
		return nil, errHasMoved
	}
	return moves, nil
}

// possible refuses a site that cannot be moved.
func possible(here, there site.Move, absent bool) error {
	same := !absent && here.ID == there.ID
	switch {
	case here.State == site.Arriving:
		return Refused("it is only just arriving at --from: end that move first")
	case here.State == site.Moved && same && there.State == site.Open:
		return errHasMoved
	case here.State == site.Moved && (!same || there.State != site.Arriving):
		return Refused("it has moved away from --from, to another database than --to")
	case !absent && there.State < site.Arriving:
		return Refused("--to has the site already, and it is open there: nothing was changed")
	}
	return nil
}

// moveOf returns the state of a site at a store.
func moveOf(ctx context.Context, s *sqlstore.Store, id site.ID) (found site.Move, err error) {
	err = s.View(ctx, func(tx port.Tx) error {
		found, err = tx.Sites().Move(id)
		return err
	})
	return found, err
}

// advance puts a site into its next state, unless another move has changed the state since.
func advance(ctx context.Context, s *sqlstore.Store, next site.Move, from ...site.State) error {
	return s.Update(ctx, func(tx port.Tx) error {
		now, err := tx.Sites().Move(next.Site)
		if err != nil {
			return err
		}
		if !slices.Contains(from, now.State) || now.State != site.Open && now.ID != next.ID {
			return fmt.Errorf("it is %s by now: somebody else moves it too", now.State)
		}
		return tx.Sites().PutMove(next)
	})
}

// leaseWait is the time between two attempts to take the leases.
const leaseWait = 50 * time.Millisecond

// rest ends deliveries and background work, and waits until nothing is under way.
func (m Mover) rest(ctx context.Context, v *move) error {
	if v.state == site.Moved {
		return nil
	}
	if v.state == site.Open {
		if err := m.idle(ctx, v.site); err != nil {
			return err
		}
		if err := advance(ctx, m.From.Store, site.Move{Site: v.site, State: site.Resting, ID: v.id}, site.Open); err != nil {
			return err
		}
		v.state = site.Resting
	}
	began := m.Now()
	for told := false; ; {
		others, err := m.From.Store.HoldLeases(ctx, v.site, v.id)
		if err != nil || others == 0 {
			return err
		}
		if !told && m.Now().Sub(began) > time.Second {
			told = true
			m.Log("site %d: waiting for %d deliveries or lookups that are under way; what a server left behind that is gone ends by itself", v.site, others)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(leaseWait):
		}
	}
}

// idle fails while an import is under way, which a move would interrupt.
func (m Mover) idle(ctx context.Context, id site.ID) error {
	return m.From.Store.View(ctx, func(tx port.Tx) error {
		runs, err := tx.Imports().List(id, 0, 100)
		for _, run := range runs {
			if run.At(m.Now()).State == operator.ImportRunning {
				return fmt.Errorf("the import %d is under way: wait for it, or stop it in the console", run.ID)
			}
		}
		return err
	})
}

// freeze has the source refuse writes.
func (m Mover) freeze(ctx context.Context, v *move) error {
	if v.state != site.Resting {
		return nil
	}
	if err := advance(ctx, m.From.Store, site.Move{Site: v.site, State: site.Moving, ID: v.id}, site.Resting); err != nil {
		return err
	}
	v.state, v.frozen = site.Moving, m.Now()
	return nil
}

// copy copies the rows. The site is not open at the target yet.
func (m Mover) copy(ctx context.Context, v *move) error {
	if v.arrived {
		return nil
	}
	copied := 0
	as := site.Move{Site: v.site, State: site.Arriving, ID: v.id}
	if err := sqlstore.CopySite(ctx, m.From.Store, m.To.Store, as, func(n int) { copied = n }); err != nil {
		return err
	}
	m.Log("site %d: %d rows and %d pictures are copied", v.site, copied, len(v.pictures))
	return nil
}

// close has the source refer clients to the target.
func (m Mover) close(ctx context.Context, v *move) error {
	if v.state == site.Moved {
		return nil
	}
	next := site.Move{Site: v.site, State: site.Moved, ID: v.id, Domain: m.Domain, Until: m.Now().Add(max(m.Redirect, minRedirect))}
	if err := advance(ctx, m.From.Store, next, site.Moving); err != nil {
		return err
	}
	v.state = site.Moved
	return nil
}

// open opens the site at the target.
func (m Mover) open(ctx context.Context, v *move) error {
	if err := advance(ctx, m.To.Store, site.Move{Site: v.site, State: site.Open, ID: v.id}, site.Arriving); err != nil {
		return err
	}
	if v.frozen.IsZero() {
		m.Log("site %d: open at the target", v.site)
		return nil
	}
	m.Log("site %d: open at the target; its writes were refused for %s", v.site, m.Now().Sub(v.frozen).Round(time.Millisecond))
	return nil
}

// Abort undoes moves that are not complete, so that the sites are open at the source again.
// One whose move is complete does not keep it from undoing those of the others.
func (m Mover) Abort(ctx context.Context, ids ...site.ID) (err error) {
	for _, id := range ids {
		if failed := m.abort(ctx, id); failed != nil {
			err = errors.Join(err, fmt.Errorf("site %d: %w", id, failed))
		}
	}
	return err
}

func (m Mover) abort(ctx context.Context, id site.ID) error {
	here, err := moveOf(ctx, m.From.Store, id)
	if err != nil {
		return err
	}
	switch here.State {
	case site.Open:
		m.Log("site %d: nothing to undo, it is open", id)
		return nil
	case site.Arriving:
		return errors.New("it is arriving at --from: give the ends of that move")
	case site.Moved:
		there, err := moveOf(ctx, m.To.Store, id)
		if err != nil || there.State != site.Arriving || there.ID != here.ID {
			return errors.Join(errors.New("it has moved away from --from, and is open elsewhere: to have it back, move it back"), err)
		}
	case site.Resting, site.Moving:
	}
	// The copy is removed first, so that the site is never open at both ends.
	if err := m.removeCopy(ctx, here); err != nil {
		return err
	}
	if err := m.From.Store.ReleaseLeases(ctx, id, here.ID); err != nil {
		return err
	}
	if err := advance(ctx, m.From.Store, site.Move{Site: id, ID: here.ID}, here.State); err != nil {
		return err
	}
	m.Log("site %d: open again where it was", id)
	return nil
}

func (m Mover) removeCopy(ctx context.Context, here site.Move) error {
	there, err := moveOf(ctx, m.To.Store, here.Site)
	if errors.Is(err, fault.NotFound) || err == nil && (there.State != site.Arriving || there.ID != here.ID) {
		return nil
	}
	if err != nil {
		return err
	}
	return m.To.Store.RemoveArriving(ctx, here.Site, here.ID)
}
