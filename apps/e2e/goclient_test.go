package e2e_test

import (
	"errors"
	"net/http"
	"testing"

	vitrine "github.com/vitrine-crm/vitrine/adapters/client"
)

// TestTheGoClientReadsAndWritesACatalogue does what a portal does with the module that it requires:
// it reads all pages, sets a price, clears a field, and is refused.
func TestTheGoClientReadsAndWritesACatalogue(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := sharedWorld(t, "go client", engine)
		c, err := vitrine.New(vitrine.Config{URL: w.url, ClientID: "sandbox-network", ClientSecret: "sandbox-network-secret", SiteID: 1})
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		found, last := map[int64]bool{}, int64(0)
		for product, err := range c.SearchProductsAll(ctx, &vitrine.SearchProductsParams{Fetch: []vitrine.SearchProductsParamsFetch{"criteres_number"}}, vitrine.SearchProductsRequest{StatusWeb: vitrine.Some(true)}) {
			if err != nil {
				t.Fatal(err)
			}
			found[product.ID], last = true, product.ID
		}
		counted, err := c.CountProducts(ctx, vitrine.CountProductsRequest{StatusWeb: vitrine.Some(true)})
		if err != nil || int64(len(found)) != counted.Count || len(found) <= 100 {
			t.Errorf("%d products on pages of 100, %v are counted: %v", len(found), counted, err)
		}
		var end error
		for _, err := range c.SearchProductsAll(ctx, nil, vitrine.SearchProductsRequest{Count: vitrine.Some[int64](7)}) {
			end = err
		}
		if end == nil {
			t.Error("a search by offset, which has no cursors, ends as if it had been read to its end")
		}
		const price = 443000.55
		err = c.UpdateProduct(ctx, last, vitrine.UpdateProductRequest{
			ProductID: last, Color: vitrine.Null[int64](),
			Criteria: vitrine.Some([]vitrine.CriterionInput{{ID: "Prix", Value: price}}),
		})
		if err != nil {
			t.Fatal(err)
		}
		var tag string
		read, err := c.GetProduct(ctx, last, nil, vitrine.Tag(&tag))
		if err != nil || read.Data.Price.MustGet() != price || !read.Data.Color.IsNull() {
			t.Errorf("%+v, %v", read, err)
		}
		if _, err := c.GetProduct(ctx, last, nil, vitrine.IfNoneMatch(tag)); !errors.Is(err, vitrine.ErrNotModified) {
			t.Errorf("with its tag %q the product is read again: %v", tag, err)
		}
		var refused *vitrine.Error
		err = c.UpdateProduct(ctx, last, vitrine.UpdateProductRequest{ProductID: last, Criteria: vitrine.Some([]vitrine.CriterionInput{{ID: "Prix", Value: "dear"}})})
		if !errors.As(err, &refused) || refused.Status != http.StatusUnprocessableEntity || refused.Code != "invalid_criteria_value" || refused.RequestID == "" || refused.Details[0].Field != "criteria[0].value" {
			t.Errorf("a price in words is %v", err)
		}
	})
}
