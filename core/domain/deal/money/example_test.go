package money_test

import (
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
)

// Shares of a commission add up to it, whatever is rounded.
func ExampleShares() {
	fees := money.Of(10_000.01)
	for _, share := range money.Shares(fees, []money.Percent{33_33, 33_33, 33_34}) {
		fmt.Println(share.Float())
	}
	// Output:
	// 3333
	// 3333
	// 3334.01
}

// The fees of a French agency include a VAT of 20 %.
func ExampleVAT() {
	without, vat := money.VAT(money.Of(9_999.99), 20)
	fmt.Println(without.Float(), vat.Float())
	// Output: 8333.33 1666.66
}

// A rent goes with the index of reference (IRL): 143.46 now, 140.59 a year ago.
func ExampleRevised() {
	fmt.Println(money.Revised(money.Of(845), 143.46, 140.59).Float())
	// Output: 862.25
}
