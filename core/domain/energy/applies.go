package energy

import (
	"slices"
	"strconv"
	"strings"
)

// scaleOf returns the scale that applies to a building by its law, if there is one.
func scaleOf(b Building) (scale, bool) {
	if b.Country == "FR" {
		return french(b)
	}
	if b.Family != House && b.Family != Apartment && b.Family != Block {
		return scale{}, false
	}
	switch b.Country {
	case "BE":
		return belgian(b.PostalCode)
	case "LU":
		if b.Family == House {
			return luHouse, true
		}
		return luApartment, true
	case "DE":
		return de2014, true
	case "NL":
		return nlEP2, true
	case "CH":
		return chCO2, true
	}
	return scale{}, false
}

// french leaves out the lands overseas, which have rules of their own.
func french(b Building) (scale, bool) {
	if d := department(b.PostalCode); d == "97" || d == "98" {
		return scale{}, false
	}
	switch b.Family {
	case Unlabelled:
		return scale{}, false
	case Office:
		return frOffices, true
	case Continuous:
		return frContinuous, true
	case Tertiary:
		return frOther, true
	case ShoppingCentre:
		return frShopping, true
	case House, Apartment, Block:
	}
	if b.Assessed != "" && b.Assessed < fr2021.since {
		return fr2006, true
	}
	applies := fr2021
	if b.Family != Block && b.Surface > 0 && b.Surface <= largestSmall {
		applies = smallScale(b.Surface)
	}
	if inMountains(b) {
		applies.energy = raised(applies.energy, 60, 80)
		applies.climate = raised(applies.climate, 10, 10)
	}
	return applies, true
}

// cold are the departments of the climate zones H1b, H1c and H2d (annexe 18.1
// of the arrêté of 8 October 2021), where high places have limits of their own.
var cold = strings.Fields(
	"08 10 45 51 52 54 55 57 58 67 68 70 88 89 90 " + // H1b
		"01 03 05 15 19 21 23 25 38 39 42 43 63 69 71 73 74 87 " + // H1c
		"04 07 26 48 84") // H2d

func inMountains(b Building) bool {
	return b.Altitude > 800 && slices.Contains(cold, department(b.PostalCode))
}

// department returns the first two digits of a postal code, empty without them.
func department(postalCode string) string {
	code := digits(postalCode)
	return code[:min(2, len(code))]
}

// digits leaves out what people add to a code, such as the F- before it.
func digits(postalCode string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, postalCode)
}

// raised returns the limits with more room in E and F.
func raised(l thresholds, e, f float64) thresholds {
	l.limits = slices.Clone(l.limits)
	l.limits[4] += e
	l.limits[5] += f
	return l
}

func belgian(postalCode string) (scale, bool) {
	code, err := strconv.Atoi(digits(postalCode))
	switch {
	case err != nil || code < 1000 || code > 9999:
		return scale{}, false
	case code <= 1299:
		return beBrussels, true
	case code <= 1499 || code >= 4000 && code <= 7999:
		return beWallonia, true
	}
	return beFlanders, true
}
