package kernel

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Answers returns the error of requests for a site that is not at this store, as of a head
// of it that was just read: it has not arrived completely, or it was moved. When its new
// address is no longer published, the error is NotFound.
func (k *Kernel) Answers(ctx context.Context, id site.ID, head port.Head) error {
	if head.State < site.Arriving {
		return nil
	}
	return View(ctx, k, Caller{}, func(u Unit) error { return u.Answers(id) })
}

// Answers is Kernel.Answers for a site that the unit reads itself.
func (u Unit) Answers(id site.ID) error {
	head, err := u.Ledger().Head(id)
	switch {
	case err != nil || head.State < site.Arriving:
		return err
	case head.State == site.Arriving:
		return port.NotOpen()
	}
	m, err := u.Sites().Move(id)
	switch {
	case err != nil:
		return err
	case !m.Tells(u.Now):
		return fault.NotFound
	case m.Domain == "": // a proxy before the servers is about to change the route
		return port.NotOpen()
	}
	moved := fault.New(fault.Moved, fault.CodeSiteMoved, "the site is at another address now; send the same request to the one in Location")
	moved.Elsewhere = m.Domain
	return moved
}

// IsOpen reports whether background work runs for the site of a caller. It does not while
// the site is moved.
func (c Caller) IsOpen() bool { return c.Site.Head.State == site.Open }
