package backoffice

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// WholeSite is a site with all its agencies and users, by id, whether or not they are in its
// scope.
type WholeSite struct {
	Record   site.Site
	Agencies []site.Agency
	Users    []site.User
	// Version is the revision of everything about the site that changes rarely.
	Version kernel.Version
}

// Agency returns the agency with an id.
func (w WholeSite) Agency(id site.AgencyID) (site.Agency, error) {
	if n := slices.IndexFunc(w.Agencies, func(a site.Agency) bool { return a.ID == id }); n >= 0 {
		return w.Agencies[n], nil
	}
	return site.Agency{}, kernel.Unknown("no agency has this id")
}

// User returns the user with an id.
func (w WholeSite) User(id site.UserID) (site.User, error) {
	if n := slices.IndexFunc(w.Users, func(u site.User) bool { return u.ID == id }); n >= 0 {
		return w.Users[n], nil
	}
	return site.User{}, kernel.Unknown("no user has this id")
}

// AgencyInput is an agency as it is to be, under the version of the site that was read.
type AgencyInput struct {
	IfMatch kernel.IfMatch
	// Agency takes the place of what there is. Its site is that of the request, and its id, of a
	// new one, may be 0 for the next one.
	Agency site.Agency
	// InScope reports that clients of the site reach the agency and all that is of it.
	InScope bool
}

// UserInput is AgencyInput for a user.
type UserInput struct {
	IfMatch kernel.IfMatch
	User    site.User
}

func (s *Service) getSite(ctx context.Context, _ Actor, in At[kernel.Nothing]) (WholeSite, error) {
	return view(ctx, s, func(u unit) (WholeSite, error) { return u.wholeSite(in.onSite()) })
}

func (u unit) wholeSite(id site.ID) (whole WholeSite, err error) {
	if whole.Record, err = u.Sites().Get(id); err != nil {
		return whole, kernel.AbsentIs(err, kernel.Unknown("there is no such site"))
	}
	whole.Record.Settings = whole.Record.Settings.WithDefaults()
	if whole.Agencies, err = u.Agencies().Of(id); err != nil {
		return whole, err
	}
	if whole.Users, err = u.Users().Of(id); err != nil {
		return whole, err
	}
	head, err := u.Ledger().Head(id)
	whole.Version = kernel.Version(head.Settings)
	return whole, err
}

// changing runs a unit of work that changes a site, as it was before. Counting the change first
// holds the site until the unit ends, so that changes take turns. It fails as Stale if the site is
// not at the version that was read.
func changing[Out any](ctx context.Context, s *Service, a Actor, id site.ID, match kernel.IfMatch, use func(unit, WholeSite) (Out, error)) (Out, error) {
	return write(ctx, s, a.note, func(u unit) (none Out, err error) {
		if err := u.Ledger().Touch(id, port.AspectSettings); err != nil {
			return none, kernel.AbsentIs(err, kernel.Unknown("there is no such site"))
		}
		before, err := u.wholeSite(id)
		if err := kernel.FirstError(err, match.Check(before.Version-1)); err != nil {
			return none, err
		}
		return use(u, before)
	})
}

func (s *Service) createAgency(ctx context.Context, a Actor, in At[AgencyInput]) (kernel.Created, error) {
	return changing(ctx, s, a, in.onSite(), in.In.IfMatch, func(u unit, before WholeSite) (kernel.Created, error) {
		made := in.In.Agency
		made.Site = in.onSite()
		if other, err := before.Agency(made.ID); err == nil {
			return kernel.Created{}, kernel.Invalid("id", fault.CodeNameTaken, "there is an agency %d already, %s", other.ID, other.Name)
		}
		if made.ID == 0 {
			last, err := u.Agencies().LastID()
			if err != nil {
				return kernel.Created{}, err
			}
			made.ID = last + 1
		}
		return kernel.Created{ID: int64(made.ID)}, s.site.Transfer.PutAgency(u.Unit, made, in.In.InScope)
	})
}

func (s *Service) changeAgency(ctx context.Context, a Actor, in At[AgencyInput]) (kernel.Changed, error) {
	return changing(ctx, s, a, in.onSite(), in.In.IfMatch, func(u unit, before WholeSite) (kernel.Changed, error) {
		old, err := before.Agency(in.In.Agency.ID)
		if err != nil {
			return kernel.Changed{}, err
		}
		changed := in.In.Agency
		changed.Site, changed.Added, changed.Modified = old.Site, old.Added, old.Modified
		type scope struct{ InScope bool }
		u.Changed(old, changed)
		u.Changed(scope{before.Record.Scope().Has(old.ID)}, scope{in.In.InScope})
		return kernel.Changed{Version: before.Version}, s.site.Transfer.PutAgency(u.Unit, changed, in.In.InScope)
	})
}

func (s *Service) createUser(ctx context.Context, a Actor, in At[UserInput]) (kernel.Created, error) {
	return changing(ctx, s, a, in.onSite(), in.In.IfMatch, func(u unit, before WholeSite) (kernel.Created, error) {
		made := in.In.User
		made.Site = in.onSite()
		if other, err := before.User(made.ID); err == nil {
			return kernel.Created{}, kernel.Invalid("id", fault.CodeNameTaken, "there is a user %d already, %s", other.ID, other.FullName())
		}
		if made.ID == 0 {
			for _, other := range before.Users {
				made.ID = max(made.ID, other.ID)
			}
			made.ID++
		}
		return kernel.Created{ID: int64(made.ID)}, s.site.Transfer.PutUser(u.Unit, made)
	})
}

func (s *Service) changeUser(ctx context.Context, a Actor, in At[UserInput]) (kernel.Changed, error) {
	return changing(ctx, s, a, in.onSite(), in.In.IfMatch, func(u unit, before WholeSite) (kernel.Changed, error) {
		old, err := before.User(in.In.User.ID)
		if err != nil {
			return kernel.Changed{}, err
		}
		changed := in.In.User
		changed.Site, changed.Added, changed.Modified = old.Site, old.Added, old.Modified
		u.Changed(old, changed)
		return kernel.Changed{Version: before.Version}, s.site.Transfer.PutUser(u.Unit, changed)
	})
}
