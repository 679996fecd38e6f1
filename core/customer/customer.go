// Package customer knows the people and companies an agency deals with.
package customer

import (
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/site"
)

// ID identifies a customer.
type ID int64

// Customer is a contact of an agency; as the owner of a product it is the
// seller or landlord.
type Customer struct {
	ID     ID
	Site   site.ID
	Agency site.AgencyID
	User   site.UserID // 0: nobody is assigned
	// Type is a code of list 5, such as VENDEUR.
	Type string
	// Civility is a code of list 6, such as MME; empty when unknown.
	Civility                     string
	Firstname, Lastname, Company string
	Email, Phone                 string
	Color                        int // 1 to 5; 0 is none
	Added, Modified              time.Time
}

// Names lists the forms a keyword may find the customer by: "firstname
// lastname", "lastname firstname" and the company, where they are known.
func (c Customer) Names() []string {
	var names []string
	for _, name := range []string{c.Firstname + " " + c.Lastname, c.Lastname + " " + c.Firstname, c.Company} {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
