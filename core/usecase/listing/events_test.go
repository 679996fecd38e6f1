package listing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// happened is what happened to a product, latest first, a line each.
func happened(w *apitest.World, c kernel.Caller, id int64) (lines []string) {
	w.T.Helper()
	page, err := w.Service.Listing.ProductEvents(w.T.Context(), w.Again(c), listing.ReadEvents{ID: id})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, e := range page.Data {
		lines = append(lines, strings.TrimSpace(e.Type+" "+strings.Join(e.Changed, ", ")))
	}
	return lines
}

func TestTheHistoryOfAProductTellsWhatEachChangeChanged(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	id := w.CreateProduct("Ville", "Lyon", "Prix", 250_000)
	other := w.CreateProduct("Ville", "Lyon")
	change := func(of int64, edit func(*listing.UpdateProduct)) {
		t.Helper()
		if err := w.UpdateProduct(of, edit); err != nil {
			t.Fatal(err)
		}
	}
	change(id, func(in *listing.UpdateProduct) {
		in.Criteria, in.UserID = apitest.Criteria("Prix", 240_000, "Remarques", "la clé est chez le voisin"), opt.Of[int64](101)
	})
	change(other, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Prix", 1) })
	change(id, func(in *listing.UpdateProduct) {
		in.Descriptions = opt.Of([]product.DescriptionInput{{Language: "fr", Text: opt.Of("Vue sur la Saône")}})
		in.Rooms, in.CustomerID = opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR")}}), opt.Of[int64](1001)
	})
	if _, err := w.Listing.CreateProductAction(t.Context(), w.Again(full), listing.CreateProductAction{ID: id, ActionInput: listing.ActionInput{ActionID: opt.Of[int64](1)}}); err != nil {
		t.Fatal(err)
	}
	want := []string{"ACTION_CREATE", "PRODUCT_UPDATE customer_id, rooms, description fr", "PRODUCT_UPDATE Prix, Remarques, user_id", "PRODUCT_CREATE"}
	if got := happened(w, full, id); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	public := []string{"PRODUCT_UPDATE rooms, description fr", "PRODUCT_UPDATE Prix, user_id", "PRODUCT_CREATE"}
	if got := happened(w, w.As("website", 1), id); !slices.Equal(got, public) {
		t.Errorf("a caller who only feeds websites is told %q", got)
	}
}

func TestTheHistoryOfAProductIsReadPageByPage(t *testing.T) {
	w := apitest.New(t)
	id := w.CreateProduct("Prix", 1)
	for price := range 60 {
		if err := w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Prix", price+2) }); err != nil {
			t.Fatal(err)
		}
	}
	var types []string
	full := w.As("full", 1)
	for in := (listing.ReadEvents{ID: id}); ; {
		page, err := w.Service.Listing.ProductEvents(t.Context(), full, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Data {
			types = append(types, e.Type)
		}
		if page.NextCursor == nil {
			break
		}
		in.Before = opt.Of(*page.NextCursor)
	}
	if len(types) != 61 || types[60] != "PRODUCT_CREATE" || slices.Contains(types[:60], "PRODUCT_CREATE") {
		t.Errorf("%d events: %s", len(types), fmt.Sprint(types))
	}
}

func TestTheHistoryOfAProductIsForThoseWhoMayReadIt(t *testing.T) {
	w := apitest.New(t)
	id := w.CreateProduct("Prix", 1)
	read := func(c kernel.Caller, in listing.ReadEvents) error {
		_, err := w.Service.Listing.ProductEvents(t.Context(), c, in)
		return err
	}
	apitest.Refused(t, read(w.As("rival", 2), listing.ReadEvents{ID: id}), fault.NotFound, fault.CodeNotFound)
	apitest.Refused(t, read(kernel.Caller{}, listing.ReadEvents{ID: id}), fault.Unauthenticated, fault.CodeUnauthenticated)
	nothing := w.As("full", 1)
	nothing.Grant.Packs = 0
	apitest.Refused(t, read(nothing, listing.ReadEvents{ID: id}), fault.Forbidden, fault.CodePackMissing)
	apitest.RefusedField(t, read(w.As("full", 1), listing.ReadEvents{ID: id, Before: opt.Of[int64](0)}), fault.CodeOutOfRange, "before")
}
