package dealtest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Play is a site with a few products and customers, and what two agents made of it.
type Play struct {
	*apitest.World
	deals  deals.API
	agents []kernel.Caller

	owner, notary int64
	// buyers are people, and the last one is a company.
	buyers   []int64
	search   int64
	products []int64
	// offers, agreements and leases are those that were ever made, in order.
	offers, agreements, leases []int64
}

// theSite is where it happens.
const theSite = 1

// New is a play over a world that has apitest.Network in it.
func New(w *apitest.World) *Play {
	w.T.Helper()
	network := apitest.Network()
	network.Sites = network.Sites[:1]
	lists := &network.Sites[0].Lists
	*lists = append(*lists,
		list(5, "customer_types", "ACQUEREUR", "VENDEUR", "NOTAIRE"), list(9, "follow_up_statuses", "PROPOSE", "OFFRE", "ACQUIS"),
		list(15, "refusal_reasons", "PRIX"), list(17, "cancellation_reasons", "ACCORD", "AGREEMENT"))
	w.Provision(network)
	p := &Play{World: w, deals: w.Deals.Unchecked()}
	w.Update(func(tx port.Tx) error {
		of, err := tx.Sites().Get(theSite)
		of.Settings.Indices = []site.IndexValue{
			{Index: "IRL", Quarter: "2025-T3", Value: 145.77}, {Index: "IRL", Quarter: "2026-T3", Value: 147.02}, {Index: "IRL", Quarter: "2027-T3", Value: 148.5},
		}
		return kernel.FirstError(err, tx.Sites().Put(of), tx.Ledger().Touch(theSite, port.AspectSettings))
	})
	p.agents = []kernel.Caller{w.As("full", theSite), w.As("group", theSite)}
	p.owner = p.person("VENDEUR", "Propriétaire", "")
	p.notary = p.person("NOTAIRE", "Notaire", "")
	for _, name := range []string{"Un", "Deux", "Trois"} {
		p.buyers = append(p.buyers, p.person("ACQUEREUR", name, ""))
	}
	p.buyers = append(p.buyers, p.person("ACQUEREUR", "Quatre", "Marchand de biens"))
	wanted := people.CreateSearchRequest{CustomerID: p.buyers[0], Change: demand.Change{TransactionType: opt.Of("Vente")}}
	p.search = p.made(p.People.CreateSearchRequest(w.T.Context(), p.agents[0], wanted))
	for n, kind := range []string{"Appartement", "Maison", "Terrain"} {
		in := apitest.InAgency([]int64{11, 11, 12}[n])
		in.CustomerID = opt.Of(p.owner)
		in.Criteria = apitest.Criteria("Statut", "EnCours", "TypeBien", kind, "TypeTransaction", "Vente", "CodePostal", []string{"75011", "67000", "97400"}[n])
		p.products = append(p.products, w.CreateProductAs(p.agents[0], in))
	}
	return p
}

func list(id int64, key string, codes ...string) transfer.SetupList {
	made := transfer.SetupList{ID: id, Key: key}
	for n, code := range codes {
		made.Values = append(made.Values, transfer.SetupChoice{ID: int64(n + 1), Model: code, Label: code})
	}
	return made
}

func (p *Play) person(kind, name, company string) int64 {
	p.T.Helper()
	in := people.CreateCustomer{Change: customer.Change{AgencyID: opt.Of[int64](11), Type: opt.Of(kind), Lastname: opt.Of(name), Company: opt.Of(company)}}
	created, err := p.People.CreateCustomer(p.T.Context(), p.agents[0], in)
	return p.made(kernel.Created{ID: created.ID}, err)
}

func (p *Play) made(created kernel.Created, err error) int64 {
	p.T.Helper()
	if err != nil {
		p.T.Fatal(err)
	}
	return created.ID
}

// at is the one of some ids that a number stands for; without any it is one that
// nothing has.
func at(ids []int64, n int) int64 {
	if len(ids) == 0 {
		return 987654
	}
	return ids[n%len(ids)]
}

// day is a day of a request, so many days from now.
func (p *Play) day(days int) opt.Field[string] {
	return opt.Of(p.Clock.Now().In(p.zone()).AddDate(0, 0, days).Format(time.DateOnly))
}

func (p *Play) zone() *time.Location { return p.agents[0].Site.Zone }

// Outcome is what came of a step: an id, or nothing, or why it was refused.
type Outcome struct {
	Made    int64
	Refused string
	// Err is the whole fault.
	Err error
}

// Aim is a step about something that is there already and admits it, or where there is nothing of the
// kind one that leads there. A few steps are left as they are.
func (p *Play) Aim(s Step) Step {
	if strings.HasSuffix(s.Do, ".create") && s.Do != "agreement.create" {
		return s
	}
	kind, by, _ := strings.Cut(s.Do, ".")
	state, now, zone := p.State(), p.Clock.Now(), p.zone()
	var all []int64
	var suits func(int64) bool
	switch {
	case kind == "offer":
		all = p.offers
		suits = func(id int64) bool { return fits(offer.Transitions(), state.Offers[offer.ID(id)].At(now).Status, by) }
	case s.Do == "agreement.create":
		all = p.offers
		suits = func(id int64) bool {
			o := state.Offers[offer.ID(id)]
			return o.Status == offer.Accepted && o.Agreement == 0
		}
	case kind == "agreement":
		all = p.agreements
		suits = func(id int64) bool {
			return fits(agreement.Transitions(), state.Agreements[agreement.ID(id)].At(now, zone).Status, by)
		}
	case kind == "lease":
		all = p.leases
		suits = func(id int64) bool {
			return fits(letting.Transitions(), state.Leases[letting.ID(id)].At(now, zone).Status, by)
		}
	}
	var at []int
	for n := range all {
		if suits(all[n]) {
			at = append(at, n)
		}
	}
	switch {
	case suits == nil:
		return s
	case s.Way == 0 && len(all) > 0:
		s.On %= len(all)
		return s
	case len(at) > 0:
		s.On = at[s.On%len(at)]
		return s
	case s.Do == "agreement.create":
		s.Do = "offer.accept"
	case s.Do == "agreement.sign":
		s.Do = "agreement.create"
	case kind == "agreement":
		s.Do = "agreement.sign"
	case kind == "lease" && s.Do != "lease.sign":
		s.Do = "lease.sign"
	default:
		s.Do = kind + ".create"
	}
	return p.Aim(s)
}

// fits reports whether a status admits what is done; what is no transition fits
// any.
func fits[S ~string](table transition.Table[S], status S, by string) bool {
	transits := slices.ContainsFunc(table, func(r transition.Row[S]) bool { return r.By == by })
	return status != "" && (!transits || table.Allows(status, by))
}

// Do does a step.
func (p *Play) Do(s Step) Outcome {
	out := p.attempt(s)
	p.remember(s, out)
	return out
}

// Race does two steps at once.
func (p *Play) Race(one, other Step) (Outcome, Outcome) {
	var first, second Outcome
	var both sync.WaitGroup
	both.Go(func() { first = p.attempt(one) })
	both.Go(func() { second = p.attempt(other) })
	both.Wait()
	p.remember(one, first)
	p.remember(other, second)
	for _, made := range [][]int64{p.offers, p.agreements, p.leases} {
		slices.Sort(made) // whichever came first
	}
	return first, second
}

func (p *Play) attempt(s Step) Outcome {
	id, err := attempts[s.Do](p, p.agents[s.By], s)
	out := Outcome{Made: id, Err: err}
	var known *fault.Error
	switch {
	case errors.As(err, &known):
		out.Refused = fmt.Sprintf("%v %s %+v", known.Kind, known.Code, known.Details)
	case err != nil:
		out.Refused = err.Error()
	}
	return out
}

func (p *Play) remember(s Step, out Outcome) {
	if out.Err != nil {
		return
	}
	switch s.Do {
	case "offer.create":
		p.offers = append(p.offers, out.Made)
	case "agreement.create":
		p.agreements = append(p.agreements, out.Made)
	case "lease.create":
		p.leases = append(p.leases, out.Made)
	}
}

// names lists what can be done, in order.
func names() []string { return slices.Sorted(maps.Keys(attempts)) }
