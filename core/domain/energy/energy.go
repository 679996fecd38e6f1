// Package energy reads the letters of energy labels off numbers: the French DPE
// and GES, and those of some neighbours. Which scale applies follows from the
// kind of building, where it stands and when it was assessed; the scales are
// data, in scales.go and small.go.
package energy

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Letter is a class of a label: A to G, and in some countries others such as A+
// or H. The empty Letter is none.
type Letter string

// Family is a kind of building that has scales of its own.
type Family uint8

// The families. Unlabelled buildings, such as land and garages, have no label.
const (
	Unlabelled Family = iota
	House
	Apartment
	// Block is a residential building of several dwellings.
	Block
	// Office includes administration and teaching.
	Office
	// Continuous is tertiary and occupied day and night, such as a hotel.
	Continuous
	// Tertiary is any other tertiary building, such as a shop or restaurant.
	Tertiary
	ShoppingCentre
)

// Void reports whether a French diagnosis that was made on a day holds no more on
// another, both written YYYY-MM-DD: it was made before the method of July 2021, or is
// older than ten years (CCH D126-19).
func Void(made, today string) bool {
	const method = "2021-07-01"
	at, err := time.Parse(time.DateOnly, made)
	return err == nil && (made < method || at.AddDate(10, 0, 0).Format(time.DateOnly) < today)
}

// Building is what of a building decides its letters.
type Building struct {
	Family Family
	// Country is an ISO 3166 code.
	Country    string
	PostalCode string
	// Altitude is in metres; 0 when unknown.
	Altitude float64
	// Surface is the reference surface in m²; 0 when unknown.
	Surface float64
	// Assessed is the day of the assessment, as 2026-09-16; empty when unknown.
	Assessed string
	// Consumption is in kWh/m²/year, Emission in kgCO2/m²/year; nil when unknown.
	// A number below 0 counts as unknown.
	Consumption, Emission *float64
}

// Label is what could be read off the numbers of a building. A letter that
// could not is empty.
type Label struct {
	Energy  Letter // of the consumption; the DPE in France
	Climate Letter // of the emission; the GES in France
	// Regime is the name of the scale that applies; empty when none does.
	Regime string
}

// Scales are the names of the scales a site reads letters off. None at all
// stands for Usual; NoScale alone for no letters.
type Scales []string

// NoScale is the name a site gives to have no letters computed.
const NoScale = "none"

// Label reads the letters of a building off the scale that applies to it, if
// that is among the site's. Another scale never stands in.
func (s Scales) Label(b Building) Label {
	applies, found := scaleOf(b)
	if !found || !s.has(applies.name) {
		return Label{}
	}
	return Label{Energy: applies.energyLetter(b), Climate: applies.climateLetter(b), Regime: applies.name}
}

func (s Scales) has(name string) bool {
	if len(s) == 0 {
		return slices.Contains(Usual(), name)
	}
	return slices.Contains(s, name)
}

// Validate reports a name that is not of a scale.
func (s Scales) Validate() error {
	if slices.Equal(s, Scales{NoScale}) {
		return nil
	}
	for _, name := range s {
		if !slices.Contains(Names(), name) {
			return fault.Textf("energy_scales: %q is none of %s, nor %s alone", name, strings.Join(Names(), ", "), NoScale)
		}
	}
	return nil
}

// Names lists the scales there are.
func Names() []string { return append(Usual(), "be-vlg", "lu-apartment", "nl-ep2", "ch-co2") }

// Usual lists the scales of sites that name none: those whose limits were read
// in the law or agree in several sources.
func Usual() Scales {
	return Scales{
		"fr-2006", "fr-2021", "fr-2021-small",
		"fr-tertiary-offices", "fr-tertiary-continuous", "fr-tertiary-other", "fr-tertiary-shopping",
		"be-wal", "be-bru", "lu-house", "de-2014",
	}
}
