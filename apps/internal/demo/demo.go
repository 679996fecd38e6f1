// Package demo tells what happens in the sandbox, where a setup only says what is
// there.
package demo

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// The operator of the sandbox, who is as public as its credentials.
const (
	OperatorEmail    = "demo@example.org"
	OperatorPassword = "sandbox-belvedere-quais"
)

// clock is that of the service that all of it is told to: from the day on which the
// sandbox starts.
type clock struct {
	start time.Time
	ago   time.Duration
}

func (c *clock) now() time.Time { return c.start.Add(-c.ago) }

// Tell gives every site of the sandbox offers in each status, agreements and
// leases, and its agents the days around the present one, through the use cases, on
// the ports of the sandbox. All dates are counted from the present moment. A site
// that has some of these keeps what it has.
func Tell(ctx context.Context, ports kernel.Ports) error {
	told := &clock{start: ports.Now()}
	ports.Now = told.now
	// Nothing is hashed.
	service, err := siteapi.New(ports, kernel.Options{Pepper: make([]byte, 32)})
	if err != nil {
		return err
	}
	for n, s := range sites {
		t := &teller{ctx: ctx, Service: service, clock: told, products: map[string]product.Product{}}
		if t.err = t.find(ports.Store, s.id, weeks[n].client); t.err == nil {
			s.tell(t)
			weeks[n].tell(t)
		}
		if t.err == nil && s.id == office.site {
			office.tell(t, ports)
		}
		if t.err != nil {
			return fmt.Errorf("what happens at site %d: %w", s.id, t.err)
		}
	}
	return nil
}

// teller tells of one site, as far as no step has failed.
type teller struct {
	*siteapi.Service
	ctx      context.Context
	caller   kernel.Caller
	clock    *clock
	products map[string]product.Product
	err      error
}

// find makes the teller a client of a site, and reads its products by their models.
func (d *teller) find(store port.Store, id site.ID, client access.CredentialID) (err error) {
	if d.caller, err = d.Admit(d.ctx, access.Grant{
		Site: id, Credential: client, Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	}); err != nil {
		return err
	}
	return store.View(d.ctx, func(tx port.Tx) error {
		all, err := tx.Products().Scan(id, 0, math.MaxInt32)
		for _, p := range all {
			d.products[p.Reference] = p
		}
		return err
	})
}

// date returns a day so many days from now, before or after.
func (d *teller) date(from int) calendar.Day {
	return calendar.On(d.clock.start, d.caller.Site.Zone) + calendar.Day(from)
}

// day is date as requests have it.
func (d *teller) day(from int) opt.Field[string] { return opt.Of(d.date(from).String()) }

// ask returns a use case, unless a step before it has failed.
func ask[In, Out any](d *teller, use kernel.UseCase[In, Out], in In) (out Out) {
	if d.err == nil {
		out, d.err = use(d.ctx, d.caller, in)
	}
	return out
}
