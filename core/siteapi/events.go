package siteapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// author is on whose behalf something is written, and who may hear of it.
type author struct {
	credential access.CredentialID // empty: nobody's
	scope      site.Scope
}

func (c Caller) author() author { return author{c.Grant.Credential, c.Scope} }

// record appends an event about one resource to the ledger, puts it on its way
// to the webhooks that want it, and returns it with its sequence, the new
// version of the resource, and its time, the moment of the change. It holds the
// ledger of the site, so it comes late in a unit of work.
func (s *Service) record(tx port.Tx, a author, id site.ID, e event.Event) (event.Event, error) {
	recorded, err := tx.Ledger().Append(id, s.now(), []event.Event{e})
	if err != nil {
		return recorded, err
	}
	return recorded, s.fanOut(tx, a, recorded)
}

func (s *Service) recordProduct(tx port.Tx, a author, t event.Type, p product.Product) (event.Event, error) {
	return s.record(tx, a, p.Site, event.Event{Type: t, Resource: int64(p.ID), Agency: p.Agency})
}

func (s *Service) recordCustomer(tx port.Tx, a author, t event.Type, c customer.Customer) (event.Event, error) {
	return s.record(tx, a, c.Site, event.Event{Type: t, Resource: int64(c.ID), Agency: c.Agency})
}

// Page sizes of the ledger.
const (
	defaultEvents = 100
	maxEvents     = 1000
	// maxEventChunks bounds how much of the ledger one call looks through for
	// events that may be rare.
	maxEventChunks = 20
)

// readers are the packs that may know of events about a kind of resource.
var readers = map[string]access.Packs{
	event.ProductUpdate.Resource():  access.Properties | access.Websites | access.Sales,
	event.CustomerUpdate.Resource(): access.Customers,
	event.ActionCreate.Resource():   access.Properties | access.Customers,
	event.SearchUpdate.Resource():   access.Customers,
	event.FollowUpUpdate.Resource(): access.Customers,
	event.LeadUpdate.Resource():     access.Leads,
}

// ListEvents reads the ledger of the site after an event, oldest first: what a
// client missed while it was away. Events about resources the credential could
// not read, or of agencies outside the scope, are left out.
func (s *Service) ListEvents(ctx context.Context, c Caller, in ListEvents) (EventPage, error) {
	var problems fault.Problems
	limit := in.Limit.Or(defaultEvents)
	if limit < 1 || limit > maxEvents {
		problems.Wrong("limit", fault.CodeOutOfRange, limit, "limit must be 1 to %d", maxEvents)
	}
	after := in.After.Or(0)
	if after < 0 {
		problems.Wrong("after", fault.CodeOutOfRange, after, "after must be at least 0")
	}
	wanted := wantedEvents(string(in.Origines), &problems)
	if err := problems.Err(); err != nil {
		return EventPage{}, err
	}
	page := EventPage{Data: []EventRecord{}}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		page = EventPage{Data: []EventRecord{}, LastID: c.head.Seq}
		seq := after
		for range maxEventChunks {
			events, err := tx.Ledger().After(c.Site(), seq, maxEvents)
			if err != nil {
				return err
			}
			for _, e := range events {
				if !wanted(e.Type) || !c.hears(e) {
					seq = e.Seq
					continue
				}
				if len(page.Data) == limit {
					page.continueAfter(seq)
					return nil
				}
				page.Data, seq = append(page.Data, eventRecord(e)), e.Seq
			}
			if len(events) < maxEvents {
				return nil
			}
		}
		page.continueAfter(seq)
		return nil
	})
	return page, err
}

func (p *EventPage) continueAfter(seq int64) {
	next := strconv.FormatInt(seq, 10)
	p.NextCursor, p.HasMore = &next, true
}

// wantedEvents reads the origines parameter; empty means every event.
func wantedEvents(origines string, problems *fault.Problems) func(event.Type) bool {
	wanted := map[event.Type]bool{}
	for _, name := range strings.Split(origines, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		t, known := event.Parse(name)
		if !known {
			problems.Wrong("origines", fault.CodeUnknownEventType, name, "no event has this name")
		}
		wanted[t] = true
	}
	return func(t event.Type) bool { return len(wanted) == 0 || wanted[t] }
}

// hears reports whether the caller may know of the event.
func (c Caller) hears(e event.Event) bool {
	return c.Scope.Has(e.Agency) && c.Grant.Packs.Any(readers[e.Type.Resource()])
}

func eventRecord(e event.Event) EventRecord {
	return EventRecord{
		ID: e.Seq, EventType: string(e.Type), ResourceID: e.Resource, Timestamp: Instant{e.At}, AgencyID: int64(e.Agency),
	}
}
