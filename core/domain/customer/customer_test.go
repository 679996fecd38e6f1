package customer_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
)

func TestQ27_NamesAKeywordFindsACustomerBy(t *testing.T) {
	for name, c := range map[string]struct {
		customer customer.Customer
		want     []string
	}{
		"a person":         {customer.Customer{Firstname: "Anne", Lastname: "Le Goff"}, []string{"Anne Le Goff", "Le Goff Anne"}},
		"a company":        {customer.Customer{Company: "SCI du Lac"}, []string{"SCI du Lac"}},
		"a person of one":  {customer.Customer{Firstname: "Anne", Lastname: "Roux", Company: "Roux SA"}, []string{"Anne Roux", "Roux Anne", "Roux SA"}},
		"a last name only": {customer.Customer{Lastname: "Roux"}, []string{"Roux", "Roux"}},
		"nobody known":     {customer.Customer{Profile: customer.Profile{Emails: []customer.Email{{Address: "a@example.com"}}}}, nil},
		"spaces alone":     {customer.Customer{Firstname: " ", Company: " \t"}, nil},
	} {
		if got := c.customer.Names(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}
