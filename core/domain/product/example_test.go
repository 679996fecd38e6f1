package product_test

import (
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// A request becomes a product by the criteria of a site, or all its problems are named.
func ExampleRules_Create() {
	rules := product.Rules{Country: "FR", Dictionary: criteria.NewDictionary([]criteria.Definition{
		{ID: 1, Key: "Prix", Type: criteria.NUMBER, Active: true},
	}, nil)}
	create := func(key, value string) {
		var problems fault.Problems
		home := rules.Create(product.Change{
			Criteria: opt.Of([]product.CriterionInput{{ID: key, Value: criteria.Raw{V: value}}}),
		}, &problems)
		fmt.Println(home.Criteria["Prix"], problems.Err())
	}
	create("Prix", "425000")
	create("Price", "425000")
	// Output:
	// 425000 <nil>
	// <nil> no criterion has this key or id
}
