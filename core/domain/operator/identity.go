package operator

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// BackWithin is how long somebody may take at a provider of OpenID Connect until they are back.
const BackWithin = 10 * time.Minute

// Identity is an account at a provider of OpenID Connect by which an operator signs in.
type Identity struct {
	// ID is made by IdentityID.
	ID       string
	Operator ID
	Added    time.Time
}

// IdentityID returns the id of what an issuer calls a subject: an issuer is a URL, and has no
// space.
func IdentityID(issuer, subject string) string { return issuer + " " + subject }

// ByProvider reports whether the operator signs in at a provider of OpenID Connect: only they
// have no password.
func (o Operator) ByProvider() bool { return o.Password == "" }

// GroupRole is what those get who are in a group at the provider: a role at some sites, and
// without sites at all there are and will be.
type GroupRole struct {
	Group string
	Role  Role
	Sites []site.ID
}

// RoleOf returns the role of somebody who is in some groups. The first line of the table that is
// about one of them decides the role; lines that give the same role add their sites. ok is false
// when no line does.
func RoleOf(table []GroupRole, groups []string) (role Role, sites []site.ID, everywhere, ok bool) {
	for _, line := range table {
		if !slices.Contains(groups, line.Group) || ok && line.Role != role {
			continue
		}
		role, ok = line.Role, true
		sites = append(sites, line.Sites...)
		everywhere = everywhere || len(line.Sites) == 0
	}
	if everywhere {
		return role, nil, true, true
	}
	slices.Sort(sites)
	return role, slices.Compact(sites), false, ok
}
