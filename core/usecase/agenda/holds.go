package agenda

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (u Unit) createHold(in CreateHold, token string) (CreatedHold, error) {
	p, err := u.asked(in.ID)
	if err != nil {
		return CreatedHold{}, err
	}
	var problems fault.Problems
	start := moment(u.Site.ZoneOf(p.Agency), "start_at", in.StartAt, &problems)
	if err := problems.Err(); err != nil {
		return CreatedHold{}, err
	}
	b, err := u.bookable(p)
	if err := kernel.FirstError(err, closed(b)); err != nil {
		return CreatedHold{}, err
	}
	if err := u.Calendars().Hold(u.Site.ID, b.Candidates); err != nil {
		return CreatedHold{}, err
	}
	held, err := u.Holds().Count(u.Site.ID, p.ID, u.Grant.Credential, u.Now)
	if err != nil {
		return CreatedHold{}, err
	}
	if held >= planning.MaxHolds {
		return CreatedHold{}, fault.New(fault.Conflict, fault.CodeConflict, "the client holds %d times of the product already", held)
	}
	users, err := u.free(b, start, nil)
	if err != nil {
		return CreatedHold{}, err
	}
	h := planning.Hold{
		Site: u.Site.ID, Product: p.ID, Credential: u.Grant.Credential, Start: start, End: start.Add(b.Duration()),
		Expires: u.Now.Add(time.Duration(b.Settings.HoldSeconds) * time.Second), Token: u.Options.Pepper.Hash(token),
	}
	h.Before, h.After = b.Buffers()
	if h.User, err = u.choose(users, start, b.Zone); err != nil {
		return CreatedHold{}, err
	}
	if h.ID, err = kernel.NextID[planning.HoldID](u, port.HoldIDs); err != nil {
		return CreatedHold{}, err
	}
	return CreatedHold{
		Created: u.Created("/booking-holds/", int64(h.ID)), Token: token, StartAt: kernel.Instant{Time: h.Start}, EndAt: kernel.Instant{Time: h.End},
		ExpiresAt: kernel.Instant{Time: h.Expires},
	}, u.Holds().Put(h)
}

// errNoHold is also what somebody learns who has the wrong token.
func errNoHold() error { return kernel.Unknown("no hold has this id and token") }

// heldTime returns a hold that a path names, for who has its token.
func (u Unit) heldTime(id int64, token string) (planning.Hold, error) {
	h, err := u.Holds().Get(u.Site.ID, planning.HoldID(id))
	if err == nil && (!h.Live(u.Now) || !u.proves(h.Token, token)) {
		err = errNoHold()
	}
	return h, kernel.AbsentIs(err, errNoHold())
}

func (u Unit) deleteHold(in DeleteHold) (kernel.None, error) {
	h, err := u.heldTime(in.ID, in.Token)
	if err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.Holds().Delete(u.Site.ID, h.ID)
}

// proves reports whether a token is the one behind a hash, which may have ended.
func (u Unit) proves(hash access.Hash, token string) bool {
	return hash != "" && token != "" && u.Options.Pepper.Hash(token).Matches(hash)
}

// redeem gives a visit the user and time of a hold, which is used up.
func (u Unit) redeem(v *visit, id planning.HoldID, token string) error {
	expired := fault.New(fault.Conflict, fault.CodeHoldExpired, "the hold has expired, was used or ended, or its token is wrong")
	peeked, err := u.Holds().Many(u.Site.ID, []planning.HoldID{id})
	if err != nil {
		return err
	}
	if len(peeked) == 0 {
		return expired
	}
	if err := u.Calendars().Hold(u.Site.ID, []site.UserID{peeked[0].User}); err != nil {
		return err
	}
	h, err := u.Holds().Get(u.Site.ID, id)
	if err != nil {
		return kernel.AbsentIs(err, expired)
	}
	if !h.Live(u.Now) || h.Product != v.product.ID || !u.proves(h.Token, token) {
		return expired
	}
	if !h.Start.Equal(v.start) {
		return kernel.Invalid("start_at", fault.CodeOutOfRange, "start_at is not that of the hold")
	}
	v.user, v.end, v.before, v.after = h.User, h.End, h.Before, h.After
	return u.Holds().Delete(u.Site.ID, h.ID)
}
