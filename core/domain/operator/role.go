package operator

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Role is what an operator is there for.
type Role string

// The roles.
const (
	Administrator Role = "administrator"
	Integrator    Role = "integrator"
	Reader        Role = "reader"
	Privacy       Role = "privacy"
	// Client is the role of clients of the API in their portal. No operator has it.
	Client Role = "client"
)

// Roles lists the roles of operators.
func Roles() []Role { return []Role{Administrator, Integrator, Reader, Privacy} }

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, bool) {
	return Role(name), slices.Contains(Roles(), Role(name))
}

// Powers is a set of what only operators can do, beyond the operations of the API.
type Powers uint16

// The powers.
const (
	// ManageOperators is to invite, change and disable operators.
	ManageOperators Powers = 1 << iota
	// ManageCredentials is to create, limit and end clients of the API.
	ManageCredentials
	// ManageHooks is to create webhooks and all that is done with them.
	ManageHooks
	// ManageSites is to make sites, and to change their settings and vocabulary.
	ManageSites
	// ManageLeads is to hand leads on.
	ManageLeads
	// ManageImports is to read files of listings into a site.
	ManageImports
	// SeeRequests is to look at the log of requests, SeeBodies at what was sent and
	// answered, SeePersonal also at those that are about people.
	SeeRequests
	SeeBodies
	SeePersonal
	// HandlePersons is to export and to anonymise what is kept about somebody.
	HandlePersons
	// ReadAudit is to see what operators did; ReadPersonsAudit only what they did
	// about people.
	ReadAudit
	ReadPersonsAudit
	// ManageAlerts is to see what stands, to silence it, and to choose who is told.
	ManageAlerts
	allPowers = 1<<iota - 1
	// ClientPowers are those of a client of the API over what is its own.
	ClientPowers = ManageCredentials | ManageHooks | SeeRequests | SeeBodies | SeePersonal
)

// Has reports whether the set has all of some powers.
func (p Powers) Has(all Powers) bool { return p&all == all }

// Any reports whether the set has one of some powers, or none is asked for.
func (p Powers) Any(of Powers) bool { return of == 0 || p&of != 0 }

// readOnly returns what readers may do about listings, agencies, vocabulary and webhooks.
// It has none of the packs that see people, owners of listings included: whoever has
// only these is shown what a website is shown.
func readOnly(s site.ID) access.Grant {
	return access.Grant{
		Site:        s,
		Packs:       access.Websites | access.Agencies | access.Discovery | access.Configs | access.Webhooks,
		Permissions: []access.Permission{access.ProductRead, access.AgencyRead, access.Config, access.HookRead},
		Rights: []access.Right{
			access.AgencyList, access.AgencyGet, access.ProductSearch, access.ProductGet,
			access.CriteriaAll, access.CriteriaGet, access.HookList, access.HookGet,
		},
	}
}

// Grant returns what the role stands for on a site: the same a token could stand for,
// and checked by the same rules.
func (r Role) Grant(s site.ID) access.Grant {
	switch r {
	case Administrator:
		return access.Grant{
			Site: s, Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
		}
	case Integrator:
		g := readOnly(s)
		g.Permissions = append(g.Permissions, access.ProductWrite, access.HookWrite)
		g.Rights = append(g.Rights, access.ProductCreate, access.ProductUpdate, access.ProductDelete, access.HookCreate, access.HookUpdate, access.HookDelete)
		return g
	case Reader:
		return readOnly(s)
	case Privacy:
		return access.Grant{
			Site: s, Packs: access.Customers | access.Leads,
			Permissions: []access.Permission{access.CustomerRead, access.LeadRead},
			Rights:      []access.Right{access.CustomerSearch, access.CustomerGet, access.LeadGet},
		}
	case Client: // it has that of its credential
	}
	return access.Grant{Site: s}
}

// Powers returns what the role can do beyond its grant.
func (r Role) Powers() Powers {
	switch r {
	case Administrator:
		return allPowers
	case Integrator:
		return ManageCredentials | ManageHooks | ManageImports | SeeRequests | SeeBodies
	case Reader:
		return SeeRequests
	case Privacy:
		return HandlePersons | ReadPersonsAudit
	case Client:
		return ClientPowers
	}
	return 0
}

// Gives returns the packs that credentials may have that the role makes or changes. An
// integrator connects software that writes listings, which needs a pack that the
// role itself does not look through.
func (r Role) Gives() access.Packs {
	switch r {
	case Administrator:
		return access.AllPacks
	case Integrator:
		return r.Grant(0).Packs | access.Properties
	case Reader, Privacy, Client:
	}
	return 0
}

// MayGive refuses a client of the API more than the role may give: other packs, or
// permissions and rights that the role does not have itself.
func (r Role) MayGive(wanted access.Grant) error {
	own := r.Grant(0)
	own.Packs = r.Gives()
	if covers(own, wanted) {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodeForbidden, "you cannot give a client more than the packs %s, and permissions and rights of your own", own.Packs)
}

// Includes reports whether the role can do all that another can.
func (r Role) Includes(other Role) bool {
	return r.Powers().Has(other.Powers()) && r.Gives()&other.Gives() == other.Gives() && covers(r.Grant(0), other.Grant(0))
}

// covers reports whether one grant admits to everything that another does.
func covers(wide, narrow access.Grant) bool {
	return wide.Packs&narrow.Packs == narrow.Packs &&
		!slices.ContainsFunc(narrow.Permissions, func(p access.Permission) bool { return !wide.May(p) }) &&
		!slices.ContainsFunc(narrow.Rights, func(r access.Right) bool { return !wide.Can(r) })
}
