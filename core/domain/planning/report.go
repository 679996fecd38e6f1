package planning

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Outcome is what a visit led to.
type Outcome string

// The outcomes.
const (
	Interested  Outcome = "INTERESSE"
	SecondVisit Outcome = "CONTRE_VISITE"
	Offers      Outcome = "OFFRE"
	NoInterest  Outcome = "SANS_SUITE"
	Thinking    Outcome = "REFLEXION"
)

// Outcomes lists the outcomes.
func Outcomes() []Outcome { return []Outcome{Interested, SecondVisit, Offers, NoInterest, Thinking} }

// FollowUp returns the status that an outcome leads to in a follow-up, after that of the
// visit itself; empty where it stays at that.
func (o Outcome) FollowUp() string {
	switch o {
	case Interested, SecondVisit:
		return "INTERESSE"
	case Offers, NoInterest:
		return string(o)
	case Thinking:
	}
	return ""
}

// Reported finds the report about a customer, a product and an occurrence.
func (a Appointment) Reported(c customer.ID, p product.ID, occurrence time.Time) (Report, bool) {
	for _, r := range a.Reports {
		if r.Customer == c && r.Product == p && r.Occurrence.Equal(occurrence) {
			return r, true
		}
	}
	return Report{}, false
}

// WithReport returns an appointment, or one occurrence of it, that took place and was
// reported.
func (a Appointment) WithReport(r Report) Appointment {
	a = a.Clone()
	a.LastReport++
	r.ID = a.LastReport
	a.Reports = append(a.Reports, r)
	done := Done
	if r.Occurrence.IsZero() {
		a.Status = done
	} else {
		a.changing(r.Occurrence).Status = &done
	}
	return a
}
