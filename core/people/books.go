package people

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/event"
)

var books = api.ReplicaKind[*demand.Book]{Name: "book", Load: loadBook, Replay: replayBook}

// book returns the open search requests of the caller's site, as of the head the
// caller was identified with or later.
func (s *Service) book(ctx context.Context, c api.Caller) (*demand.Book, error) {
	return api.Present(ctx, s.k, c, books)
}

func loadBook(u api.Unit, seq int64) (*demand.Book, error) {
	book := demand.NewBook(seq, nil)
	return book, api.ScanAll(u.Site.ID, u.SearchRequests().Scan, func(r demand.SearchRequest) demand.SearchID {
		book.Apply(seq, []demand.Revision{revision(u.Caller, r)})
		return r.ID
	})
}

func replayBook(u api.Unit, book *demand.Book, events []event.Event) error {
	var touched []demand.SearchID
	for _, e := range events {
		if e.Type.Resource() == event.SearchUpdate.Resource() {
			touched = append(touched, demand.SearchID(e.Resource))
		}
	}
	slices.Sort(touched)
	touched = slices.Compact(touched)
	living, err := u.SearchRequests().Many(u.Site.ID, touched)
	if err != nil {
		return err
	}
	var changes []demand.Revision
	for _, id := range touched {
		changes = append(changes, demand.Revision{ID: id})
	}
	for _, r := range living {
		changes = append(changes, revision(u.Caller, r))
	}
	book.Apply(events[len(events)-1].Seq, changes)
	return nil
}

func revision(c api.Caller, r demand.SearchRequest) demand.Revision {
	r = matchable(c, r)
	return demand.Revision{ID: r.ID, Now: &r}
}

// matchable is a search request without demands on criteria that have ceased to
// be searchable: nothing is known about them in the catalogue.
func matchable(c api.Caller, r demand.SearchRequest) demand.SearchRequest {
	return r.Without(c.Site.Unsearchable)
}
