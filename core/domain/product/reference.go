package product

import (
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ReferencePattern forms and recognises generated references. It contains
// {number} once and may contain {agency}.
type ReferencePattern string

// Validate reports a pattern that would not give every number a reference of
// its own.
func (p ReferencePattern) Validate() error {
	if strings.Count(string(p), "{number}") != 1 {
		return fault.Textf("the reference pattern %q must contain {number} once", p)
	}
	return nil
}

// Format returns the reference with the given number.
func (p ReferencePattern) Format(agency site.AgencyID, number int64) string {
	return strings.Replace(p.of(agency), "{number}", strconv.FormatInt(number, 10), 1)
}

// Number reads the number out of a reference of this pattern.
func (p ReferencePattern) Number(agency site.AgencyID, reference string) (int64, bool) {
	before, after, _ := strings.Cut(p.of(agency), "{number}")
	digits, hasBefore := strings.CutPrefix(reference, before)
	digits, hasAfter := strings.CutSuffix(digits, after)
	number, err := strconv.ParseInt(digits, 10, 64)
	plain := digits != "" && strings.Trim(digits, "0123456789") == ""
	return number, hasBefore && hasAfter && plain && err == nil && len(digits) <= 15
}

func (p ReferencePattern) of(agency site.AgencyID) string {
	return strings.ReplaceAll(string(p), "{agency}", strconv.FormatInt(int64(agency), 10))
}
