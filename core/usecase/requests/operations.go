package requests

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// API is the use cases of the area. Any valid token may call them: a client only
// learns what it did itself. They are NotFound on a server that keeps no requests.
// See docs/integrating/errors.md.
type API struct {
	// GetRequest reads what is kept of one request of the caller's, by the
	// request_id it was answered with. It is NotFound when the request was another
	// client's, acted for another site, or is not kept any more.
	GetRequest kernel.UseCase[RequestPath, RequestRecord]
	// GetReadiness lists the deprecated names of fields that the caller's requests
	// still use, the last used first.
	GetReadiness kernel.UseCase[kernel.Nothing, []ReadinessRecord]
}

func (s *Service) table(a *API) []kernel.Operation {
	anyToken := access.Rule{}
	return []kernel.Operation{
		kernel.Op(&a.GetReadiness, "request.readiness", kernel.GET, "/requests/readiness", 200, anyToken, "List the deprecated names that your requests still use", s.getReadiness).InData().Fails(fault.NotFound),
		kernel.Op(&a.GetRequest, "request.get", kernel.GET, "/requests/{request_id}", 200, anyToken, "Read what became of one of your requests", s.getRequest).InData(),
	}
}

// Places returns what the paths of the area name.
func (s *Service) Places() []kernel.Place {
	return []kernel.Place{
		{Path: "/requests/{request_id}", Exists: func(ctx context.Context, c kernel.Caller, names []string) error {
			_, err := s.Get(ctx, c, names[0])
			return err
		}},
	}
}

func (s *Service) getRequest(ctx context.Context, c kernel.Caller, in RequestPath) (RequestRecord, error) {
	r, err := s.Get(ctx, c, in.ID)
	return requestRecord(r), err
}

func (s *Service) getReadiness(ctx context.Context, c kernel.Caller, _ kernel.Nothing) ([]ReadinessRecord, error) {
	found, err := s.Readiness(ctx, c)
	records := []ReadinessRecord{}
	for _, r := range found {
		records = append(records, readinessRecord(r))
	}
	return records, err
}

func requestRecord(r trace.Request) RequestRecord {
	record := RequestRecord{
		ID: r.ID, ClientID: kernel.Nullable(r.ClientID), ReceivedAt: kernel.Instant{Time: r.At}, Operation: r.Operation, Method: r.Method,
		Path: kernel.Nullable(r.Path), Query: kernel.Nullable(r.Query), Status: r.Status, Code: kernel.Nullable(string(r.Code)),
		DurationMS: float64(r.Took.Microseconds()) / 1000, Bytes: r.Bytes, DeprecatedFields: []string{}, OneIn: max(1, r.OneIn),
		Sent: kernel.Nullable(r.Sent), Answered: kernel.Nullable(r.Answered),
	}
	record.DeprecatedFields = append(record.DeprecatedFields, r.Deprecated...)
	return record
}

func readinessRecord(r trace.Readiness) ReadinessRecord {
	return ReadinessRecord{
		Operation: r.Operation, Name: r.Name, Count: r.N,
		FirstDay: r.FirstDay.Format(time.DateOnly), LastDay: r.LastDay.Format(time.DateOnly), LastRequestID: r.Last,
	}
}
