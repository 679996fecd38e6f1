package hooks_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func TestV9_TheLedgerPageByPage(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	for range 5 {
		w.CreateProductAs(full, apitest.InAgency(11))
	}
	var ids []int64
	in := hooks.ListEvents{Limit: opt.Of(2), Origines: "PRODUCT_CREATE"}
	for {
		page := w.ListEvents(full, in)
		for _, e := range page.Data {
			ids = append(ids, e.ID)
		}
		if page.HasMore != (page.NextCursor != nil) {
			t.Fatalf("the page is %+v", page)
		}
		if !page.HasMore {
			break
		}
		in.After = opt.Of(page.Data[len(page.Data)-1].ID)
	}
	if len(ids) != 5 || ids[0] != 3 || ids[4] != 7 {
		t.Errorf("the ids are %v, want 3 to 7: they grow without gaps, after two customers", ids)
	}
}

func TestEventsOfWhatOneMayNotRead(t *testing.T) {
	w := newWorld(t)
	w.CreateProduct()
	w.CreateProductAs(w.As("rival", 2), listing.CreateProduct{})
	if page := w.ListEvents(w.As("website", 1), hooks.ListEvents{}); len(page.Data) != 1 || page.Data[0].EventType != "PRODUCT_CREATE" {
		t.Errorf("a website hears of %+v", page.Data)
	}
	if page := w.ListEvents(w.As("full", 1), hooks.ListEvents{}); len(page.Data) != 2 {
		t.Errorf("the customer of agency 13 is outside the scope, yet %+v", page.Data)
	}
}

func TestEventRefusals(t *testing.T) {
	w := newWorld(t)
	for field, in := range map[string]hooks.ListEvents{
		"limit":    {Limit: opt.Of(1001)},
		"after":    {After: opt.Of(int64(-1))},
		"origines": {Origines: "PRODUCT_CREATE,product.update"},
	} {
		_, err := w.Hooks.ListEvents(t.Context(), w.As("full", 1), in)
		code := fault.CodeOutOfRange
		if field == "origines" {
			code = fault.CodeUnknownEventType
		}
		apitest.RefusedField(t, err, code, field)
	}
}
