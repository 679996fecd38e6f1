package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Import carries the listings of a file into a portfolio, one after the other.
type Import struct {
	service *Service
	to      Portfolio
	dryRun  bool
	// products and references are those that the file has had so far.
	products   map[product.ID]bool
	references map[string]bool
}

// Import begins to import a file. A dry run answers the same and writes nothing.
func (s *Service) Import(to Portfolio, dryRun bool) *Import {
	return &Import{s, to, dryRun, map[product.ID]bool{}, map[string]bool{}}
}

// Listing brings one listing of another software into the portfolio: it creates
// the product of its reference, or changes that one where the listing tells
// something else. The product is one unit of work with its event, each picture
// another one, so whatever interrupts it can be repeated; a listing that is there
// already leaves no trace.
//
// An error is about the import; what is wrong with the listing is in the answer,
// which holds as far as it goes even when there is an error.
func (i *Import) Listing(ctx context.Context, l Listing) (Imported, error) {
	c, err := i.service.portfolioCaller(ctx, i.to)
	if err != nil {
		return Imported{}, err
	}
	if l.Refused != "" {
		return Imported{Action: ImportRefused, Why: l.Refused}, nil
	}
	im := importer{service: i.service, caller: c, agency: i.to.Agency, dryRun: i.dryRun}
	done, p, err := im.product(ctx, importing{
		agency: i.to.Agency, listing: l, dryRun: i.dryRun, products: i.products, references: i.references,
	})
	if err != nil || done.Action == ImportRefused {
		return done, err
	}
	i.products[p.ID], i.references[product.FoldReference(l.Reference)] = true, true
	return done, im.pictures(ctx, p, l.Pictures, &done)
}

// portfolioCaller is a caller without a credential who reaches the portfolio.
func (s *Service) portfolioCaller(ctx context.Context, of Portfolio) (api.Caller, error) {
	c, err := s.k.Admit(ctx, access.Grant{Site: of.Site})
	if err != nil {
		return c, fmt.Errorf("site %d: %w", of.Site, err)
	}
	if of.Agency != 0 && !c.Scope.Has(of.Agency) {
		return c, fmt.Errorf("site %d has no agency %d in its scope", of.Site, of.Agency)
	}
	return c, nil
}

// importer imports for one caller into one agency.
type importer struct {
	service *Service
	caller  api.Caller
	agency  site.AgencyID
	dryRun  bool
}

// importing is a listing that is to be stored.
type importing struct {
	agency  site.AgencyID
	listing Listing
	dryRun  bool
	// products and references are those that the file has had before.
	products   map[product.ID]bool
	references map[string]bool
}

// outcome is what became of it.
type outcome struct {
	action  ImportAction
	product product.Product
	changes []string
	missed  []NotUnderstood
}

func (im importer) product(ctx context.Context, in importing) (Imported, product.Product, error) {
	store := api.Writes(im.service.k, newUnit, unit.store)
	if im.dryRun {
		store = api.Reads(im.service.k, newUnit, unit.store)
	}
	done, err := store(ctx, im.caller, in)
	if refused := fault.From(listing.ReferenceTaken(err)); err != nil && refused.Kind == fault.Invalid {
		return Imported{Action: ImportRefused, NotUnderstood: in.listing.NotUnderstood, Why: explained(refused)}, done.product, nil
	}
	if err != nil {
		return Imported{}, done.product, err
	}
	return Imported{Action: done.action, Product: done.product.ID, Changes: done.changes, NotUnderstood: done.missed}, done.product, nil
}

// explained says what is wrong on one line.
func explained(refused *fault.Error) string {
	var lines []string
	for _, d := range refused.Details {
		lines = append(lines, d.Field+": "+d.Message.String())
	}
	return strings.Join(lines, "; ")
}

// unit is what the code inside a unit of work has.
type unit struct{ listing.Unit }

func newUnit(u api.Unit) unit { return unit{listing.NewUnit(u)} }

// store creates or changes the product of a listing; in a dry run it only finds out
// what that would be.
func (u unit) store(in importing) (outcome, error) {
	before, err := u.described(in)
	if api.IsAbsent(err) {
		return u.create(in)
	}
	if err != nil {
		return outcome{}, err
	}
	if in.products[before.ID] {
		return outcome{}, twice()
	}
	var problems fault.Problems
	after, missed := u.told(before, in.listing, &problems)
	if err := problems.Err(); err != nil {
		return outcome{}, err
	}
	if after.Same(before) {
		return outcome{action: ImportUnchanged, product: before, missed: missed}, nil
	}
	if !in.dryRun {
		_, err = u.Change(before.ID, api.IfMatch{}, func(product.Product) (product.Product, error) { return after, nil })
	}
	return outcome{ImportChanged, after, before.Differences(after), missed}, err
}

func twice() error {
	return api.Invalid("model", fault.CodeReferenceTaken, "the file has this reference more than once")
}

// described is the product that a listing is about; an absent one is still to be
// made.
func (u unit) described(in importing) (product.Product, error) {
	l := in.listing
	reference := criteria.Normalise(l.Reference)
	if reference == "" {
		return product.Product{}, api.Invalid("model", fault.CodeRequired, "the listing has no reference to know it by")
	}
	id, err := u.known(in)
	if err == nil && id == 0 {
		id, err = u.Products().Holder(u.Site.ID, in.agency, reference)
	}
	if err != nil {
		return product.Product{}, err
	}
	p, err := u.Products().Get(u.Site.ID, id)
	return p, api.AbsentIs(err, api.Invalid("model", fault.CodeReferenceTaken, "the product with this reference was deleted"))
}

// known is the product that an export called by the id of the listing, if that
// wrote its reference the same; else 0. It is not held: the id may be anybody's.
func (u unit) known(in importing) (product.ID, error) {
	if in.listing.ID == 0 || in.listing.Beyond == nil {
		return 0, nil
	}
	found, err := u.Products().Many(u.Site.ID, []product.ID{in.listing.ID})
	for _, p := range found {
		if p.Agency == in.agency && in.listing.Beyond(exported(p, u.Caller)).Reference == "" {
			return p.ID, nil
		}
	}
	return 0, err
}

// told is the product with what the listing tells of it. What the file cannot say
// stays as it is: the listing is held against what an export would say of the
// product. Then once more, for a criterion may follow from another one, as letters
// do from the numbers they are read off, and lose what the listing told.
func (u unit) told(before product.Product, l Listing, problems *fault.Problems) (product.Product, []NotUnderstood) {
	rules := u.Site.ProductRules()
	if l.Beyond == nil {
		change, missed := l.understood(rules, before)
		return rules.Update(before, change, problems), missed
	}
	change, missed := l.Beyond(exported(before, u.Caller)).understood(rules, before)
	after := rules.Update(before, change, problems)
	if problems.Empty() && !after.Same(before) {
		again, _ := l.Beyond(exported(after, u.Caller)).understood(rules, after)
		after = rules.Update(after, again, problems)
	}
	return after, missed
}

// create adds a product. What is in an exchange file is what an agency shows, so
// it is for the web, and active unless the listing tells otherwise.
func (u unit) create(in importing) (outcome, error) {
	if in.references[product.FoldReference(in.listing.Reference)] {
		return outcome{}, twice()
	}
	rules := u.Site.ProductRules()
	rules.DefaultStatus = criteria.StatusActive
	change, missed := in.listing.understood(rules, product.Product{})
	change.Model, change.WebStatus = opt.Of(criteria.Normalise(in.listing.Reference)), opt.Of(true)
	var problems fault.Problems
	made := rules.Create(change, &problems)
	made.Site, made.Agency = u.Site.ID, in.agency
	err := problems.Err()
	if err == nil && !in.dryRun {
		made, err = u.Add(made)
	}
	return outcome{action: ImportCreated, product: made, missed: missed}, err
}

// pictures adds those that the product does not have.
func (im importer) pictures(ctx context.Context, p product.Product, found []ListingPicture, done *Imported) error {
	for _, picture := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		if picture.isOf(p) {
			continue
		}
		if im.dryRun && picture.Remote {
			done.PicturesUnseen++
			continue
		}
		file, err := picture.Open(ctx)
		if err == nil {
			err = im.picture(ctx, &p, file, done)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var refused *fault.Error
		switch {
		case err == nil:
		case errors.As(err, &refused) && refused.Kind != fault.Invalid:
			return err
		default:
			done.NotUnderstood = append(done.NotUnderstood, NotUnderstood{"picture", picture.Name, err.Error()})
		}
	}
	return nil
}

// isOf reports whether a picture is named by the URL of one that the product has,
// whatever the host is called now.
func (l ListingPicture) isOf(p product.Product) bool {
	return l.Remote && slices.ContainsFunc(p.PublicPictures(), func(known product.Picture) bool {
		return known.ID != 0 && strings.HasSuffix(l.Name, listing.PhotoURL(api.Options{}, p, known, 0, time.Time{}))
	})
}

// picture adds a file unless the product has it, and notes that it has it now.
func (im importer) picture(ctx context.Context, p *product.Product, file listing.File, done *Imported) error {
	made := product.Picture{Visibility: product.Public}
	var err error
	if made.Sent, err = file.Hash(); err != nil {
		return err
	}
	if _, known := p.SentBefore(made); known {
		return nil
	}
	if !im.dryRun {
		if _, err := im.service.listing.Unchecked().AddPublicPicture(ctx, im.caller, listing.AddPicture{ID: int64(p.ID), File: file}); err != nil {
			return err
		}
	}
	p.Pictures = append(p.Pictures, made)
	done.Pictures++
	return nil
}
