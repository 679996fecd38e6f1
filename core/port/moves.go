package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// MovingWait is after how long who meets a site that is being moved should ask again.
const MovingWait = 5 * time.Second

// NotOpen is the fault of what cannot be done for a site because it is being moved.
func NotOpen() error {
	f := fault.New(fault.Unavailable, fault.CodeSiteMoving, "the site is being moved and takes no changes just now; nothing was changed, so send the request again in a few seconds")
	f.Wait = MovingWait
	return f
}
