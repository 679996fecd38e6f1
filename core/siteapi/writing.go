package siteapi

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// CreateProduct adds a product (contract: POST /products). Without a model it
// gets the next reference of its agency.
func (s *Service) CreateProduct(ctx context.Context, c Caller, in CreateProduct) (Created, error) {
	var problems fault.Problems
	draft := c.settings.rules().Create(in.Change, &problems)
	agency, err := c.agencyOf(in.AgencyID, &problems)
	if err != nil {
		return Created{}, err
	}
	c.checkUser(in.UserID, &problems)
	draft.Site, draft.Agency = c.Site(), agency
	draft.Customer = customer.ID(positive("customer_id", in.CustomerID, &problems))
	draft.Parent = product.ID(positive("parent_id", in.ParentID, &problems))

	created, err := write(ctx, s, c, func(tx port.Tx) (Created, error) {
		found := problems
		p := draft.Clone()
		if err := c.checkRelations(tx, p, &found); err != nil {
			return Created{}, err
		}
		if err := found.Err(); err != nil {
			return Created{}, err
		}
		p, err := s.add(tx, c.author(), c.settings, p)
		return s.created("/products/", int64(p.ID)), err
	})
	return created, referenceTaken(err)
}

// created names what was created at a path relative to {base_url}.
func (s *Service) created(path string, id int64) Created {
	return Created{ID: id, Location: s.url(path + strconv.FormatInt(id, 10))}
}

// add stores a new product, whole but for its ids, times and perhaps its
// reference, and records its creation.
func (s *Service) add(tx port.Tx, a author, known *settings, p product.Product) (product.Product, error) {
	ids, err := tx.NextIDs(port.ProductIDs, 1)
	if err != nil {
		return p, err
	}
	p.ID = product.ID(ids[0])
	if err := numberRooms(tx, &p); err != nil {
		return p, err
	}
	generated := p.Reference == ""
	if err := refer(tx, known, &p); err != nil {
		return p, err
	}
	recorded, err := s.recordProduct(tx, a, event.ProductCreate, p)
	if err != nil {
		return p, err
	}
	p.Version = recorded.Seq
	if p.Added.IsZero() {
		p.Added = recorded.At
	}
	if p.Modified.IsZero() {
		p.Modified = recorded.At
	}
	for {
		err := tx.Products().Add(p)
		if !generated || !errors.Is(err, port.ErrReferenceTaken) {
			return p, err
		}
		// Somebody chose this very reference by hand; the next number may be free.
		p.Reference = ""
		if err := refer(tx, known, &p); err != nil {
			return p, err
		}
	}
}

// refer gives the product the next reference of its agency if it has none, and
// otherwise keeps later ones above it.
func refer(tx port.Tx, known *settings, p *product.Product) error {
	pattern := product.ReferencePattern(known.site.Settings.ReferencePattern)
	if p.Reference == "" {
		n, err := tx.References().Next(p.Site, p.Agency)
		p.Reference = pattern.Format(p.Agency, n)
		return err
	}
	n, ok := pattern.Number(p.Agency, p.Reference)
	if !ok {
		return nil
	}
	return tx.References().Raise(p.Site, p.Agency, n)
}

func numberRooms(tx port.Tx, p *product.Product) error {
	missing := 0
	for _, r := range p.Rooms {
		if r.ID == 0 {
			missing++
		}
	}
	if missing == 0 {
		return nil
	}
	ids, err := tx.NextIDs(port.RoomIDs, missing)
	if err != nil {
		return err
	}
	for i := range p.Rooms {
		if p.Rooms[i].ID == 0 {
			p.Rooms[i].ID, ids = product.RoomID(ids[0]), ids[1:]
		}
	}
	return nil
}

// agencyOf is the agency a new product belongs to. It may be left out when the
// scope has only one.
func (c Caller) agencyOf(given Opt[int64], problems *fault.Problems) (site.AgencyID, error) {
	if !given.Given() {
		only, ok := c.Scope.Only()
		if !ok {
			problems.Add("agency_id", fault.CodeRequired, "agency_id is required, because the token reaches several agencies")
		}
		return only, nil
	}
	id := positive("agency_id", given, problems)
	if id == 0 {
		return 0, nil
	}
	return site.AgencyID(id), c.agency(id)
}

// checkUser reports a user_id that is no active user of an agency in scope.
func (c Caller) checkUser(given Opt[int64], problems *fault.Problems) {
	if !given.Given() {
		return
	}
	u, found := c.settings.users[site.UserID(given.Value)]
	if !found || !u.Active || !c.Scope.Has(u.Agency) {
		problems.Wrong("user_id", fault.CodeUnknownUser, given.Value, "no active user of the token's agencies has this id")
	}
}

// checkRelations reports an owner or parent that does not exist in scope. Lots
// have one level: a lot has no lots.
func (c Caller) checkRelations(tx port.Tx, p product.Product, problems *fault.Problems) error {
	if err := c.checkCustomer(tx, p.Customer, problems); err != nil || p.Parent == 0 {
		return err
	}
	parent, err := tx.Products().Get(c.Site(), p.Parent)
	if err != nil && !errors.Is(err, fault.NotFound) {
		return err
	}
	switch {
	case err != nil || !c.Scope.Has(parent.Agency):
		problems.Wrong("parent_id", fault.CodeUnknownProduct, int64(p.Parent), "no product of the token's agencies has this id")
	case parent.Parent != 0:
		problems.Wrong("parent_id", fault.CodeOutOfRange, int64(p.Parent), "a lot cannot have lots of its own")
	}
	return nil
}

// checkCustomer reports a customer_id that does not exist in scope; 0 is none.
func (c Caller) checkCustomer(tx port.Tx, id customer.ID, problems *fault.Problems) error {
	return c.checkCustomerIn(tx, "customer_id", id, problems)
}

func (c Caller) checkCustomerIn(tx port.Tx, field string, id customer.ID, problems *fault.Problems) error {
	if id == 0 {
		return nil
	}
	found, err := tx.Customers().Get(c.Site(), id)
	if err != nil && !errors.Is(err, fault.NotFound) {
		return err
	}
	if err != nil || !c.Scope.Has(found.Agency) || found.IsAnonymous() {
		problems.Wrong(field, fault.CodeUnknownCustomer, int64(id), "no customer of the token's agencies has this id")
	}
	return nil
}

// referenceTaken tells a caller about a reference that is not free.
func referenceTaken(err error) error {
	if !errors.Is(err, port.ErrReferenceTaken) {
		return err
	}
	return invalid("model", fault.CodeReferenceTaken, "another product of the agency has this reference")
}

// UpdateProduct changes the given fields of a product and nothing else
// (contract: PATCH /products/{productId}). A request that changes nothing
// leaves no trace. A code outside its referential is Unrecognised, unless
// something else is wrong too.
func (s *Service) UpdateProduct(ctx context.Context, c Caller, in UpdateProduct) (Changed, error) {
	changed, err := s.change(ctx, c, product.ID(in.ID), in.IfMatch, func(tx port.Tx, p product.Product) (product.Product, error) {
		var problems fault.Problems
		switch {
		case !in.ProductID.Given():
			problems.Add("product_id", fault.CodeProductIDRequired, "product_id is required and equals the id in the path")
		case in.ProductID.Value != in.ID:
			problems.Wrong("product_id", fault.CodeProductIDMismatch, in.ProductID.Value, "product_id must equal the id in the path")
		}
		after := c.settings.rules().Update(p, in.Change, &problems)
		if id := positive("agency_id", in.AgencyID, &problems); id != 0 {
			if err := c.agency(id); err != nil {
				return p, err
			}
		}
		c.checkUser(in.UserID, &problems)
		if err := problems.Err(); err != nil {
			return p, unrecognised(err)
		}
		if err := numberRooms(tx, &after); err != nil {
			return p, err
		}
		if after.Reference == p.Reference && after.Agency == p.Agency {
			return after, nil
		}
		return after, refer(tx, c.settings, &after)
	})
	return changed, referenceTaken(err)
}

// unrecognised turns a fault that is about criteria values outside their
// referential, and nothing else, into the kind the contract has for it.
func unrecognised(err error) error {
	found := fault.From(err)
	for _, d := range found.Details {
		if d.Code != fault.CodeCriteriaValueUnknown || !strings.HasPrefix(d.Field, "criteria[") {
			return err
		}
	}
	found.Kind = fault.Unrecognised
	return found
}

// change holds a product of the caller's site, lets edit make a new state of it
// and stores that with its event, unless it shows no difference.
func (s *Service) change(
	ctx context.Context, c Caller, id product.ID, match IfMatch, edit func(port.Tx, product.Product) (product.Product, error),
) (Changed, error) {
	return write(ctx, s, c, func(tx port.Tx) (Changed, error) { return s.changeIn(tx, c, id, match, edit) })
}

// changeIn is change in a unit of work whose answer is something else.
func (s *Service) changeIn(
	tx port.Tx, c Caller, id product.ID, match IfMatch, edit func(port.Tx, product.Product) (product.Product, error),
) (Changed, error) {
	before, err := c.product(tx, id)
	if err != nil {
		return Changed{}, err
	}
	after, err := edit(tx, before)
	if err := firstError(err, match.check(Version(before.Version))); err != nil {
		return Changed{}, err
	}
	if after.Same(before) {
		return Changed{Version(before.Version)}, nil
	}
	if err := s.logTransition(tx, c, before, after); err != nil {
		return Changed{}, err
	}
	return s.replace(tx, c.author(), before, after)
}

// replace stores a new state of a product with its event.
func (s *Service) replace(tx port.Tx, a author, before, after product.Product) (Changed, error) {
	recorded, err := s.recordProduct(tx, a, event.ProductUpdate, after)
	if err != nil {
		return Changed{}, err
	}
	after.Version, after.Modified = recorded.Seq, latest(recorded.At, before.Modified)
	return Changed{Version(after.Version)}, tx.Products().Replace(after)
}

// latest keeps a time of modification from going backwards when clocks do.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// DeleteProduct removes a product from all reads and searches. Its reference
// stays taken. Its lots stay, without a parent to be found under.
func (s *Service) DeleteProduct(ctx context.Context, c Caller, in DeleteProduct) (None, error) {
	return write(ctx, s, c, func(tx port.Tx) (None, error) {
		p, err := c.product(tx, product.ID(in.ID))
		if err := firstError(err, in.IfMatch.check(Version(p.Version))); err != nil {
			return None{}, err
		}
		recorded, err := s.recordProduct(tx, c.author(), event.ProductDelete, p)
		if err != nil {
			return None{}, err
		}
		p.Version, p.Deleted = recorded.Seq, recorded.At
		if err := tx.Products().Replace(p); err != nil {
			return None{}, err
		}
		marked, err := tx.Rejections().ClearResource(p.Site, event.ProductDelete.Resource(), int64(p.ID))
		if err != nil || !marked {
			return None{}, err
		}
		return None{}, tx.Ledger().Touch(p.Site, port.AspectRejections)
	})
}

// DeleteRoom removes a room from a product.
func (s *Service) DeleteRoom(ctx context.Context, c Caller, in DeleteRoom) (Changed, error) {
	return s.change(ctx, c, product.ID(in.ID), in.IfMatch, func(_ port.Tx, p product.Product) (product.Product, error) {
		n := slices.IndexFunc(p.Rooms, func(r product.Room) bool { return r.ID == product.RoomID(in.RoomID) })
		if n < 0 {
			return p, fault.New(fault.NotFound, fault.CodeNotFound, "the product has no room with this id")
		}
		after := p.Clone()
		after.Rooms = slices.Delete(after.Rooms, n, n+1)
		return after, nil
	})
}
