// Package demo tells what happens in the sandbox, where a setup only says what is
// there.
package demo

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/agreement"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/calendar"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/deals"
	"github.com/vitrine-crm/vitrine/core/letting"
	"github.com/vitrine-crm/vitrine/core/money"
	"github.com/vitrine-crm/vitrine/core/offer"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// clock is that of the service that makes offers, agreements and leases: they are
// told from the day on which the sandbox starts.
type clock struct {
	start time.Time
	ago   time.Duration
}

func (c *clock) now() time.Time { return c.start.Add(-c.ago) }

// sites say who buys and rents what, by the models of products, each of which is
// in the status that what is told of it leads to.
var sites = []story{
	{
		id: 1, buyers: []int64{1101, 1104, 1105}, notary: 1190,
		drafted: "11-1006", open: "11-1001", countered: "11-1004", refused: "11-1017", withdrawn: "11-1019", expired: "11-1025",
		cancelled: "11-1027", accepted: "11-1049",
		withdrawal: sale{"11-1063", 1104}, waiting: sale{"11-1066", 1105}, completed: sale{"12-1038", 1107}, prepared: sale{"12-1046", 1107},
		running: rental{"11-1016", 1108}, noticed: rental{"12-1016", 1109}, drawnUp: rental{"11-1033", 1102},
	},
	{
		id: 2, buyers: []int64{2101, 2102}, notary: 2190,
		drafted: "21-1006", open: "21-1015", countered: "21-1017", refused: "21-1026", withdrawn: "21-1030", expired: "21-1034",
		cancelled: "21-1036", accepted: "21-1029",
		withdrawal: sale{"21-1031", 2102}, completed: sale{"21-1023", 2101},
		running: rental{"QUAIS-2025-11", 2103}, drawnUp: rental{"21-1018", 2103},
	},
}

// story is what happens at a site.
type story struct {
	id     site.ID
	buyers []int64
	notary int64
	// The offers, by what becomes of them.
	drafted, open, countered, refused, withdrawn, expired, cancelled, accepted string
	// The agreements, by how far they are. One without a product is left out.
	withdrawal, waiting, completed, prepared sale
	// The leases, by how far they are.
	running, noticed, drawnUp rental
}

type sale struct {
	model string
	buyer int64
}

type rental struct {
	model  string
	tenant int64
}

// AddDeals gives every site of the sandbox offers in each status, agreements and
// leases, through the use cases, on the ports of the sandbox. Their dates are
// counted from the present moment. A site that has some stays as it is.
func AddDeals(ctx context.Context, ports api.Ports) error {
	told := &clock{start: ports.Now()}
	ports.Now = told.now
	// Nothing is hashed.
	service, err := siteapi.New(ports, api.Options{Pepper: make([]byte, 32)})
	if err != nil {
		return err
	}
	for _, s := range sites {
		if err := s.tell(ctx, ports.Store, service, told); err != nil {
			return fmt.Errorf("offers, agreements and leases of site %d: %w", s.id, err)
		}
	}
	return nil
}

func (s story) tell(ctx context.Context, store port.Store, service *siteapi.Service, told *clock) error {
	caller, err := service.Admit(ctx, access.Grant{
		Site: s.id, Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	})
	if err != nil {
		return err
	}
	there, err := service.Deals.SearchOffers(ctx, caller, deals.SearchOffers{})
	if err != nil || len(there.Data) > 0 {
		return err
	}
	d := &teller{story: s, ctx: ctx, deals: service.Deals, caller: caller, clock: told, products: map[string]product.Product{}}
	if d.err = d.find(store); d.err == nil {
		d.makeOffers()
		d.makeAgreements()
		d.makeLeases()
	}
	return d.err
}

// teller tells of one site, as far as no step has failed.
type teller struct {
	story
	ctx      context.Context
	deals    *deals.Service
	caller   api.Caller
	clock    *clock
	products map[string]product.Product
	err      error
}

// find reads the products of the site by their models.
func (d *teller) find(store port.Store) error {
	return store.View(d.ctx, func(tx port.Tx) error {
		all, err := tx.Products().Scan(d.id, 0, math.MaxInt32)
		for _, p := range all {
			d.products[p.Reference] = p
		}
		return err
	})
}

// day is a day so many days from now, before or after.
func (d *teller) day(from int) opt.Field[string] {
	return opt.Of((calendar.On(d.clock.start, d.caller.Site.Zone) + calendar.Day(from)).String())
}

// step is a use case that answers with no more than a version.
func step[In any](d *teller, use api.UseCase[In, api.Changed], in In) {
	if d.err == nil {
		_, d.err = use(d.ctx, d.caller, in)
	}
}

// creation is a use case that creates something.
func creation[In any](d *teller, use api.UseCase[In, api.Created], in In) int64 {
	if d.err != nil {
		return 0
	}
	var made api.Created
	made, d.err = use(d.ctx, d.caller, in)
	return made.ID
}

// fees are those that a product states.
func fees(p product.Product) money.FeesInput {
	amount, known := p.Criteria.Number("Honoraires")
	payer := p.Criteria.Code("ChargeHonoraires")
	if !known || payer != string(money.SellerPays) && payer != string(money.BuyerPays) {
		return money.FeesInput{}
	}
	return money.FeesInput{Amount: opt.Of(amount), Payer: opt.Of(payer)}
}

// offered makes an offer for a product at a part of its price.
func (d *teller) offered(model, status string, buyer int64, part float64, more func(*offer.Change)) deals.OfferTransition {
	p := d.products[model]
	price, _ := p.Criteria.Number(criteria.KeyPrice)
	in := deals.CreateOffer{Status: opt.Of(status)}
	in.ProductID, in.Buyers, in.Amount = opt.Of(int64(p.ID)), opt.Of([]int64{buyer}), opt.Of(math.Round(price*part/500)*500)
	in.FeesInput = fees(p)
	if more != nil {
		more(&in.Change)
	}
	return deals.OfferTransition{ID: creation(d, d.deals.CreateOffer, in)}
}

const (
	draft = string(offer.Draft)
	open  = string(offer.Open)
)

func (d *teller) makeOffers() {
	first, second, third := d.buyers[0], d.buyers[1], d.buyers[len(d.buyers)-1]
	d.clock.ago = 20 * 24 * time.Hour
	d.offered(d.expired, open, second, 0.93, func(c *offer.Change) { c.ExpiresAt = d.day(-12) })
	d.clock.ago = 9 * 24 * time.Hour
	refused := d.offered(d.refused, open, second, 0.82, nil)
	withdrawn := d.offered(d.withdrawn, open, third, 0.95, nil)
	cancelled := d.offered(d.cancelled, open, first, 0.97, nil)
	accepted := d.offered(d.accepted, open, second, 0.97, func(c *offer.Change) {
		c.Financing = opt.Of(offer.BuyersFinancing{Contribution: opt.Of(60_000.0), LoanAmount: opt.Of(320_000.0), LoanRateMax: opt.Of(3.6), LoanMonths: opt.Of(300)})
		c.Conditions = opt.Of([]string{"Obtention d'un prêt de 320 000 € sur 25 ans"})
	})
	countered := d.offered(d.countered, open, first, 0.92, func(c *offer.Change) { c.ExpiresAt = d.day(8) })
	d.clock.ago = 6 * 24 * time.Hour
	step(d, d.deals.RefuseOffer, deals.RefuseOffer{OfferTransition: refused, RefuseInput: offer.RefuseInput{RefusalReason: opt.Of("PRIX")}})
	step(d, d.deals.WithdrawOffer, withdrawn)
	step(d, d.deals.AcceptOffer, cancelled)
	step(d, d.deals.AcceptOffer, accepted)
	d.clock.ago = 2 * 24 * time.Hour
	price, _ := d.products[d.countered].Criteria.Number(criteria.KeyPrice)
	step(d, d.deals.CounterOffer, deals.CounterOffer{
		OfferTransition: countered, CounterInput: offer.CounterInput{By: opt.Of(string(offer.Seller)), Amount: opt.Of(math.Round(price*0.97/500) * 500)},
	})
	step(d, d.deals.CancelOffer, deals.CancelOffer{OfferTransition: cancelled, CancelInput: deals.CancelInput{CancellationReason: opt.Of("ACCORD")}})
	d.clock.ago = 0
	d.offered(d.open, open, third, 0.96, func(c *offer.Change) { c.ExpiresAt = d.day(7) })
	d.offered(d.drafted, draft, first, 0.94, nil)
	if d.err == nil {
		_, d.err = d.deals.StoreDue(d.ctx)
	}
}

// prepare makes an agreement about a product at its price, with a loan that is due
// on a day.
func (d *teller) prepare(s sale, loanDue, deed int) deals.AgreementTransition {
	p := d.products[s.model]
	price, _ := p.Criteria.Number(criteria.KeyPrice)
	in := deals.CreateAgreement{}
	in.Type, in.ProductID, in.Buyers, in.Price = opt.Of(string(agreement.Compromis)), opt.Of(int64(p.ID)), opt.Of([]int64{s.buyer}), opt.Of(price)
	in.FeesInput, in.DateDeedExpected = fees(p), d.day(deed)
	in.SellerNotaryID, in.BuyerNotaryID = opt.Of(d.notary), opt.Of(d.notary)
	in.Deposit = opt.Of(agreement.DepositInput{Amount: opt.Of(math.Round(price / 20)), Holder: opt.Of(string(agreement.NotaryHolds)), DueDate: d.day(deed - 60)})
	in.Conditions = opt.Of([]agreement.SaleConditionInput{
		{Type: opt.Of(string(agreement.Loan)), DueDate: d.day(loanDue), Amount: opt.Of(math.Round(price * 0.8)), RateMax: opt.Of(3.7), Months: opt.Of(300)},
		{Type: opt.Of("PREEMPTION"), Label: opt.Of("Renonciation de la commune"), DueDate: d.day(loanDue + 10)},
	})
	if fees(p).Amount.Given() {
		in.Commissions = opt.Of([]agreement.CommissionInput{
			{Role: opt.Of("ENTREE"), Percent: opt.Of(50.0), AgencyID: opt.Of(int64(p.Agency))},
			{Role: opt.Of("SORTIE"), Percent: opt.Of(50.0), AgencyID: opt.Of(int64(p.Agency))},
		})
	}
	return deals.AgreementTransition{ID: creation(d, d.deals.CreateAgreement, in)}
}

func (d *teller) sign(a deals.AgreementTransition, on, notified int, buyer int64) {
	step(d, d.deals.SignAgreement, deals.SignAgreement{AgreementTransition: a, DateSignature: d.day(on)})
	step(d, d.deals.NotifyBuyers, deals.NotifyBuyers{AgreementTransition: a, Notifications: opt.Of([]deals.NotificationInput{
		{CustomerID: opt.Of(buyer), Date: d.day(notified), Method: opt.Of("LRE")},
	})})
}

func (d *teller) makeAgreements() {
	d.sign(d.prepare(d.withdrawal, 50, 90), -5, -4, d.withdrawal.buyer)
	if d.waiting.model != "" {
		d.sign(d.prepare(d.waiting, 3, 40), -45, -43, d.waiting.buyer)
	}
	if d.prepared.model != "" {
		d.prepare(d.prepared, 60, 100)
	}
	done := d.prepare(d.completed, -40, -3)
	d.sign(done, -95, -93, d.completed.buyer)
	for condition := range int64(2) {
		step(d, d.deals.LiftCondition, deals.LiftCondition{
			ConditionTransition: deals.ConditionTransition{ID: done.ID, ConditionID: condition + 1}, Settlement: deals.Settlement{Date: d.day(-45)},
		})
	}
	step(d, d.deals.NotariseAgreement, deals.NotariseAgreement{AgreementTransition: done, DateDeed: d.day(-3)})
}

// drawUp makes a lease of a product from a day on.
func (d *teller) drawUp(r rental, start int) deals.LeaseTransition {
	p := d.products[r.model]
	rent, _ := p.Criteria.Number(criteria.KeyPrice)
	in := deals.CreateLease{}
	in.Type, in.ProductID, in.Tenants = opt.Of(string(letting.Unfurnished)), opt.Of(int64(p.ID)), opt.Of([]int64{r.tenant})
	in.DateStart, in.DurationMonths, in.Rent, in.Deposit = d.day(start), opt.Of(36), opt.Of(rent), opt.Of(rent)
	in.Charges, in.ChargesMode, in.Zone = opt.Of(45.0), opt.Of(string(letting.Provision)), opt.Of(string(money.Tight))
	in.Indexation = opt.Of(letting.IndexationInput{Index: opt.Of(string(letting.IRL)), Quarter: opt.Of("2024-T3")})
	if start < 0 {
		in.EntryInventory = d.day(start)
	}
	return deals.LeaseTransition{ID: creation(d, d.deals.CreateLease, in)}
}

func (d *teller) makeLeases() {
	running := d.drawUp(d.running, -410)
	step(d, d.deals.SignLease, deals.SignLease{LeaseTransition: running, DateSignature: d.day(-420)})
	if d.noticed.model != "" {
		left := d.drawUp(d.noticed, -600)
		step(d, d.deals.SignLease, deals.SignLease{LeaseTransition: left, DateSignature: d.day(-610)})
		step(d, d.deals.GiveNotice, deals.GiveNotice{LeaseTransition: left, By: opt.Of(string(letting.Tenant)), ReceivedOn: d.day(-10), Reason: opt.Of("MUTATION")})
	}
	d.drawUp(d.drawnUp, 20)
}
