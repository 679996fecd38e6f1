package transfer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

func hasUser(in SetupSite, id int64) bool {
	return slices.ContainsFunc(in.Users, func(u SetupUser) bool { return u.ID == id })
}

func (p provisioner) products(in SetupSite) error {
	seen := map[reference]bool{}
	for chunk := range slices.Chunk(in.Products, batchListings) {
		if err := p.someProducts(in, seen, chunk); err != nil {
			return err
		}
	}
	if in.MoreProducts == nil {
		return nil
	}
	chunk := make([]SetupProduct, 0, batchListings)
	for described, err := range in.MoreProducts {
		if err != nil {
			return err
		}
		if chunk = append(chunk, described); len(chunk) < batchListings {
			continue
		}
		if err := p.someProducts(in, seen, chunk); err != nil {
			return err
		}
		chunk = chunk[:0]
	}
	return p.someProducts(in, seen, chunk)
}

// someProducts adds those of some described products that do not exist. None may have been seen
// before.
func (p provisioner) someProducts(in SetupSite, seen map[reference]bool, described []SetupProduct) error {
	adding, err := p.adding(described)
	if err != nil {
		return err
	}
	for _, d := range described {
		if d.UserID != 0 && !hasUser(in, d.UserID) {
			return fmt.Errorf("%s: there is no user %d", d.name(), d.UserID)
		}
		is := reference{agency: site.AgencyID(d.AgencyID), model: product.FoldReference(d.Model)}
		if seen[is] && d.Model != "" {
			return fmt.Errorf("%s is described twice", d.name())
		}
		seen[is] = true
		if err := adding.product(d); err != nil {
			return fmt.Errorf("%s: %w", d.name(), explain(err))
		}
	}
	return adding.store()
}

// name returns how errors name a product.
func (in SetupProduct) name() string {
	name := fmt.Sprintf("product %q of agency %d", in.Model, in.AgencyID)
	if in.Line > 0 {
		name = fmt.Sprintf("line %d, %s", in.Line, name)
	}
	return name
}

// explain spells out a fault's details, which an operator at a terminal would
// not see otherwise.
func explain(err error) error {
	known := fault.From(err)
	if known.Kind != fault.Invalid || len(known.Details) == 0 {
		return err
	}
	d := known.Details[0]
	if text, ok := d.Value.(string); ok && !strings.Contains(d.Message.String(), text) {
		return fmt.Errorf("%s: %s (%q)", d.Field, d.Message.String(), text)
	}
	return fmt.Errorf("%s: %s", d.Field, d.Message.String())
}

// adding are products that are added together.
type adding struct {
	provisioner
	// holders are who has the references that are described, as far as they are stored.
	holders map[site.AgencyID]map[string]product.ID
	waiting []product.Product
}

// adding begins to add described products.
func (p provisioner) adding(described []SetupProduct) (*adding, error) {
	references := map[site.AgencyID][]string{}
	for _, d := range described {
		agency := site.AgencyID(d.AgencyID)
		references[agency] = append(references[agency], d.Model)
		if d.Parent != "" {
			references[agency] = append(references[agency], d.Parent)
		}
	}
	a := &adding{provisioner: p, holders: map[site.AgencyID]map[string]product.ID{}}
	for agency, wanted := range references {
		found, err := port.Holders(p.Products(), p.Site.ID, agency, wanted)
		if err != nil {
			return nil, err
		}
		a.holders[agency] = found
	}
	return a, nil
}

// waits reports whether a product with a reference is added, and not stored yet.
func (a *adding) waits(agency site.AgencyID, reference string) bool {
	return slices.ContainsFunc(a.waiting, func(p product.Product) bool {
		return p.Agency == agency && product.FoldReference(p.Reference) == product.FoldReference(reference)
	})
}

// store stores the products that wait.
func (a *adding) store() error {
	if len(a.waiting) == 0 {
		return nil
	}
	stored, err := a.AddAll(a.waiting)
	for _, p := range stored {
		a.holders[p.Agency][product.FoldReference(p.Reference)] = p.ID
	}
	a.waiting = nil
	return err
}

func (a *adding) product(in SetupProduct) error {
	agency := site.AgencyID(in.AgencyID)
	if in.Model == "" {
		return errors.New("it needs a model")
	}
	if !a.Scope.Has(agency) {
		return fmt.Errorf("agency_id: there is no agency %d in the site's scope, where those are without in_scope: false", in.AgencyID)
	}
	if a.holders[agency][product.FoldReference(in.Model)] != 0 {
		a.done.Unchanged++
		return nil
	}
	var problems fault.Problems
	wanted := a.Site.ProductRules().Create(in.change(), &problems)
	if err := problems.Err(); err != nil {
		return err
	}
	wanted.Site, wanted.Agency = a.Site.ID, agency
	wanted.User, wanted.CreatedBy = site.UserID(in.UserID), site.UserID(in.UserID)
	wanted.Customer = customer.ID(in.CustomerID)
	kept := a.pictured[reference{a.Site.ID, agency, in.Model}]
	wanted.ID, wanted.Pictures = kept.id, kept.pictures
	wanted.Added, wanted.Modified = in.DateAdded.UTC().Truncate(time.Microsecond), in.LastModified.UTC().Truncate(time.Microsecond)
	if in.Parent != "" {
		if a.waits(agency, in.Parent) {
			if err := a.store(); err != nil {
				return err
			}
		}
		if wanted.Parent = a.holders[agency][product.FoldReference(in.Parent)]; wanted.Parent == 0 {
			return fmt.Errorf("its parent %q must be described before it", in.Parent)
		}
	}
	if wanted.Customer != 0 {
		if _, err := a.Customers().Get(a.Site.ID, wanted.Customer); err != nil {
			return kernel.AbsentIs(err, fmt.Errorf("there is no customer %d", in.CustomerID))
		}
	}
	a.done.Added++
	a.waiting = append(a.waiting, wanted)
	return nil
}

// change puts a described product into the terms of a request, so that the
// same rules judge it.
func (in SetupProduct) change() product.Change {
	c := product.Change{
		Model: opt.Of(in.Model), WebStatus: opt.Of(in.WebStatus), Intercabinet: opt.Of(in.Intercabinet),
		SellerStatistics: opt.Of(in.SellerStatistics),
	}
	if in.NextContact != "" {
		c.NextContact = opt.Of(in.NextContact)
	}
	if in.Color != 0 {
		c.Color = opt.Of(in.Color)
	}
	keys := make([]string, 0, len(in.Criteria))
	for key := range in.Criteria {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	c.Criteria.Set = true
	for _, key := range keys {
		c.Criteria.Value = append(c.Criteria.Value, product.CriterionInput{ID: key, Value: criteria.Raw{V: literal(in.Criteria[key])}})
	}
	for _, r := range in.Rooms {
		room := product.RoomInput{
			Type: opt.Of(r.Type), Exposition: given(r.Exposition), Vue: given(r.Vue), Sol: given(r.Sol), Commentaire: given(r.Commentaire),
		}
		if r.Surface != nil {
			room.Surface = opt.Of(*r.Surface)
		}
		if r.Niveau != nil {
			room.Niveau = opt.Of(*r.Niveau)
		}
		c.Rooms.Value = append(c.Rooms.Value, room)
	}
	for _, d := range in.Descriptions {
		c.Descriptions.Value = append(c.Descriptions.Value, product.DescriptionInput{
			Language: d.Language, Title: given(d.Title), Text: given(d.Text), ShortText: given(d.ShortText),
		})
	}
	return c
}

// literal puts a value of a setup file into the form of a request's.
func literal(v any) any {
	switch v := v.(type) {
	case int:
		return criteria.Literal(strconv.Itoa(v))
	case int64:
		return criteria.Literal(strconv.FormatInt(v, 10))
	case uint64:
		return criteria.Literal(strconv.FormatUint(v, 10))
	case float64:
		return criteria.Literal(strconv.FormatFloat(v, 'f', -1, 64))
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = literal(item)
		}
		return items
	}
	return v
}
