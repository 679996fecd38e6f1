// The two use cases of the contract, through the client in Go, on the server at VITRINE_URL, as a program
// outside the repository has it. The package api, which oapi-codegen makes of the document, is compiled alone.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	_ "documentcheck/api"
	"github.com/vitrine-crm/vitrine/adapters/client"
)

const price = 450000.55

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	crm, err := client.New(client.Config{URL: os.Getenv("VITRINE_URL"), ClientID: "sandbox-network", ClientSecret: "sandbox-network-secret", SiteID: 1})
	check(err)
	product, err := feed(ctx, crm)
	check(err)
	check(lead(ctx, crm, product))
	fmt.Println("Go: both use cases hold")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// feed feeds a website: it reads the catalogue, subscribes to changes, and
// reads the product that changed.
func feed(ctx context.Context, crm *client.Client) (changed int64, err error) {
	active := client.SearchProductsRequest{Criterias: client.Some([]client.ConditionInput{{ID: "Statut", Operator: "EGAL", Value: "EnCours"}})}
	fetch := &client.SearchProductsParams{Fetch: []client.SearchProductsParamsFetch{"criteres_number", "products_photos"}}
	products := 0
	for product, err := range crm.SearchProductsAll(ctx, fetch, active) {
		if err != nil {
			return 0, err
		}
		if products++; products == 1 {
			changed = product.ID
		}
	}
	if products < 10 {
		return 0, fmt.Errorf("the catalogue has %d products", products)
	}
	secret, told := make(chan string, 1), make(chan error, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			_, err = client.Verify(r.Header, body, <-secret)
		}
		told <- err
	}))
	defer receiver.Close()
	hook, err := crm.CreateHook(ctx, client.CreateHookRequest{URL: receiver.URL, Origines: []string{"PRODUCT_UPDATE"}})
	if err != nil {
		return 0, err
	}
	signed, err := crm.GetHookSecret(ctx, hook.Data.ID)
	if err != nil {
		return 0, err
	}
	secret <- signed.Data.Secret
	err = crm.UpdateProduct(ctx, changed, client.UpdateProductRequest{
		ProductID: changed, Criteria: client.Some([]client.CriterionInput{{ID: "Prix", Value: price}}),
	})
	if err != nil {
		return 0, err
	}
	select {
	case err = <-told:
	case <-ctx.Done():
		err = errors.New("the webhook told of nothing")
	}
	if err != nil {
		return 0, err
	}
	read, err := crm.GetProduct(ctx, changed, nil)
	if err != nil {
		return 0, err
	}
	if read.Data.Price.MustGet() != price {
		return 0, fmt.Errorf("the price is %v, %v was written", read.Data.Price, price)
	}
	return changed, crm.DeleteHook(ctx, hook.Data.ID)
}

// lead brings a lead from an external tool: it looks the contact up, creates it, notes
// what it looks for, and has it follow the listing.
func lead(ctx context.Context, crm *client.Client, product int64) error {
	phone := client.Some(fmt.Sprintf("06 39 98 %04d", os.Getpid()%10000))
	found, err := crm.SearchCustomers(ctx, client.SearchCustomersRequest{Phone: phone})
	if err != nil || len(found.Data) != 0 {
		return fmt.Errorf("the phone number is known: %w", err)
	}
	reached, err := crm.Discover(ctx)
	if err != nil {
		return err
	}
	customer, err := crm.CreateCustomer(ctx, client.CreateCustomerRequest{
		AgencyID: client.Some(reached.Data[0].AgencyID), Type: "ACQUEREUR", Firstname: client.Some("Ana"), Lastname: client.Some("Écrite"), Phone: phone,
	})
	if err != nil {
		return err
	}
	wish, err := crm.CreateSearchRequest(ctx, customer.Data.ID, client.CreateSearchRequestRequest{
		TransactionType: "Vente", PriceMax: client.Some(price), Criteria: client.Some([]client.ConditionInput{{ID: "Surface", Operator: "SUPERIEUR", Value: 80}}),
	})
	if err != nil {
		return err
	}
	if _, err := crm.CreateFollowUp(ctx, customer.Data.ID, client.CreateFollowUpRequest{ProductID: product, SearchID: client.Some(wish.Data.ID)}); err != nil {
		return err
	}
	for known, err := range crm.ListSearchRequestsAll(ctx, customer.Data.ID, nil) {
		if err != nil {
			return err
		}
		if known.ID == wish.Data.ID && known.PriceMax.MustGet() == price {
			return nil
		}
	}
	return errors.New("the search request is not kept")
}
