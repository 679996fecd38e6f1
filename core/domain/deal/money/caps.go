package money

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
)

// Zone is how tight the market is where a dwelling is let.
type Zone string

// The zones of décret 2014-890.
const (
	VeryTight Zone = "TRES_TENDUE"
	Tight     Zone = "TENDUE"
	OtherZone Zone = "AUTRE"
)

// FeeCap is what can be asked of tenants at most, per m², from a day on.
type FeeCap struct {
	From calendar.Day
	// Fees are those of visits, file and lease, by zone.
	Fees map[Zone]Amount
	// Inventory is for the inventory.
	Inventory Amount
}

// FeeCaps are caps by the day they begin on, earliest first.
type FeeCaps []FeeCap

// FrenchFeeCaps returns those of décret 2014-890, and of the arrêté of 17 July 2025
// that was changed on 13 November 2025.
func FrenchFeeCaps() FeeCaps {
	return FeeCaps{
		{calendar.Of(2014, 9, 15), map[Zone]Amount{VeryTight: 12_00, Tight: 10_00, OtherZone: 8_00}, 3_00},
		{calendar.Of(2026, 1, 1), map[Zone]Amount{VeryTight: 12_10, Tight: 10_09, OtherZone: 8_07}, 3_03},
	}
}

// At returns the caps of a day; of a day before all of them, the first.
func (c FeeCaps) At(day calendar.Day) FeeCap {
	n, found := slices.BinarySearchFunc(c, day, func(cap FeeCap, day calendar.Day) int { return int(cap.From - day) })
	if !found && n > 0 {
		n--
	}
	return c[n]
}
