package backoffice

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// FindRequests says which requests are wanted, of which sites; see requests.Service.Find. Where one of
// several sites cannot be entered, because it is disabled, its requests are left out.
type FindRequests struct {
	Sites []site.ID
	trace.Filter
	Cursor string
}

// findRequests leaves out requests about people, unless the role sees them: a page can
// be shorter than others, and have a next one.
func (s *Service) findRequests(ctx context.Context, a Actor, in FindRequests) (trace.Page, error) {
	var callers []kernel.Caller
	for _, id := range in.Sites {
		c, err := s.Enter(ctx, a, id)
		switch {
		case len(in.Sites) > 1 && a.Operator.Reaches(id) && errors.Is(err, fault.Forbidden):
		case err != nil:
			return trace.Page{}, err
		default:
			callers = append(callers, c)
		}
	}
	if in.SignIns {
		return s.findSignIns(ctx, a, in)
	}
	page, err := s.site.Requests.Find(ctx, callers, in.Filter, in.Cursor)
	return s.seen(a, page), err
}

// seen returns a page with the requests that the actor may know of.
func (s *Service) seen(a Actor, page trace.Page) trace.Page {
	page.Requests = slices.DeleteFunc(page.Requests, func(r trace.Request) bool { return !s.seesRequest(a, r) })
	return page
}

func (s *Service) findSignIns(ctx context.Context, a Actor, in FindRequests) (trace.Page, error) {
	clients, err := s.clientsOf(ctx, a, in.Sites...)
	if err != nil || len(clients) == 0 {
		return trace.Page{}, err
	}
	in.Claimed = clients
	page, err := s.site.Requests.FindSiteless(ctx, in.Filter, in.Cursor)
	return s.seen(a, page), err
}

// clientsOf returns the clients that the actor knows of, and that reach one of some sites.
func (s *Service) clientsOf(ctx context.Context, a Actor, sites ...site.ID) ([]access.CredentialID, error) {
	return view(ctx, s, func(u unit) ([]access.CredentialID, error) {
		var clients []access.CredentialID
		all, err := u.Credentials().All()
		for _, c := range all {
			if a.knows(c) && slices.ContainsFunc(sites, c.Reaches) {
				clients = append(clients, c.ID)
			}
		}
		return clients, err
	})
}

func (s *Service) findSitelessRequests(ctx context.Context, a Actor, in FindRequests) (trace.Page, error) {
	if !a.Operator.Everywhere {
		return trace.Page{}, outOfReach()
	}
	page, err := s.site.Requests.FindSiteless(ctx, in.Filter, in.Cursor)
	return s.seen(a, page), err
}

// RequestPath names a request by the request_id it was answered with.
type RequestPath struct{ ID string }

// getRequest shows bodies to those who may see them; of what is about somebody, to
// those who see people.
func (s *Service) getRequest(ctx context.Context, a Actor, in At[RequestPath]) (trace.Request, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return trace.Request{}, err
	}
	r, err := s.site.Requests.Get(ctx, c, in.In.ID)
	if a.client != nil && kernel.IsAbsent(err) {
		return s.ownSignIn(ctx, a, c, in.In.ID)
	}
	if err != nil {
		return trace.Request{}, err
	}
	foreign, err := s.foreignClaim(ctx, a, in.Site, r)
	if err != nil {
		return trace.Request{}, err
	}
	if foreign || !s.seesRequest(a, r) {
		return trace.Request{}, kernel.Unknown("no request with this id is kept")
	}
	if !a.May(operator.SeeBodies) || len(r.Customers) > 0 && !a.May(operator.SeePersonal) {
		r = r.WithoutBodies()
	}
	return r, nil
}

// foreignClaim reports whether a request says it is from a client that does not reach the site, of
// which the actor does not know.
func (s *Service) foreignClaim(ctx context.Context, a Actor, id int64, r trace.Request) (bool, error) {
	if r.Claimed == "" || r.Claimed == access.UnknownClient || a.Operator.Everywhere {
		return false, nil
	}
	return view(ctx, s, func(u unit) (bool, error) {
		claimed, err := u.Credentials().Get(r.Claimed)
		return !claimed.Reaches(site.ID(id)), kernel.AbsentIs(err, nil)
	})
}

// withoutPeople are the packs of which one suffices for what is not about people.
const withoutPeople = access.Properties | access.Websites | access.Agencies | access.Discovery | access.Webhooks | access.Configs

// seesRequest reports whether an actor may know of a request: those who see no people
// do not know of operations that only those call who do.
func (s *Service) seesRequest(a Actor, r trace.Request) bool {
	rule := s.rules[r.Operation]
	return a.May(operator.SeePersonal) || rule.Packs == 0 || rule.Packs.Any(withoutPeople)
}

// CountRequests asks for the requests of a site in steps; see requests.Service.Traffic.
type CountRequests struct {
	From, Until time.Time
	Step        time.Duration
}

func (s *Service) countRequests(ctx context.Context, a Actor, in At[CountRequests]) ([]trace.Series, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return nil, err
	}
	return s.site.Requests.Traffic(ctx, c, in.In.From, in.In.Until, in.In.Step)
}

func (s *Service) countSignIns(ctx context.Context, a Actor, in At[CountRequests]) ([]trace.Series, error) {
	if _, err := s.Enter(ctx, a, site.ID(in.Site)); err != nil {
		return nil, err
	}
	clients, err := s.clientsOf(ctx, a, site.ID(in.Site))
	if err != nil {
		return nil, err
	}
	if a.Operator.Everywhere {
		clients = append(clients, access.UnknownClient)
	}
	return s.site.Requests.SitelessTraffic(ctx, clients, in.In.From, in.In.Until, in.In.Step)
}

func (s *Service) listReadiness(ctx context.Context, a Actor, in At[kernel.Nothing]) ([]trace.Readiness, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return nil, err
	}
	return s.site.Requests.Readiness(ctx, c)
}
