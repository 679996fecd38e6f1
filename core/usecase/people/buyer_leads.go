package people

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// priceTolerance is how far the price of a search derived from a product may
// differ from the product's.
const priceTolerance = 0.1

func (s *Service) createBuyerLead(ctx context.Context, c kernel.Caller, in CreateBuyerLead) (CreatedLead, error) {
	// The product is read before the unit of work, so that it is not held.
	var problems fault.Problems
	asked, err := s.askedAbout(ctx, c, in.ProductID, &problems)
	if err != nil {
		return CreatedLead{}, err
	}
	i, outside := readBuyer(s.k.Basis(c), in, asked, nil, &problems)
	if err := kernel.FirstError(outside, problems.Err()); err != nil {
		return CreatedLead{}, err
	}
	return writes(s, Unit.receive)(ctx, c, i)
}

// readBuyer reads the lead of a buyer about a product, which is empty where they
// asked about none. reach is what else becomes of the follow-up, and may be nil. The
// error is that of CheckAgency.
func readBuyer(b kernel.Basis, in CreateBuyerLead, asked product.Product, reach func(Unit, *demand.FollowUp), problems *fault.Problems) (intake, error) {
	i, err := readIntake(b, demand.BuyerLead, in.LeadInput, problems)
	if err != nil {
		return i, err
	}
	i.lead.Product = asked.ID
	i.lead.Wish = readWish(in, problems)
	draft, described := searchOf(b.Caller, in, asked, problems)
	i.person.Type = cmp.Or(demand.SeekerRole(draft.TransactionType), demand.RoleBuyer)
	if i.lead.User == 0 {
		i.lead.User = asked.User
	}
	i.fill = func(u Unit, owner customer.Customer, l *demand.Lead) error {
		if described {
			r := draft.Clone()
			r.Agency, r.User = l.Agency, l.User
			added, err := u.AddSearch(owner, r)
			if err != nil {
				return err
			}
			l.Search = added.ID
		}
		if asked.ID == 0 {
			return nil
		}
		return u.attachLead(owner, l, reach)
	}
	return i, nil
}

// BuyerLead is the lead of a buyer that was read and not yet received.
type BuyerLead struct{ intake intake }

// ReadBuyerLead reads the lead of a buyer about a product of the caller's site, and
// reports everything wrong with it. reach is what else becomes of the follow-up. The
// error is that of CheckAgency.
func (u Unit) ReadBuyerLead(in CreateBuyerLead, asked product.Product, reach func(Unit, *demand.FollowUp), problems *fault.Problems) (BuyerLead, error) {
	i, err := readBuyer(u.Basis, in, asked, reach, problems)
	return BuyerLead{i}, err
}

// ReceiveBuyerLead writes a lead with everything that comes of it, as POST
// /leads/buyers does, and returns the one that stands for it: the first, where the
// same was sent within a day.
func (u Unit) ReceiveBuyerLead(l BuyerLead) (demand.Lead, error) {
	received, err := u.receive(l.intake)
	if err != nil {
		return demand.Lead{}, err
	}
	return u.Leads().Get(u.Site.ID, demand.LeadID(received.ID))
}

// attachLead puts the product of a lead on the customer's follow-up; where it is
// already, the lead notes that. reach is what else becomes of the follow-up.
func (u Unit) attachLead(owner customer.Customer, l *demand.Lead, reach func(Unit, *demand.FollowUp)) error {
	made := demand.FollowUp{Customer: owner.ID, Product: l.Product, Search: l.Search, User: l.User}
	made.Reach(demand.StatusProposed, u.Now, l.User)
	if reach != nil {
		reach(u, &made)
	}
	attached, err := u.Attach(owner, made)
	l.FollowUp = attached.ID
	if !errors.Is(err, fault.Conflict) {
		return err
	}
	if reach == nil {
		return nil
	}
	_, err = FollowUpsOf(owner).Change(u, attached, kernel.IfMatch{}, func(f demand.FollowUp) (demand.FollowUp, error) {
		reach(u, &f)
		return f, nil
	})
	return err
}

// askedAbout returns the product a buyer names, if any.
func (s *Service) askedAbout(ctx context.Context, c kernel.Caller, given opt.Field[int64], problems *fault.Problems) (asked product.Product, err error) {
	id := kernel.ID[product.ID]("product_id", given, problems)
	if id == 0 {
		return asked, nil
	}
	asked, err = reads(s, Unit.asked)(ctx, c, id)
	if errors.Is(err, fault.NotFound) || errors.Is(err, fault.Forbidden) {
		problems.Wrong("product_id", fault.CodeUnknownProduct, int64(id), "no product of the token's agencies has this id")
		return product.Product{}, nil
	}
	return asked, err
}

func (u Unit) asked(id product.ID) (product.Product, error) { return u.Product(id) }

func readWish(in CreateBuyerLead, problems *fault.Problems) demand.Wish {
	w := demand.Wish{TransactionType: in.TransactionType.Or("")}
	f := form.Form{Problems: problems}
	f.Amount("price_max", &w.PriceMax, in.PriceMax)
	visit := f.In("visit_wish")
	visit.Day("date", &w.VisitDay, in.VisitWish.Value.Date)
	visit.Text("slot", &w.VisitSlot, in.VisitWish.Value.Slot, form.MaxName)
	return w
}

// searchOf returns the search request a lead stands for, and whether it stands for
// one: what is asked for, or else what is like the product asked about.
func searchOf(c kernel.Caller, in CreateBuyerLead, asked product.Product, problems *fault.Problems) (demand.SearchRequest, bool) {
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
	rules := SearchRules(c)
	rules.CriteriaField = "criterias"
	return rules.Create(change, problems), true
}

// scaled is so many times a price, to the cent. A tenth of a price in cents has three
// decimals; what multiplying leaves behind them is none.
func scaled(price, by float64) float64 {
	exact, _ := criteria.Fit(min(price*by, math.MaxFloat64), 3)
	return criteria.Cents(exact)
}

// like makes a search request ask for products like one: of its type, in its
// city, at about its price.
func like(p product.Product, change *demand.Change, priced bool) {
	if kind := p.Criteria.Code(criteria.KeyPropertyType); kind != "" {
		change.PropertyTypes = opt.Of([]string{kind})
	}
	if price, known := p.Criteria.Number(criteria.KeyPrice); known {
		change.PriceMin = opt.Of(scaled(price, 1-priceTolerance))
		if !priced {
			change.PriceMax = opt.Of(scaled(price, 1+priceTolerance))
		}
	}
	city := p.Criteria.Text(criteria.KeyCity)
	if city != "" && len(change.Areas.Value) == 0 {
		change.Areas = opt.Of([]demand.AreaInput{{Type: opt.Of(string(demand.City)), Label: opt.Of(city)}})
	}
}
