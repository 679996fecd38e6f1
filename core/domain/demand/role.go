package demand

import "strings"

// Roles of customers: what a transaction makes of the two sides. Each is a code
// of list 5, the types of customers, too.
const (
	RoleSeller   = "VENDEUR"
	RoleLandlord = "BAILLEUR"
	RoleBuyer    = "ACQUEREUR"
	RoleTenant   = "LOCATAIRE"
)

// OwnerRole returns what a transaction, a code of TypeTransaction, makes of the owner
// of a product; empty without one.
func OwnerRole(transaction string) string { return role(transaction, RoleLandlord, RoleSeller) }

// SeekerRole returns what a transaction, a code of TypeTransaction, makes of somebody
// who looks for a product; empty without one.
func SeekerRole(transaction string) string { return role(transaction, RoleTenant, RoleBuyer) }

// role chooses by the transaction: rentals are all named Location….
func role(transaction, renting, selling string) string {
	switch {
	case transaction == "":
		return ""
	case strings.HasPrefix(transaction, "Location"):
		return renting
	}
	return selling
}
