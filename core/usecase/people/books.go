package people

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

var books = kernel.ReplicaKind[*demand.Book]{Name: "book", Load: loadBook, Replay: replayBook, Changes: changesOfBook, Written: writtenToBook}

// book returns the open search requests of the caller's site, as of the head the
// caller was identified with or later.
func (s *Service) book(ctx context.Context, c kernel.Caller) (*demand.Book, error) {
	return kernel.Present(ctx, s.k, c, books)
}

func loadBook(u kernel.Unit, seq int64) (*demand.Book, error) {
	book := demand.NewBook(seq, nil)
	return book, kernel.ScanAll(u.Site.ID, u.SearchRequests().Scan, func(r demand.SearchRequest) demand.SearchID {
		book.Apply(seq, []demand.Revision{revision(u.Caller, r)})
		return r.ID
	})
}

func replayBook(u kernel.Unit, _ *demand.Book, events []event.Event) (func(*demand.Book), error) {
	touched := searchesIn(events)
	living, err := u.SearchRequests().Many(u.Site.ID, touched)
	return applied(u.Caller, events, touched, living), err
}

func changesOfBook(ctx context.Context, from port.Changes, c kernel.Caller, after int64, n int) ([]event.Event, func(*demand.Book), error) {
	found, err := from.SearchRequests(ctx, c.Site.ID, after, n)
	return found.Events, applied(c, found.Events, searchesIn(found.Events), found.Requests), err
}

func writtenToBook(_ *demand.Book, w *kernel.Written, unsearchable map[string]bool) (func(*demand.Book), bool) {
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
	return func(book *demand.Book) { book.Apply(last, changes) }, true
}

// searchesIn are the search requests that events are about.
func searchesIn(events []event.Event) []demand.SearchID {
	return event.About[demand.SearchID](events, event.SearchUpdate)
}

// applied applies events that have touched some search requests, of which those are there.
func applied(c kernel.Caller, events []event.Event, touched []demand.SearchID, living []demand.SearchRequest) func(*demand.Book) {
	var changes []demand.Revision
	for _, id := range touched {
		changes = append(changes, demand.Revision{ID: id})
	}
	for _, r := range living {
		changes = append(changes, revision(c, r))
	}
	return func(book *demand.Book) { book.Apply(events[len(events)-1].Seq, changes) }
}

func revision(c kernel.Caller, r demand.SearchRequest) demand.Revision {
	r = matchable(c, r)
	return demand.Revision{ID: r.ID, Now: &r}
}

// matchable is a search request without demands on criteria that have ceased to
// be searchable: nothing is known about them in the catalogue.
func matchable(c kernel.Caller, r demand.SearchRequest) demand.SearchRequest {
	return r.Without(c.Site.Unsearchable)
}
