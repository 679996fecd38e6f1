package dealrecords

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Lease lets a product, or a part of it ("bail").
type Lease struct {
	ID                 int64          `json:"id"`
	Number             string         `json:"number" doc:"that of the agency, -B and a number without gaps"`
	Status             string         `json:"status"`
	Type               string         `json:"type"`
	ProductID          *int64         `json:"product_id" ref:"product"`
	AgencyID           int64          `json:"agency_id"`
	UserID             *int64         `json:"user_id"`
	Landlords          []int64        `json:"landlords" ref:"customer" doc:"customers"`
	Tenants            []int64        `json:"tenants" ref:"customer" doc:"customers"`
	Guarantors         []int64        `json:"guarantors" ref:"customer" doc:"customers"`
	Room               *string        `json:"room" doc:"which part is let; null: all of it"`
	DateStart          string         `json:"date_start" format:"date"`
	DurationMonths     *int           `json:"duration_months" doc:"of the first term"`
	DateEnd            *string        `json:"date_end" format:"date" doc:"the last day of the present term; null without one"`
	FamilyCompany      bool           `json:"family_company"`
	ShortReason        *string        `json:"short_reason"`
	Rent               float64        `json:"rent" doc:"by the month, without charges and supplement; for SAISONNIER for the stay"`
	RentSupplement     *float64       `json:"rent_supplement"`
	SupplementReason   *string        `json:"supplement_reason"`
	Control            *Control       `json:"control"`
	Charges            *float64       `json:"charges"`
	ChargesMode        *string        `json:"charges_mode" enum:"PROVISION,FORFAIT"`
	Deposit            *float64       `json:"deposit"`
	Surface            *float64       `json:"surface" doc:"m²"`
	Zone               *string        `json:"zone" enum:"TRES_TENDUE,TENDUE,AUTRE"`
	FeesLandlord       *float64       `json:"fees_landlord"`
	FeesTenant         *float64       `json:"fees_tenant"`
	InventoryLandlord  *float64       `json:"fees_inventory_landlord"`
	InventoryTenant    *float64       `json:"fees_inventory_tenant"`
	VATRate            float64        `json:"vat_rate" doc:"percent"`
	EntryInventory     *string        `json:"entry_inventory" format:"date"`
	ExitInventory      *string        `json:"exit_inventory" format:"date"`
	Indexation         *Indexation    `json:"indexation"`
	DateSignature      *string        `json:"date_signature" format:"date"`
	Notice             *Notice        `json:"notice"`
	EndedOn            *string        `json:"ended_on" format:"date"`
	DepositReturnDue   *string        `json:"deposit_return_due" format:"date"`
	Revisions          []Revision     `json:"revisions"`
	Warnings           []string       `json:"warnings" doc:"what should be mended; it prevents nothing"`
	CancellationReason *string        `json:"cancellation_reason" doc:"code of list 17"`
	Comment            *string        `json:"comment"`
	DateAdded          kernel.Instant `json:"date_added"`
	LastModified       kernel.Instant `json:"last_modified"`

	Version kernel.Version `json:"-" header:"ETag"`
}

// Control is what a rent is bounded by, per m².
type Control struct {
	ReferenceRent    *float64 `json:"reference_rent"`
	ReferenceRentMax float64  `json:"reference_rent_max"`
}

// Indexation is what a rent is revised by.
type Indexation struct {
	Index   string `json:"index" enum:"IRL,ILC,ILAT"`
	Quarter string `json:"quarter" doc:"the reference, such as 2025-T3"`
}

// Notice ends a lease.
type Notice struct {
	By         string  `json:"by" enum:"LOCATAIRE,BAILLEUR"`
	ReceivedOn string  `json:"received_on" format:"date"`
	Reason     *string `json:"reason"`
	Months     int     `json:"months"`
	EndsOn     string  `json:"ends_on" format:"date"`
}

// Revision is a rent that followed its index.
type Revision struct {
	ID       int64   `json:"id"`
	AskedOn  string  `json:"asked_on" format:"date"`
	Quarter  string  `json:"quarter"`
	FromRent float64 `json:"from_rent"`
	Rent     float64 `json:"rent"`
}

// OfLease returns the record of a lease of a property, at a moment in a zone.
func OfLease(l letting.Lease, of Property, now time.Time, zone *time.Location) Lease {
	l = l.At(now, zone)
	present := calendar.On(now, zone)
	if l.EndedOn != 0 {
		present = min(present, l.EndedOn) // the term that it ended in
	}
	record := Lease{
		ID: int64(l.ID), Number: l.Number, Status: string(l.Status), Type: string(l.Type), ProductID: kernel.Nullable(int64(l.Product)),
		AgencyID: int64(l.Agency), UserID: kernel.Nullable(int64(l.User)),
		Landlords: ids(l.Landlords), Tenants: ids(l.Tenants), Guarantors: ids(l.Guarantors), Room: kernel.Nullable(l.Room),
		DateStart: l.Start.String(), DurationMonths: kernel.Nullable(l.Months), DateEnd: day(l.Term(present)),
		FamilyCompany: l.FamilyCompany, ShortReason: kernel.Nullable(l.ShortReason), Rent: l.Rent.Float(), RentSupplement: optional(l.Supplement),
		SupplementReason: kernel.Nullable(l.SupplementReason), Charges: optional(l.Charges), ChargesMode: kernel.Nullable(string(l.ChargesMode)),
		Deposit: optional(l.Deposit), Surface: l.Surface, Zone: kernel.Nullable(string(l.Zone)),
		FeesLandlord: optional(l.Fees.Landlord), FeesTenant: optional(l.Fees.Tenant), InventoryLandlord: optional(l.Fees.InventoryLandlord),
		InventoryTenant: optional(l.Fees.InventoryTenant), VATRate: l.VATRate, EntryInventory: day(l.EntryInventory), ExitInventory: day(l.ExitInventory),
		DateSignature: day(l.Date), EndedOn: day(l.EndedOn), DepositReturnDue: day(l.DepositReturnDue), Revisions: []Revision{},
		Warnings: kernel.List(l.Warnings(of.ofLease(), calendar.On(now, zone))), CancellationReason: kernel.Nullable(l.CancellationReason), Comment: kernel.Nullable(l.Comment),
		DateAdded: kernel.Instant{Time: l.Added}, LastModified: kernel.Instant{Time: l.Modified}, Version: kernel.Version(l.Version),
	}
	if c := l.Control; c.ReferenceMax != 0 {
		record.Control = &Control{known(c.Reference), c.ReferenceMax.Float()}
	}
	if i := l.Indexation; i.Index != "" {
		record.Indexation = &Indexation{string(i.Index), i.Quarter.String()}
	}
	if n := l.Notice; n.By != "" {
		record.Notice = &Notice{string(n.By), n.Received.String(), kernel.Nullable(n.Reason), n.Months, n.Ends.String()}
	}
	for _, r := range l.Revisions {
		record.Revisions = append(record.Revisions, Revision{int64(r.ID), r.Asked.String(), r.Quarter.String(), r.From.Float(), r.Rent.Float()})
	}
	return record
}
