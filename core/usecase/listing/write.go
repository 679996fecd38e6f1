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

// Unit is the argument of the function of a unit of work about products.
type Unit struct{ kernel.Unit }

// NewUnit returns the unit of this area.
func NewUnit(u kernel.Unit) Unit { return Unit{u} }

// draft is a product that was checked before the unit of work that adds it.
type draft struct {
	product.Product
	problems fault.Problems
}

func (s *Service) createProduct(ctx context.Context, c kernel.Caller, in CreateProduct) (kernel.Created, error) {
	var d draft
	d.Product = c.Site.ProductRules().Create(in.Change, &d.problems)
	agency, err := c.AgencyOf(in.AgencyID, &d.problems)
	if err != nil {
		return kernel.Created{}, err
	}
	c.CheckUser(in.UserID, 0, &d.problems)
	d.Site, d.Agency = c.Site.ID, agency
	in.relate(&d.Product, &d.problems)
	created, err := writes(s, Unit.addDraft)(ctx, c, d)
	return created, ReferenceTaken(err)
}

func (u Unit) addDraft(d draft) (kernel.Created, error) {
	p, problems := d.Clone(), d.problems
	err := u.checkRelations(product.Product{}, p, &problems)
	if err := kernel.FirstError(err, problems.Err()); err != nil {
		return kernel.Created{}, err
	}
	p, err = u.Add(p)
	return u.Created("/products/", int64(p.ID)), err
}

// Add sets the ids, the times and if necessary the reference of a new product, stores it, and
// records its creation. It fails as port.ErrReferenceTaken when its reference is not free.
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
		// This reference was chosen by hand; the next number may be free.
		p.Reference = ""
		if err := u.refer(&p); err != nil {
			return p, err
		}
	}
}

// refer sets the next reference of its agency if the product has none, and otherwise moves the
// counter past its reference.
func (u Unit) refer(p *product.Product) error {
	pattern := product.ReferencePattern(u.Site.Settings().ReferencePattern)
	if p.Reference == "" {
		n, err := u.NextReference(p.Site, p.Agency)
		p.Reference = pattern.Format(p.Agency, n)
		return err
	}
	n, ok := pattern.Number(p.Agency, p.Reference)
	if !ok {
		return nil
	}
	return u.RaiseReference(p.Site, p.Agency, n)
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

// relate sets the owner and the parent that are given; null clears them.
func (in Relations) relate(p *product.Product, problems *fault.Problems) {
	if in.CustomerID.Set {
		p.Customer = kernel.ID[customer.ID]("customer_id", in.CustomerID, problems)
	}
	if in.ParentID.Set {
		p.Parent = kernel.ID[product.ID]("parent_id", in.ParentID, problems)
	}
}

// checkRelations adds problems for a new owner or parent that does not exist in scope. Lots have
// one level: a lot has no lots. A lot of a deleted product is none, and stays none once it has
// lots.
func (u Unit) checkRelations(before, p product.Product, problems *fault.Problems) error {
	if p.Customer != before.Customer {
		if err := u.CheckCustomer("customer_id", p.Customer, problems); err != nil {
			return err
		}
	}
	wrong := func(format string, args ...any) {
		problems.Wrong("parent_id", fault.CodeOutOfRange, int64(p.Parent), format, args...)
	}
	switch p.Parent {
	case before.Parent, 0:
		return nil
	case p.ID:
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
		lots, err := u.Products().Lots(p.Site, p.ID)
		if err != nil {
			return err
		}
		if len(lots) > 0 {
			wrong("a product that has lots cannot be a lot")
		}
	}
	if parent.Parent == 0 || !problems.Empty() {
		return nil
	}
	// If its parent is restored, it is not its lot any more.
	_, err = Products.Change(u, parent, kernel.IfMatch{}, func(p product.Product) (product.Product, error) {
		p.Parent = 0
		return p, nil
	})
	return err
}

// hold locks the records of a change of relations: the owner before products, as creations,
// follow-ups and leads do, and products by id, so that two changes that make products lots of
// each other do not deadlock. Missing records are reported by later checks.
func (u Unit) hold(id product.ID, given Relations) error {
	if given.CustomerID.Given() {
		if _, err := u.Customers().GetUnlocked(u.Site.ID, customer.ID(given.CustomerID.Value)); err != nil && !kernel.IsAbsent(err) {
			return err
		}
	}
	// The product itself is locked next.
	if parent := product.ID(given.ParentID.Or(0)); 0 < parent && parent < id {
		if _, err := u.Products().Get(u.Site.ID, parent); err != nil && !kernel.IsAbsent(err) {
			return err
		}
	}
	return nil
}

// CheckProduct returns the product in a field of a request, and adds a problem if it does not
// exist in scope.
func (u Unit) CheckProduct(field string, id product.ID, problems *fault.Problems) (product.Product, error) {
	return Products.Reference(u, field, id, fault.CodeUnknownProduct, fault.Textf("no product of the token's agencies has this id"), problems)
}

// MergedInto returns the customer with which the record with an id was joined; 0 if it was
// not.
func (u Unit) MergedInto(id customer.ID) (into customer.ID, err error) {
	for {
		found, err := u.Merged().Many(u.Site.ID, []customer.ID{id})
		if err != nil || len(found) == 0 {
			return into, err
		}
		id, into = found[0].Into, found[0].Into
	}
}

// MergedText is the message about an id that another one has replaced.
const MergedText = "the customer was joined with customer %d, the same person"

// CheckCustomer adds a problem if the customer in a field of a request does not exist in
// scope, or was anonymised; 0 is none.
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

// ReferenceTaken returns the error for callers in place of port.ErrReferenceTaken.
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
		u.CheckUser(in.UserID, p.User, &problems)
		in.relate(&after, &problems)
		if err := u.checkRelations(p, after, &problems); err != nil {
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

// unrecognised returns a fault with no other problem than criteria values outside their
// referential as the kind that the contract has for it.
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

// Change calls edit with a product of the caller's site, and stores the result with its event,
// unless it is the same.
func (u Unit) Change(id product.ID, match kernel.IfMatch, edit func(product.Product) (product.Product, error)) (kernel.Changed, error) {
	before, err := Products.GetUnlocked(u, id)
	if err != nil {
		return kernel.Changed{}, err
	}
	return Products.Change(u, before, match, edit)
}

// deleteProduct deletes a product. Its reference stays taken. Its lots keep its id, which
// reads hide while it is deleted.
func (u Unit) deleteProduct(in DeleteProduct) (kernel.None, error) {
	p, err := Products.Get(u, product.ID(in.ID))
	if err := kernel.FirstError(err, in.IfMatch.Check(kernel.Version(p.Version))); err != nil {
		return kernel.None{}, err
	}
	if err := dealrecords.CheckDeletable(u.Unit, p.ID); err != nil {
		return kernel.None{}, err
	}
	lots, err := u.lotsOf(p)
	if err != nil {
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
	if err := u.tellLots(lots); err != nil {
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

// placeOfRoom returns the index of a room of a product.
func placeOfRoom(p product.Product, id int64) (int, error) {
	n := slices.IndexFunc(p.Rooms, func(r product.Room) bool { return r.ID == product.RoomID(id) })
	if n < 0 {
		return n, kernel.Unknown("the product has no room with this id")
	}
	return n, nil
}

// Delete is DeleteProduct, in a unit of work that does more.
func (u Unit) Delete(id product.ID) error {
	_, err := u.deleteProduct(DeleteProduct{ID: int64(id)})
	return err
}
