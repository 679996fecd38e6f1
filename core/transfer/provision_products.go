package transfer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

func hasUser(in SetupSite, id int64) bool {
	return slices.ContainsFunc(in.Users, func(u SetupUser) bool { return u.ID == id })
}

func (p provisioner) products(in SetupSite) error {
	for _, described := range in.Products {
		if described.UserID != 0 && !hasUser(in, described.UserID) {
			return fmt.Errorf("product %q of agency %d: there is no user %d", described.Model, described.AgencyID, described.UserID)
		}
		if err := p.product(described); err != nil {
			return fmt.Errorf("product %q of agency %d: %w", described.Model, described.AgencyID, explain(err))
		}
	}
	return nil
}

// explain spells out a fault's details, which an operator at a terminal would
// not see otherwise.
func explain(err error) error {
	known := fault.From(err)
	if known.Kind != fault.Invalid || len(known.Details) == 0 {
		return err
	}
	d := known.Details[0]
	return fmt.Errorf("%s: %s", d.Field, d.Message.String())
}

func (p provisioner) product(in SetupProduct) error {
	agency := site.AgencyID(in.AgencyID)
	if in.Model == "" || !p.Scope.Has(agency) {
		return errors.New("it needs a model and an agency in the site's scope")
	}
	if _, err := p.Products().Holder(p.Site.ID, agency, in.Model); err == nil {
		p.done.Unchanged++
		return nil
	} else if !api.IsAbsent(err) {
		return err
	}
	var problems fault.Problems
	wanted := p.Site.ProductRules().Create(in.change(), &problems)
	if err := problems.Err(); err != nil {
		return err
	}
	wanted.Site, wanted.Agency = p.Site.ID, agency
	wanted.User, wanted.CreatedBy = site.UserID(in.UserID), site.UserID(in.UserID)
	wanted.Customer = customer.ID(in.CustomerID)
	kept := p.pictured[reference{p.Site.ID, agency, in.Model}]
	wanted.ID, wanted.Pictures = kept.id, kept.pictures
	wanted.Added, wanted.Modified = in.DateAdded.UTC().Truncate(time.Microsecond), in.LastModified.UTC().Truncate(time.Microsecond)
	if in.Parent != "" {
		parent, err := p.Products().Holder(p.Site.ID, agency, in.Parent)
		if err != nil {
			return api.AbsentIs(err, fmt.Errorf("its parent %q must be described before it", in.Parent))
		}
		wanted.Parent = parent
	}
	if wanted.Customer != 0 {
		if _, err := p.Customers().Get(p.Site.ID, wanted.Customer); err != nil {
			return api.AbsentIs(err, fmt.Errorf("there is no customer %d", in.CustomerID))
		}
	}
	p.done.Added++
	_, err := p.Add(wanted)
	return err
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
