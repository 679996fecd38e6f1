// Package cells moves sites from one database to another one while servers run over
// both. A site is open in one of them at most, and nothing that was written is lost.
//
// The states of a site, at its source and at its target, say how far its move has come,
// so that a move that was interrupted goes on, or is undone:
//
//	source    target
//	open      –          nothing has begun; pictures are copied ahead
//	resting   –          deliveries and background work end; requests are answered as ever
//	moving    –          it is read, and writes are told to ask again; all rows are copied
//	moving    arriving   the copy is complete, and nobody sees it
//	moved     arriving   the source tells where the site is
//	moved     open       it goes on at the target
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
	// Blobs is where its pictures are kept; nil where nobody says.
	Blobs port.Blobs
}

// Mover moves sites from one end to the other.
type Mover struct {
	From, To End
	// Installation is whether what is about no single site goes along, such as operators and
	// what they did.
	Installation bool
	// Domain is the scheme and host of servers over the target, which clients of the
	// source are sent to; empty where both have the same, before a proxy.
	Domain string
	// Redirect is how long the source tells where a site is.
	Redirect time.Duration
	Now      func() time.Time
	Rand     io.Reader
	// Tell gets what is done.
	Tell func(format string, args ...any)
}

// New makes a mover between two databases, which keeps no pictures.
func New(from, to *sqlstore.Store) Mover {
	return Mover{From: End{Store: from}, To: End{Store: to}, Now: time.Now, Rand: rand.Reader, Tell: func(string, ...any) {}}
}

// farewell is how long, at least, a site that has moved away stays known at its source: so
// long that no request is under way any more that was let in before.
const farewell = time.Hour

// phase is a part of a move, which all sites come to before one goes on to the next.
type phase func(Mover, context.Context, *move) error

// The phases in their order. Copying the sites comes between the first and the last, when
// nobody changes anything any more.
var (
	leaving  = []phase{Mover.copyPictures, Mover.rest, Mover.freeze, Mover.copyPictures}
	arriving = []phase{Mover.close, Mover.open}
)

// Move moves sites, or goes on with moves of them that were interrupted. They leave and
// arrive together; those of them that have arrived already are left alone.
func (m Mover) Move(ctx context.Context, ids ...site.ID) error {
	moves, err := m.begin(ctx, ids)
	if err != nil {
		return err
	}
	// What stands in the way is found before anybody has to wait.
	if err := m.copyInstallation(ctx); err != nil {
		return err
	}
	if err := m.each(ctx, moves, leaving...); err != nil {
		return err
	}
	// Operators went on while pictures were copied.
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
	// frozen is since when writes are refused, zero if that began in an earlier run.
	frozen time.Time
	// pictures are those that are copied.
	pictures map[string]bool
}

// Refused says why a site cannot be moved. Nothing was begun, or is left to be undone.
type Refused string

// Error returns the reason.
func (r Refused) Error() string { return string(r) }

// NoSite is that the source does not have it.
const NoSite = Refused("there is no such site at --from")

// errHasMoved is that there is nothing to do any more.
const errHasMoved = Refused("it has moved already, from --from to --to")

// begin returns how far the moves of sites have come. Of several, those that are over are
// left out: a move that was interrupted while it opened them goes on with the others.
func (m Mover) begin(ctx context.Context, ids []site.ID) (moves []*move, err error) {
	fresh, err := access.NewSecret(m.Rand)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		here, err := stands(ctx, m.From.Store, id)
		if errors.Is(err, fault.NotFound) {
			err = NoSite
		}
		var there site.Move
		if err == nil {
			there, err = stands(ctx, m.To.Store, id)
		}
		absent := errors.Is(err, fault.NotFound)
		if err == nil || absent {
			err = possible(here, there, absent)
		}
		if errors.Is(err, errHasMoved) && len(ids) > 1 {
			m.Tell("site %d: it has moved already", id)
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

// possible says why a site cannot be moved.
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

func stands(ctx context.Context, s *sqlstore.Store, id site.ID) (found site.Move, err error) {
	err = s.View(ctx, func(tx port.Tx) error {
		found, err = tx.Sites().Move(id)
		return err
	})
	return found, err
}

// advance puts a site into its next state, unless somebody else has meanwhile.
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

// leaseWait is how long to wait before leases are asked for again.
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
			m.Tell("site %d: waiting for %d deliveries or lookups that are under way; what a server left behind that is gone ends by itself", v.site, others)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(leaseWait):
		}
	}
}

// idle reports an import that is under way, which a move would break off.
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

// freeze lets nobody change the site from here on.
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

// copy copies the rows, where the site then waits to be opened.
func (m Mover) copy(ctx context.Context, v *move) error {
	if v.arrived {
		return nil
	}
	copied := 0
	as := site.Move{Site: v.site, State: site.Arriving, ID: v.id}
	if err := sqlstore.CopySite(ctx, m.From.Store, m.To.Store, as, func(n int) { copied = n }); err != nil {
		return err
	}
	m.Tell("site %d: %d rows and %d pictures are copied", v.site, copied, len(v.pictures))
	return nil
}

// close lets the source tell where the site is.
func (m Mover) close(ctx context.Context, v *move) error {
	if v.state == site.Moved {
		return nil
	}
	next := site.Move{Site: v.site, State: site.Moved, ID: v.id, Domain: m.Domain, Until: m.Now().Add(max(m.Redirect, farewell))}
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
		m.Tell("site %d: open at the target", v.site)
		return nil
	}
	m.Tell("site %d: open at the target; its writes were refused for %s", v.site, m.Now().Sub(v.frozen).Round(time.Millisecond))
	return nil
}

// Abort undoes moves that were not completed. Those sites are open at the source again, also
// where another one has arrived already and cannot be.
func (m Mover) Abort(ctx context.Context, ids ...site.ID) (err error) {
	for _, id := range ids {
		if failed := m.abort(ctx, id); failed != nil {
			err = errors.Join(err, fmt.Errorf("site %d: %w", id, failed))
		}
	}
	return err
}

func (m Mover) abort(ctx context.Context, id site.ID) error {
	here, err := stands(ctx, m.From.Store, id)
	if err != nil {
		return err
	}
	switch here.State {
	case site.Open:
		m.Tell("site %d: nothing to undo, it is open", id)
		return nil
	case site.Arriving:
		return errors.New("it is arriving at --from: give the ends of that move")
	case site.Moved:
		there, err := stands(ctx, m.To.Store, id)
		if err != nil || there.State != site.Arriving || there.ID != here.ID {
			return errors.Join(errors.New("it has moved away from --from, and is open elsewhere: to have it back, move it back"), err)
		}
	case site.Resting, site.Moving:
	}
	// The copy goes first: while it is there, the site is not open here.
	if err := m.removeCopy(ctx, here); err != nil {
		return err
	}
	if err := m.From.Store.ReleaseLeases(ctx, id, here.ID); err != nil {
		return err
	}
	if err := advance(ctx, m.From.Store, site.Move{Site: id, ID: here.ID}, here.State); err != nil {
		return err
	}
	m.Tell("site %d: open again where it was", id)
	return nil
}

func (m Mover) removeCopy(ctx context.Context, here site.Move) error {
	there, err := stands(ctx, m.To.Store, here.Site)
	if errors.Is(err, fault.NotFound) || err == nil && (there.State != site.Arriving || there.ID != here.ID) {
		return nil
	}
	if err != nil {
		return err
	}
	return m.To.Store.RemoveArriving(ctx, here.Site, here.ID)
}
