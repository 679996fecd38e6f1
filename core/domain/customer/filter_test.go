package customer_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

type agencyID = site.AgencyID

func anne() customer.Customer {
	return customer.Customer{
		ID: 4, Agency: 11, User: 3, Type: "VENDEUR", Firstname: "Anne", Lastname: "Le Goff", Company: "SCI du Lac", Modified: noon,
		Profile: customer.Profile{
			Emails: []customer.Email{{Address: "Anne@Example.com", Primary: true}, {Address: "pro@example.com"}},
			Phones: []customer.PhoneNumber{{Number: "06 12 34 56 78", E164: "+33612345678", Primary: true}, {Number: "3631"}},
		},
	}
}

func TestWhichCustomersASearchFinds(t *testing.T) {
	yes, no := true, false
	agencies := []agencyID{11, 12}
	for name, c := range map[string]struct {
		filter customer.Filter
		want   bool
	}{
		"anyone in scope":                    {customer.Filter{Agencies: agencies}, true},
		"nobody without a scope":             {customer.Filter{}, false},
		"nobody of another agency":           {customer.Filter{Agencies: []agencyID{12}}, false},
		"by any e-mail address":              {customer.Filter{Agencies: agencies, Email: "pro@example.com"}, true},
		"by an e-mail address in any case":   {customer.Filter{Agencies: agencies, Email: customer.EmailKey(" ANNE@example.COM ")}, true},
		"by half an e-mail address":          {customer.Filter{Agencies: agencies, Email: "anne@example"}, false},
		"by any phone number":                {customer.Filter{Agencies: agencies, Phone: "3631"}, true},
		"O1: by e-mail or phone, the e-mail": {customer.Filter{Agencies: agencies, Email: "anne@example.com", Phone: "+33999999999"}, true},
		"O1: by e-mail or phone, the phone":  {customer.Filter{Agencies: agencies, Email: "x@example.com", Phone: "+33612345678"}, true},
		"O1: by e-mail or phone, neither":    {customer.Filter{Agencies: agencies, Email: "x@example.com", Phone: "+33999999999"}, false},
		"by a part of the name":              {customer.Filter{Agencies: agencies, Keyword: "goff ann"}, true},
		"by a part of the company":           {customer.Filter{Agencies: agencies, Keyword: "du lac"}, true},
		"by a part of an e-mail address":     {customer.Filter{Agencies: agencies, Keyword: "pro@"}, true},
		"by digits":                          {customer.Filter{Agencies: agencies, Keyword: "123456"}, true},
		"not across two of them":             {customer.Filter{Agencies: agencies, Keyword: "lac anne"}, false},
		"by type":                            {customer.Filter{Agencies: agencies, Type: "VENDEUR"}, true},
		"by another type":                    {customer.Filter{Agencies: agencies, Type: "PROSPECT"}, false},
		"by agent":                           {customer.Filter{Agencies: agencies, Users: []site.UserID{1, 3}}, true},
		"by another agent":                   {customer.Filter{Agencies: agencies, Users: []site.UserID{1}}, false},
		"modified at that very moment":       {customer.Filter{Agencies: agencies, ModifiedSince: noon}, true},
		"modified before":                    {customer.Filter{Agencies: agencies, ModifiedSince: noon.Add(time.Microsecond)}, false},
		"those that are not archived":        {customer.Filter{Agencies: agencies, Archived: &no}, true},
		"those that are archived":            {customer.Filter{Agencies: agencies, Archived: &yes}, false},
	} {
		if got := c.filter.Matches(anne()); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestContactKeysAreListedOnce(t *testing.T) {
	c := anne()
	c.Phones = append(c.Phones, customer.PhoneNumber{Number: "+33 6 12 34 56 78", E164: "+33612345678"})
	want := []string{"anne@example.com", "pro@example.com", "+33612345678", "3631"}
	if got := customer.ContactKeys(c); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestCustomersAreSortedByTheirKeyAndThenTheirID(t *testing.T) {
	a, b := customer.Customer{ID: 1, Lastname: "Étienne", Modified: noon, Added: noon}, customer.Customer{ID: 2, Company: "etienne", Modified: noon, Added: noon}
	later := customer.Customer{ID: 0, Lastname: "Zoé", Modified: noon.Add(1), Added: noon.Add(1)}
	for _, key := range []customer.Key{customer.ByModified, customer.ByAdded, customer.ByName} {
		for _, desc := range []bool{false, true} {
			o := customer.Order{Key: key, Desc: desc}
			sorted := []customer.Customer{later, b, a}
			slices.SortFunc(sorted, o.Compare)
			if desc {
				slices.Reverse(sorted)
			}
			if sorted[0].ID != 1 || sorted[1].ID != 2 || sorted[2].ID != 0 {
				t.Errorf("key %d, descending %t: %+v", key, desc, sorted)
			}
		}
	}
}
