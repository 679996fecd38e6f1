package demo

import (
	"math"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
)

// sites say who buys and rents what, by the models of products, each of which is
// in the status that what is told of it leads to.
var sites = []story{
	{
		id: 1, buyers: []int64{1101, 1104, 1105}, notary: 1190,
		drafted: "11-1006", open: "11-1001", countered: "11-1004", refused: "11-1017", withdrawn: "11-1019", expired: "11-1025",
		cancelled: "11-1027", accepted: "11-1049",
		withdrawal: sale{"11-1063", 1104}, waiting: sale{"11-1066", 1105}, cleared: sale{"11-1011", 1101}, completed: sale{"12-1038", 1107}, prepared: sale{"12-1046", 1107},
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
	withdrawal, waiting, cleared, completed, prepared sale
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

// tell tells of offers, agreements and leases, unless there are some.
func (s story) tell(t *teller) {
	if there := ask(t, t.Deals.SearchOffers, deals.SearchOffers{}); t.err != nil || len(there.Data) > 0 {
		return
	}
	d := &dealer{s, t}
	d.makeOffers()
	d.makeAgreements()
	d.makeLeases()
}

// dealer tells of offers, agreements and leases.
type dealer struct {
	story
	*teller
}

// fees returns those that a product states.
func fees(p product.Product) money.FeesInput {
	amount, known := p.Criteria.Number("Honoraires")
	payer := p.Criteria.Code("ChargeHonoraires")
	if !known || payer != string(money.SellerPays) && payer != string(money.BuyerPays) {
		return money.FeesInput{}
	}
	return money.FeesInput{Amount: opt.Of(amount), Payer: opt.Of(payer)}
}

// offered makes an offer for a product at a part of its price.
func (d *dealer) offered(model, status string, buyer int64, part float64, more func(*offer.Change)) deals.OfferTransition {
	p := d.products[model]
	price, _ := p.Criteria.Number(criteria.KeyPrice)
	in := deals.CreateOffer{Status: opt.Of(status)}
	in.ProductID, in.Buyers, in.Amount = opt.Of(int64(p.ID)), opt.Of([]int64{buyer}), opt.Of(math.Round(price*part/500)*500)
	in.FeesInput = fees(p)
	if more != nil {
		more(&in.Change)
	}
	return deals.OfferTransition{ID: ask(d.teller, d.Deals.CreateOffer, in).ID}
}

const (
	draft = string(offer.Draft)
	open  = string(offer.Open)
)

func (d *dealer) makeOffers() {
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
	ask(d.teller, d.Deals.RefuseOffer, deals.RefuseOffer{OfferTransition: refused, RefuseInput: offer.RefuseInput{RefusalReason: opt.Of("PRIX")}})
	ask(d.teller, d.Deals.WithdrawOffer, withdrawn)
	ask(d.teller, d.Deals.AcceptOffer, cancelled)
	ask(d.teller, d.Deals.AcceptOffer, accepted)
	d.clock.ago = 2 * 24 * time.Hour
	price, _ := d.products[d.countered].Criteria.Number(criteria.KeyPrice)
	ask(d.teller, d.Deals.CounterOffer, deals.CounterOffer{
		OfferTransition: countered, CounterInput: offer.CounterInput{By: opt.Of(string(offer.Seller)), Amount: opt.Of(math.Round(price*0.97/500) * 500)},
	})
	ask(d.teller, d.Deals.CancelOffer, deals.CancelOffer{OfferTransition: cancelled, CancelInput: deals.CancelInput{CancellationReason: opt.Of("ACCORD")}})
	d.clock.ago = 0
	d.offered(d.open, open, third, 0.96, func(c *offer.Change) { c.ExpiresAt = d.day(7) })
	d.offered(d.drafted, draft, first, 0.94, nil)
	if d.err == nil {
		_, d.err = d.Deals.StoreDue(d.ctx)
	}
}

// prepare makes an agreement about a product at its price, with a loan that is due
// on a day.
func (d *dealer) prepare(s sale, loanDue, deed int) deals.AgreementTransition {
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
	return deals.AgreementTransition{ID: ask(d.teller, d.Deals.CreateAgreement, in).ID}
}

func (d *dealer) sign(a deals.AgreementTransition, on, notified int, buyer int64) {
	ask(d.teller, d.Deals.SignAgreement, deals.SignAgreement{AgreementTransition: a, DateSignature: d.day(on)})
	ask(d.teller, d.Deals.NotifyBuyers, deals.NotifyBuyers{AgreementTransition: a, Notifications: opt.Of([]deals.NotificationInput{
		{CustomerID: opt.Of(buyer), Date: d.day(notified), Method: opt.Of("LRE")},
	})})
}

func (d *dealer) makeAgreements() {
	d.sign(d.prepare(d.withdrawal, 50, 90), -5, -4, d.withdrawal.buyer)
	if d.waiting.model != "" {
		d.sign(d.prepare(d.waiting, 3, 40), -45, -43, d.waiting.buyer)
	}
	if d.prepared.model != "" {
		d.prepare(d.prepared, 60, 100)
	}
	if d.cleared.model != "" {
		d.clearAgreement(d.cleared, 7)
	}
	done := d.clearAgreement(d.completed, -3)
	ask(d.teller, d.Deals.NotariseAgreement, deals.NotariseAgreement{AgreementTransition: done, DateDeed: d.day(-3)})
}

// clearAgreement makes an agreement that nothing stands in the way of any more.
func (d *dealer) clearAgreement(s sale, deed int) deals.AgreementTransition {
	made := d.prepare(s, -40, deed)
	d.sign(made, -95, -93, s.buyer)
	for condition := range int64(2) {
		ask(d.teller, d.Deals.LiftCondition, deals.LiftCondition{
			ConditionTransition: deals.ConditionTransition{ID: made.ID, ConditionID: condition + 1}, Settlement: deals.Settlement{Date: d.day(-45)},
		})
	}
	return made
}

// drawUp makes a lease of a product from a day on.
func (d *dealer) drawUp(r rental, start int) deals.LeaseTransition {
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
	return deals.LeaseTransition{ID: ask(d.teller, d.Deals.CreateLease, in).ID}
}

func (d *dealer) makeLeases() {
	running := d.drawUp(d.running, -410)
	ask(d.teller, d.Deals.SignLease, deals.SignLease{LeaseTransition: running, DateSignature: d.day(-420)})
	if d.noticed.model != "" {
		left := d.drawUp(d.noticed, -600)
		ask(d.teller, d.Deals.SignLease, deals.SignLease{LeaseTransition: left, DateSignature: d.day(-610)})
		ask(d.teller, d.Deals.GiveNotice, deals.GiveNotice{LeaseTransition: left, By: opt.Of(string(letting.Tenant)), ReceivedOn: d.day(-10), Reason: opt.Of("MUTATION")})
	}
	d.drawUp(d.drawnUp, 20)
}
