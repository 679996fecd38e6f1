// Package access has the rights of callers: packs, permissions and rights that operations
// require, and the Grant of a token.
package access

import (
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Packs is a set of packs, the commercial modules of a credential (contract:
// Authentication, point 5).
type Packs uint16

// The packs. The contract's list says "Products" where its badges say
// "Properties"; they are one pack.
const (
	Properties Packs = 1 << iota
	Customers
	Leads
	Users
	Agencies
	Discovery
	Webhooks
	Websites
	Sales
	Agenda
	Configs
	AllPacks = 1<<iota - 1
)

var packNames = []string{
	"properties", "customers", "leads", "users", "agencies", "discovery", "webhooks", "websites", "sales", "agenda", "configs",
}

// ParsePack returns the pack with a name; "products" is another name of "properties", and
// "all" means every pack.
func ParsePack(name string) (Packs, error) {
	switch name = strings.ToLower(strings.TrimSpace(name)); name {
	case "all":
		return AllPacks, nil
	case "products":
		return Properties, nil
	}
	if i := slices.Index(packNames, name); i >= 0 {
		return 1 << i, nil
	}
	return 0, fault.Textf("no pack is named %q; the packs are %s", name, strings.Join(packNames, ", "))
}

// Any reports whether the two sets share a pack.
func (p Packs) Any(q Packs) bool { return p&q != 0 }

// Names lists the packs of the set.
func (p Packs) Names() []string {
	names := []string{}
	for i, name := range packNames {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// MarshalText writes the names of the packs, which outlive their bits.
func (p Packs) MarshalText() ([]byte, error) { return []byte(strings.Join(p.Names(), " ")), nil }

// UnmarshalText reads what MarshalText wrote.
func (p *Packs) UnmarshalText(text []byte) error {
	*p = 0
	for _, name := range strings.Fields(string(text)) {
		pack, err := ParsePack(name)
		if err != nil {
			return err
		}
		*p |= pack
	}
	return nil
}

// String lists the packs, separated by commas.
func (p Packs) String() string { return strings.Join(p.Names(), ", ") }

// Permission allows reading or writing a kind of resource, such as SITE_PRODUCT:READ.
type Permission string

// The permissions.
const (
	AgencyRead    Permission = "SITE_AGENCY:READ"
	ProductRead   Permission = "SITE_PRODUCT:READ"
	ProductWrite  Permission = "SITE_PRODUCT:WRITE"
	CustomerRead  Permission = "SITE_CUSTOMER:READ"
	CustomerWrite Permission = "SITE_CUSTOMER:WRITE"
	LeadRead      Permission = "SITE_LEAD:READ"
	LeadWrite     Permission = "SITE_LEAD:WRITE"
	UserRead      Permission = "SITE_USER:READ"
	Config        Permission = "SITE_CONFIG"
	HookRead      Permission = "SITE_HOOK:READ"
	HookWrite     Permission = "SITE_HOOK:WRITE"
	DealRead      Permission = "SITE_TRANSACTION:READ"
	DealWrite     Permission = "SITE_TRANSACTION:WRITE"
	AgendaRead    Permission = "SITE_AGENDA:READ"
	AgendaWrite   Permission = "SITE_AGENDA:WRITE"
	BookingWrite  Permission = "SITE_BOOKING:WRITE"
)

// Writes reports whether the permission allows changes.
func (p Permission) Writes() bool { return strings.HasSuffix(string(p), ":WRITE") }

// Permissions lists every permission that operations require.
func Permissions() []Permission {
	return []Permission{AgencyRead, ProductRead, ProductWrite, CustomerRead, CustomerWrite, LeadRead, LeadWrite, UserRead, Config, HookRead, HookWrite, DealRead, DealWrite, AgendaRead, AgendaWrite, BookingWrite}
}

// Right allows a single action, such as RS:PRODUCT_GET.
type Right string

// The rights.
const (
	AgencyList     Right = "RS:AGENCY_LIST"
	AgencyGet      Right = "RS:AGENCY_GET"
	ProductCreate  Right = "RS:PRODUCT_CREATE"
	ProductSearch  Right = "RS:PRODUCT_SEARCH"
	ProductGet     Right = "RS:PRODUCT_GET"
	ProductUpdate  Right = "RS:PRODUCT_UPDATE"
	ProductDelete  Right = "RS:PRODUCT_DELETE"
	ProductAction  Right = "RS:PRODUCT_ACTION"
	CustomerSearch Right = "RS:CUSTOMER_SEARCH"
	CustomerCreate Right = "RS:CUSTOMER_CREATE"
	CustomerGet    Right = "RS:CUSTOMER_GET"
	CustomerUpdate Right = "RS:CUSTOMER_UPDATE"
	CustomerDelete Right = "RS:CUSTOMER_DELETE"
	LeadCreate     Right = "RS:LEAD_CREATE"
	LeadGet        Right = "RS:LEAD_GET"
	UserList       Right = "RS:USER_LIST"
	CriteriaAll    Right = "RS:CRITERE_PRODUCT_ALL"
	CriteriaGet    Right = "RS:CRITERE_PRODUCT_GET"
	HookList       Right = "RS:HOOK_LIST"
	HookGet        Right = "RS:HOOK_GET"
	HookCreate     Right = "RS:HOOK_CREATE"
	HookUpdate     Right = "RS:HOOK_UPDATE"
	HookDelete     Right = "RS:HOOK_DELETE"
	DealSearch     Right = "RS:TRANSACTION_SEARCH"
	DealGet        Right = "RS:TRANSACTION_GET"
	DealCreate     Right = "RS:TRANSACTION_CREATE"
	DealUpdate     Right = "RS:TRANSACTION_UPDATE"
	DealDelete     Right = "RS:TRANSACTION_DELETE"
	AgendaSearch   Right = "RS:AGENDA_SEARCH"
	AgendaGet      Right = "RS:AGENDA_GET"
	AgendaCreate   Right = "RS:AGENDA_CREATE"
	AgendaUpdate   Right = "RS:AGENDA_UPDATE"
	AgendaDelete   Right = "RS:AGENDA_DELETE"
	BookingCreate  Right = "RS:BOOKING_CREATE"
)

// Rights lists every right that operations require.
func Rights() []Right {
	return []Right{
		AgencyList, AgencyGet, ProductCreate, ProductSearch, ProductGet, ProductUpdate, ProductDelete,
		ProductAction, CustomerSearch, CustomerCreate, CustomerGet, CustomerUpdate, CustomerDelete, LeadCreate, LeadGet, UserList,
		CriteriaAll, CriteriaGet, HookList, HookGet, HookCreate, HookUpdate, HookDelete,
		DealSearch, DealGet, DealCreate, DealUpdate, DealDelete,
		AgendaSearch, AgendaGet, AgendaCreate, AgendaUpdate, AgendaDelete, BookingCreate,
	}
}

// All in a list of permissions or rights means every one, also those that
// later releases add.
const All = "all"

// Grant has the rights of a token: those of a credential on one site.
type Grant struct {
	Credential  CredentialID
	Site        site.ID
	Packs       Packs
	Permissions []Permission
	Rights      []Right
}

// May reports whether the grant has the permission, or none is required.
func (g Grant) May(p Permission) bool {
	return p == "" || slices.Contains(g.Permissions, p) || slices.Contains(g.Permissions, All)
}

// Can reports whether the grant has the right, or none is required. CriteriaAll includes
// CriteriaGet.
func (g Grant) Can(r Right) bool {
	return r == "" || slices.Contains(g.Rights, r) || slices.Contains(g.Rights, All) ||
		r == CriteriaGet && slices.Contains(g.Rights, CriteriaAll)
}

// Rule is the requirement of an operation: one of some packs, and a permission and a right if
// they are set. The zero Rule admits any valid token.
type Rule struct {
	Packs      Packs
	Permission Permission
	Right      Right
}

// Check returns nil if the grant meets the rule, and otherwise a Forbidden fault with what it
// lacks.
func (r Rule) Check(g Grant) error {
	switch {
	case r.Packs != 0 && !r.Packs.Any(g.Packs):
		return fault.New(fault.Forbidden, fault.CodePackMissing, "this operation needs one of the packs: %s", r.Packs)
	case !g.May(r.Permission):
		return fault.New(fault.Forbidden, fault.CodePermissionMissing, "this operation needs the permission %s", r.Permission)
	case !g.Can(r.Right):
		return fault.New(fault.Forbidden, fault.CodeRightMissing, "this operation needs the right %s", r.Right)
	}
	return nil
}
