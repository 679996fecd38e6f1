package energy_test

import (
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/energy"
)

// Of a French dwelling the worse of consumption and emission decides the DPE: 182 kWh alone
// would be D.
func ExampleScales_Label() {
	consumption, emission := 182.0, 55.0
	label := energy.Scales{}.Label(energy.Building{
		Family: energy.Apartment, Country: "FR", PostalCode: "69003", Surface: 71, Assessed: "2026-03-02",
		Consumption: &consumption, Emission: &emission,
	})
	fmt.Println(label.Energy, label.Climate, label.Regime)
	// Output: E E fr-2021
}
