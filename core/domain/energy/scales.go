package energy

import (
	"math"
	"strings"
)

// scale is one dated, named scale.
type scale struct {
	name string
	// since is the first day of assessments it labels; empty where there is no
	// older scale to tell it from.
	since string
	// meets is the comparison of a number with a limit.
	meets           comparison
	energy, climate thresholds
	// double makes the energy letter the worse of the two ("double seuil").
	double bool
}

// comparison reports whether a number is within a limit.
type comparison func(number, limit float64) bool

func below(number, limit float64) bool { return number < limit }

func upTo(number, limit float64) bool { return number <= limit }

// wholeUpTo looks at the integer part alone, which is what such labels show.
func wholeUpTo(number, limit float64) bool { return math.Floor(number) <= limit }

// thresholds are the limits of all letters but the last, best first. Empty thresholds
// have no letters.
type thresholds struct {
	letters []Letter
	limits  []float64
}

// aToG returns the limits of A to F; G is beyond.
func aToG(limits ...float64) thresholds { return letters("A B C D E F G", limits...) }

func letters(names string, limits ...float64) thresholds {
	l := thresholds{limits: limits}
	for name := range strings.FieldsSeq(names) {
		l.letters = append(l.letters, Letter(name))
	}
	return l
}

func (l thresholds) letter(number float64, meets comparison) Letter {
	if len(l.letters) == 0 {
		return ""
	}
	for i, limit := range l.limits {
		if meets(number, limit) {
			return l.letters[i]
		}
	}
	return l.letters[len(l.letters)-1]
}

func (s scale) energyLetter(b Building) Letter {
	if !known(b.Consumption) {
		return ""
	}
	letter := s.energy.letter(*b.Consumption, s.meets)
	if s.double {
		letter = max(letter, s.climateLetter(b)) // of A to G, the greater is the worse
	}
	return letter
}

func (s scale) climateLetter(b Building) Letter {
	if !known(b.Emission) {
		return ""
	}
	return s.climate.letter(*b.Emission, s.meets)
}

func known(number *float64) bool { return number != nil && *number >= 0 }

// France, dwellings: the arrêtés of 15 September 2006 (annexes 3 and 4) and
// of 31 March 2021 (annexe 5). The limits of fr-2021-small are in small.go.
var (
	fr2006 = scale{
		name: "fr-2006", meets: wholeUpTo,
		energy:  aToG(50, 90, 150, 230, 330, 450),
		climate: aToG(5, 10, 20, 35, 55, 80),
	}
	fr2021 = scale{
		name: "fr-2021", since: "2021-07-01", meets: below, double: true,
		energy:  aToG(70, 110, 180, 250, 330, 420),
		climate: aToG(6, 11, 30, 50, 70, 100),
	}
)

// France, tertiary buildings: the arrêtés of 15 September 2006 (annexes
// 3.2.b and 4.2.2.b) and, for shopping centres, of 18 April 2012.
var (
	frOffices = scale{
		name: "fr-tertiary-offices", meets: wholeUpTo,
		energy:  aToG(50, 110, 210, 350, 540, 750),
		climate: aToG(5, 15, 30, 60, 100, 145),
	}
	frContinuous = scale{
		name: "fr-tertiary-continuous", meets: wholeUpTo,
		energy:  aToG(100, 210, 370, 580, 830, 1130),
		climate: aToG(12, 30, 65, 110, 160, 220),
	}
	frOther = scale{
		name: "fr-tertiary-other", meets: wholeUpTo,
		energy:  aToG(30, 90, 170, 270, 380, 510),
		climate: aToG(3, 10, 25, 45, 70, 95),
	}
	frShopping = scale{
		name: "fr-tertiary-shopping", meets: wholeUpTo,
		energy:  aToG(80, 120, 180, 230, 330, 450),
		climate: aToG(10, 15, 25, 35, 55, 80),
	}
)

// The neighbours: dwellings, one number each.
var (
	beWallonia = scale{
		name: "be-wal", meets: upTo,
		energy: letters("A++ A+ A B C D E F G", 0, 45, 85, 170, 255, 340, 425, 510),
	}
	// Brussels divides its letters further, from A++ to E-; the letter itself is
	// what is told.
	beBrussels = scale{
		name: "be-bru", meets: upTo,
		energy: aToG(45, 95, 150, 210, 275, 345),
	}
	beFlanders = scale{
		name: "be-vlg", meets: upTo,
		energy: letters("A+ A B C D E F", 0, 100, 200, 300, 400, 500),
	}
	luHouse = scale{
		name: "lu-house", meets: upTo,
		energy: letters("A B C D E F G H I", 45, 95, 125, 145, 210, 295, 395, 530),
	}
	luApartment = scale{
		name: "lu-apartment", meets: upTo,
		energy: letters("A B C D E F G H I", 45, 75, 85, 100, 155, 225, 280, 355),
	}
	// Germany labels the final energy.
	de2014 = scale{
		name: "de-2014", meets: upTo,
		energy: letters("A+ A B C D E F G H", 30, 50, 75, 100, 130, 160, 200, 250),
	}
	nlEP2 = scale{
		name: "nl-ep2", meets: upTo,
		energy: letters("A++++ A+++ A++ A+ A B C D E F G", 0, 50, 75, 105, 160, 190, 250, 290, 335, 380),
	}
	// Switzerland rates energy against the building's own targets, which no
	// table can; its direct emissions have fixed steps.
	chCO2 = scale{
		name: "ch-co2", meets: upTo,
		climate: aToG(0, 5, 10, 15, 20, 25),
	}
)
