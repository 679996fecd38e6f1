package listing

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// Unit is what the code inside a unit of work about products has.
type Unit struct{ kernel.Unit }

// NewUnit returns the unit of this area.
func NewUnit(u kernel.Unit) Unit { return Unit{u} }

// draft is a product that was judged before the unit of work that adds it.
type draft struct {
	product.Product
	Relations
	problems fault.Problems
}

func (s *Service) createProduct(ctx context.Context, c kernel.Caller, in CreateProduct) (kernel.Created, error) {
	d := draft{Relations: in.Relations}
	d.Product = c.Site.ProductRules().Create(in.Change, &d.problems)
	agency, err := c.AgencyOf(in.AgencyID, &d.problems)
	if err != nil {
		return kernel.Created{}, err
	}
	c.CheckUser(in.UserID, &d.problems)
	d.Site, d.Agency = c.Site.ID, agency
	in.relate(&d.Product, &d.problems)
	created, err := writes(s, Unit.addDraft)(ctx, c, d)
	return created, ReferenceTaken(err)
}

func (u Unit) addDraft(d draft) (kernel.Created, error) {
	p, problems := d.Clone(), d.problems
	err := u.checkRelations(p, d.Relations, &problems)
	if err := kernel.FirstError(err, problems.Err()); err != nil {
		return kernel.Created{}, err
	}
	p, err = u.Add(p)
	return u.Created("/products/", int64(p.ID)), err
}

// Add stores a new product, whole but for its ids, times and perhaps its
// reference, and records its creation. Where its reference is not free it fails
// as port.ErrReferenceTaken.
func (u Unit) Add(p product.Product) (product.Product, error) {
	var err error
	if p.ID == 0 {
		if p.ID, err = kernel.NextID[product.ID](u, Products.IDs); err != nil {
			return p, err
		}
	}
	if err := u.numberRooms(&p); err != nil {
		return p, err
	}
	generated := p.Reference == ""
	if err := u.refer(&p); err != nil {
		return p, err
	}
	recorded, err := Products.Record(u, Products.Created, p)
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
	if err := recordMandate(u.Unit, product.Product{}, p); err != nil {
		return p, err
	}
	for {
		err := u.Products().Add(p)
		if !generated || !errors.Is(err, port.ErrReferenceTaken) {
			return p, err
		}
		// Somebody chose this very reference by hand; the next number may be free.
		p.Reference = ""
		if err := u.refer(&p); err != nil {
			return p, err
		}
	}
}

// refer gives the product the next reference of its agency if it has none, and
// otherwise keeps later ones above it.
func (u Unit) refer(p *product.Product) error {
	pattern := product.ReferencePattern(u.Site.Settings().ReferencePattern)
	if p.Reference == "" {
		n, err := u.References().Next(p.Site, p.Agency)
		p.Reference = pattern.Format(p.Agency, n)
		return err
	}
	n, ok := pattern.Number(p.Agency, p.Reference)
	if !ok {
		return nil
	}
	return u.References().Raise(p.Site, p.Agency, n)
}

func (u Unit) numberRooms(p *product.Product) error {
	missing := 0
	for _, r := range p.Rooms {
		if r.ID == 0 {
			missing++
		}
	}
	if missing == 0 {
		return nil
	}
	ids, err := u.NextIDs(port.RoomIDs, missing)
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

// relate sets the owner and the parent, as far as they are given; null clears
// them.
func (in Relations) relate(p *product.Product, problems *fault.Problems) {
	if in.CustomerID.Set {
		p.Customer = kernel.ID[customer.ID]("customer_id", in.CustomerID, problems)
	}
	if in.ParentID.Set {
		p.Parent = kernel.ID[product.ID]("parent_id", in.ParentID, problems)
	}
}

// checkRelations reports an owner or parent that is given and does not exist in
// scope. Lots have one level: a lot has no lots. A lot of what is gone is none, and
// stays none once it has lots.
func (u Unit) checkRelations(p product.Product, given Relations, problems *fault.Problems) error {
	if given.CustomerID.Set {
		if err := u.CheckCustomer("customer_id", p.Customer, problems); err != nil {
			return err
		}
	}
	wrong := func(format string, args ...any) {
		problems.Wrong("parent_id", fault.CodeOutOfRange, int64(p.Parent), format, args...)
	}
	switch {
	case !given.ParentID.Set || p.Parent == 0:
		return nil
	case p.Parent == p.ID:
		wrong("a product is not a lot of itself")
		return nil
	}
	parent, err := u.CheckProduct("parent_id", p.Parent, problems)
	if err != nil {
		return err
	}
	isLot, err := u.Products().Existing(p.Site, []product.ID{parent.Parent})
	if err != nil {
		return err
	}
	if len(isLot) > 0 {
		wrong("a lot cannot have lots of its own")
	}
	if p.ID != 0 {
		has, err := u.Products().HasLots(p.Site, p.ID)
		if err != nil {
			return err
		}
		if has {
			wrong("a product that has lots cannot be a lot")
		}
	}
	if parent.Parent == 0 || !problems.Empty() {
		return nil
	}
	// Should what it was a lot of come back, it is none any more.
	_, err = Products.Change(u, parent, kernel.IfMatch{}, func(p product.Product) (product.Product, error) {
		p.Parent = 0
		return p, nil
	})
	return err
}

// hold locks what a change of relations is about, as far as it is there:
// the owner before products, as creations, follow-ups and leads do, and products
// by id, so that two that are made lots of each other do not wait in a circle.
// What is not there is for later checks to tell.
func (u Unit) hold(id product.ID, given Relations) error {
	if given.CustomerID.Given() {
		if _, err := u.Customers().GetUnlocked(u.Site.ID, customer.ID(given.CustomerID.Value)); err != nil && !kernel.IsAbsent(err) {
			return err
		}
	}
	// The product itself is locked next, whatever becomes of this.
	if parent := product.ID(given.ParentID.Or(0)); 0 < parent && parent < id {
		if _, err := u.Products().Get(u.Site.ID, parent); err != nil && !kernel.IsAbsent(err) {
			return err
		}
	}
	return nil
}

// CheckProduct reports a product named in a field of a request that does not
// exist in scope, and otherwise reads it.
func (u Unit) CheckProduct(field string, id product.ID, problems *fault.Problems) (product.Product, error) {
	return Products.Reference(u, field, id, fault.CodeUnknownProduct, fault.Textf("no product of the token's agencies has this id"), problems)
}

// MergedInto returns the customer who stayed when the record with an id was joined with
// another of the same person; 0 where it never was.
func (u Unit) MergedInto(id customer.ID) (into customer.ID, err error) {
	for {
		found, err := u.Merged().Many(u.Site.ID, []customer.ID{id})
		if err != nil || len(found) == 0 {
			return into, err
		}
		id, into = found[0].Into, found[0].Into
	}
}

// MergedText is what is said of an id that is gone for another.
const MergedText = "the customer was joined with customer %d, the same person"

// CheckCustomer reports a customer named in a field of a request who does not
// exist in scope, or was anonymised; 0 is none.
func (u Unit) CheckCustomer(field string, id customer.ID, problems *fault.Problems) error {
	if id == 0 {
		return nil
	}
	found, err := u.Customers().GetUnlocked(u.Site.ID, id)
	if kernel.IsAbsent(err) {
		into, failed := u.MergedInto(id)
		if into != 0 {
			problems.Wrong(field, fault.CodeCustomerMerged, int64(into), MergedText, into)
		}
		if into != 0 || failed != nil {
			return failed
		}
	}
	if err != nil && !kernel.IsAbsent(err) {
		return err
	}
	if err != nil || !u.Scope.Has(found.Agency) || found.IsAnonymous() {
		problems.Wrong(field, fault.CodeUnknownCustomer, int64(id), "no customer of the token's agencies has this id")
	}
	return nil
}

// ReferenceTaken tells a caller about a reference that is not free.
func ReferenceTaken(err error) error {
	if !errors.Is(err, port.ErrReferenceTaken) {
		return err
	}
	return kernel.Invalid("model", fault.CodeReferenceTaken, "another product of the agency has this reference")
}

func (s *Service) updateProduct(ctx context.Context, c kernel.Caller, in UpdateProduct) (kernel.Changed, error) {
	changed, err := writes(s, Unit.updateProduct)(ctx, c, in)
	return changed, ReferenceTaken(err)
}

func (u Unit) updateProduct(in UpdateProduct) (kernel.Changed, error) {
	if err := u.hold(product.ID(in.ID), in.Relations); err != nil {
		return kernel.Changed{}, err
	}
	return u.Change(product.ID(in.ID), in.IfMatch, func(p product.Product) (product.Product, error) {
		var problems fault.Problems
		switch {
		case !in.ProductID.Given():
			problems.Add("product_id", fault.CodeProductIDRequired, "product_id is required and equals the id in the path")
		case in.ProductID.Value != in.ID:
			problems.Wrong("product_id", fault.CodeProductIDMismatch, in.ProductID.Value, "product_id must equal the id in the path")
		}
		after := u.Site.ProductRules().Update(p, in.Change, &problems)
		if err := u.CheckAgency(in.AgencyID, &problems); err != nil {
			return p, err
		}
		u.CheckUser(in.UserID, &problems)
		in.relate(&after, &problems)
		if err := u.checkRelations(after, in.Relations, &problems); err != nil {
			return p, err
		}
		if err := problems.Err(); err != nil {
			return p, unrecognised(err)
		}
		if err := u.numberRooms(&after); err != nil {
			return p, err
		}
		if after.Reference == p.Reference && after.Agency == p.Agency {
			return after, nil
		}
		return after, u.refer(&after)
	})
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

// Change reads a product of the caller's site, lets edit make a new state of it
// and stores that with its event, unless it shows no difference.
func (u Unit) Change(id product.ID, match kernel.IfMatch, edit func(product.Product) (product.Product, error)) (kernel.Changed, error) {
	before, err := Products.GetUnlocked(u, id)
	if err != nil {
		return kernel.Changed{}, err
	}
	return Products.Change(u, before, match, edit)
}

// deleteProduct keeps the reference of the product taken, and its lots as they are:
// nothing names a parent that is gone.
func (u Unit) deleteProduct(in DeleteProduct) (kernel.None, error) {
	p, err := Products.Get(u, product.ID(in.ID))
	if err := kernel.FirstError(err, in.IfMatch.Check(kernel.Version(p.Version))); err != nil {
		return kernel.None{}, err
	}
	if err := dealrecords.CheckDeletable(u.Unit, p.ID); err != nil {
		return kernel.None{}, err
	}
	recorded, err := Products.Record(u, Products.Deleted, p)
	if err != nil {
		return kernel.None{}, err
	}
	p.Version, p.Deleted = recorded.Seq, recorded.At
	if err := u.Products().Replace(p); err != nil {
		return kernel.None{}, err
	}
	rejected, err := u.Rejections().ClearResource(p.Site, Products.Deleted.Resource(), int64(p.ID))
	if err != nil || !rejected {
		return kernel.None{}, err
	}
	return kernel.None{}, u.Ledger().Touch(p.Site, port.AspectRejections)
}

func (u Unit) deleteRoom(in DeleteRoom) (kernel.Changed, error) {
	return u.Change(product.ID(in.ID), in.IfMatch, func(p product.Product) (product.Product, error) {
		n, err := placeOfRoom(p, in.RoomID)
		if err != nil {
			return p, err
		}
		after := p.Clone()
		after.Rooms = slices.Delete(after.Rooms, n, n+1)
		return after, nil
	})
}

// placeOfRoom returns where among the rooms of a product one is.
func placeOfRoom(p product.Product, id int64) (int, error) {
	n := slices.IndexFunc(p.Rooms, func(r product.Room) bool { return r.ID == product.RoomID(id) })
	if n < 0 {
		return n, kernel.Unknown("the product has no room with this id")
	}
	return n, nil
}
