package requests

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Service is the use cases about requests.
type Service struct {
	API
	kernel.Area[API]
	k *kernel.Kernel
	// rules say who may call each operation, by its id.
	rules    map[string]access.Rule
	recorder *recorder
}

// New makes the area on a kernel. The table is that of all other areas. Without a
// port that keeps requests every use case answers NotFound, and says why.
func New(k *kernel.Kernel, table []kernel.Operation) *Service {
	s := &Service{k: k, rules: map[string]access.Rule{}, recorder: newRecorder()}
	s.Area = kernel.NewArea(&s.API, s.table)
	for _, operations := range [][]kernel.Operation{table, s.Operations()} {
		for _, o := range operations {
			s.rules[o.ID] = o.Rule
		}
	}
	return s
}

// Kept reports whether requests are kept at all.
func (s *Service) Kept() bool { return s.k.Requests != nil }

// perPage is how many requests Find returns at a time.
const perPage = 50

// Get finds a request by its request_id. It is NotFound when there is none that the
// caller may know of. A caller without a credential also finds requests of which
// nobody knows the site, because they were turned away before that was known.
func (s *Service) Get(ctx context.Context, c kernel.Caller, id string) (trace.Request, error) {
	if err := s.ready(c); err != nil {
		return trace.Request{}, err
	}
	r, err := s.find(ctx, id)
	switch {
	case errors.Is(err, fault.NotFound) || err == nil && !mayKnow(c, r):
		return trace.Request{}, fault.New(fault.NotFound, fault.CodeNotFound, "no request with this id is kept")
	case err != nil:
		return trace.Request{}, err
	}
	if !s.maySeeBodies(c, r) {
		r = r.WithoutBodies()
	}
	return r, nil
}

// find finds a request, stored or not.
func (s *Service) find(ctx context.Context, id string) (trace.Request, error) {
	r, waiting := s.recorder.find(id)
	if waiting {
		return r, nil
	}
	return s.k.Requests.Get(ctx, id)
}

// Find lists requests of the sites of some callers, of their credentials if they have one, the
// latest first. They come without query and bodies. The cursor is that of the page
// before, or empty; one that no page had is Invalid.
func (s *Service) Find(ctx context.Context, callers []kernel.Caller, f trace.Filter, cursor string) (trace.Page, error) {
	var all trace.Page
	for _, c := range callers {
		if err := s.ready(c); err != nil {
			return trace.Page{}, err
		}
		of := f
		of.Site = c.Grant.Site
		if c.Grant.Credential != "" {
			of.Credential = c.Grant.Credential
		}
		page, err := s.page(ctx, of, cursor)
		if err != nil {
			return trace.Page{}, err
		}
		all = all.With(page, perPage)
	}
	return all, nil
}

// FindSiteless lists requests that belong to no site, because they were refused before it was
// known or are for none. Its pages are those of Find.
func (s *Service) FindSiteless(ctx context.Context, f trace.Filter, cursor string) (trace.Page, error) {
	if !s.Kept() {
		return trace.Page{}, keptNone()
	}
	f.Site = 0
	return s.page(ctx, f, cursor)
}

func keptNone() error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "this server keeps no requests")
}

func (s *Service) page(ctx context.Context, f trace.Filter, cursor string) (trace.Page, error) {
	after, ok := trace.ParseCursor(cursor)
	if !ok {
		return trace.Page{}, kernel.Invalid("cursor", fault.CodeInvalidCursor, "the cursor is not one this list gave")
	}
	found, err := s.k.Requests.Find(ctx, f, after, perPage+1)
	if err != nil || len(found) <= perPage {
		return trace.Page{Requests: found}, err
	}
	found = found[:perPage]
	return trace.Page{Requests: found, Next: trace.CursorAt(found[perPage-1]).String()}, nil
}

// MinutesKept is how long minutes are counted apart, HoursKept hours, and days of
// deprecated names.
const (
	MinutesKept = 48 * time.Hour
	HoursKept   = 90 * 24 * time.Hour
)

// MaxSteps is how many steps Traffic counts at most.
const MaxSteps = 2000

// Traffic counts the requests of the caller's site, of its credential if it has one,
// in steps from one time until another: a series per operation, credential and class
// of status, in this order, each with the same number of steps. Minutes are known for
// MinutesKept, whole hours for HoursKept: steps that are not made of whole minutes
// are Invalid, and what began earlier is counted by hours, each in the step in which it
// began.
func (s *Service) Traffic(ctx context.Context, c kernel.Caller, from, until time.Time, step time.Duration) ([]trace.Series, error) {
	if err := s.ready(c); err != nil {
		return nil, err
	}
	return s.series(ctx, c.Grant.Site, func(by access.CredentialID) bool { return c.Grant.Credential == "" || by == c.Grant.Credential }, from, until, step)
}

// SitelessTraffic counts the requests without a site that were sent, or say they were, by one of
// some clients. It counts as Traffic does.
func (s *Service) SitelessTraffic(ctx context.Context, by []access.CredentialID, from, until time.Time, step time.Duration) ([]trace.Series, error) {
	if !s.Kept() {
		return nil, keptNone()
	}
	return s.series(ctx, 0, func(one access.CredentialID) bool { return slices.Contains(by, one) }, from, until, step)
}

func (s *Service) series(ctx context.Context, of site.ID, by func(access.CredentialID) bool, from, until time.Time, step time.Duration) ([]trace.Series, error) {
	if step < time.Minute || step%time.Minute != 0 || until.Sub(from)/step >= MaxSteps {
		return nil, kernel.Invalid("step", fault.CodeOutOfRange, "a step is made of whole minutes, and there are at most 2,000")
	}
	width := time.Minute
	if from.Before(s.k.Now().Add(-MinutesKept)) || step%time.Hour == 0 {
		width = time.Hour
	}
	from = from.UTC().Truncate(width)
	counts, err := s.k.Traffic.Counts(ctx, of, width, from, until)
	if err != nil {
		return nil, err
	}
	counts = slices.DeleteFunc(counts, func(one trace.Count) bool { return !by(one.Credential) })
	steps := int((until.Sub(from) + step - 1) / step)
	return trace.SeriesOf(counts, from, step, max(steps, 0)), nil
}

// Readiness returns which deprecated names are still used at the caller's site, by its
// credential if it has one: what was used last comes first.
func (s *Service) Readiness(ctx context.Context, c kernel.Caller) ([]trace.Readiness, error) {
	if err := s.ready(c); err != nil {
		return nil, err
	}
	days, err := s.k.Traffic.Deprecated(ctx, c.Grant.Site)
	if err != nil {
		return nil, err
	}
	mine := days[:0]
	for _, d := range days {
		if c.Grant.Credential == "" || d.Credential == c.Grant.Credential {
			mine = append(mine, d)
		}
	}
	return trace.ReadinessOf(mine), nil
}

// ready reports why the caller cannot be answered.
func (s *Service) ready(c kernel.Caller) error {
	switch {
	case c.Site.SiteView == nil:
		return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "callers come from Identify or Admit")
	case !s.Kept():
		return keptNone()
	}
	return nil
}

// mayKnow reports whether a caller may know of a request.
func mayKnow(c kernel.Caller, r trace.Request) bool {
	if c.Grant.Credential != "" && r.Credential != c.Grant.Credential {
		return false
	}
	return r.Site == c.Grant.Site || r.Site == 0
}

// maySeeBodies reports whether a caller who may know of a request is shown what was
// asked, sent and answered.
func (s *Service) maySeeBodies(c kernel.Caller, r trace.Request) bool {
	rule, known := s.rules[r.Operation]
	return known && rule.Check(c.Grant) == nil
}
