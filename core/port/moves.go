package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Moves holds where sites stand on their way from one store to another. Heads show the
// state of a site, too.
type Moves interface {
	// Get returns how a site stands; one that never moved is Open. In an Update it is held
	// until the unit ends.
	Get(site.ID) (site.Move, error)
	// Put stores it. It waits for the units that keep the site open, and those that come
	// later find the new state.
	Put(site.Move) error
	// Purge removes at most n records of sites that Moved and were told of until before
	// the given moment, and reports how many. When nothing of a site is left, it is as
	// if it had never been here. Credentials stay, as they are.
	Purge(before time.Time, n int) (int, error)
}

// MovingWait is after how long who meets a site that is being moved should ask again.
const MovingWait = 5 * time.Second

// NotOpen is the fault of what cannot be done for a site because it is being moved.
func NotOpen() error {
	f := fault.New(fault.Unavailable, fault.CodeSiteMoving, "the site is being moved and takes no changes just now; nothing was changed, so send the request again in a few seconds")
	f.Wait = MovingWait
	return f
}
