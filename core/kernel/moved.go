package kernel

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Answers reports why no request for a site is answered here, as of a head of it that was
// just read: it is not here as a whole yet, or it was moved. When nobody is told any more
// where it is, it is absent.
func (k *Kernel) Answers(ctx context.Context, id site.ID, head port.Head) error {
	if head.State < site.Arriving {
		return nil
	}
	return View(ctx, k, Caller{}, func(u Unit) error { return u.Answers(id) })
}

// Answers is that of the kernel, for a site that the unit reads itself.
func (u Unit) Answers(id site.ID) error {
	head, err := u.Ledger().Head(id)
	switch {
	case err != nil || head.State < site.Arriving:
		return err
	case head.State == site.Arriving:
		return port.NotOpen()
	}
	m, err := u.Moves().Get(id)
	switch {
	case err != nil:
		return err
	case !m.Tells(u.Now):
		return fault.NotFound
	case m.Domain == "": // whatever stands before the servers is about to know
		return port.NotOpen()
	}
	moved := fault.New(fault.Moved, fault.CodeSiteMoved, "the site is at another address now; send the same request to the one in Location")
	moved.Elsewhere = m.Domain
	return moved
}

// IsOpen reports whether the site of a caller is worked for in the background, which it is
// not while it is moved.
func (c Caller) IsOpen() bool { return c.Site.Head.State == site.Open }
