// Package money computes amounts to the cent, as sales and lettings need them.
// Everything in between is exact; only results are rounded.
package money

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// Amount is a sum of money in hundredths of its currency.
type Amount int64

// Max is the largest amount that records hold.
const Max Amount = 1e14

// Of returns the amount that a number stands for, half a cent upwards. It takes any
// finite number from 0 to Max.
func Of(number float64) Amount { return halfUp(times(decimal(number), hundred)) }

// Float returns the number that stands for the amount.
func (a Amount) Float() float64 { return float64(a) / 100 }

func (a Amount) exact() *big.Rat { return new(big.Rat).SetInt64(int64(a)) }

var hundred = big.NewRat(100, 1)

// decimal returns the number as it is written, not the double next to it: 8.5 percent
// of a sum, or an index of 144.51, are meant in decimals.
func decimal(number float64) *big.Rat {
	if math.IsInf(number, 0) || math.IsNaN(number) {
		panic("money: not a finite number")
	}
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(number, 'f', -1, 64))
	return r
}

func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// down returns the whole number of cents below a sum that is not negative.
func down(cents *big.Rat) Amount {
	return Amount(new(big.Int).Quo(cents.Num(), cents.Denom()).Int64())
}

func halfUp(cents *big.Rat) Amount { return down(new(big.Rat).Add(cents, big.NewRat(1, 2))) }

// VAT splits fees that include it, at a rate in percent.
func VAT(fees Amount, rate float64) (withoutVAT, vat Amount) {
	share := new(big.Rat).Quo(hundred, new(big.Rat).Add(hundred, decimal(rate)))
	withoutVAT = halfUp(times(fees.exact(), share))
	return withoutVAT, fees - withoutVAT
}

// Revised returns a rent by an index: the value of now over that of the reference,
// which is above 0.
func Revised(rent Amount, value, reference float64) Amount {
	return halfUp(times(rent.exact(), new(big.Rat).Quo(decimal(value), decimal(reference))))
}

// PerSquareMetre returns the most that can be asked for a surface in m²: it is rounded
// down.
func (a Amount) PerSquareMetre(surface float64) Amount {
	return down(times(a.exact(), decimal(surface)))
}

// Percent is a share, in hundredths of a percent.
type Percent int

// Whole is everything there is.
const Whole Percent = 100_00

// PercentOf returns the share that a number of percents stands for, which has at most
// two decimals; false when it has more.
func PercentOf(number float64) (Percent, bool) {
	exact := times(decimal(number), hundred)
	return Percent(down(exact)), exact.IsInt()
}

// Float returns the number of percents.
func (p Percent) Float() float64 { return float64(p) / 100 }

// Shares divides a sum. Each share is rounded half up; only when they make up the
// whole, those with the largest remainders get what rounding down leaves, the
// first of equal ones first, so that they add up.
func Shares(of Amount, percents []Percent) []Amount {
	shares := make([]Amount, len(percents))
	left, total := of, Percent(0)
	remainders := make([]*big.Rat, len(percents))
	for n, p := range percents {
		exact := times(of.exact(), big.NewRat(int64(p), int64(Whole)))
		shares[n] = down(exact)
		remainders[n] = exact.Sub(exact, shares[n].exact())
		left -= shares[n]
		total += p
	}
	if total != Whole {
		for n, r := range remainders {
			shares[n] += halfUp(r)
		}
		return shares
	}
	order := make([]int, len(percents))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(remainders[b].Cmp(remainders[a]), cmp.Compare(a, b))
	})
	for _, n := range order[:left] {
		shares[n]++
	}
	return shares
}
