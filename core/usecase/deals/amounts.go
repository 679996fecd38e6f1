package deals

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// ComputeAmounts is POST /transactions/amounts.
type ComputeAmounts struct {
	Items opt.Field[[]AmountInput] `json:"items" max:"deals.MaxItems" required:"true" doc:"1 to 100"`
}

// AmountInput asks for amounts. Which fields it has depends on its kind.
type AmountInput struct {
	Kind        opt.Field[string]    `json:"kind" required:"true" enum:"REVISION,FEES_CAP,VAT,COMMISSIONS"`
	Rent        opt.Field[float64]   `json:"rent" doc:"REVISION"`
	Index       opt.Field[string]    `json:"index" enum:"IRL,ILC,ILAT" doc:"REVISION"`
	Reference   opt.Field[string]    `json:"reference" doc:"REVISION: the quarter that the rent follows now, such as 2024-T3"`
	Quarter     opt.Field[string]    `json:"quarter" doc:"REVISION: the quarter that the rent is to follow, such as 2025-T3"`
	Territory   opt.Field[string]    `json:"territory" enum:"METROPOLE,OUTRE_MER,CORSE" doc:"REVISION: where the home is; METROPOLE without"`
	Zone        opt.Field[string]    `json:"zone" enum:"TRES_TENDUE,TENDUE,AUTRE" doc:"FEES_CAP"`
	Surface     opt.Field[float64]   `json:"surface" doc:"FEES_CAP, in m²"`
	Date        opt.Field[string]    `json:"date" format:"date" doc:"FEES_CAP"`
	FeesAmount  opt.Field[float64]   `json:"fees_amount" doc:"VAT"`
	VATRate     opt.Field[float64]   `json:"vat_rate" doc:"VAT, in percent"`
	FeesExclVAT opt.Field[float64]   `json:"fees_excl_vat" doc:"COMMISSIONS"`
	Percents    opt.Field[[]float64] `json:"percents" max:"deals.MaxPercents" doc:"COMMISSIONS: 1 to 20, above 0, at most 100 together"`
}

// Amounts are what a calculator came to. Only the fields of the kind are there.
type Amounts struct {
	Kind               string     `json:"kind"`
	Rent               *float64   `json:"rent,omitempty" doc:"REVISION"`
	FeesTenantMax      *float64   `json:"fees_tenant_max,omitempty" doc:"FEES_CAP"`
	InventoryTenantMax *float64   `json:"fees_inventory_tenant_max,omitempty" doc:"FEES_CAP"`
	FeesExclVAT        *float64   `json:"fees_excl_vat,omitempty" doc:"VAT"`
	FeesVAT            *float64   `json:"fees_vat,omitempty" doc:"VAT"`
	Amounts            *[]float64 `json:"amounts,omitempty" doc:"COMMISSIONS"`
}

// AllAmounts are amounts in the order in which they were asked for.
type AllAmounts struct {
	Data []Amounts `json:"data"`
}

// calculations are what can be computed, by kind.
var calculations = map[string]func(Unit, form.Form, AmountInput) Amounts{
	"REVISION": Unit.revision, "FEES_CAP": Unit.feesCap, "VAT": Unit.vat, "COMMISSIONS": Unit.commissions,
}

func (u Unit) computeAmounts(in ComputeAmounts) (AllAmounts, error) {
	var problems fault.Problems
	all := form.Form{Problems: &problems}
	answer := AllAmounts{Data: []Amounts{}}
	if !checkItems(all, len(in.Items.Value)) {
		return answer, problems.Err()
	}
	for n, item := range in.Items.Value {
		f := all.In("items[%d]", n)
		kind := item.Kind.Or("")
		calculate, known := calculations[kind]
		if !known {
			if kind == "" {
				f.Wrong("kind", fault.CodeRequired, nil, "kind is required")
			} else {
				f.Code("kind", new(string), item.Kind, []string{"REVISION", "FEES_CAP", "VAT", "COMMISSIONS"})
			}
			continue
		}
		made := calculate(u, f, item)
		made.Kind = kind
		answer.Data = append(answer.Data, made)
	}
	return answer, problems.Err()
}

// requiredAmount reads an amount that a calculation cannot do without.
func requiredAmount(f form.Form, field string, given opt.Field[float64]) money.Amount {
	var amount *money.Amount
	if money.Set(f, field, &amount, given); amount == nil {
		f.Required(field, !given.Given())
		return 0
	}
	return *amount
}

func (u Unit) revision(f form.Form, in AmountInput) (made Amounts) {
	rent := requiredAmount(f, "rent", in.Rent)
	var index letting.Index
	form.OneOf(f, "index", &index, in.Index, letting.Indices())
	f.Required("index", in.Index.Or("") == "")
	where := letting.Mainland
	if in.Territory.Or("") != "" {
		form.OneOf(f, "territory", &where, in.Territory, letting.Territories())
	}
	value := func(field string, given opt.Field[string]) float64 {
		if given.Or("") == "" {
			f.Wrong(field, fault.CodeRequired, nil, "%s is required", field)
			return 0
		}
		quarter, err := letting.ParseQuarter(given.Value)
		if err != nil {
			f.Wrong(field, fault.CodeInvalidFormat, given.Value, "%s is written 2025-T3", field)
			return 0
		}
		found, known := indexValues(u.Site.Settings(), where)(index, quarter)
		if !known && index != "" {
			f.Wrong(field, fault.CodeUnknownIndexValue, given.Value, "the index %s has no value for this quarter", index)
		}
		return found
	}
	before, after := value("reference", in.Reference), value("quarter", in.Quarter)
	if before > 0 {
		made.Rent = number(money.Revised(rent, after, before))
	}
	return made
}

func (u Unit) feesCap(f form.Form, in AmountInput) (made Amounts) {
	var zone money.Zone
	form.OneOf(f, "zone", &zone, in.Zone, letting.Zones())
	f.Required("zone", in.Zone.Or("") == "")
	surface := in.Surface.Or(0)
	switch {
	case !in.Surface.Given():
		f.Wrong("surface", fault.CodeRequired, nil, "surface is required")
	case surface <= 0 || surface > letting.MaxSurface:
		f.Wrong("surface", fault.CodeOutOfRange, surface, "surface is above 0")
		return made
	}
	var day calendar.Day
	f.CalendarDay("date", &day, in.Date)
	f.Required("date", in.Date.Or("") == "")
	caps := feeCaps(u.Site.Settings()).At(day)
	made.FeesTenantMax, made.InventoryTenantMax = number(caps.Fees[zone].PerSquareMetre(surface)), number(caps.Inventory.PerSquareMetre(surface))
	return made
}

func (u Unit) vat(f form.Form, in AmountInput) (made Amounts) {
	fees, rate := requiredAmount(f, "fees_amount", in.FeesAmount), 0.0
	f.Percent("vat_rate", &rate, in.VATRate)
	f.Required("vat_rate", !in.VATRate.Given())
	without, vat := money.VAT(fees, rate)
	made.FeesExclVAT, made.FeesVAT = number(without), number(vat)
	return made
}

func (u Unit) commissions(f form.Form, in AmountInput) (made Amounts) {
	fees := requiredAmount(f, "fees_excl_vat", in.FeesExclVAT)
	if len(in.Percents.Value) == 0 {
		f.Wrong("percents", fault.CodeRequired, nil, "percents has 1 to %d", MaxPercents)
	}
	if !f.Few("percents", len(in.Percents.Value), MaxPercents) {
		return made
	}
	percents, total := make([]money.Percent, len(in.Percents.Value)), money.Percent(0)
	for n, given := range in.Percents.Value {
		exact := false
		if given > 0 && given <= money.Whole.Float() {
			percents[n], exact = money.PercentOf(given)
		}
		if !exact {
			f.Wrong("percents", fault.CodeOutOfRange, given, "percents are above 0, at most 100, with at most 2 decimals")
		}
		total += percents[n]
	}
	if total > money.Whole {
		f.Wrong("percents", fault.CodeOutOfRange, total.Float(), "percents are at most 100 together")
	}
	shares := slices.Collect(func(yield func(float64) bool) {
		for _, share := range money.Shares(fees, percents) {
			if !yield(share.Float()) {
				return
			}
		}
	})
	made.Amounts = &shares
	return made
}

// MaxPercents is how many shares are computed at a time.
const MaxPercents = 20

func number(a money.Amount) *float64 {
	n := a.Float()
	return &n
}
