package product

import "github.com/vitrine-crm/vitrine/core/domain/criteria"

// Mandate is the contract under which an agency offers a product, as the
// product's criteria tell.
type Mandate struct {
	Number string
	Type   string // a code of TypeMandat
	// Start and End are YYYY-MM-DD; empty when unknown.
	Start, End string
	Status     string // one of MandateStatuses
}

// Statuses of mandates.
const (
	MandateDraft      = "PROJET"
	MandateActive     = "ACTIF"
	MandateExpired    = "EXPIRE"
	MandateTerminated = "RESILIE"
	MandateFulfilled  = "REALISE"
)

// MandateStatuses lists the statuses a mandate can have.
func MandateStatuses() []string {
	return []string{MandateDraft, MandateActive, MandateExpired, MandateTerminated, MandateFulfilled}
}

// Mandate returns the mandate of the product, if it has a number. today is
// YYYY-MM-DD.
func (p Product) Mandate(today string) (Mandate, bool) {
	m := Mandate{
		Number: p.Criteria.Text(criteria.KeyMandateNumber), Type: p.Criteria.Code(criteria.KeyMandateType),
		Start: p.day("DateMandat"), End: p.day(criteria.KeyMandateEnd),
	}
	switch status := p.Status(); {
	case status == "Vendu" || status == "Loue":
		m.Status = MandateFulfilled
	case status == "Retire" || status == "VenduParTiers":
		m.Status = MandateTerminated
	case m.Start == "" || m.Start > today:
		m.Status = MandateDraft
	case m.End != "" && m.End < today:
		m.Status = MandateExpired
	default:
		m.Status = MandateActive
	}
	return m, m.Number != ""
}

// MandateChange is what became of the mandate of a product.
type MandateChange uint8

// The changes.
const (
	MandateAsBefore MandateChange = iota
	// MandateRegistered: there is a number now that the product did not have.
	MandateRegistered
	// MandateChanged: the terms are others, or there is no mandate any more.
	MandateChanged
)

// termsOfMandates lists the criteria that a mandate tells besides its number, type
// and days.
func termsOfMandates() []string {
	return []string{criteria.KeyPrice, "PrixNetVendeur", "Honoraires", "ChargeHonoraires"}
}

// MandateSince returns what became of the mandate since an earlier state of the
// product; a new one comes from the empty state. That time passes is no change.
// today is YYYY-MM-DD.
func (p Product) MandateSince(before Product, today string) MandateChange {
	now, has := p.Mandate(today)
	was, had := before.Mandate(today)
	switch {
	case !has && !had:
		return MandateAsBefore
	case has && (!had || now.Number != was.Number):
		return MandateRegistered
	case now != was || p.Customer != before.Customer || p.Agency != before.Agency || p.User != before.User:
		return MandateChanged
	}
	for _, key := range termsOfMandates() {
		if !criteria.Equal(p.Criteria[key], before.Criteria[key]) {
			return MandateChanged
		}
	}
	return MandateAsBefore
}

// day returns the day of a DATE criterion, empty without one.
func (p Product) day(key string) string {
	d, ok := p.Criteria[key].(criteria.Date)
	if !ok {
		return ""
	}
	return criteria.Date{At: d.At}.String()
}
