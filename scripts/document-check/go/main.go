// The two use cases of the contract, through a client that oapi-codegen made of the
// document of the server at VITRINE_URL. The package api is generated beside it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"documentcheck/api"
)

const price = 450000.55

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := signIn(ctx, os.Getenv("VITRINE_URL"), "sandbox-network", "sandbox-network-secret")
	check(err)
	product, err := feed(ctx, client)
	check(err)
	check(lead(ctx, client, product))
	fmt.Println("Go: both use cases hold")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// signIn makes a client with a token.
func signIn(ctx context.Context, host, id, secret string) (*api.ClientWithResponses, error) {
	basic := func(_ context.Context, r *http.Request) error {
		r.SetBasicAuth(id, secret)
		return nil
	}
	client, err := api.NewClientWithResponses(host, api.WithHTTPClient(http.DefaultClient))
	if err != nil {
		return nil, err
	}
	answer, err := client.IssueTokenWithFormdataBodyWithResponse(ctx, api.IssueTokenRequest{SiteId: new(int64(1))}, basic)
	if err != nil || answer.JSON200 == nil {
		return nil, fmt.Errorf("there is no token: %w %s", err, answer.Body)
	}
	bearer := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+answer.JSON200.AccessToken)
		return nil
	}
	return api.NewClientWithResponses(answer.JSON200.Domain, api.WithRequestEditorFn(bearer))
}

// feed feeds a website: it reads the catalogue, subscribes to changes, and
// reads the product that changed.
func feed(ctx context.Context, client *api.ClientWithResponses) (int64, error) {
	catalogue, err := active(ctx, client)
	if err != nil || len(catalogue) < 10 {
		return 0, fmt.Errorf("the catalogue has %d products: %w", len(catalogue), err)
	}
	changed := catalogue[0].Id

	told := make(chan int64, 1)
	url, stop, err := receive(told)
	if err != nil {
		return 0, err
	}
	defer stop()
	hook, err := client.CreateHookWithResponse(ctx, nil, api.CreateHookRequest{Url: url, Origines: []string{"PRODUCT_UPDATE"}})
	if err != nil || hook.JSON201 == nil {
		return 0, fmt.Errorf("there is no webhook: %w %s", err, hook.Body)
	}
	var value api.CriterionInput_Value
	if err := value.FromCriterionInputValue1(price); err != nil {
		return 0, err
	}
	written, err := client.UpdateProductWithResponse(ctx, changed, nil, api.UpdateProductRequest{
		ProductId: changed, Criteria: &[]api.CriterionInput{{Id: "Prix", Value: value}},
	})
	if err != nil || written.StatusCode() != http.StatusNoContent {
		return 0, fmt.Errorf("the price was not written: %w %s", err, written.Body)
	}
	select {
	case id := <-told:
		if id != changed {
			return 0, fmt.Errorf("product %d changed, and the webhook told of %d", changed, id)
		}
	case <-ctx.Done():
		return 0, fmt.Errorf("the webhook told of nothing: %w", ctx.Err())
	}
	read, err := client.GetProductWithResponse(ctx, changed, nil)
	if err != nil || read.JSON200 == nil {
		return 0, fmt.Errorf("product %d cannot be read: %w %s", changed, err, read.Body)
	}
	if got := read.JSON200.Data.Price; got == nil || *got != price {
		return 0, fmt.Errorf("the price is %v, %v was written", got, price)
	}
	_, err = client.DeleteHookWithResponse(ctx, hook.JSON201.Data.Id, nil)
	return changed, err
}

// active is the active catalogue, page by page.
func active(ctx context.Context, client *api.ClientWithResponses) ([]api.ProductSummary, error) {
	var status api.ConditionInput_Value
	if err := status.FromConditionInputValue0("EnCours"); err != nil {
		return nil, err
	}
	fetch := []api.SearchProductsParamsFetch{"criteres_number", "products_photos"}
	var all []api.ProductSummary
	for cursor := (*string)(nil); ; {
		page, err := client.SearchProductsWithResponse(ctx, &api.SearchProductsParams{Fetch: &fetch}, api.SearchProductsRequest{
			Criterias: &[]api.ConditionInput{{Id: "Statut", Operator: "EGAL", Value: status}}, Cursor: cursor,
		})
		if err != nil || page.JSON200 == nil {
			return nil, fmt.Errorf("a page is missing: %w %s", err, page.Body)
		}
		all = append(all, page.JSON200.Data...)
		if cursor = page.JSON200.NextCursor; !page.JSON200.HasMore {
			return all, nil
		}
	}
}

// receive is a receiver of deliveries on a port of its own.
func receive(told chan<- int64) (url string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var delivery struct {
			ResourceID int64 `json:"resource_id"`
		}
		if err := json.NewDecoder(r.Body).Decode(&delivery); err == nil {
			told <- delivery.ResourceID
		}
	})}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/hook", func() { _ = server.Close() }, nil
}

// lead brings a lead from an external tool: it looks the contact up, creates it, notes
// what it looks for, and has it follow the listing.
func lead(ctx context.Context, client *api.ClientWithResponses, product int64) error {
	phone := fmt.Sprintf("06 39 98 %04d", os.Getpid()%10000)
	found, err := client.SearchCustomersWithResponse(ctx, api.SearchCustomersRequest{Phone: &phone})
	if err != nil || found.JSON200 == nil || len(found.JSON200.Data) != 0 {
		return fmt.Errorf("the phone number is known: %w %s", err, found.Body)
	}
	reached, err := client.DiscoverWithResponse(ctx, nil)
	if err != nil || reached.JSON200 == nil || len(reached.JSON200.Data) == 0 {
		return fmt.Errorf("the token reaches no agency: %w %s", err, reached.Body)
	}
	agency := reached.JSON200.Data[0].AgencyId
	created, err := client.CreateCustomerWithResponse(ctx, nil, api.CreateCustomerRequest{
		AgencyId: &agency, Type: "ACQUEREUR", Firstname: new("Ana"), Lastname: new("Générée"), Phone: &phone,
	})
	if err != nil || created.JSON201 == nil {
		return fmt.Errorf("there is no customer: %w %s", err, created.Body)
	}
	customer := created.JSON201.Data.Id
	var surface api.ConditionInput_Value
	if err := surface.FromConditionInputValue1(80); err != nil {
		return err
	}
	search, err := client.CreateSearchRequestWithResponse(ctx, customer, nil, api.CreateSearchRequestRequest{
		TransactionType: "Vente", PriceMax: new(price), Criteria: &[]api.ConditionInput{{Id: "Surface", Operator: "SUPERIEUR", Value: surface}},
	})
	if err != nil || search.JSON201 == nil {
		return fmt.Errorf("there is no search request: %w %s", err, search.Body)
	}
	wish := search.JSON201.Data.Id
	followed, err := client.CreateFollowUpWithResponse(ctx, customer, nil, api.CreateFollowUpRequest{ProductId: product, SearchId: &wish})
	if err != nil || followed.JSON201 == nil {
		return fmt.Errorf("there is no follow-up: %w %s", err, followed.Body)
	}
	known, err := client.ListSearchRequestsWithResponse(ctx, customer, nil)
	if err != nil || known.JSON200 == nil || !slices.ContainsFunc(known.JSON200.Data, func(s api.SearchRequest) bool {
		return s.Id == wish && s.PriceMax != nil && *s.PriceMax == price
	}) {
		return fmt.Errorf("search request %d is not kept: %w %s", wish, err, known.Body)
	}
	return nil
}
