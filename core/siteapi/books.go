package siteapi

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/port"
)

// book returns the open search requests of the caller's site, as of the head the
// caller was identified with or later.
func (s *Service) book(ctx context.Context, c Caller) (*demand.Book, error) {
	return present(ctx, s, c, kind[*demand.Book]{name: "book", load: loadBook, replay: replayBook})
}

func loadBook(tx port.Tx, c Caller, seq int64) (*demand.Book, error) {
	book := demand.NewBook(seq, nil)
	return book, scan(c.Site(), tx.SearchRequests().Scan, func(r demand.SearchRequest) demand.SearchID {
		book.Apply(seq, []demand.Revision{c.revision(r)})
		return r.ID
	})
}

func replayBook(tx port.Tx, c Caller, book *demand.Book, events []event.Event) error {
	var touched []demand.SearchID
	for _, e := range events {
		if e.Type.Resource() == event.SearchUpdate.Resource() {
			touched = append(touched, demand.SearchID(e.Resource))
		}
	}
	slices.Sort(touched)
	touched = slices.Compact(touched)
	living, err := tx.SearchRequests().Many(c.Site(), touched)
	if err != nil {
		return err
	}
	var changes []demand.Revision
	for _, id := range touched {
		changes = append(changes, demand.Revision{ID: id})
	}
	for _, r := range living {
		changes = append(changes, c.revision(r))
	}
	book.Apply(events[len(events)-1].Seq, changes)
	return nil
}

func (c Caller) revision(r demand.SearchRequest) demand.Revision {
	r = c.matchable(r)
	return demand.Revision{ID: r.ID, Now: &r}
}

// matchable is a search request without demands on criteria that have ceased to
// be searchable: nothing is known about them in the catalogue.
func (c Caller) matchable(r demand.SearchRequest) demand.SearchRequest {
	return r.Without(c.settings.unsearchable)
}
