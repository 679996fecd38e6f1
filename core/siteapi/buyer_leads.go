package siteapi

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
)

// likeness is how far the price of a search derived from a product may differ
// from the product's.
const likeness = 0.1

// CreateBuyerLead takes in somebody who asked about a product, or for one like
// it (contract: POST /leads/buyers): the customer, a search request, and the
// product on the customer's follow-up.
func (s *Service) CreateBuyerLead(ctx context.Context, c Caller, in CreateBuyerLead) (CreatedLead, error) {
	var problems fault.Problems
	e, err := s.enquiry(c, lead.Buyer, in.LeadInput, &problems)
	if err != nil {
		return CreatedLead{}, err
	}
	asked, err := s.askedAbout(ctx, c, in.ProductID, &problems)
	if err != nil {
		return CreatedLead{}, err
	}
	e.lead.Product = asked.ID
	e.lead.Wish = wish(in, &problems)
	draft, wanted := c.wanted(in, asked, &problems)
	if err := problems.Err(); err != nil {
		return CreatedLead{}, err
	}
	e.person.Type = cmp.Or(demand.SeekerRole(draft.TransactionType), demand.RoleBuyer)
	if e.lead.User == 0 {
		e.lead.User = asked.User
	}
	e.fill = func(tx port.Tx, owner customer.Customer, l *lead.Lead) error {
		if wanted {
			r := draft.Clone()
			r.Agency, r.User = l.Agency, l.User
			added, err := s.addSearch(tx, c.author(), owner, r)
			if err != nil {
				return err
			}
			l.Search = added.ID
		}
		if asked.ID == 0 {
			return nil
		}
		return s.attachLead(tx, c, owner, l)
	}
	return s.receive(ctx, c, e)
}

// attachLead puts the product of a lead on the customer's follow-up; where it is
// already, the lead notes that.
func (s *Service) attachLead(tx port.Tx, c Caller, owner customer.Customer, l *lead.Lead) error {
	made := demand.FollowUp{Customer: owner.ID, Product: l.Product, Search: l.Search, User: l.User}
	made.Reach(demand.StatusProposed, s.now(), l.User)
	attached, err := s.attach(tx, c.author(), owner, made)
	if errors.Is(err, fault.Conflict) {
		err = nil
	}
	l.FollowUp = attached.ID
	return err
}

// askedAbout is the product a buyer names, if any.
func (s *Service) askedAbout(ctx context.Context, c Caller, given Opt[int64], problems *fault.Problems) (asked product.Product, err error) {
	id := positive("product_id", given, problems)
	if id == 0 {
		return asked, nil
	}
	err = s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		asked, err = c.product(tx, product.ID(id))
		return err
	})
	if errors.Is(err, fault.NotFound) || errors.Is(err, fault.Forbidden) {
		problems.Wrong("product_id", fault.CodeUnknownProduct, id, "no product of the token's agencies has this id")
		return product.Product{}, nil
	}
	return asked, err
}

func wish(in CreateBuyerLead, problems *fault.Problems) lead.Wish {
	w := lead.Wish{TransactionType: in.TransactionType.Or("")}
	f := form.Form{Problems: problems}
	f.Amount("price_max", &w.PriceMax, in.PriceMax)
	visit := f.In("visit_wish")
	visit.Day("date", &w.VisitDay, in.VisitWish.Value.Date)
	visit.Text("slot", &w.VisitSlot, in.VisitWish.Value.Slot, form.MaxName)
	return w
}

// wanted is the search request a lead stands for, and whether it stands for one:
// what is asked for, or else what is like the product asked about.
func (c Caller) wanted(in CreateBuyerLead, asked product.Product, problems *fault.Problems) (demand.SearchRequest, bool) {
	change := demand.Change{TransactionType: in.TransactionType, Criteria: in.Criterias, Areas: in.Areas, PriceMax: in.PriceMax}
	transaction := asked.Criteria.Code(criteria.KeyTransactionType)
	if in.TransactionType.Or("") == "" && transaction != "" {
		change.TransactionType = opt.Of(transaction)
	}
	if change.TransactionType.Or("") == "" {
		if in.Criterias.Given() || in.Areas.Given() || in.PriceMax.Given() {
			problems.Add("transaction_type", fault.CodeRequired, "a search needs a transaction_type, or a product_id to take it from")
		}
		return demand.SearchRequest{}, false
	}
	if asked.ID != 0 && !in.Criterias.Given() {
		like(asked, &change, in.PriceMax.Given())
	}
	return c.searchRules().Create(change, problems), true
}

// like makes a search request ask for products like one: of its type, in its
// city, at about its price.
func like(p product.Product, change *demand.Change, priced bool) {
	if kind := p.Criteria.Code(criteria.KeyPropertyType); kind != "" {
		change.PropertyTypes = opt.Of([]string{kind})
	}
	if price, known := p.Criteria.Number(criteria.KeyPrice); known {
		change.PriceMin = opt.Of(cents(price * (1 - likeness)))
		if !priced {
			change.PriceMax = opt.Of(cents(price * (1 + likeness)))
		}
	}
	city := p.Criteria.Text(criteria.KeyCity)
	if city != "" && len(change.Areas.Value) == 0 {
		change.Areas = opt.Of([]demand.AreaInput{{Type: opt.Of(string(demand.City)), Label: opt.Of(city)}})
	}
}

// cents is an amount without what is smaller than money.
func cents(amount float64) float64 { return math.Round(amount*100) / 100 }
