package criteria_test

import (
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// A site says what its criteria are; a dictionary finds them by key or id, and types values.
func ExampleDictionary_Find() {
	least := 0.0
	site := criteria.NewDictionary([]criteria.Definition{
		{ID: 7, Key: "Surface", Type: criteria.NUMBER, Unit: "m²", Min: &least, Active: true},
	}, nil)
	surface, found := site.Find("surface")
	fmt.Println(found, surface.ID)

	value, problem := surface.Parse(criteria.Raw{V: "71.5"}, criteria.Reading{})
	fmt.Println(value, problem == nil)
	_, problem = surface.Parse(criteria.Raw{V: "-3"}, criteria.Reading{})
	fmt.Println(problem.Code, problem.Message)
	// Output:
	// true 7
	// 71.5 true
	// out_of_range Surface: must be at least 0
}
