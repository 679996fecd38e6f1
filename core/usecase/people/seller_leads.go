package people

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// statusEstimation is the code of Statut for a property that is being valued.
const statusEstimation = "Estimation"

func (s *Service) createSellerLead(ctx context.Context, c kernel.Caller, in CreateSellerLead) (CreatedLead, error) {
	var problems fault.Problems
	i, err := readIntake(s.k.Basis(c), demand.SellerLead, in.LeadInput, &problems)
	if err != nil {
		return CreatedLead{}, err
	}
	i.lead.Project = project(in, &problems)
	i.person.Type = cmp.Or(demand.OwnerRole(i.lead.Project.Transaction()), demand.RoleSeller)
	draft, described := offered(c, in, i.lead.Project, &problems)
	if err := problems.Err(); err != nil {
		return CreatedLead{}, err
	}
	i.at = placeOf(draft, i.lead.Project)
	i.fill = func(u Unit, owner customer.Customer, l *demand.Lead) error {
		if !described {
			return nil
		}
		p := draft.Clone()
		p.Site, p.Agency, p.Customer, p.User = l.Site, l.Agency, owner.ID, l.User
		if p.User == 0 {
			p.User = owner.User
		}
		added, err := u.Add(p)
		l.Product = added.ID
		return err
	}
	return writes(s, Unit.receive)(ctx, c, i)
}

func project(in CreateSellerLead, problems *fault.Problems) demand.Project {
	p := demand.Project{Kind: demand.ProjectEstimation}
	f := form.Form{Problems: problems}
	if in.Project.Or("") != "" {
		f.Code("project", &p.Kind, in.Project, demand.Projects())
	}
	f.Text("address", &p.Address, in.Address, form.MaxName)
	f.Text("postal_code", &p.PostalCode, in.PostalCode, customer.MaxPostalCode)
	f.Text("city", &p.City, in.City, form.MaxName)
	f.Text("country", &p.Country, in.Country, MaxCountry)
	f.Amount("estimated_price_min", &p.EstimatedFrom, in.EstimatedPriceMin)
	f.Amount("estimated_price_max", &p.EstimatedTo, in.EstimatedPriceMax)
	f.Text("estimation_tool", &p.EstimationTool, in.EstimationTool, form.MaxName)
	f.Text("sale_horizon", &p.Horizon, in.SaleHorizon, form.MaxName)
	if p.EstimatedFrom != nil && p.EstimatedTo != nil && *p.EstimatedFrom > *p.EstimatedTo {
		problems.Add("estimated_price_min", fault.CodeOutOfRange, "estimated_price_min is more than estimated_price_max")
	}
	p.Country = strings.ToUpper(p.Country)
	return p
}

// placeOf returns where the property is that a seller speaks of: where the product is
// that they describe, or else what the lead itself says.
func placeOf(described product.Product, p demand.Project) demand.LeadPlace {
	text := described.Criteria.Text
	return demand.LeadPlace{
		Address: cmp.Or(text(criteria.KeyAddress), p.Address), PostalCode: cmp.Or(text(criteria.KeyPostalCode), p.PostalCode),
		City: cmp.Or(text(criteria.KeyCity), p.City),
	}
}

// offered returns the product a seller describes, and whether anything is described
// at all. What the criteria do not say is taken from the lead's own fields.
func offered(c kernel.Caller, in CreateSellerLead, p demand.Project, problems *fault.Problems) (product.Product, bool) {
	if f := (form.Form{Problems: problems}); !f.Few("criteria", len(in.Criteria.Value), MaxOffered) {
		return product.Product{}, false
	}
	change := product.Change{Criteria: in.Criteria, Rooms: in.Rooms}
	given := map[string]bool{}
	change.Criteria.Value = slices.DeleteFunc(slices.Clone(in.Criteria.Value), func(criterion product.CriterionInput) bool {
		definition, found := c.Site.Dictionary.Find(criterion.ID)
		if found {
			given[definition.Key] = true
		}
		// A lead puts nothing on the market, whatever it says.
		return found && definition.Key == criteria.KeyStatus
	})
	delete(given, criteria.KeyStatus)
	suggest := func(key, value string) {
		definition, found := c.Site.Dictionary.ByKey(key)
		if value == "" || given[key] || !found || !definition.Active {
			return
		}
		if definition.Type == criteria.UNIQUE {
			if choice, known := definition.Choice(value); !known || !choice.Active {
				return
			}
		}
		change.Criteria.Value = append(change.Criteria.Value, product.CriterionInput{ID: key, Value: criteria.Raw{V: value}})
	}
	suggest(criteria.KeyAddress, p.Address)
	suggest(criteria.KeyPostalCode, p.PostalCode)
	suggest(criteria.KeyCity, p.City)
	suggest(criteria.KeyCountry, p.Country)
	described := len(change.Criteria.Value) > 0 || len(change.Rooms.Value) > 0
	suggest(criteria.KeyStatus, statusEstimation)
	// Somebody's home is not on offer yet.
	suggest(criteria.KeyHideAddress, "1")
	suggest(criteria.KeyTransactionType, p.Transaction())
	change.Criteria.Set = true
	change.WebStatus = opt.Of(false)
	return c.Site.ProductRules().Create(change, problems), described
}
