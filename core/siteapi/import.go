package siteapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/port"
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
// which is good as far as it goes also beside an error.
func (s *Service) Import(ctx context.Context, to Portfolio, l Listing, dryRun bool) (Imported, error) {
	c, err := s.keeper(ctx, to)
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

// keeper is a caller who is nobody's credential and reaches the portfolio.
func (s *Service) keeper(ctx context.Context, of Portfolio) (Caller, error) {
	c, err := s.Admit(ctx, access.Grant{Site: of.Site})
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
	caller  Caller
	agency  site.AgencyID
	dryRun  bool
}

func (im importer) product(ctx context.Context, l Listing) (Imported, product.Product, error) {
	change, missed := l.understood(im.caller.settings.rules())
	reference := criteria.Normalise(l.Reference)
	done, p := Imported{NotUnderstood: missed}, product.Product{}
	unit := func(tx port.Tx) (err error) {
		done.Changes = nil
		done.Action, p, err = im.keep(tx, reference, change, &done.Changes)
		return err
	}
	var err error
	if im.dryRun {
		err = im.service.ports.Store.View(ctx, unit)
	} else {
		_, err = write(ctx, im.service, im.caller, func(tx port.Tx) (None, error) { return None{}, unit(tx) })
	}
	if refused := fault.From(referenceTaken(err)); err != nil && refused.Kind == fault.Invalid {
		return Imported{Action: ImportRefused, NotUnderstood: missed, Why: explained(refused)}, p, nil
	}
	if err != nil {
		return Imported{}, p, err
	}
	return done, p, nil
}

// explained says what is wrong on one line.
func explained(refused *fault.Error) string {
	var lines []string
	for _, d := range refused.Details {
		lines = append(lines, d.Field+": "+d.Message)
	}
	return strings.Join(lines, "; ")
}

// keep creates or changes the product of a reference; in a dry run only as far
// as to know what that would be.
func (im importer) keep(tx port.Tx, reference string, change product.Change, changes *[]string) (ImportAction, product.Product, error) {
	if reference == "" {
		return "", product.Product{}, invalid("model", fault.CodeRequired, "the listing has no reference to know it by")
	}
	id, err := tx.References().Holder(im.caller.Site(), im.agency, reference)
	if isAbsent(err) {
		p, err := im.create(tx, reference, change)
		return ImportCreated, p, err
	}
	if err != nil {
		return "", product.Product{}, err
	}
	before, err := tx.Products().Get(im.caller.Site(), id)
	if err != nil {
		return "", before, absentIs(err, invalid("model", fault.CodeReferenceTaken, "the product with this reference was deleted"))
	}
	var problems fault.Problems
	after := im.caller.settings.rules().Update(before, change, &problems)
	if err := problems.Err(); err != nil {
		return "", before, err
	}
	if after.Same(before) {
		return ImportUnchanged, before, nil
	}
	*changes = differences(before, after)
	if !im.dryRun {
		_, err = im.service.changeIn(tx, im.caller, id, IfMatch{}, func(port.Tx, product.Product) (product.Product, error) { return after, nil })
	}
	return ImportChanged, after, err
}

// create adds a product. What is in an exchange file is what an agency shows, so
// it is for the web, and active unless the listing tells otherwise.
func (im importer) create(tx port.Tx, reference string, change product.Change) (product.Product, error) {
	change.Model, change.WebStatus = opt.Of(reference), opt.Of(true)
	var problems fault.Problems
	rules := im.caller.settings.rules()
	rules.DefaultStatus = criteria.StatusActive
	made := rules.Create(change, &problems)
	made.Site, made.Agency = im.caller.Site(), im.agency
	if err := problems.Err(); err != nil || im.dryRun {
		return made, err
	}
	return im.service.add(tx, im.caller.author(), im.caller.settings, made)
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
func (im importer) pictures(ctx context.Context, p product.Product, listed []ListingPicture, done *Imported) error {
	for _, picture := range listed {
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
func (im importer) picture(ctx context.Context, p *product.Product, file File, done *Imported) error {
	made := product.Picture{Visibility: product.Public}
	var err error
	if made.Sent, err = hashOf(file.reader()); err != nil {
		return err
	}
	if _, known := p.SentBefore(made); known {
		return nil
	}
	if !im.dryRun {
		if _, err := im.service.AddPublicPicture(ctx, im.caller, AddPicture{ID: int64(p.ID), File: file}); err != nil {
			return err
		}
	}
	p.Pictures = append(p.Pictures, made)
	done.Pictures++
	return nil
}
