package people

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

var requestIndexes = kernel.ReplicaKind[*demand.Index]{
	Name: "search_requests", Load: loadRequestIndex, Replay: replayRequestIndex, Changes: changesOfRequestIndex, Written: writtenToRequestIndex,
}

// requestIndex returns the index of the open search requests of the caller's site, as of
// the head of the caller or later.
func (s *Service) requestIndex(ctx context.Context, c kernel.Caller) (*demand.Index, error) {
	return kernel.Present(ctx, s.k, c, requestIndexes)
}

func loadRequestIndex(u kernel.Unit, seq int64) (*demand.Index, error) {
	index := demand.NewIndex(seq, nil)
	return index, kernel.ScanAll(u.Site.ID, u.SearchRequests().Scan, func(r demand.SearchRequest) demand.SearchID {
		index.Apply(seq, []demand.Revision{revision(u.Caller, r)})
		return r.ID
	})
}

func replayRequestIndex(u kernel.Unit, _ *demand.Index, events []event.Event) (func(*demand.Index), error) {
	touched := searchesIn(events)
	living, err := u.SearchRequests().Many(u.Site.ID, touched)
	return applied(u.Caller, events, touched, living), err
}

func changesOfRequestIndex(ctx context.Context, from port.Changes, c kernel.Caller, after int64, n int) ([]event.Event, func(*demand.Index), error) {
	found, err := from.SearchRequests(ctx, c.Site.ID, after, n)
	return found.Events, applied(c, found.Events, searchesIn(found.Events), found.Requests), err
}

func writtenToRequestIndex(_ *demand.Index, w *kernel.Written, unsearchable map[string]bool) (func(*demand.Index), bool) {
	var changes []demand.Revision
	for _, id := range searchesIn(w.Events) {
		r, known := w.Search(id)
		if !known {
			return nil, false
		}
		change := demand.Revision{ID: id}
		if r != nil {
			left := r.Without(unsearchable)
			change.Now = &left
		}
		changes = append(changes, change)
	}
	last := w.Events[len(w.Events)-1].Seq
	return func(index *demand.Index) { index.Apply(last, changes) }, true
}

// searchesIn returns the search requests that events are about.
func searchesIn(events []event.Event) []demand.SearchID {
	return event.About[demand.SearchID](events, event.SearchUpdate)
}

// applied returns a function that applies events about some search requests, of which only
// the living exist.
func applied(c kernel.Caller, events []event.Event, touched []demand.SearchID, living []demand.SearchRequest) func(*demand.Index) {
	var changes []demand.Revision
	for _, id := range touched {
		changes = append(changes, demand.Revision{ID: id})
	}
	for _, r := range living {
		changes = append(changes, revision(c, r))
	}
	return func(index *demand.Index) { index.Apply(events[len(events)-1].Seq, changes) }
}

func revision(c kernel.Caller, r demand.SearchRequest) demand.Revision {
	r = matchable(c, r)
	return demand.Revision{ID: r.ID, Now: &r}
}

// matchable returns a search request without demands on criteria that are not searchable
// any more: the catalogue does not index them.
func matchable(c kernel.Caller, r demand.SearchRequest) demand.SearchRequest {
	return r.Without(c.Site.Unsearchable)
}
