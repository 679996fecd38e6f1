package sqlstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/port"
)

// As TestTheStoredFormIsWhatItWas.
func TestTheStoredFormOfDealsIsWhatItWas(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		half, two, cents := 0.5, 2, money.Amount(50)
		day, fees := calendar.Of(2026, 1, 2), money.Fees{Amount: 1, Payer: money.BothPay, Buyers: 2, VATRate: 20}
		at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
		ahead := []transition.Phase{{Status: "P", From: at}, {Status: "Q", From: at}}
		update(t, s, func(tx port.Tx) error {
			return errors.Join(
				tx.Offers().Put(offer.Offer{
					ID: 1, Site: 1, Number: "N", Agency: 2, User: 3, Product: 4, Buyers: []customer.ID{5}, Sellers: []customer.ID{6}, Search: 7,
					Status: offer.Open, Amount: 100_01, Counter: 2, Agreed: 3, Fees: fees, Date: day, Expires: at,
					Financing:  offer.Financing{Given: true, Contribution: &cents, LoanRateMax: &half, LoanMonths: &two, WithoutLoan: true},
					Conditions: []string{"C"}, RefusalReason: "R", CancellationReason: "A", Comment: "M",
					Negotiation: []offer.Step{{At: at, Kind: offer.Sending, By: offer.Buyer, Amount: 1, User: 3}}, Agreement: 8, Ahead: ahead,
					Added: at, Modified: at, Version: 9,
				}),
				tx.Agreements().Put(agreement.Agreement{
					ID: 1, Site: 1, Number: "N", Agency: 2, User: 3, Type: agreement.Compromis, Status: agreement.Signed, Offer: 4, Product: 5,
					Buyers: []customer.ID{6}, Sellers: []customer.ID{7}, Price: 100_01, Fees: fees, Mandate: "M", SellerNotary: 8, BuyerNotary: 9,
					Deposit:     agreement.Deposit{Amount: 1, Holder: agreement.NotaryHolds, Due: day, Received: day},
					MayWithdraw: true, Notifications: []agreement.Notification{{Customer: 6, Date: day, Method: "LRAR", LastDay: day + 10}},
					WithdrawalEnd: day + 10, Conditions: []agreement.Condition{{
						ID: 1, Type: agreement.Loan, Label: "L", Due: day, Amount: &cents, RateMax: &half, Months: &two,
						Status: agreement.ConditionWaits, Settled: day, Note: "N",
					}}, LastCondition: 1, Commissions: []agreement.Commission{{Role: "ENTREE", Percent: 33_33, Agency: 2, User: 3, Party: "P"}},
					Date: day, Deed: day, DeedExpected: day, CancellationReason: "A", Comment: "C", Ahead: ahead, Added: at, Modified: at, Version: 9,
				}),
				tx.Lettings().Put(letting.Lease{
					ID: 1, Site: 1, Number: "N", Agency: 2, User: 3, Type: letting.Furnished, Status: letting.Signed, Product: 4,
					Landlords: []customer.ID{5}, Tenants: []customer.ID{6}, Guarantors: []customer.ID{7}, Room: "R", Start: day, Months: 12, Last: day,
					ByCompany: true, FamilyCompany: true, ShortReason: "S", Rent: 100_01, Supplement: &cents, SupplementReason: "S",
					Control: letting.Control{Reference: 1, ReferenceMax: 2}, ChargesMode: letting.FlatRate, Surface: &half, Zone: money.Tight,
					Fees: letting.Fees{Landlord: &cents}, VATRate: 20, Indexation: letting.Indexation{Index: letting.IRL, Quarter: 8102},
					Date: day, Notice: letting.Notice{By: letting.Tenant, Received: day, Reason: "R", Months: 1, Ends: day},
					Revisions:          []letting.Revision{{ID: 1, Asked: day, Quarter: 8102, From: 1, Rent: 2}},
					CancellationReason: "A", Comment: "C", Ahead: ahead, Added: at, Modified: at, Version: 9,
				}),
			)
		})
		db := p.raw(t)
		for _, c := range []struct{ query, want string }{
			{"SELECT body FROM sale_offer", `{"ID":1,"Site":1,"Number":"N","Agency":2,"User":3,"Product":4,"Buyers":[5],"Sellers":[6],"Search":7,"Status":"EN_COURS",` +
				`"Amount":10001,"Counter":2,"Agreed":3,"Fees":{"Amount":1,"Payer":"PARTAGE","Buyers":2,"VATRate":20},"Date":"2026-01-02",` +
				`"Expires":"2026-01-02T03:04:05.000006Z","Financing":{"Given":true,"Contribution":50,"Loan":null,"LoanRateMax":0.5,"LoanMonths":2,` +
				`"WithoutLoan":true},"Conditions":["C"],"RefusalReason":"R","CancellationReason":"A","Comment":"M",` +
				`"Negotiation":[{"At":"2026-01-02T03:04:05.000006Z","Kind":"ENVOI","By":"ACQUEREUR","Amount":1,"User":3}],"Agreement":8,` +
				`"Ahead":[{"Status":"P","From":"2026-01-02T03:04:05.000006Z"},{"Status":"Q","From":"2026-01-02T03:04:05.000006Z"}],` +
				`"Added":"2026-01-02T03:04:05.000006Z","Modified":"2026-01-02T03:04:05.000006Z","Version":9}`},
			{"SELECT body FROM sale_agreement", `{"ID":1,"Site":1,"Number":"N","Agency":2,"User":3,"Type":"COMPROMIS","Status":"SIGNE","Offer":4,"Product":5,"Buyers":[6],` +
				`"Sellers":[7],"Price":10001,"Fees":{"Amount":1,"Payer":"PARTAGE","Buyers":2,"VATRate":20},"Mandate":"M","SellerNotary":8,` +
				`"BuyerNotary":9,"Deposit":{"Amount":1,"Holder":"NOTAIRE","Due":"2026-01-02","Received":"2026-01-02"},"MayWithdraw":true,` +
				`"Notifications":[{"Customer":6,"Date":"2026-01-02","Method":"LRAR","LastDay":"2026-01-12"}],"WithdrawalEnd":"2026-01-12",` +
				`"Conditions":[{"ID":1,"Type":"PRET","Label":"L","Due":"2026-01-02","Amount":50,"RateMax":0.5,"Months":2,"Status":"EN_ATTENTE",` +
				`"Settled":"2026-01-02","Note":"N"}],"LastCondition":1,"Commissions":[{"Role":"ENTREE","Percent":3333,"Agency":2,"User":3,` +
				`"Party":"P"}],"Date":"2026-01-02","Deed":"2026-01-02","DeedExpected":"2026-01-02","Sent":"","CancellationReason":"A",` +
				`"Comment":"C","Ahead":[{"Status":"P","From":"2026-01-02T03:04:05.000006Z"},{"Status":"Q","From":"2026-01-02T03:04:05.000006Z"}],` +
				`"Added":"2026-01-02T03:04:05.000006Z","Modified":"2026-01-02T03:04:05.000006Z","Version":9}`},
			{"SELECT body FROM letting", `{"ID":1,"Site":1,"Number":"N","Agency":2,"User":3,"Type":"MEUBLE","Status":"SIGNE","Product":4,"Landlords":[5],"Tenants":[6],` +
				`"Guarantors":[7],"Room":"R","Start":"2026-01-02","Months":12,"Last":"2026-01-02","ByCompany":true,"FamilyCompany":true,` +
				`"ShortReason":"S","Rent":10001,"Supplement":50,"SupplementReason":"S","Control":{"Reference":1,"ReferenceMax":2},"Charges":null,` +
				`"ChargesMode":"FORFAIT","Deposit":null,"Surface":0.5,"Zone":"TENDUE","Fees":{"Landlord":50,"Tenant":null,` +
				`"InventoryLandlord":null,"InventoryTenant":null},"VATRate":20,"Indexation":{"Index":"IRL","Quarter":8102},"EntryInventory":"",` +
				`"ExitInventory":"","Date":"2026-01-02","Notice":{"By":"LOCATAIRE","Received":"2026-01-02","Reason":"R","Months":1,` +
				`"Ends":"2026-01-02"},"EndedOn":"","DepositReturnDue":"","Revisions":[{"ID":1,"Asked":"2026-01-02","Quarter":8102,"From":1,` +
				`"Rent":2}],"CancellationReason":"A","Comment":"C","Ahead":[{"Status":"P","From":"2026-01-02T03:04:05.000006Z"},{"Status":"Q",` +
				`"From":"2026-01-02T03:04:05.000006Z"}],"Added":"2026-01-02T03:04:05.000006Z","Modified":"2026-01-02T03:04:05.000006Z","Version":9}`},
			{
				"SELECT agency_id || ' ' || user_id || ' ' || product_id || ' ' || offer_id || ' ' || type || ' ' || status || ' ' || due_at || ' ' || due_status FROM sale_agreement",
				"2 3 5 4 COMPROMIS SIGNE 1767323045000006 P",
			},
			{
				"SELECT later_at || ' ' || later_status || ' ' || day || ' ' || amount || ' ' || added_at || ' ' || modified_at FROM sale_agreement",
				"1767323045000006 Q 739618 10001 1767323045000006 1767323045000006",
			},
		} {
			answers(t, db, c.query, c.want)
		}
	})
}

func TestNoPartyIsLeftOfARecordThatIsGone(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		update(t, s, func(tx port.Tx) error {
			return errors.Join(
				tx.Offers().Put(offer.Offer{ID: 1, Site: 1, Buyers: []customer.ID{5, 6}, Sellers: []customer.ID{6}}),
				tx.Offers().Put(offer.Offer{ID: 2, Site: 1, Buyers: []customer.ID{5}}),
				tx.Offers().Delete(1, 1),
			)
		})
		answers(t, p.raw(t), "SELECT count(*) || ' of ' || max(record_id) FROM sale_offer_link", "1 of 2")
	})
}
