package backoffice

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// FindRequests says which requests are wanted; see requests.Service.Find.
type FindRequests struct {
	trace.Filter
	Cursor string
}

// findRequests leaves out requests about people, unless the role sees them: a page can
// be shorter than others, and have a next one.
func (s *Service) findRequests(ctx context.Context, a Actor, in At[FindRequests]) (trace.Page, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return trace.Page{}, err
	}
	page, err := s.site.Requests.Find(ctx, c, in.In.Filter, in.In.Cursor)
	if err != nil {
		return trace.Page{}, err
	}
	shown := page.Requests[:0]
	for _, r := range page.Requests {
		if s.seesRequest(a, r) {
			shown = append(shown, r)
		}
	}
	return trace.Page{Requests: shown, Next: page.Next}, nil
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
	if err != nil {
		return trace.Request{}, err
	}
	if !s.seesRequest(a, r) {
		return trace.Request{}, kernel.Unknown("no request with this id is kept")
	}
	if !a.May(operator.SeeBodies) || len(r.Customers) > 0 && !a.May(operator.SeePersonal) {
		r = r.WithoutBodies()
	}
	return r, nil
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

func (s *Service) listReadiness(ctx context.Context, a Actor, in At[kernel.Nothing]) ([]trace.Readiness, error) {
	c, err := s.Enter(ctx, a, site.ID(in.Site))
	if err != nil {
		return nil, err
	}
	return s.site.Requests.Readiness(ctx, c)
}
