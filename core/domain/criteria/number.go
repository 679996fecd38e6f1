package criteria

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// Cents returns an amount of money rounded to two decimals, a half away from zero. What
// is rounded is the number as it is written, as in money.Of, not the double next to
// it: 1.005 is 1.01.
func Cents(amount float64) float64 { return rounded(amount, 2) }

// Fit returns a number as kept with at most so many decimals, and whether it has no
// more. What arithmetic on floating point leaves behind the last digit, as
// 330000.00000000006, is no decimal: it is taken away.
func Fit(n float64, decimals int) (float64, bool) {
	const noise = 1e-14
	fitting := rounded(n, decimals)
	return fitting, math.Abs(n-fitting) <= math.Abs(n)*noise
}

// rounded returns the number that is nearest among those with so many decimals, and of two
// the one further from zero.
func rounded(n float64, decimals int) float64 {
	if n == math.Trunc(n) {
		return n + 0 // -0 is 0
	}
	written, ok := new(big.Rat).SetString(strconv.FormatFloat(n, 'f', -1, 64))
	if !ok { // it is not finite
		return n
	}
	nearest, _ := strconv.ParseFloat(written.FloatString(decimals), 64) // digits that stand for a double
	return nearest + 0
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
