package transfer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Import brings one listing of another software into a portfolio: it creates
// the product of its reference, or changes that one where the listing tells
// something else. The product is one unit of work with its event, each picture
// another one, so whatever interrupts it can be repeated; a listing that is there
// already leaves no trace. A dry run answers the same and writes nothing.
//
// An error is about the import; what is wrong with the listing is in the answer,
// which holds as far as it goes even when there is an error.
func (s *Service) Import(ctx context.Context, to Portfolio, l Listing, dryRun bool) (Imported, error) {
	c, err := s.portfolioCaller(ctx, to)
	if err != nil {
		return Imported{}, err
	}
	im := importer{service: s, caller: c, agency: to.Agency, dryRun: dryRun}
	done, p, err := im.product(ctx, l)
	if err != nil || done.Action == ImportRefused {
		return done, err
	}
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

// importing is what a listing says of the product of a reference.
type importing struct {
	agency    site.AgencyID
	reference string
	change    product.Change
	dryRun    bool
}

// outcome is what became of it.
type outcome struct {
	action  ImportAction
	product product.Product
	changes []string
}

func (im importer) product(ctx context.Context, l Listing) (Imported, product.Product, error) {
	change, missed := l.understood(im.caller.Site.ProductRules())
	in := importing{im.agency, criteria.Normalise(l.Reference), change, im.dryRun}
	store := api.Writes(im.service.k, newUnit, unit.store)
	if im.dryRun {
		store = api.Reads(im.service.k, newUnit, unit.store)
	}
	done, err := store(ctx, im.caller, in)
	if refused := fault.From(listing.ReferenceTaken(err)); err != nil && refused.Kind == fault.Invalid {
		return Imported{Action: ImportRefused, NotUnderstood: missed, Why: explained(refused)}, done.product, nil
	}
	if err != nil {
		return Imported{}, done.product, err
	}
	return Imported{Action: done.action, Changes: done.changes, NotUnderstood: missed}, done.product, nil
}

// explained says what is wrong on one line.
func explained(refused *fault.Error) string {
	var lines []string
	for _, d := range refused.Details {
		lines = append(lines, d.Field+": "+d.Message)
	}
	return strings.Join(lines, "; ")
}

// unit is what the code inside a unit of work has.
type unit struct{ listing.Unit }

func newUnit(u api.Unit) unit { return unit{listing.NewUnit(u)} }

// store creates or changes the product of a reference; in a dry run it only finds
// out what that would be.
func (u unit) store(in importing) (outcome, error) {
	if in.reference == "" {
		return outcome{}, api.Invalid("model", fault.CodeRequired, "the listing has no reference to know it by")
	}
	id, err := u.References().Holder(u.Site.ID, in.agency, in.reference)
	if api.IsAbsent(err) {
		p, err := u.create(in)
		return outcome{action: ImportCreated, product: p}, err
	}
	if err != nil {
		return outcome{}, err
	}
	before, err := u.Products().Get(u.Site.ID, id)
	if err != nil {
		return outcome{}, api.AbsentIs(err, api.Invalid("model", fault.CodeReferenceTaken, "the product with this reference was deleted"))
	}
	var problems fault.Problems
	after := u.Site.ProductRules().Update(before, in.change, &problems)
	if err := problems.Err(); err != nil {
		return outcome{}, err
	}
	if after.Same(before) {
		return outcome{action: ImportUnchanged, product: before}, nil
	}
	if !in.dryRun {
		_, err = u.Change(id, api.IfMatch{}, func(product.Product) (product.Product, error) { return after, nil })
	}
	return outcome{ImportChanged, after, differences(before, after)}, err
}

// create adds a product. What is in an exchange file is what an agency shows, so
// it is for the web, and active unless the listing tells otherwise.
func (u unit) create(in importing) (product.Product, error) {
	in.change.Model, in.change.WebStatus = opt.Of(in.reference), opt.Of(true)
	var problems fault.Problems
	rules := u.Site.ProductRules()
	rules.DefaultStatus = criteria.StatusActive
	made := rules.Create(in.change, &problems)
	made.Site, made.Agency = u.Site.ID, in.agency
	if err := problems.Err(); err != nil || in.dryRun {
		return made, err
	}
	return u.Add(made)
}

// differences names what differs between two states that an import can have
// made of each other.
func differences(before, after product.Product) []string {
	var names []string
	every := before.Criteria.Clone()
	maps.Copy(every, after.Criteria)
	for _, key := range slices.Sorted(maps.Keys(every)) {
		if !criteria.Equal(before.Criteria[key], after.Criteria[key]) {
			names = append(names, key)
		}
	}
	known := map[product.Description]bool{}
	for _, d := range before.Descriptions {
		known[d] = true
	}
	for _, d := range after.Descriptions {
		if !known[d] {
			names = append(names, "description "+d.Language)
		}
	}
	return names
}

// pictures adds those that the product does not have.
func (im importer) pictures(ctx context.Context, p product.Product, found []ListingPicture, done *Imported) error {
	for _, picture := range found {
		if err := ctx.Err(); err != nil {
			return err
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
