package letting

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// maxMonths bounds what can be counted in months.
const maxMonths = 1200

// MaxSurface is the largest surface of a lease, in m².
const MaxSurface = 1e6

// Change is what a request wants of a lease. Absent parts stay as they are.
// Whether what it names exists is for others to say.
type Change struct {
	Type              opt.Field[string]          `json:"type" enum:"VIDE,MEUBLE,ETUDIANT,MOBILITE,SAISONNIER,PROFESSIONNEL,COMMERCIAL,DEROGATOIRE,PARKING,CODE_CIVIL" doc:"required for a new one"`
	ProductID         opt.Field[int64]           `json:"product_id" doc:"required for a new one; cannot change"`
	AgencyID          opt.Field[int64]           `json:"agency_id" doc:"the product's, where a new one has none"`
	UserID            opt.Field[int64]           `json:"user_id" doc:"the product's, where a new one has none"`
	Landlords         opt.Field[[]int64]         `json:"landlords" max:"offer.MaxParties" doc:"customers, 1 to 10, each once; the product's owner, where a new one has none"`
	Tenants           opt.Field[[]int64]         `json:"tenants" max:"offer.MaxParties" doc:"customers, 1 to 10, each once; required for a new one"`
	Guarantors        opt.Field[[]int64]         `json:"guarantors" max:"offer.MaxParties" doc:"customers, at most 10, each once"`
	Room              opt.Field[string]          `json:"room" max:"form.MaxName" doc:"which part is let"`
	DateStart         opt.Field[string]          `json:"date_start" format:"date" doc:"required for a new one"`
	DurationMonths    opt.Field[int]             `json:"duration_months" doc:"of the first term, for types that have a duration"`
	DateEnd           opt.Field[string]          `json:"date_end" format:"date" doc:"for types without a duration"`
	FamilyCompany     opt.Field[bool]            `json:"family_company" doc:"the landlord is a company of relatives, treated as a natural person"`
	ShortReason       opt.Field[string]          `json:"short_reason" max:"form.MaxName" doc:"why an unfurnished dwelling is let for less than three years"`
	Rent              opt.Field[float64]         `json:"rent" doc:"by the month, without charges and supplement; for SAISONNIER for the stay; required for a new one"`
	RentSupplement    opt.Field[float64]         `json:"rent_supplement"`
	SupplementReason  opt.Field[string]          `json:"supplement_reason" max:"form.MaxComment" doc:"comes with rent_supplement"`
	Control           opt.Field[ControlInput]    `json:"control"`
	Charges           opt.Field[float64]         `json:"charges" doc:"comes with charges_mode"`
	ChargesMode       opt.Field[string]          `json:"charges_mode" enum:"PROVISION,FORFAIT"`
	Deposit           opt.Field[float64]         `json:"deposit"`
	Surface           opt.Field[float64]         `json:"surface" doc:"m²; the product's, where a new one has none"`
	Zone              opt.Field[string]          `json:"zone" enum:"TRES_TENDUE,TENDUE,AUTRE" doc:"required with fees of tenants"`
	FeesLandlord      opt.Field[float64]         `json:"fees_landlord"`
	FeesTenant        opt.Field[float64]         `json:"fees_tenant"`
	InventoryLandlord opt.Field[float64]         `json:"fees_inventory_landlord"`
	InventoryTenant   opt.Field[float64]         `json:"fees_inventory_tenant"`
	VATRate           opt.Field[float64]         `json:"vat_rate" minimum:"0" maximum:"100" doc:"percent; by default that of where the property is"`
	EntryInventory    opt.Field[string]          `json:"entry_inventory" format:"date"`
	ExitInventory     opt.Field[string]          `json:"exit_inventory" format:"date"`
	Indexation        opt.Field[IndexationInput] `json:"indexation"`
	Comment           opt.Field[string]          `json:"comment" max:"form.MaxComment" doc:"at most 10,000 characters"`
}

// ControlInput is what the rent is bounded by, per m².
type ControlInput struct {
	ReferenceRent    opt.Field[float64] `json:"reference_rent"`
	ReferenceRentMax opt.Field[float64] `json:"reference_rent_max" required:"true"`
}

// IndexationInput is what the rent is revised by.
type IndexationInput struct {
	Index   opt.Field[string] `json:"index" required:"true" enum:"IRL,ILC,ILAT"`
	Quarter opt.Field[string] `json:"quarter" required:"true" doc:"such as 2025-T3"`
}

// Rules is what a change is judged by.
type Rules struct {
	Moment
	// VATRate is the usual one where the property is.
	VATRate float64
	FeeCaps money.FeeCaps
	// Value is the value of an index in a quarter.
	Value func(Index, Quarter) (float64, bool)
	// IsCompany reports whether a customer is a company.
	IsCompany func(customer.ID) bool
}

// Create makes the lease that is described, without ids, number and times, and
// reports everything wrong with the description. What the description does not
// say is as in like, which the product gave.
func (r Rules) Create(c Change, like Lease, problems *fault.Problems) Lease {
	f := form.Form{Problems: problems}
	like.Status, like.VATRate = Draft, r.VATRate
	f.Required("type", !c.Type.Set)
	f.Required("landlords", !c.Landlords.Set && len(like.Landlords) == 0)
	f.Required("tenants", !c.Tenants.Set)
	f.Required("date_start", !c.DateStart.Set)
	f.Required("rent", !c.Rent.Set)
	made := r.apply(like.Clone(), c, f)
	if problems.Empty() {
		r.check(made, f)
	}
	return made
}

// Update applies a request to a copy of a lease. What is wrong with the request
// is Invalid; what the status does not let anybody change is a Conflict.
func (r Rules) Update(before Lease, c Change) (Lease, error) {
	var problems, rules fault.Problems
	f := form.Form{Problems: &problems, Against: &rules}
	before = before.At(r.Now, r.Zone)
	after := r.apply(before.Clone(), c, f)
	moved := product.ID(c.ProductID.Or(int64(before.Product))) != before.Product
	if problems.Empty() && (moved || !before.fixed().Same(after.fixed())) {
		return before, transition.Refused(before.Status, "the lease is too far for that to change")
	}
	if problems.Join(rules); !problems.Empty() {
		return before, problems.Err()
	}
	if before.Status == Draft || before.Binding() {
		// What is over is over, whatever the law or an index says now.
		r.check(after, f)
	}
	return after, problems.Err()
}

// Check reports what the law does not admit of a lease: as a request would have
// it, on any day of its signature.
func (r Rules) Check(l Lease) error {
	var problems fault.Problems
	r.check(l, form.Form{Problems: &problems})
	return problems.Err()
}

// fixed returns the lease without what its status lets anybody change.
func (l Lease) fixed() Lease {
	l.Comment, l.ExitInventory = "", 0
	switch l.Status {
	case Draft:
		return Lease{Status: l.Status}
	case Signed, Running, Noticed:
		l.User, l.Charges, l.ChargesMode, l.Guarantors, l.EntryInventory = 0, nil, "", nil, 0
	case Ended, Cancelled:
	}
	return l
}

func (r Rules) apply(it Lease, c Change, f form.Form) Lease {
	shown := calendar.Day(0) // what date_end is where it follows from a duration
	if it.Type.kind().hasDuration() {
		shown = it.Term(r.Today())
	}
	if form.OneOf(f, "type", &it.Type, c.Type, Types()); c.Type.Set && c.Type.Or("") == "" {
		f.Wrong("type", fault.CodeRequired, nil, "type is required")
	}
	if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
	form.ID(f, "user_id", &it.User, c.UserID)
	it.Landlords = offer.Parties(f, "landlords", it.Landlords, c.Landlords, 1)
	it.Tenants = offer.Parties(f, "tenants", it.Tenants, c.Tenants, 1)
	it.Guarantors = offer.Parties(f, "guarantors", it.Guarantors, c.Guarantors, 0)
	offer.CheckSides(f.Rules(), "tenants", it.Tenants, it.Landlords)
	offer.CheckSides(f.Rules(), "guarantors", it.Guarantors, it.Landlords)
	if it.Status == Draft {
		it.ByCompany = slices.ContainsFunc(it.Landlords, r.IsCompany)
	}
	f.Text("room", &it.Room, c.Room, form.MaxName)
	if f.CalendarDay("date_start", &it.Start, c.DateStart); c.DateStart.Null {
		f.Wrong("date_start", fault.CodeRequired, nil, "date_start is required")
	}
	f.Between("duration_months", &it.Months, c.DurationMonths, 1, maxMonths)
	if f.CalendarDay("date_end", &it.Last, c.DateEnd); it.Last == shown && it.Type.kind().hasDuration() {
		it.Last = 0 // read-only (transactions, section 6)
	}
	f.Flag("family_company", &it.FamilyCompany, c.FamilyCompany)
	f.Text("short_reason", &it.ShortReason, c.ShortReason, form.MaxName)
	r.money(&it, c, f)
	f.CalendarDay("entry_inventory", &it.EntryInventory, c.EntryInventory)
	f.CalendarDay("exit_inventory", &it.ExitInventory, c.ExitInventory)
	if c.Indexation.Set {
		it.Indexation = indexation(f.In("indexation"), c.Indexation)
	}
	f.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	return it
}

func (r Rules) money(it *Lease, c Change, f form.Form) {
	money.SetAboveZero(f, "rent", &it.Rent, c.Rent)
	money.Set(f, "rent_supplement", &it.Supplement, c.RentSupplement)
	f.Text("supplement_reason", &it.SupplementReason, c.SupplementReason, form.MaxComment)
	if c.Control.Set {
		it.Control = control(f.In("control"), c.Control)
	}
	money.Set(f, "charges", &it.Charges, c.Charges)
	form.OneOf(f, "charges_mode", &it.ChargesMode, c.ChargesMode, []ChargesMode{Provision, FlatRate})
	money.Set(f, "deposit", &it.Deposit, c.Deposit)
	if form.Maybe(&it.Surface, c.Surface); it.Surface != nil && (*it.Surface <= 0 || *it.Surface > MaxSurface) {
		f.Wrong("surface", fault.CodeOutOfRange, *it.Surface, "surface is above 0")
	}
	form.OneOf(f, "zone", &it.Zone, c.Zone, Zones())
	money.Set(f, "fees_landlord", &it.Fees.Landlord, c.FeesLandlord)
	money.Set(f, "fees_tenant", &it.Fees.Tenant, c.FeesTenant)
	money.Set(f, "fees_inventory_landlord", &it.Fees.InventoryLandlord, c.InventoryLandlord)
	money.Set(f, "fees_inventory_tenant", &it.Fees.InventoryTenant, c.InventoryTenant)
	money.SetRate(f, &it.VATRate, c.VATRate, r.VATRate)
}

func control(f form.Form, given opt.Field[ControlInput]) (made Control) {
	if given.Null {
		return made
	}
	var reference *money.Amount
	money.Set(f, "reference_rent", &reference, given.Value.ReferenceRent)
	if reference != nil {
		made.Reference = *reference
	}
	highest := given.Value.ReferenceRentMax
	if !highest.Set {
		highest = opt.Null[float64]()
	}
	money.SetAboveZero(f, "reference_rent_max", &made.ReferenceMax, highest)
	return made
}

func indexation(f form.Form, given opt.Field[IndexationInput]) (made Indexation) {
	if given.Null {
		return made
	}
	if form.OneOf(f, "index", &made.Index, given.Value.Index, Indices()); given.Value.Index.Or("") == "" {
		f.Wrong("index", fault.CodeRequired, nil, "index is required")
	}
	if given.Value.Quarter.Or("") == "" {
		f.Wrong("quarter", fault.CodeRequired, nil, "quarter is required")
		return made
	}
	var err error
	if made.Quarter, err = ParseQuarter(given.Value.Quarter.Or("")); err != nil {
		f.Wrong("quarter", fault.CodeInvalidFormat, given.Value.Quarter.Or(""), "quarter is written 2025-T3")
	}
	return made
}

// check reports what the law does not admit.
func (r Rules) check(l Lease, f form.Form) {
	k := l.Type.kind()
	l.checkDuration(k, f)
	l.checkRent(f)
	switch {
	case l.Charges != nil && l.ChargesMode == "":
		f.Wrong("charges_mode", fault.CodeRequired, nil, "charges come with charges_mode")
	case l.Charges == nil && l.ChargesMode != "":
		f.Wrong("charges", fault.CodeRequired, nil, "charges_mode comes with charges")
	case l.Type == Mobility && l.ChargesMode == Provision:
		f.Wrong("charges_mode", fault.CodeChargesModeRefused, string(l.ChargesMode), "the charges of this type of lease are a flat rate")
	}
	if highest := l.Rent * money.Amount(k.deposit); k.deposit >= 0 && l.Deposit != nil && *l.Deposit > highest {
		f.Wrong("deposit", fault.CodeDepositAboveCap, l.Deposit.Float(), "a deposit of this type of lease is at most %.2f", highest.Float())
	}
	r.checkFees(l, k, f)
	switch i := l.Indexation; {
	case i.Index == "":
	case !slices.Contains(k.indices, i.Index):
		f.Refuse("indexation.index", fault.Detail{
			Code: fault.CodeInvalidIndexation, Value: string(i.Index), Accepted: form.Names(k.indices), Message: fault.Textf("this type of lease does not follow this index"),
		})
	default:
		if _, known := r.Value(i.Index, i.Quarter); !known {
			f.Wrong("indexation.quarter", fault.CodeUnknownIndexValue, i.Quarter.String(), "the index %s has no value for this quarter", i.Index)
		}
	}
}

func (l Lease) checkDuration(k kind, f form.Form) {
	wrong := func(field string, value any, format string, args ...any) {
		f.Wrong(field, fault.CodeLeaseDuration, value, format, args...)
	}
	least := k.least
	switch {
	case l.Type == Unfurnished && l.company():
		least = longTerm
	case l.Type == Unfurnished && l.ShortReason != "":
		least = 12
	}
	switch {
	case k.hasDuration() && l.Last != 0:
		wrong("date_end", l.Last.String(), "the last day of this type of lease follows from duration_months")
	case k.hasDuration() && l.Months == 0:
		f.Wrong("duration_months", fault.CodeRequired, nil, "duration_months is required")
	case k.hasDuration() && (l.Months < least || k.most > 0 && l.Months > k.most):
		wrong("duration_months", l.Months, "the law admits other durations for this type of lease: %s", k.law)
	case !k.hasDuration() && l.Months != 0:
		wrong("duration_months", l.Months, "this type of lease has no duration in months; date_end says when it ends")
	case k.days > 0 && l.Last == 0:
		f.Wrong("date_end", fault.CodeRequired, nil, "date_end is required")
	case l.Last != 0 && l.Last < l.Start:
		wrong("date_end", l.Last.String(), "date_end is before date_start")
	case k.days > 0 && l.Last-l.Start+1 > calendar.Day(k.days):
		wrong("date_end", l.Last.String(), "this type of lease is for %d days at most", k.days)
	}
}

func (l Lease) checkRent(f form.Form) {
	if l.Supplement != nil && l.SupplementReason == "" {
		f.Wrong("supplement_reason", fault.CodeRequired, nil, "rent_supplement comes with supplement_reason")
	}
	switch {
	case l.Control.ReferenceMax == 0:
	case l.Surface == nil:
		f.Wrong("surface", fault.CodeRequired, nil, "surface is required where rents are controlled")
	default:
		if highest := l.Control.ReferenceMax.PerSquareMetre(*l.Surface); l.Rent > highest {
			f.Wrong("rent", fault.CodeRentAboveReference, l.Rent.Float(), "the highest rent here is %.2f", highest.Float())
		}
	}
}

// checkFees holds what tenants of dwellings pay against what landlords pay and the
// caps of the day (loi 89-462 art. 5 I).
func (r Rules) checkFees(l Lease, k kind, f form.Form) {
	if !k.dwelling || l.Fees.Tenant == nil && l.Fees.InventoryTenant == nil {
		return
	}
	if l.Surface == nil {
		f.Wrong("surface", fault.CodeRequired, nil, "surface is required with fees of tenants")
	}
	if l.Zone == "" {
		f.Wrong("zone", fault.CodeRequired, nil, "zone is required with fees of tenants")
	}
	if l.Surface == nil || l.Zone == "" {
		return
	}
	day := l.Date
	if day == 0 {
		day = r.Today()
	}
	caps := r.FeeCaps.At(day)
	capped := func(field string, tenants, landlords *money.Amount, perSquareMetre money.Amount) {
		highest := perSquareMetre.PerSquareMetre(*l.Surface)
		if landlords == nil {
			highest = 0
		} else {
			highest = min(highest, *landlords)
		}
		if tenants != nil && *tenants > highest {
			f.Wrong(field, fault.CodeFeesAboveCap, tenants.Float(), "tenants pay at most %.2f, and no more than the landlord", highest.Float())
		}
	}
	capped("fees_tenant", l.Fees.Tenant, l.Fees.Landlord, caps.Fees[l.Zone])
	capped("fees_inventory_tenant", l.Fees.InventoryTenant, l.Fees.InventoryLandlord, caps.Inventory)
}

// CheckDeletable is a Conflict unless a lease is a draft.
func CheckDeletable(l Lease) error {
	if l.Status == Draft {
		return nil
	}
	return transition.Refused(l.Status, "only drafts can be deleted")
}
