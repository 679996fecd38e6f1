package porttest

import (
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

func sampleFees() money.Fees {
	return money.Fees{Amount: 12_000_00, Payer: money.BothPay, Buyers: 5_000_01, VATRate: 8.5}
}

func sampleOffer(s site.ID, id offer.ID) offer.Offer {
	contribution, loan, rate, months := money.Amount(0), money.Amount(200_000_50), 3.95, 300
	return offer.Offer{
		ID: id, Site: s, Number: "75A-O12", Agency: 1, User: 2, Product: 3, Buyers: []customer.ID{5, 4}, Sellers: []customer.ID{6}, Search: 7,
		Status: offer.Countered, Amount: 240_000_00, Counter: 250_000_01, Agreed: 245_000_00, Fees: sampleFees(),
		Date: calendar.Of(2026, 2, 28), Expires: instant(20),
		Financing: offer.Financing{
			Given: true, Contribution: &contribution, Loan: &loan, LoanRateMax: &rate, LoanMonths: &months, WithoutLoan: true,
		},
		Conditions: []string{awkward, "b"}, RefusalReason: "PRIX", CancellationReason: "ACCORD", Comment: awkward,
		Negotiation: []offer.Step{
			{At: instant(1), Kind: offer.Sending, By: offer.Buyer, Amount: 240_000_00, User: 2},
			{At: instant(2), Kind: offer.Countering, By: offer.Seller, Amount: 250_000_01},
		},
		Agreement: 8, Ahead: []transition.Phase{{Status: "EXPIREE", From: instant(20)}},
		Added: instant(3), Modified: instant(4), Version: 1 << 45,
	}
}

func sampleAgreement(s site.ID, id agreement.ID) agreement.Agreement {
	amount, rate, months := money.Amount(200_000_50), 3.95, 300
	return agreement.Agreement{
		ID: id, Site: s, Number: "75A-C12", Agency: 1, User: 2, Type: agreement.Compromis, Status: agreement.Withdrawal, Offer: 3, Product: 4,
		Buyers: []customer.ID{6, 5}, Sellers: []customer.ID{7}, Price: 245_000_00, Fees: sampleFees(), Mandate: awkward,
		SellerNotary: 8, BuyerNotary: 9,
		Deposit: agreement.Deposit{
			Amount: 12_000_00, Holder: agreement.NotaryHolds, Due: calendar.Of(2026, 3, 20), Received: calendar.Of(2026, 3, 19),
		},
		MayWithdraw: true,
		Notifications: []agreement.Notification{
			{Customer: 5, Date: calendar.Of(2026, 3, 1), Method: "LRAR", LastDay: calendar.Of(2026, 3, 12)},
			{Customer: 6, Date: calendar.Of(2026, 3, 3), Method: "LRE", LastDay: calendar.Of(2026, 3, 13)},
		},
		WithdrawalEnd: calendar.Of(2026, 3, 13),
		Conditions: []agreement.Condition{
			{
				ID: 2, Type: agreement.Loan, Label: awkward, Due: calendar.Of(2026, 5, 1), Amount: &amount, RateMax: &rate, Months: &months,
				Status: agreement.ConditionLifted, Settled: calendar.Of(2026, 4, 1), Note: awkward,
			},
			{ID: 4, Type: "AUTRE", Status: agreement.ConditionWaits},
		},
		LastCondition: 4,
		Commissions: []agreement.Commission{
			{Role: "ENTREE", Percent: 33_33, Agency: 1, User: 2, Party: awkward}, {Role: "SORTIE", Percent: money.Whole - 33_33},
		},
		Date: calendar.Of(2026, 3, 1), Deed: calendar.Of(2026, 6, 2), DeedExpected: calendar.Of(2026, 6, 1), Sent: calendar.Of(2026, 3, 10),
		CancellationReason: "ACCORD", Comment: awkward, Ahead: []transition.Phase{{Status: "CONDITIONS", From: instant(21)}},
		Added: instant(5), Modified: instant(6), Version: 1 << 46,
	}
}

func sampleLease(s site.ID, id letting.ID) letting.Lease {
	amount := func(a money.Amount) *money.Amount { return &a }
	surface := 41.5
	return letting.Lease{
		ID: id, Site: s, Number: "75A-B12", Agency: 1, User: 2, Type: letting.Furnished, Status: letting.Signed, Product: 3,
		Landlords: []customer.ID{4}, Tenants: []customer.ID{6, 5}, Guarantors: []customer.ID{7, 4}, Room: awkward,
		Start: calendar.Of(2026, 9, 1), Months: 12, Last: calendar.Of(2027, 8, 31), ByCompany: true, FamilyCompany: true, ShortReason: awkward,
		Rent: 900_01, Supplement: amount(50_00), SupplementReason: awkward, Control: letting.Control{Reference: 20_10, ReferenceMax: 24_12},
		Charges: amount(0), ChargesMode: letting.FlatRate, Deposit: amount(1_800_02), Surface: &surface, Zone: money.VeryTight,
		Fees: letting.Fees{Landlord: amount(1), Tenant: amount(2), InventoryLandlord: amount(3), InventoryTenant: amount(0)}, VATRate: 8.5,
		Indexation: letting.Indexation{Index: letting.IRL, Quarter: 2026*4 + 1}, EntryInventory: calendar.Of(2026, 9, 1),
		ExitInventory: calendar.Of(2027, 8, 30), Date: calendar.Of(2026, 8, 20),
		Notice: letting.Notice{
			By: letting.Tenant, Received: calendar.Of(2027, 1, 2), Reason: awkward, Months: 1, Ends: calendar.Of(2027, 2, 1),
		},
		EndedOn: calendar.Of(2027, 2, 1), DepositReturnDue: calendar.Of(2027, 3, 1),
		Revisions: []letting.Revision{
			{ID: 2, Asked: calendar.Of(2027, 9, 3), Quarter: 2027*4 + 1, From: 900_01, Rent: 910_44}, {ID: 1},
		},
		CancellationReason: "ACCORD", Comment: awkward,
		Ahead: []transition.Phase{{Status: "EN_COURS", From: instant(22)}, {Status: "TERMINE", From: instant(23)}},
		Added: instant(7), Modified: instant(8), Version: 1 << 47,
	}
}
