package dealtest

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// attempt does what an agent may try, whatever the state is. It answers with the
// id of what was made.
type attempt func(*Play, kernel.Caller, Step) (int64, error)

// attempts are what can be done.
var attempts = map[string]attempt{
	"offer.create":   (*Play).createOffer,
	"offer.update":   (*Play).updateOffer,
	"offer.send":     onOffer(func(a deals.API) use[deals.OfferTransition] { return a.SendOffer }),
	"offer.accept":   onOffer(func(a deals.API) use[deals.OfferTransition] { return a.AcceptOffer }),
	"offer.withdraw": onOffer(func(a deals.API) use[deals.OfferTransition] { return a.WithdrawOffer }),
	"offer.counter":  (*Play).counterOffer,
	"offer.refuse": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		in := deals.RefuseOffer{OfferTransition: p.offer(s), RefuseInput: offer.RefuseInput{RefusalReason: opt.Of("PRIX")}}
		return nothing(p.deals.RefuseOffer(p.T.Context(), c, in))
	},
	"offer.cancel": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.CancelOffer(p.T.Context(), c, deals.CancelOffer{OfferTransition: p.offer(s), CancelInput: given}))
	},
	"offer.delete": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.DeleteOffer(p.T.Context(), c, deals.DeleteOffer{ID: at(p.offers, s.On)}))
	},

	"agreement.create": (*Play).createAgreement,
	"agreement.update": (*Play).updateAgreement,
	"agreement.sign": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		in := deals.SignAgreement{AgreementTransition: p.agreement(s), DateSignature: p.day(-(s.Days % 5))}
		return nothing(p.deals.SignAgreement(p.T.Context(), c, in))
	},
	"agreement.notify":  (*Play).notify,
	"agreement.retract": (*Play).retract,
	"agreement.lift": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		in := deals.LiftCondition{ConditionTransition: p.condition(s), Waived: opt.Of(s.Way%4 == 0)}
		return nothing(p.deals.LiftCondition(p.T.Context(), c, in))
	},
	"agreement.fail": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.FailCondition(p.T.Context(), c, deals.FailCondition{ConditionTransition: p.condition(s)}))
	},
	"agreement.notarise": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		in := deals.NotariseAgreement{AgreementTransition: p.agreement(s), DateDeed: p.day(-(s.Days % 3))}
		return nothing(p.deals.NotariseAgreement(p.T.Context(), c, in))
	},
	"agreement.cancel": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		in := deals.CancelAgreement{AgreementTransition: p.agreement(s), CancelInput: given}
		return nothing(p.deals.CancelAgreement(p.T.Context(), c, in))
	},
	"agreement.delete": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.DeleteAgreement(p.T.Context(), c, deals.DeleteAgreement{ID: at(p.agreements, s.On)}))
	},

	"lease.create": (*Play).createLease,
	"lease.update": (*Play).updateLease,
	"lease.sign": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.SignLease(p.T.Context(), c, deals.SignLease{LeaseTransition: p.lease(s), DateSignature: p.day(-(s.Days % 5))}))
	},
	"lease.notice": (*Play).notice,
	"lease.cancel-notice": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.CancelNotice(p.T.Context(), c, p.lease(s)))
	},
	"lease.end": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		in := deals.EndLease{LeaseTransition: p.lease(s), Date: p.day(-s.Days), InventoryConform: opt.Of(s.Way%2 == 0)}
		return nothing(p.deals.EndLease(p.T.Context(), c, in))
	},
	"lease.cancel": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.CancelLease(p.T.Context(), c, deals.CancelLease{LeaseTransition: p.lease(s), CancelInput: given}))
	},
	"lease.revisions": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		made, err := p.deals.ReviseRent(p.T.Context(), c, deals.ReviseRent{LeaseTransition: p.lease(s)})
		return made.ID, err
	},
	"lease.delete": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.deals.DeleteLease(p.T.Context(), c, deals.DeleteLease{ID: at(p.leases, s.On)}))
	},

	"product.status": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		id := at(p.products, s.On)
		in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
		in.Criteria = apitest.Criteria("Statut", []string{"EnCours", "EnCours", "EnCours", "Option", "Archive"}[s.With%5])
		return nothing(p.Listing.UpdateProduct(p.T.Context(), c, in))
	},
	"product.delete": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.Listing.DeleteProduct(p.T.Context(), c, listing.DeleteProduct{ID: at(p.products, s.On)}))
	},

	"customer.delete": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.People.DeleteCustomer(p.T.Context(), c, people.DeleteCustomer{ID: at(p.buyers, s.On)}))
	},
	"customer.anonymize": func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(p.People.AnonymizeCustomer(p.T.Context(), c, people.CustomerPath{ID: at(p.buyers, s.On)}))
	},

	Advance: func(p *Play, _ kernel.Caller, s Step) (int64, error) {
		hours := []int{1, 1, 24, 24, 24, 24, 24 * 8, 24 * 11, 24 * 40, 24 * 400}
		p.Clock.Advance(time.Duration(hours[s.Way%len(hours)]) * time.Hour)
		return 0, nil
	},
	Store: func(p *Play, _ kernel.Caller, _ Step) (int64, error) {
		n, err := p.Deals.StoreDue(p.T.Context())
		return int64(n), err
	},
}

// use is a use case that takes a record from one status to another.
type use[In any] = kernel.UseCase[In, kernel.Changed]

func nothing[T any](_ T, err error) (int64, error) { return 0, err }

// given is why something is given up.
var given = deals.CancelInput{CancellationReason: opt.Of("ACCORD")}

func onOffer(which func(deals.API) use[deals.OfferTransition]) attempt {
	return func(p *Play, c kernel.Caller, s Step) (int64, error) {
		return nothing(which(p.deals)(p.T.Context(), c, p.offer(s)))
	}
}

func (p *Play) offer(s Step) deals.OfferTransition {
	return deals.OfferTransition{ID: at(p.offers, s.On)}
}

func (p *Play) agreement(s Step) deals.AgreementTransition {
	return deals.AgreementTransition{ID: at(p.agreements, s.On)}
}

func (p *Play) condition(s Step) deals.ConditionTransition {
	return deals.ConditionTransition{ID: at(p.agreements, s.On), ConditionID: int64(1 + s.With%2)}
}

func (p *Play) lease(s Step) deals.LeaseTransition {
	return deals.LeaseTransition{ID: at(p.leases, s.On)}
}

// amount is one of a few.
func amount(s Step) opt.Field[float64] { return opt.Of(100_000 + 1_000*float64(s.Days)) }

// who are one or two buyers.
func (p *Play) who(s Step) opt.Field[[]int64] {
	first, second := at(p.buyers, s.With), at(p.buyers, s.With+1)
	if s.Way%3 == 0 {
		return opt.Of([]int64{first, second})
	}
	return opt.Of([]int64{first})
}

func (p *Play) createOffer(c kernel.Caller, s Step) (int64, error) {
	in := deals.CreateOffer{Change: offer.Change{ProductID: opt.Of(at(p.products, s.On)), Buyers: p.who(s), Amount: amount(s), Comment: opt.Of("Vue")}}
	if s.Way%4 != 0 {
		in.Status = opt.Of(string(offer.Open))
	}
	if s.Way%2 == 0 {
		in.ExpiresAt = p.day(s.Days)
	}
	if s.Way%5 == 0 {
		in.SearchID, in.Buyers = opt.Of(p.search), opt.Of(p.buyers[:1])
	}
	made, err := p.deals.CreateOffer(p.T.Context(), c, in)
	return made.ID, err
}

func (p *Play) updateOffer(c kernel.Caller, s Step) (int64, error) {
	in := deals.UpdateOffer{ID: at(p.offers, s.On)}
	switch s.Way % 4 {
	case 0:
		in.Comment = opt.Of([]string{"", "Vue", "Revue"}[s.Days%3])
	case 1:
		in.Amount = amount(s)
	case 2:
		in.ExpiresAt = p.day(s.Days)
	case 3:
		in.Buyers = p.who(s)
	}
	return nothing(p.deals.UpdateOffer(p.T.Context(), c, in))
}

func (p *Play) counterOffer(c kernel.Caller, s Step) (int64, error) {
	in := deals.CounterOffer{OfferTransition: p.offer(s), CounterInput: offer.CounterInput{By: opt.Of("VENDEUR"), Amount: amount(s)}}
	if s.Way%2 == 0 {
		in.By = opt.Of("ACQUEREUR")
	}
	if s.Way%3 == 0 {
		in.ExpiresAt = p.day(s.Days)
	}
	return nothing(p.deals.CounterOffer(p.T.Context(), c, in))
}

func (p *Play) createAgreement(c kernel.Caller, s Step) (int64, error) {
	in := deals.CreateAgreement{Change: agreement.Change{Type: opt.Of("COMPROMIS")}}
	if s.Way%5 != 0 {
		in.SaleOfferID = opt.Of(at(p.offers, s.On))
	} else {
		in.ProductID, in.Buyers, in.Price = opt.Of(at(p.products, s.On)), p.who(s), amount(s)
	}
	if s.Way%2 == 0 {
		conditions := []agreement.SaleConditionInput{{Type: opt.Of("URBANISME"), Label: opt.Of("Permis")}, {Type: opt.Of("PRET"), DueDate: p.day(25 + s.Days)}}
		in.Conditions = opt.Of(conditions[:1+s.Way/2%2])
	}
	made, err := p.deals.CreateAgreement(p.T.Context(), c, in)
	return made.ID, err
}

func (p *Play) updateAgreement(c kernel.Caller, s Step) (int64, error) {
	in := deals.UpdateAgreement{ID: at(p.agreements, s.On)}
	switch s.Way % 4 {
	case 0:
		in.Comment = opt.Of([]string{"", "Vue", "Revue"}[s.Days%3])
	case 1:
		in.Price = amount(s)
	case 2:
		in.BuyerNotaryID = opt.Of(p.notary)
	case 3:
		in.Conditions = opt.Of([]agreement.SaleConditionInput{{ID: opt.Of[int64](1), DueDate: p.day(s.Days)}})
	}
	return nothing(p.deals.UpdateAgreement(p.T.Context(), c, in))
}

func (p *Play) notify(c kernel.Caller, s Step) (int64, error) {
	in := deals.NotifyBuyers{AgreementTransition: p.agreement(s)}
	buyers := []int64{at(p.buyers, s.With)}
	if shown, err := p.deals.GetAgreement(p.T.Context(), c, deals.AgreementPath{ID: in.ID}); err == nil && s.Way%4 != 0 {
		buyers = shown.Buyers
	}
	var all []deals.NotificationInput
	for _, id := range buyers {
		all = append(all, deals.NotificationInput{CustomerID: opt.Of(id), Date: p.day(-(s.Days % 12)), Method: opt.Of("LRAR")})
	}
	in.Notifications = opt.Of(all)
	return nothing(p.deals.NotifyBuyers(p.T.Context(), c, in))
}

func (p *Play) retract(c kernel.Caller, s Step) (int64, error) {
	in := deals.RetractAgreement{AgreementTransition: p.agreement(s), CustomerID: opt.Of(at(p.buyers, s.With)), DateSent: p.day(-(s.Days % 12))}
	return nothing(p.deals.RetractAgreement(p.T.Context(), c, in))
}

func (p *Play) createLease(c kernel.Caller, s Step) (int64, error) {
	in := deals.CreateLease{Change: letting.Change{
		ProductID: opt.Of(at(p.products, s.On*(s.Way%4))), Tenants: p.who(s), DateStart: p.day(s.Days*3 - 40), Rent: opt.Of(700.0), Deposit: opt.Of(0.0),
		Comment: opt.Of("Vue"), Room: opt.Of([]string{"", "1", "2"}[s.With%3]),
	}}
	indexation := opt.Of(letting.IndexationInput{Index: opt.Of("IRL"), Quarter: opt.Of("2025-T3")})
	switch s.Way % 6 {
	case 0:
		in.Type, in.DateEnd = opt.Of("CODE_CIVIL"), p.day(s.Days*3+60)
	case 1:
		in.Type, in.DurationMonths = opt.Of("ETUDIANT"), opt.Of(9)
	case 2:
		in.Type, in.DurationMonths, in.Indexation = opt.Of("MEUBLE"), opt.Of(12), indexation
	case 3:
		in.Type, in.DurationMonths, in.Indexation = opt.Of("VIDE"), opt.Of(36), indexation
	case 4:
		in.Type, in.DurationMonths = opt.Of("MOBILITE"), opt.Of(1+s.With)
	case 5:
		in.Type = opt.Of("PARKING")
	}
	made, err := p.deals.CreateLease(p.T.Context(), c, in)
	return made.ID, err
}

func (p *Play) updateLease(c kernel.Caller, s Step) (int64, error) {
	in := deals.UpdateLease{ID: at(p.leases, s.On)}
	switch s.Way % 4 {
	case 0:
		in.Comment = opt.Of([]string{"", "Vue", "Revue"}[s.Days%3])
	case 1:
		in.Rent = opt.Of(600 + float64(s.Days))
	case 2:
		in.DateStart = p.day(s.Days*3 - 40)
	case 3:
		in.EntryInventory = p.day(-s.Days)
	}
	return nothing(p.deals.UpdateLease(p.T.Context(), c, in))
}

func (p *Play) notice(c kernel.Caller, s Step) (int64, error) {
	in := deals.GiveNotice{LeaseTransition: p.lease(s), By: opt.Of("LOCATAIRE"), ReceivedOn: p.day(-(s.Days % 20)), Reason: opt.Of("MUTATION")}
	if s.Way%3 == 0 {
		in.By, in.Reason = opt.Of("BAILLEUR"), opt.Of("VENTE")
	}
	return nothing(p.deals.GiveNotice(p.T.Context(), c, in))
}
