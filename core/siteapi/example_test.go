package siteapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// exampleOver makes the service of the examples: over a store, with a clock that
// stands still and random bytes that are the same in every run. In production
// these are time.Now and crypto/rand.Reader.
func exampleOver(store port.Store) *siteapi.Service {
	service, err := siteapi.New(
		kernel.Ports{
			Store: store,
			Now:   func() time.Time { return time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC) },
			Rand:  rand.NewChaCha8([32]byte{}),
			Zone:  time.LoadLocation,
			E164:  frenchNumber,
		},
		kernel.Options{Domain: "https://crm.example.org", Pepper: []byte("32 secret bytes, from your vault")},
	)
	if err != nil {
		log.Fatal(err)
	}
	return service
}

// frenchNumber knows French numbers only; package phones of the adapters knows
// all.
func frenchNumber(number, _ string) string {
	digits := strings.NewReplacer(" ", "", ".", "").Replace(number)
	if national, ok := strings.CutPrefix(digits, "0"); ok {
		return "+33" + national
	}
	return digits
}

// exampleSetup is a site with one agency, and two clients of the API: a portal,
// and the back office, which owns webhooks.
var exampleSetup = transfer.Setup{
	Sites: []transfer.SetupSite{{
		ID: 1, Name: "Agence Exemple",
		SetupVocabulary: transfer.SetupVocabulary{
			Criteria: []transfer.SetupCriterion{
				{ID: 1, Key: "Prix", Type: "NUMBER", Label: "Prix"},
				{ID: 2, Key: "Ville", Type: "TEXT", Label: "Ville"},
				{ID: 3, Key: "Statut", Type: "UNIQUE", Label: "Statut", Values: []transfer.SetupChoice{{ID: 1, Model: "EnCours", Label: "En cours"}}},
				{ID: 4, Key: "TypeTransaction", Type: "UNIQUE", Label: "Transaction", Values: []transfer.SetupChoice{{ID: 1, Model: "Vente", Label: "Vente"}}},
			},
			Lists: []transfer.SetupList{
				{ID: 5, Key: "customer_types", Label: "Types", Values: []transfer.SetupChoice{{ID: 1, Model: "PROSPECT", Label: "Prospect"}}},
			},
		},
		Agencies: []transfer.SetupAgency{{ID: 11, Name: "Agence Exemple", City: "Lyon"}},
	}},
	Credentials: []transfer.SetupCredential{
		{
			ID: "portal", Secret: "a secret of 256 random bits", Sites: []int64{1},
			Packs: []string{"websites"}, Permissions: []string{"SITE_PRODUCT:READ"}, Rights: []string{"RS:PRODUCT_SEARCH"},
		},
		{
			ID: "back-office", Secret: "another secret of 256 random bits", Sites: []int64{1},
			Packs: []string{"all"}, Permissions: []string{"all"}, Rights: []string{"all"},
		},
	},
}

// exampleService is a service with the site of exampleSetup, and a caller who may
// do everything there.
func exampleService(ctx context.Context) (*siteapi.Service, kernel.Caller) {
	service := exampleOver(memstore.New())
	if _, err := service.Transfer.Provision(ctx, exampleSetup); err != nil {
		log.Fatal(err)
	}
	return service, exampleCaller(ctx, service)
}

func exampleCaller(ctx context.Context, service *siteapi.Service) kernel.Caller {
	caller, err := service.Admit(ctx, access.Grant{
		Credential: "back-office", Site: 1, Packs: access.AllPacks,
		Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	})
	if err != nil {
		log.Fatal(err)
	}
	return caller
}

// A setup describes a site with its agencies and vocabulary, and who may come in.
// Provisioning it once more changes nothing.
func ExampleService_provisioning() {
	ctx := context.Background()
	service := exampleOver(memstore.New())

	setup := transfer.Setup{
		Sites: []transfer.SetupSite{{
			ID: 1, Name: "Agence Exemple",
			SetupVocabulary: transfer.SetupVocabulary{
				Criteria: []transfer.SetupCriterion{{ID: 1, Key: "Prix", Type: "NUMBER", Label: "Prix"}},
			},
			Agencies: []transfer.SetupAgency{{ID: 11, Name: "Agence Exemple", City: "Lyon"}},
		}},
		Credentials: []transfer.SetupCredential{{
			ID: "portal", Secret: "a secret of 256 random bits", Sites: []int64{1},
			Packs: []string{"websites"}, Permissions: []string{"SITE_PRODUCT:READ"}, Rights: []string{"RS:PRODUCT_SEARCH"},
		}},
	}
	for range 2 {
		done, err := service.Transfer.Provision(ctx, setup)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%+v\n", done)
	}

	// Output:
	// {Added:4 Changed:0 Unchanged:0}
	// {Added:0 Changed:0 Unchanged:4}
}

// What stands behind the listings is only read; operators provision it.
func ExampleService_office() {
	ctx := context.Background()
	service, caller := exampleService(ctx)

	agencies, err := service.Office.ListAgencies(ctx, caller, office.ListAgencies{})
	if err != nil {
		log.Fatal(err)
	}
	for _, agency := range agencies.Data {
		fmt.Println(agency.ID, agency.Name)
	}
	definitions, err := service.Office.ListCriteria(ctx, caller, kernel.Nothing{})
	if err != nil {
		log.Fatal(err)
	}
	for _, definition := range definitions {
		fmt.Println(definition.Key, definition.Type)
	}

	// Output:
	// 11 Agence Exemple
	// Prix NUMBER
	// Ville TEXT
	// Statut UNIQUE
	// TypeTransaction UNIQUE
}

// A use case that is called from Go does what the API does: the same rules, the
// same errors, the same events.
func ExampleService_listing() {
	ctx := context.Background()
	service, caller := exampleService(ctx)

	created, err := service.Listing.CreateProduct(ctx, caller, listing.CreateProduct{Change: product.Change{
		Criteria: opt.Of([]product.CriterionInput{
			{ID: "Prix", Value: criteria.Raw{V: "425000"}},
			{ID: "Ville", Value: criteria.Raw{V: "Lyon"}},
		}),
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.ID, created.Location)

	// A search answers with deferred records, which All builds.
	found, err := service.Listing.SearchProducts(ctx, caller, listing.SearchProducts{
		Fetch: "criteres_number",
		ProductFilters: listing.ProductFilters{Criterias: opt.Of([]criteria.ConditionInput{
			{ID: "Prix", Operator: opt.Of("INFERIEUR"), Value: criteria.Raw{V: "450000"}},
		})},
	})
	if err != nil {
		log.Fatal(err)
	}
	products, err := found.Data.All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range products {
		fmt.Println(p.ID, p.Model, *p.Price)
	}

	// An error tells what is wrong, field by field.
	_, err = service.Listing.UpdateProduct(ctx, caller, listing.UpdateProduct{ID: 1, ProductID: opt.Of(int64(1)), Change: product.Change{
		Criteria: opt.Of([]product.CriterionInput{{ID: "Statut", Value: criteria.Raw{V: "Perdu"}}}),
	}})
	if refused, ok := errors.AsType[*fault.Error](err); ok {
		fmt.Println(refused.Code, refused.Details[0].Field, refused.Details[0].Accepted)
	}

	// Output:
	// 1 https://crm.example.org/api/v2/site/products/1
	// 1 11-1 425000
	// criteria_value_unrecognised criteria[0].value [EnCours]
}

// A customer is found by phone in any formatting. What they look for is matched
// with the products there are.
func ExampleService_people() {
	ctx := context.Background()
	service, caller := exampleService(ctx)
	_, err := service.Listing.CreateProduct(ctx, caller, listing.CreateProduct{Change: product.Change{
		Criteria: opt.Of([]product.CriterionInput{
			{ID: "Prix", Value: criteria.Raw{V: "425000"}},
			{ID: "Statut", Value: criteria.Raw{V: "EnCours"}},
			{ID: "TypeTransaction", Value: criteria.Raw{V: "Vente"}},
		}),
		WebStatus: opt.Of(true),
	}})
	if err != nil {
		log.Fatal(err)
	}

	made, err := service.People.CreateCustomer(ctx, caller, people.CreateCustomer{Change: customer.Change{
		Type: opt.Of("PROSPECT"), Firstname: opt.Of("Camille"), Lastname: opt.Of("Besson"), Phone: opt.Of("06 98 71 52 34"),
	}})
	if err != nil {
		log.Fatal(err)
	}
	known, err := service.People.SearchCustomers(ctx, caller, people.SearchCustomers{Phone: opt.Of("+33698715234")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(known.Data[0].ID == made.ID, *known.Data[0].Lastname)

	wanted, err := service.People.CreateSearchRequest(ctx, caller, people.CreateSearchRequest{
		CustomerID: made.ID,
		Change:     demand.Change{TransactionType: opt.Of("Vente"), PriceMax: opt.Of(450000.0)},
	})
	if err != nil {
		log.Fatal(err)
	}
	// What was committed since a caller was made is for the next one.
	caller = exampleCaller(ctx, service)
	matches, err := service.People.ListMatchingProducts(ctx, caller, people.MatchingProducts{CustomerID: made.ID, ID: wanted.ID})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range matches.Data {
		fmt.Println("product", m.ProductID, "score", m.Score)
	}

	// Output:
	// true Besson
	// product 1 score 100
}

// There are two ways to a caller: Identify, for the bearer of a token that this
// service issued, and Admit, for somebody the embedding system has authenticated.
// Use cases check pack, permission and right of both, unless they are Unchecked.
func ExampleService_tokens() {
	ctx := context.Background()
	service, _ := exampleService(ctx)

	pair, err := service.Tokens.IssueToken(ctx, kernel.Caller{}, tokens.IssueToken{
		Basic:  tokens.Basic{ClientID: "portal", ClientSecret: "a secret of 256 random bits"},
		SiteID: opt.Of("1"),
	})
	if err != nil {
		log.Fatal(err)
	}
	portal, err := service.Identify(ctx, pair.AccessToken)
	if err != nil {
		log.Fatal(err)
	}
	_, err = service.Listing.CreateProduct(ctx, portal, listing.CreateProduct{})
	fmt.Println(portal.Grant.Credential, "creates:", err)

	anne, err := service.Admit(ctx, access.Grant{
		Credential: "user anne", Site: 1, Packs: access.Properties,
		Permissions: []access.Permission{access.ProductWrite}, Rights: []access.Right{access.ProductCreate},
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = service.Listing.CreateProduct(ctx, anne, listing.CreateProduct{})
	fmt.Println(anne.Grant.Credential, "creates:", err)
	_, err = service.Listing.DeleteProduct(ctx, anne, listing.DeleteProduct{ID: 1})
	fmt.Println(anne.Grant.Credential, "deletes:", err)

	// Unchecked is for code that has decided by itself that Anne may.
	_, err = service.Listing.Unchecked().DeleteProduct(ctx, anne, listing.DeleteProduct{ID: 1})
	fmt.Println(anne.Grant.Credential, "deletes, unchecked:", err)

	// A token that was revoked is worth nothing from the next request on.
	_, err = service.Tokens.RevokeToken(ctx, kernel.Caller{}, tokens.RevokeToken{
		Basic: tokens.Basic{ClientID: "portal", ClientSecret: "a secret of 256 random bits"},
		Token: pair.AccessToken,
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = service.Identify(ctx, pair.AccessToken)
	fmt.Println("revoked:", errors.Is(err, fault.Unauthenticated))

	// Output:
	// portal creates: this operation needs one of the packs: properties
	// user anne creates: <nil>
	// user anne deletes: this operation needs the right RS:PRODUCT_DELETE
	// user anne deletes, unchecked: <nil>
	// revoked: true
}

// A request with an idempotency key has its effect once. Whoever repeats it gets
// the first answer, as an error, because nothing was done.
func ExampleService_Once() {
	ctx := context.Background()
	service, caller := exampleService(ctx)

	for range 2 {
		once, err := service.Once(ctx, caller, kernel.IdempotencyKey{
			Operation: "product.create", Key: "listing-4711", Fingerprint: "a hash of the request",
			Encode: func(answer any) (string, error) { return fmt.Sprint("product ", answer.(kernel.Created).ID), nil },
		})
		var created kernel.Created
		if err == nil {
			created, err = service.Listing.CreateProduct(ctx, once, listing.CreateProduct{})
		}
		if before, ok := errors.AsType[*kernel.Answered](err); ok {
			fmt.Println("before:", before.Answer)
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("now: product", created.ID)
	}

	// Output:
	// now: product 1
	// before: product 1
}
