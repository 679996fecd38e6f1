package hooks_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// record adds events to the ledger of site 1.
func record(w *apitest.World, happened ...event.Event) {
	w.T.Helper()
	w.Update(func(tx port.Tx) error {
		_, err := tx.Ledger().Append(1, w.Clock.Now(), happened)
		return err
	})
}

// foundBy are the events a search finds on all its pages, and how many pages there are.
func foundBy(w *apitest.World, c kernel.Caller, in hooks.FindEvents) (lines []string, pages int) {
	w.T.Helper()
	c = w.Again(c)
	for {
		page, err := w.Service.Hooks.FindEvents(w.T.Context(), c, in)
		if err != nil {
			w.T.Fatal(err)
		}
		for _, e := range page.Data {
			lines = append(lines, fmt.Sprint(e.EventType, " ", e.Kind, " ", e.ResourceID))
		}
		if pages++; page.NextCursor == nil {
			return lines, pages
		}
		in.Before = opt.Of(*page.NextCursor)
	}
}

func TestEventsAreFoundByWhatIsGiven(t *testing.T) {
	w := apitest.New(t)
	from := w.Clock.Now()
	w.Clock.Advance(1)
	record(w,
		event.Event{Type: event.ProductUpdate, Resource: 7, Agency: 11}, event.Event{Type: event.CustomerUpdate, Resource: 7, Agency: 12},
		event.Event{Type: event.ActionCreate, Resource: 7, Subject: "PRODUCT", Agency: 11}, event.Event{Type: event.ProductUpdate, Resource: 8, Agency: 13},
		event.Event{Type: event.ProductDelete, Resource: 8, Agency: 13},
	)
	full := w.As("full", 1)
	for _, c := range []struct {
		in   hooks.FindEvents
		want []string
	}{
		{hooks.FindEvents{Resource: opt.Of[int64](7)}, []string{"ACTION_CREATE PRODUCT 7", "CUSTOMER_UPDATE CUSTOMER 7", "PRODUCT_UPDATE PRODUCT 7"}},
		{hooks.FindEvents{Types: []string{"PRODUCT_UPDATE", "PRODUCT_DELETE"}}, []string{"PRODUCT_DELETE PRODUCT 8", "PRODUCT_UPDATE PRODUCT 7"}},
		{hooks.FindEvents{Agency: opt.Of[int64](12)}, []string{"CUSTOMER_UPDATE CUSTOMER 7"}},
		{hooks.FindEvents{From: opt.Of(from.Format("2006-01-02T15:04:05.000000Z07:00")), To: opt.Of("2026-09-16T08:30:00Z")}, nil},
		{hooks.FindEvents{To: opt.Of("2026-01-01")}, nil},
	} {
		if got, _ := foundBy(w, full, c.in); !slices.Equal(got, c.want) {
			t.Errorf("%+v finds %q", c.in, got)
		}
	}
	if got, _ := foundBy(w, w.As("website", 1), hooks.FindEvents{Resource: opt.Of[int64](7)}); !slices.Equal(got, []string{"PRODUCT_UPDATE PRODUCT 7"}) {
		t.Errorf("a website finds %q", got)
	}
}

// What is rare is found however far back it lies, in pages that may be empty.
func TestRareEventsAreFoundBehindManyOthers(t *testing.T) {
	w := apitest.New(t)
	record(w, event.Event{Type: event.LeadUpdate, Resource: 1, Agency: 11})
	many := make([]event.Event, 130_000)
	for i := range many {
		many[i] = event.Event{Type: event.ProductUpdate, Resource: int64(i + 1), Agency: 11}
	}
	record(w, many...)
	full := w.As("full", 1)
	got, pages := foundBy(w, full, hooks.FindEvents{Types: []string{"LEAD_UPDATE"}})
	if !slices.Equal(got, []string{"LEAD_UPDATE LEAD 1"}) || pages != 2 {
		t.Errorf("%q on %d pages", got, pages)
	}
	if first, pages := foundBy(w, full, hooks.FindEvents{Before: opt.Of[int64](72)}); len(first) != 70 || pages != 2 || first[69] != "CUSTOMER_CREATE CUSTOMER 1001" {
		t.Errorf("%d events on %d pages: %q", len(first), pages, first)
	}
}

func TestSearchesForEventsAreJudged(t *testing.T) {
	w := apitest.New(t)
	find := func(c kernel.Caller, in hooks.FindEvents) error {
		_, err := w.Service.Hooks.FindEvents(t.Context(), c, in)
		return err
	}
	full := w.As("full", 1)
	apitest.RefusedField(t, find(full, hooks.FindEvents{Types: []string{"PRODUCT_SOLD"}}), fault.CodeUnknownEventType, "types")
	apitest.RefusedField(t, find(full, hooks.FindEvents{Resource: opt.Of[int64](0)}), fault.CodeOutOfRange, "resource_id")
	apitest.RefusedField(t, find(full, hooks.FindEvents{From: opt.Of("yesterday")}), fault.CodeInvalidFormat, "from")
	apitest.Refused(t, find(full, hooks.FindEvents{Agency: opt.Of[int64](21)}), fault.Forbidden, fault.CodeAgencyOutOfScope)
	nobody := full
	nobody.Grant.Packs = 0
	apitest.Refused(t, find(nobody, hooks.FindEvents{}), fault.Forbidden, fault.CodePackMissing)
}
