package dealrecords

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// SaleAgreement is a "compromis", "promesse" or "réservation" about a product.
type SaleAgreement struct {
	ID          int64   `json:"id"`
	Number      string  `json:"number" doc:"that of the agency, -C and a number without gaps"`
	Status      string  `json:"status"`
	Type        string  `json:"type"`
	SaleOfferID *int64  `json:"sale_offer_id"`
	ProductID   *int64  `json:"product_id" ref:"product"`
	AgencyID    int64   `json:"agency_id"`
	UserID      *int64  `json:"user_id"`
	Buyers      []int64 `json:"buyers" ref:"customer" doc:"customers"`
	Sellers     []int64 `json:"sellers" ref:"customer" doc:"customers"`
	Price       float64 `json:"price" doc:"fees included"`
	Fees
	MandateNumber      *string           `json:"mandate_number" doc:"the mandate under which it was signed"`
	SellerNotaryID     *int64            `json:"seller_notary_id" ref:"customer"`
	BuyerNotaryID      *int64            `json:"buyer_notary_id" ref:"customer"`
	Deposit            *Deposit          `json:"deposit"`
	RetractionApplies  bool              `json:"retraction_applies" doc:"buyers who are no professionals have the right of withdrawal"`
	Notifications      []Notification    `json:"notifications" doc:"by customer"`
	RetractionEnd      *string           `json:"retraction_end" format:"date" doc:"the latest last day, once every buyer who may withdraw is notified"`
	Conditions         []SaleCondition   `json:"conditions"`
	Commissions        []Commission      `json:"commissions"`
	DateSignature      *string           `json:"date_signature" format:"date"`
	DateDeed           *string           `json:"date_deed" format:"date"`
	DateDeedExpected   *string           `json:"date_deed_expected" format:"date"`
	FeesDueOn          *string           `json:"fees_due_on" format:"date" doc:"fees are owed once the deed is signed"`
	CancellationReason *string           `json:"cancellation_reason" doc:"code of list 17"`
	Comment            *string           `json:"comment"`
	Deadlines          []PendingDeadline `json:"deadlines" doc:"what is pending, by date"`
	Warnings           []string          `json:"warnings" doc:"what should be mended; it prevents nothing"`
	DateAdded          kernel.Instant    `json:"date_added"`
	LastModified       kernel.Instant    `json:"last_modified"`

	Version kernel.Version `json:"-" header:"ETag"`
}

// Deposit is what buyers pay when they sign.
type Deposit struct {
	Amount     float64 `json:"amount"`
	Holder     string  `json:"holder" enum:"AGENCE,NOTAIRE,AUTRE"`
	DueDate    *string `json:"due_date" format:"date"`
	ReceivedOn *string `json:"received_on" format:"date"`
}

// Notification is that of a buyer about the agreement.
type Notification struct {
	CustomerID int64          `json:"customer_id"`
	Date       string         `json:"date" format:"date" doc:"first presentation or hand-over"`
	Method     string         `json:"method" enum:"LRAR,LRE,HUISSIER,REMISE_NOTAIRE,REMISE_AGENCE"`
	LastDay    string         `json:"last_day" format:"date" doc:"the last day to withdraw"`
	EndsAt     kernel.Instant `json:"ends_at" doc:"the end of that day"`
}

// SaleCondition is what has to happen before the sale ("condition suspensive").
type SaleCondition struct {
	ID        int64    `json:"id"`
	Type      string   `json:"type" enum:"PRET,URBANISME,PREEMPTION,VENTE_PREALABLE,AUTRE"`
	Label     *string  `json:"label"`
	DueDate   *string  `json:"due_date" format:"date"`
	Amount    *float64 `json:"amount" doc:"of a loan"`
	RateMax   *float64 `json:"rate_max" doc:"of a loan, percent"`
	Months    *int     `json:"months" doc:"of a loan"`
	Status    string   `json:"status" enum:"EN_ATTENTE,LEVEE,RENONCEE,DEFAILLIE"`
	SettledOn *string  `json:"settled_on" format:"date"`
	Note      *string  `json:"note"`
	Overdue   bool     `json:"overdue" doc:"it waits although its day has passed"`
}

// Commission is somebody's share of the fees.
type Commission struct {
	ID        int64    `json:"id"`
	Role      string   `json:"role" enum:"ENTREE,SORTIE,APPORT,DELEGATION,AUTRE"`
	Percent   float64  `json:"percent"`
	AgencyID  *int64   `json:"agency_id"`
	UserID    *int64   `json:"user_id"`
	PartyName *string  `json:"party_name"`
	Amount    *float64 `json:"amount" doc:"share of fees_excl_vat; null without fees"`
}

// PendingDeadline is something that has to happen by a day.
type PendingDeadline struct {
	Kind        string `json:"kind"`
	Date        string `json:"date" format:"date"`
	ConditionID *int64 `json:"condition_id"`
	CustomerID  *int64 `json:"customer_id" ref:"customer"`
}

// OfAgreement returns the record of an agreement about a property, at a moment in a
// zone.
func OfAgreement(a agreement.Agreement, of Property, now time.Time, zone *time.Location) SaleAgreement {
	a = a.At(now, zone)
	today := calendar.On(now, zone)
	record := SaleAgreement{
		ID: int64(a.ID), Number: a.Number, Status: string(a.Status), Type: string(a.Type), SaleOfferID: kernel.Nullable(int64(a.Offer)),
		ProductID: kernel.Nullable(int64(a.Product)), AgencyID: int64(a.Agency), UserID: kernel.Nullable(int64(a.User)),
		Buyers: ids(a.Buyers), Sellers: ids(a.Sellers), Price: a.Price.Float(), Fees: feesOf(a.Fees, a.Price),
		MandateNumber: kernel.Nullable(a.Mandate), SellerNotaryID: kernel.Nullable(int64(a.SellerNotary)), BuyerNotaryID: kernel.Nullable(int64(a.BuyerNotary)),
		RetractionApplies: a.MayWithdraw, Notifications: []Notification{}, RetractionEnd: day(a.WithdrawalEnd),
		Conditions: []SaleCondition{}, Commissions: []Commission{}, DateSignature: day(a.Date), DateDeed: day(a.Deed),
		DateDeedExpected: day(a.DeedExpected), FeesDueOn: day(a.Deed), CancellationReason: kernel.Nullable(a.CancellationReason),
		Comment: kernel.Nullable(a.Comment), Deadlines: []PendingDeadline{}, Warnings: kernel.List(a.Warnings(of.ofAgreement(), today)),
		DateAdded: kernel.Instant{Time: a.Added}, LastModified: kernel.Instant{Time: a.Modified}, Version: kernel.Version(a.Version),
	}
	if d := a.Deposit; d.Holder != agreement.NoHolder {
		record.Deposit = &Deposit{d.Amount.Float(), string(d.Holder), day(d.Due), day(d.Received)}
	}
	for _, n := range a.Notifications {
		record.Notifications = append(record.Notifications, Notification{
			int64(n.Customer), n.Date.String(), string(n.Method), n.LastDay.String(), kernel.Instant{Time: n.LastDay.End(zone)},
		})
	}
	for _, c := range a.Conditions {
		record.Conditions = append(record.Conditions, SaleCondition{
			ID: int64(c.ID), Type: string(c.Type), Label: kernel.Nullable(c.Label), DueDate: day(c.Due), Amount: optional(c.Amount), RateMax: c.RateMax,
			Months: c.Months, Status: string(c.Status), SettledOn: day(c.Settled), Note: kernel.Nullable(c.Note), Overdue: c.Overdue(today),
		})
	}
	shares := a.Shares()
	for n, c := range a.Commissions {
		made := Commission{
			ID: int64(n + 1), Role: c.Role, Percent: c.Percent.Float(), AgencyID: kernel.Nullable(int64(c.Agency)),
			UserID: kernel.Nullable(int64(c.User)), PartyName: kernel.Nullable(c.Party),
		}
		if shares != nil {
			made.Amount = amount(shares[n])
		}
		record.Commissions = append(record.Commissions, made)
	}
	for _, p := range a.Deadlines() {
		record.Deadlines = append(record.Deadlines, PendingDeadline{
			p.Kind, p.Date.String(), kernel.Nullable(int64(p.Condition)), kernel.Nullable(int64(p.Customer)),
		})
	}
	return record
}
