package letting

import (
	"fmt"
	"regexp"
	"strconv"
)

// Quarter is a quarter of a year, counted in quarters since year 0. The zero
// Quarter is none.
type Quarter int

var quarters = regexp.MustCompile(`^(\d{4})-T([1-4])$`)

// ParseQuarter reads a quarter such as 2025-T3.
func ParseQuarter(text string) (Quarter, error) {
	parts := quarters.FindStringSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("%q is not a quarter such as 2025-T3", text)
	}
	year, _ := strconv.Atoi(parts[1])
	of, _ := strconv.Atoi(parts[2])
	return Quarter(year*4 + of - 1), nil
}

// String writes the quarter as 2025-T3, and none as nothing.
func (q Quarter) String() string {
	if q == 0 {
		return ""
	}
	return fmt.Sprintf("%04d-T%d", int(q)/4, int(q)%4+1)
}

// AddYears returns the same quarter of another year.
func (q Quarter) AddYears(n int) Quarter { return q + Quarter(4*n) }
