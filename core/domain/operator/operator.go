package operator

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ID identifies an operator; 0 is nobody, such as the command line.
type ID int64

// Operator is somebody who may sign in to the console. Operators are disabled,
// never deleted, so that the audit can always say who did something.
type Operator struct {
	ID ID
	// Email is what they sign in with, as Email wrote it. No two operators share one,
	// and it never changes.
	Email string
	Name  string
	Role  Role
	// Sites are those the role holds for; Everywhere is all there are and will be.
	Sites      []site.ID
	Everywhere bool
	// Password is a hash, as port.Passwords makes it.
	Password string
	Disabled bool
	Added    time.Time
	// SignedIn is when they last signed in; zero if they never did.
	SignedIn time.Time
	// Filters are those of lists of the console that the operator saved.
	Filters []Filter
}

// Reaches reports whether the operator's role holds for a site.
func (o Operator) Reaches(s site.ID) bool { return o.Everywhere || slices.Contains(o.Sites, s) }

// ReachesAll reports whether the operator's role holds for each of some sites.
func (o Operator) ReachesAll(sites []site.ID) bool {
	return !slices.ContainsFunc(sites, func(s site.ID) bool { return !o.Reaches(s) })
}

// ReachesAny reports whether the operator's role holds for one of some sites.
func (o Operator) ReachesAny(sites []site.ID) bool { return slices.ContainsFunc(sites, o.Reaches) }

// Outranks reports whether an operator with the role of o, on the sites of o, can do
// everything that somebody with another role on other sites could: only then may
// they give it or take it away.
func (o Operator) Outranks(role Role, sites []site.ID, everywhere bool) bool {
	if everywhere && !o.Everywhere {
		return false
	}
	return o.Role.Includes(role) && o.ReachesAll(sites)
}

// Bounds of the texts that describe operators, in characters.
const (
	MaxEmail = 254
	MaxName  = 100
)

// ParseEmail reads an e-mail address that somebody typed: without space around it
// and in lower case, so that one person has one spelling. It is not checked beyond
// its shape, because nothing is ever sent there.
func ParseEmail(typed string) (email string, ok bool) {
	email = strings.ToLower(strings.TrimSpace(typed))
	local, domain, found := strings.Cut(email, "@")
	ok = found && local != "" && domain != "" && !strings.Contains(domain, "@") &&
		!strings.ContainsFunc(email, func(r rune) bool { return r <= ' ' || r == 0x7f }) && len([]rune(email)) <= MaxEmail
	return email, ok
}

// CanAll reports whether the operator can do everything everywhere, and is let in.
func (o Operator) CanAll() bool { return o.Role == Administrator && o.Everywhere && !o.Disabled }
