package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Import imports the listings of a file into a portfolio, one after the other.
type Import struct {
	// Agencies are those that listings are for by what their file calls the agency, in any case. A
	// listing of another one is refused. Without any, all listings are for that of the portfolio.
	Agencies map[string]site.AgencyID
	// UnreadOnWeb puts new products on the web though their price, type or place could not be read.
	// Otherwise they are not, until somebody has looked at them.
	UnreadOnWeb bool
	// Withdrawal is what becomes of the products of listings that are gone, operator.WithdrawOffWeb or
	// operator.WithdrawDelete. When it is empty their listings are refused. A source has its own.
	Withdrawal string

	service *Service
	to      Portfolio
	dryRun  bool
	// only is the code of the agency that all listings should have, empty where it is not known.
	only string
	// products and references are those of the listings so far.
	products   map[product.ID]bool
	references map[agencyReference]bool
	// source is where the listings come from; nil is an operator who has the file.
	source *operator.ImportSource
	// by is who causes the events.
	by event.Actor
	// keepsUndo: what was done is told so that it can be undone, and shown with the values before and after.
	keepsUndo bool
}

// agencyReference is a folded reference within an agency.
type agencyReference struct {
	agency    site.AgencyID
	reference string
}

// Import returns the import of a file. A dry run returns the same results and writes nothing.
func (s *Service) Import(to Portfolio, dryRun bool) *Import {
	return &Import{service: s, to: to, dryRun: dryRun, by: event.ActorOf(event.BySystem, "import"), products: map[product.ID]bool{}, references: map[agencyReference]bool{}}
}

// Listing imports one listing: it creates the product with its reference, or changes that one
// where the listing differs. The product and its event are stored in one unit of work, each
// picture in another, so an interrupted import can be repeated. A listing without a
// difference stores nothing.
//
// Problems of the listing are in the answer, which is valid up to the error if there is one.
func (i *Import) Listing(ctx context.Context, l Listing) (Imported, error) {
	p, err := i.product(ctx, l)
	if err != nil {
		return Imported{}, err
	}
	done := p.imported()
	return done, i.pictures(ctx, p, l.Pictures, &done)
}

// caller returns a caller for all agencies of the import.
func (i *Import) caller(ctx context.Context) (c kernel.Caller, err error) {
	for _, agency := range i.Agencies {
		if c, err = i.service.portfolioCaller(ctx, Portfolio{i.to.Site, agency}); err != nil {
			return c, err
		}
	}
	if len(i.Agencies) == 0 {
		c, err = i.service.portfolioCaller(ctx, i.to)
	}
	return c.On(i.by), err
}

// portfolioCaller returns a caller without a credential for the portfolio.
func (s *Service) portfolioCaller(ctx context.Context, of Portfolio) (kernel.Caller, error) {
	c, err := s.k.Admit(ctx, access.Grant{Site: of.Site})
	if err != nil {
		return c, fmt.Errorf("site %d: %w", of.Site, err)
	}
	if of.Agency != 0 && !c.Scope.Has(of.Agency) {
		return c, fmt.Errorf("site %d has no agency %d in its scope", of.Site, of.Agency)
	}
	return c, nil
}

// importing has listings to store.
type importing struct {
	listings []addressed
	dryRun   bool
	// unreadOnWeb is Import.UnreadOnWeb.
	unreadOnWeb bool
	// products and references are those of earlier listings.
	products   map[product.ID]bool
	references map[agencyReference]bool
}

// addressed is a listing with the agency that it is for.
type addressed struct {
	Listing
	agency site.AgencyID
}

func (i *Import) importing(listings []Listing) importing {
	all := make([]addressed, len(listings))
	for n, l := range listings {
		all[n] = i.addressed(l)
	}
	return importing{all, i.dryRun, i.UnreadOnWeb, i.products, i.references}
}

// addressed returns a listing with its agency, refused if it has none.
func (i *Import) addressed(l Listing) addressed {
	if len(i.Agencies) == 0 {
		if i.only != "" && l.Agency != "" && l.Agency != i.only && l.Refused == "" {
			l.Refused = fault.Textf("the listing is of the agency %q, and most of the file of %q", l.Agency, i.only).String()
		}
		return addressed{l, i.to.Agency}
	}
	for code, agency := range i.Agencies {
		if strings.EqualFold(code, l.Agency) {
			return addressed{l, agency}
		}
	}
	switch {
	case l.Refused != "":
	case l.Agency == "":
		l.Refused = fault.Textf("the file does not say of which agency the listing is").String()
	default:
		l.Refused = fault.Textf("the listing is of the agency %q, and no agency of the site is named for it", l.Agency).String()
	}
	return addressed{l, 0}
}

// CheckAgencies takes what a file calls the agencies of its listings, and of how many each is. Where nothing
// says which is which, they must be of one: the error names them. Codes that are there once each, beside
// one that most listings have, are taken for damage, and only their listings are refused.
func (i *Import) CheckAgencies(listings map[string]int) error {
	if len(listings) < 2 || len(i.Agencies) > 0 {
		return nil
	}
	codes := slices.SortedFunc(maps.Keys(listings), func(a, b string) int {
		return cmp.Or(listings[b]-listings[a], strings.Compare(a, b))
	})
	if others := len(codes) - 1; listings[codes[1]] > 1 || listings[codes[0]] <= others {
		return fmt.Errorf("the file has listings of several agencies (%s); say for each which agency of the site it is, as CODE=ID", quoted(codes))
	}
	i.only = codes[0]
	return nil
}

// maxCodes is how many codes of agencies an error names.
const maxCodes = 20

func quoted(codes []string) string {
	shown := make([]string, 0, maxCodes)
	for _, code := range codes[:min(len(codes), maxCodes)] {
		shown = append(shown, strconv.Quote(code))
	}
	if more := len(codes) - maxCodes; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(shown, ", ")
}

// plan is what to do with a listing.
type plan struct {
	action ImportAction
	// reference is that of the listing.
	reference agencyReference
	// before is the present product, product the new one.
	before, product product.Product
	changes         []string
	missed          []NotUnderstood
	unread          []string
	// why is the reason of a refusal.
	why string
	// sourced is what is known of the product as one of the source, and noted reports that it is
	// to be stored.
	sourced operator.SourcedProduct
	noted   bool
	// gone: the listing is; withdrawal is what to do with its product, empty where that is left to the source.
	gone       bool
	withdrawal string
}

func (p plan) hasEffect() bool {
	return p.action == ImportCreated || p.changesProduct() || p.noted
}

// changesProduct reports whether the plan is about a product that there is.
func (p plan) changesProduct() bool { return p.action == ImportChanged || p.withdrawal != "" }

func (p plan) imported() Imported {
	return Imported{Action: p.action, Product: p.product.ID, Changes: p.changes, NotUnderstood: p.missed, Unread: p.unread, Why: p.why}
}

// note adds the products and references of listings that were stored.
func (i *Import) note(plans []plan) {
	for _, p := range plans {
		if p.action != ImportRefused && !p.gone {
			i.references[p.reference] = true
			if p.product.ID != 0 {
				i.products[p.product.ID] = true
			}
		}
	}
}

// product stores the product of one listing.
func (i *Import) product(ctx context.Context, l Listing) (plan, error) {
	c, err := i.caller(ctx)
	if err != nil {
		return plan{}, err
	}
	store := kernel.Writes(i.service.k, i.newUnit, unit.store)
	if i.dryRun {
		store = kernel.Reads(i.service.k, i.newUnit, unit.plan)
	}
	plans, err := store(ctx, c, i.importing([]Listing{l}))
	if refused, is := refusal(l, listing.ReferenceTaken(err)); is {
		return refused, nil
	}
	if l.Gone && errors.Is(err, fault.Conflict) {
		return plan{action: ImportRefused, gone: true, why: notDeleted(err)}, nil
	}
	if err != nil {
		return plan{}, err
	}
	i.note(plans)
	return plans[0], nil
}

// notDeleted says why a product was not deleted.
func notDeleted(err error) string {
	return fault.Textf("it was not deleted: %s", fault.From(err).Message).String()
}

// refusal returns the plan for an error, if the error is about the listing.
func refusal(l Listing, err error) (refused plan, is bool) {
	if err == nil {
		return plan{}, false
	}
	known := fault.From(err)
	return plan{action: ImportRefused, missed: l.NotUnderstood, why: explained(known)}, known.Kind == fault.Invalid
}

// explained returns the problems on one line.
func explained(refused *fault.Error) string {
	var lines []string
	for _, d := range refused.Details {
		lines = append(lines, d.Field+": "+d.Message.String())
	}
	return strings.Join(lines, "; ")
}

// unit is the argument of the function of a unit of work.
type unit struct {
	listing.Unit
	source *operator.ImportSource
	// withdrawal is Import.Withdrawal.
	withdrawal string
}

func newUnit(u kernel.Unit) unit { return unit{Unit: listing.NewUnit(u)} }

func (i *Import) newUnit(u kernel.Unit) unit { return unit{listing.NewUnit(u), i.source, i.Withdrawal} }

// store creates or changes the products of listings.
func (u unit) store(in importing) ([]plan, error) {
	plans, err := u.plan(in)
	if err != nil {
		return nil, err
	}
	return u.carryOut(plans)
}

// plan returns the plans of listings. In an Update their products are locked.
func (u unit) plan(in importing) ([]plan, error) {
	ids, err := u.described(in)
	if err != nil {
		return nil, err
	}
	present, err := port.GetAll(u.Products(), u.Site.ID, ids)
	if err != nil {
		return nil, err
	}
	sourced, err := u.sourcedAmong(ids)
	if err != nil {
		return nil, err
	}
	p := planner{u, in, map[product.ID]product.Product{}, sourced, map[product.ID]bool{}, map[agencyReference]bool{}}
	for _, known := range present {
		p.present[known.ID] = known
	}
	plans := make([]plan, len(in.listings))
	for n, l := range in.listings {
		planned, err := p.plan(l, ids[n])
		if refused, is := refusal(l.Listing, err); is {
			planned, err = refused, nil
		}
		if err != nil {
			return nil, err
		}
		plans[n] = u.sourcing(planned, sourced[ids[n]])
	}
	return plans, nil
}

// planner plans listings one after the other.
type planner struct {
	unit
	importing
	present map[product.ID]product.Product
	sourced map[product.ID]operator.SourcedProduct
	// had and made are products and references of earlier listings.
	had  map[product.ID]bool
	made map[agencyReference]bool
}

// plan returns the plan of a listing of a product; 0 is a new one.
func (p planner) plan(l addressed, id product.ID) (planned plan, err error) {
	reference := criteria.Normalise(l.Reference)
	switch {
	case l.Refused != "":
		return plan{action: ImportRefused, why: l.Refused}, nil
	case l.undoes != nil:
		return p.undo(l, id)
	case reference == "":
		return plan{}, kernel.Invalid("model", fault.CodeRequired, "the listing has no reference to know it by")
	case l.Gone:
		return p.gone(id), nil
	case id == 0:
		planned, err = p.creation(l, reference)
	default:
		planned, err = p.change(l.Listing, id)
	}
	if err == nil {
		planned.reference = l.key(reference)
		p.had[id], p.made[planned.reference] = true, true
	}
	return planned, err
}

// gone returns the plan of a listing that is gone, of a product; 0 is none.
func (p planner) gone(id product.ID) plan {
	before, living := p.present[id]
	known, deletes, ours := p.sourced[id], p.withdrawal == operator.WithdrawDelete, true
	if p.source != nil {
		deletes, ours = p.source.Settings.Withdrawal == operator.WithdrawDelete, known.Source == p.source.ID && known.Own && known.Withdrawn.IsZero()
	}
	planned := plan{action: ImportUnchanged, gone: true, before: before, product: before}
	switch {
	case p.source == nil && p.withdrawal == "":
		planned.action, planned.why = ImportRefused, "the file says that the listing is gone, and it was not withdrawn"
	case living && ours && (deletes || before.WebStatus):
		planned.action, planned.withdrawal = ImportWithdrawn, p.withdrawal
	}
	if planned.withdrawal == operator.WithdrawOffWeb {
		planned.product = before.Clone()
		planned.product.WebStatus = false
	}
	return planned
}

// key returns a reference of the listing's agency, as it is compared.
func (l addressed) key(reference string) agencyReference {
	return agencyReference{l.agency, product.FoldReference(reference)}
}

func (p planner) change(l Listing, id product.ID) (plan, error) {
	before, living := p.present[id]
	switch {
	case !living:
		return plan{}, kernel.Invalid("model", fault.CodeReferenceTaken, "the product with this reference was deleted")
	case p.products[id] || p.had[id]:
		return plan{}, twice()
	}
	var problems fault.Problems
	after, read := p.applied(before, l, &problems)
	if err := problems.Err(); err != nil {
		return plan{}, err
	}
	if after.Same(before) {
		return plan{action: ImportUnchanged, before: before, product: before, missed: read.missed, unread: read.unread}, nil
	}
	return plan{action: ImportChanged, before: before, product: after, changes: before.Differences(after), missed: read.missed, unread: read.unread}, nil
}

// creation returns a new product. Agencies export what they publish, so it is for the web as far as it
// could be read, and active unless the listing has another status.
func (p planner) creation(l addressed, reference string) (plan, error) {
	if key := l.key(reference); p.references[key] || p.made[key] {
		return plan{}, twice()
	}
	rules := p.Site.ProductRules()
	rules.DefaultStatus = criteria.StatusActive
	read := l.understood(rules, p.Site.Settings().Currency, product.Product{})
	change := read.change
	change.Model, change.WebStatus = opt.Of(reference), opt.Of(p.unreadOnWeb || len(read.unread) == 0)
	var problems fault.Problems
	made := rules.Create(change, &problems)
	made.Site, made.Agency = p.Site.ID, l.agency
	return plan{action: ImportCreated, product: made, missed: read.missed, unread: read.unread}, problems.Err()
}

// carryOut creates and changes products by their plans.
func (u unit) carryOut(plans []plan) ([]plan, error) {
	plans = slices.Clone(plans)
	var created, changed []*plan
	var added []product.Product
	var edits []listing.Edit
	for n := range plans {
		switch p := &plans[n]; {
		case p.action == ImportCreated:
			created, added = append(created, p), append(added, p.product)
		case p.withdrawal == operator.WithdrawDelete:
			if err := u.Delete(p.product.ID); err != nil {
				return nil, err
			}
		case p.changesProduct():
			changed, edits = append(changed, p), append(edits, listing.Edit{Before: p.before, After: p.product})
		}
	}
	made, err := u.AddAll(added)
	if err != nil {
		return nil, err
	}
	after, err := u.ChangeAll(edits)
	if err != nil {
		return nil, err
	}
	for n, p := range created {
		p.product = made[n]
	}
	for n, p := range changed {
		p.product = after[n]
	}
	return plans, u.noteSourced(plans)
}

func twice() error {
	return kernel.Invalid("model", fault.CodeReferenceTaken, "the file has this reference more than once")
}

// described returns the products of listings, deleted ones included, and 0 for new ones.
func (u unit) described(in importing) ([]product.ID, error) {
	ids, err := u.known(in)
	if err != nil {
		return nil, err
	}
	references := map[site.AgencyID][]string{}
	for n, l := range in.listings {
		if ids[n] == 0 && l.Refused == "" {
			references[l.agency] = append(references[l.agency], criteria.Normalise(l.Reference))
		}
	}
	for _, agency := range slices.Sorted(maps.Keys(references)) {
		holders, err := port.Holders(u.Products(), u.Site.ID, agency, references[agency])
		if err != nil {
			return nil, err
		}
		for n, l := range in.listings {
			if ids[n] == 0 && l.agency == agency {
				ids[n] = holders[product.FoldReference(criteria.Normalise(l.Reference))]
			}
		}
	}
	return ids, nil
}

// known returns the products whose ids are those of the listings, if an export writes the same
// reference for them, and otherwise 0. They are not locked: the ids may be of other software.
func (u unit) known(in importing) ([]product.ID, error) {
	ids := make([]product.ID, len(in.listings))
	var asked []product.ID
	for n, l := range in.listings {
		if l.undoes != nil {
			ids[n] = l.undoes.Product
		}
		if l.ID != 0 && l.Beyond != nil && criteria.Normalise(l.Reference) != "" {
			asked = append(asked, l.ID)
		}
	}
	if len(asked) == 0 {
		return ids, nil
	}
	found, err := u.Products().Many(u.Site.ID, asked)
	byID := make(map[product.ID]product.Product, len(found))
	for _, p := range found {
		byID[p.ID] = p
	}
	for n, l := range in.listings {
		p, living := byID[l.ID]
		if living && l.Beyond != nil && p.Agency == l.agency && l.Beyond(exported(p, u.Caller)).Reference == "" {
			ids[n] = p.ID
		}
	}
	return ids, err
}

// applied returns the product with the values of the listing. A value that the file cannot
// contain stays: only differences from an export of the product are applied. They are applied
// twice, because a criterion that is computed from others, such as an energy letter, may
// replace a value of the listing.
func (u unit) applied(before product.Product, l Listing, problems *fault.Problems) (product.Product, understanding) {
	rules := u.Site.ProductRules()
	if l.Beyond == nil {
		read := l.understood(rules, u.Site.Settings().Currency, before)
		return rules.Update(before, read.change, problems), read
	}
	read := l.Beyond(exported(before, u.Caller)).understood(rules, u.Site.Settings().Currency, before)
	after := rules.Update(before, read.change, problems)
	if problems.Empty() && !after.Same(before) {
		again := l.Beyond(exported(after, u.Caller)).understood(rules, u.Site.Settings().Currency, after)
		after = rules.Update(after, again.change, problems)
	}
	return after, read
}

// pictures adds the pictures of a listing that its product does not have.
func (i *Import) pictures(ctx context.Context, of plan, found []ListingPicture, done *Imported) error {
	if of.action == ImportRefused || of.gone || len(found) == 0 {
		return nil
	}
	c, err := i.caller(ctx)
	if err != nil {
		return err
	}
	p, from := of.product, i.sourcedPictures(of)
	var all []placed
	lacking := false
	for _, picture := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		if known, is := picture.isOf(p); is {
			from.named[known.Sent] = true
			all = append(all, placed{id: known.ID, title: picture.Title})
			continue
		}
		if sent, is := from.has(p, picture.Name); is && picture.Remote {
			all = append(all, placed{sent: sent, title: picture.Title})
			continue
		}
		if i.dryRun && picture.Remote {
			done.PicturesUnseen++
			continue
		}
		file, err := picture.Open(ctx)
		var sent string
		if err == nil {
			sent, err = i.picture(ctx, c, &p, file, picture.Name, from, done)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var refused *fault.Error
		switch {
		case err == nil:
			all = append(all, placed{sent: sent, title: picture.Title})
		case errors.As(err, &refused) && refused.Kind != fault.Invalid:
			return err
		default:
			from.failed = true
			done.NotUnderstood = append(done.NotUnderstood, NotUnderstood{"picture", picture.Name, err.Error()})
			lacking = true
		}
	}
	if err := from.withdraw(ctx, c, p, done); err != nil {
		return err
	}
	// One that could not be read may be there already, and is nowhere in the order.
	if i.dryRun || lacking || arranged(p, all).Same(p) {
		return nil
	}
	_, err = kernel.Writes(i.service.k, newUnit, unit.arrange)(ctx, c, arranging{p.ID, all})
	return err
}

// placed is a picture that the file has, by its id or by the hash of what was sent, and its title.
type placed struct {
	id    product.PictureID
	sent  string
	title string
}

type arranging struct {
	id  product.ID
	all []placed
}

// arrange gives the pictures of a product the order and the titles of the file.
func (u unit) arrange(in arranging) (kernel.Changed, error) {
	return u.Change(in.id, kernel.IfMatch{}, func(p product.Product) (product.Product, error) { return arranged(p, in.all), nil })
}

// arranged returns a product with the public pictures of the file before its other public ones, in the
// order of the file and with its titles. A picture without a title in the file keeps its own.
func arranged(p product.Product, all []placed) product.Product {
	p = p.Clone()
	var sorted []product.Picture
	public := p.PublicPictures()
	for _, want := range all {
		n := slices.IndexFunc(public, func(q product.Picture) bool {
			return want.id != 0 && q.ID == want.id || want.sent != "" && (q.Sent == want.sent || q.SHA256 == want.sent)
		})
		if n < 0 {
			continue // the file has it twice
		}
		picture := public[n]
		if title := []rune(criteria.Normalise(want.title)); len(title) > 0 {
			picture.Label = string(title[:min(len(title), form.MaxName)])
		}
		sorted, public = append(sorted, picture), slices.Delete(public, n, n+1)
	}
	sorted = append(sorted, public...)
	for n, q := range p.Pictures {
		if q.Visibility == product.Public {
			p.Pictures[n], sorted = sorted[0], sorted[1:]
		}
	}
	return p
}

// isOf returns the picture of the product whose URL a picture has, on any host.
func (l ListingPicture) isOf(p product.Product) (product.Picture, bool) {
	if !l.Remote {
		return product.Picture{}, false
	}
	public := p.PublicPictures()
	n := slices.IndexFunc(public, func(known product.Picture) bool {
		return known.ID != 0 && strings.HasSuffix(l.Name, listing.PhotoURL(kernel.Options{}, p, known, 0, time.Time{}))
	})
	if n < 0 {
		return product.Picture{}, false
	}
	return public[n], true
}

// picture adds a file to a product unless it has the same one, and returns its hash.
func (i *Import) picture(ctx context.Context, c kernel.Caller, p *product.Product, file listing.File, name string, from *sourcedPictures, done *Imported) (string, error) {
	made := product.Picture{Visibility: product.Public}
	var err error
	if made.Sent, err = file.Hash(); err != nil {
		return "", err
	}
	if _, known := p.SentBefore(made); known {
		from.named[made.Sent] = true
		return made.Sent, nil
	}
	if !i.dryRun {
		if err := from.brings(ctx, c, name, made.Sent); err != nil {
			return "", err
		}
		if _, err := i.service.listing.Unchecked().AddPublicPicture(ctx, c, listing.AddPicture{ID: int64(p.ID), File: file}); err != nil {
			return "", err
		}
	}
	p.Pictures = append(p.Pictures, made)
	done.Pictures++
	return made.Sent, nil
}
