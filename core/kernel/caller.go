package kernel

import (
	"context"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Caller is the grant of a request and what it may see, fixed for that request. The zero
// Caller has no token: only Public operations accept it.
type Caller struct {
	Grant access.Grant
	Scope site.Scope
	// Site is the site of the request, as of its beginning.
	Site Site

	// OwnHooks reports that the caller manages no webhooks but those of its credential.
	OwnHooks bool

	// Request is the id of the request, empty where there is none.
	Request string

	// by is who acts, where it is neither the credential of Grant nor an operator.
	by event.Actor
	// claim is nil unless the request has an idempotency key.
	claim *claim
	// note is nil unless the caller is an operator.
	note *Note
	// sameCommit runs within the commit of the use case, see WithinSameCommit; it may be nil.
	sameCommit func(tx port.Tx, answer any) error
}

// Admit returns the caller of a grant that an embedding system has authenticated by its
// own means. It fails as Forbidden when the site is disabled or reaches no agency, and as
// Moved or Unavailable when the site is at another store, or being moved.
func (k *Kernel) Admit(ctx context.Context, g access.Grant) (Caller, error) {
	c, err := k.system(ctx, g)
	if err == nil {
		err = k.Answers(ctx, g.Site, c.Site.Head)
	}
	if err == nil && (c.Site.Record.Disabled || c.Scope.Empty()) {
		return Caller{}, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the site is disabled or has no agency")
	}
	return c, err
}

// System returns the caller for background work, such as geocoding. It has no credential,
// and no rule admits it.
func (k *Kernel) System(ctx context.Context, id site.ID) (Caller, error) {
	return k.system(ctx, access.Grant{Site: id})
}

// On returns the caller acting as somebody else than its grant says, whom the events that it
// causes name.
func (c Caller) On(behalf event.Actor) Caller {
	c.by = behalf
	return c
}

// Actor returns who causes the events of the caller: an operator, somebody set by On, the
// credential of the grant, or the system.
func (c Caller) Actor() event.Actor {
	switch {
	case c.note != nil && c.note.entry.Operator != 0:
		return event.ActorOf(event.ByOperator, strconv.FormatInt(int64(c.note.entry.Operator), 10))
	case c.by != "":
		return c.by
	case c.Grant.Credential != "":
		return event.ActorOf(event.ByClient, string(c.Grant.Credential))
	}
	return event.BySystem
}

func (k *Kernel) system(ctx context.Context, g access.Grant) (Caller, error) {
	head, err := k.Store.Head(ctx, g.Site)
	if err != nil {
		return Caller{}, err
	}
	return k.CallerAt(ctx, g, head)
}

// CallerAt returns the caller with a grant, at a head of the site that was just read. It
// does not check whether the site is disabled or reaches no agency.
func (k *Kernel) CallerAt(ctx context.Context, g access.Grant, head port.Head) (Caller, error) {
	view, err := k.views.At(ctx, k, g.Site, head.Settings)
	if err != nil {
		return Caller{}, err
	}
	return Caller{Grant: g, Scope: view.Scope, Site: Site{view, head}}, nil
}

// AgencyPacks are the packs of the agency's own software, which sees everything.
const AgencyPacks = access.Properties | access.Sales | access.Customers

// AgendaPacks are the packs that see the agenda of users.
const AgendaPacks = access.Agenda | access.Customers | access.Properties

// IsPublic reports whether the caller only feeds websites. Such a caller does not
// see owners, private criteria and masked addresses: they are personal data that
// a website does not need.
func (c Caller) IsPublic() bool { return !c.Grant.Packs.Any(AgencyPacks) }

// SeesAgenda reports whether the caller sees the appointments of users, and not only the
// slots that can be booked.
func (c Caller) SeesAgenda() bool { return c.Grant.Packs.Any(access.Agenda) || !c.IsPublic() }

// Veil returns what the caller does not see of products.
func (c Caller) Veil() product.Veil {
	if c.IsPublic() {
		return c.Site.Veil
	}
	return product.Veil{}
}

// Reading returns how the values in searches of the caller are parsed.
func (c Caller) Reading() criteria.Reading {
	return criteria.Reading{Zone: c.Site.Zone, Public: c.IsPublic()}
}

// Sees returns an error if an agency is not in the scope.
func (c Caller) Sees(agency site.AgencyID) error {
	if c.Scope.Has(agency) {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodeResourceOutOfScope, "the resource belongs to an agency outside the token's scope")
}

// CheckAgency checks an agency_id of a request, which may be absent, against the scope. An
// unknown agency and one of another site give the same answer. An agency outside the scope
// is an error and not a problem, because it is Forbidden and not Invalid.
func (c Caller) CheckAgency(given opt.Field[int64], problems *fault.Problems) error {
	return c.CheckAgencyAt("agency_id", given, problems)
}

// CheckAgencyAt is CheckAgency for a field of another name.
func (c Caller) CheckAgencyAt(field string, given opt.Field[int64], problems *fault.Problems) error {
	id := ID[site.AgencyID](field, given, problems)
	if id == 0 || c.Scope.Has(id) {
		return nil
	}
	return &fault.Error{
		Kind: fault.Forbidden, Code: fault.CodeAgencyOutOfScope, Message: fault.Textf("%s is not one of the token's agencies", field),
		Details: []fault.Detail{{Field: field, Code: fault.CodeAgencyOutOfScope, Message: fault.Textf("not one of the token's agencies"), Value: int64(id)}},
	}
}

// AgencyOf returns the agency of a new record. It may be left out when the scope has only
// one. The error is that of CheckAgency.
func (c Caller) AgencyOf(given opt.Field[int64], problems *fault.Problems) (site.AgencyID, error) {
	if !given.Given() {
		only, ok := c.Scope.Only()
		if !ok {
			problems.Add("agency_id", fault.CodeRequired, "agency_id is required, because the token reaches several agencies")
		}
		return only, nil
	}
	return site.AgencyID(given.Value), c.CheckAgency(given, problems)
}

// ListedAgencies returns the agencies of a list: the given one, or all in scope. The error
// is that of CheckAgency.
func (c Caller) ListedAgencies(given opt.Field[int64], problems *fault.Problems) ([]site.AgencyID, error) {
	if !given.Given() {
		return c.Scope.Agencies(), nil
	}
	return []site.AgencyID{site.AgencyID(given.Value)}, c.CheckAgency(given, problems)
}

// CheckUser adds a problem if a user_id is no active user of an agency in scope, and not the
// one that the record has already: who is no longer active may stay (P14).
func (c Caller) CheckUser(given opt.Field[int64], present site.UserID, problems *fault.Problems) {
	if present == 0 || given.Value != int64(present) {
		c.CheckUserAt("user_id", given, problems)
	}
}

// CheckUserAt adds a problem if a field of a new value is no active user of an agency in scope.
func (c Caller) CheckUserAt(field string, given opt.Field[int64], problems *fault.Problems) {
	if !given.Given() {
		return
	}
	u, found := c.Site.Users[site.UserID(given.Value)]
	if !found || !u.Active || !c.Scope.Has(u.Agency) {
		problems.Wrong(field, fault.CodeUnknownUser, given.Value, "no active user of the token's agencies has this id")
	}
}

// ID returns an id of a request, 0 when there is none.
func ID[T ~int64](field string, given opt.Field[int64], problems *fault.Problems) T {
	if given.Given() && given.Value < 1 {
		problems.Wrong(field, fault.CodeOutOfRange, given.Value, "an id is at least 1")
		return 0
	}
	return T(given.Or(0))
}
