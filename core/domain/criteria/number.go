package criteria

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Cents is an amount of money rounded to two decimals.
func Cents(amount float64) float64 { return rounded(amount, 2) }

// Fit is a number as kept with at most so many decimals, and whether it has no
// more. What arithmetic on floating point leaves behind the last digit, as
// 330000.00000000006, is no decimal: it is taken away.
func Fit(n float64, decimals int) (float64, bool) {
	const noise = 1e-14
	fitting := rounded(n, decimals)
	return fitting, math.Abs(n-fitting) <= math.Abs(n)*noise
}

// rounded goes by way of digits, as multiplying would overflow.
func rounded(n float64, decimals int) float64 {
	nearest, err := strconv.ParseFloat(strconv.FormatFloat(n, 'f', decimals, 64), 64)
	if err != nil {
		return n
	}
	return nearest + 0 // -0 is 0
}

// IsMoney reports whether a NUMBER is an amount of money: the price, and whatever
// has a currency for its unit, such as €, €/mois or CHF.
func (d Definition) IsMoney() bool {
	if d.Key == KeyPrice {
		return true
	}
	words := strings.FieldsFunc(d.Unit, func(r rune) bool { return r == '/' || unicode.IsSpace(r) })
	if len(words) == 0 {
		return false
	}
	isCapital := func(r rune) bool { return r >= 'A' && r <= 'Z' }
	code := len(words[0]) == 3 && strings.IndexFunc(words[0], func(r rune) bool { return !isCapital(r) }) < 0
	return code || strings.IndexFunc(words[0], func(r rune) bool { return unicode.Is(unicode.Sc, r) }) == 0
}
