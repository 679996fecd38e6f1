package httpapi_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/adapters/phones"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// A CRM that has a server of its own speaks the Site API: its own code calls the
// use cases, and partners come in over HTTP. docs/embedding shows this code.
func Example() {
	ctx := context.Background()

	// A service over a store: here the one in memory, in your CRM your own.
	service, err := siteapi.New(
		kernel.Ports{Store: memstore.New(), Now: time.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: phones.E164},
		kernel.Options{Domain: "https://crm.example.org", Pepper: []byte("32 secret bytes, from your vault")},
	)
	if err != nil {
		log.Fatal(err)
	}

	// A site to serve.
	_, err = service.Transfer.Provision(ctx, transfer.Setup{
		Sites: []transfer.SetupSite{{
			ID: 1, Name: "Agence Exemple",
			SetupVocabulary: transfer.SetupVocabulary{
				Criteria: []transfer.SetupCriterion{{ID: 1, Key: "Prix", Type: "NUMBER", Label: "Prix"}},
				Lists: []transfer.SetupList{
					{ID: 5, Key: "customer_types", Label: "Types", Values: []transfer.SetupChoice{{ID: 1, Model: "PROSPECT", Label: "Prospect"}}},
				},
			},
			Agencies: []transfer.SetupAgency{{ID: 11, Name: "Agence Exemple"}},
		}},
		Credentials: []transfer.SetupCredential{
			{
				ID: "portal", Secret: "a secret of 256 random bits", Sites: []int64{1},
				Packs: []string{"all"}, Permissions: []string{"all"}, Rights: []string{"all"},
			},
			{
				ID: "back-office", Secret: "another secret of 256 random bits", Sites: []int64{1},
				Packs: []string{"all"}, Permissions: []string{"all"}, Rights: []string{"all"},
			},
		},
	})
	if err != nil {
		log.Fatal(err)
	}

	// Your own code calls the use cases, for people you have authenticated yourself.
	caller, err := service.Admit(ctx, access.Grant{
		Credential: "back-office", Site: 1, Packs: access.AllPacks,
		Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	})
	if err != nil {
		log.Fatal(err)
	}
	created, err := service.Listing.CreateProduct(ctx, caller, listing.CreateProduct{Change: product.Change{
		Criteria: opt.Of([]product.CriterionInput{{ID: "Prix", Value: criteria.Raw{V: "425000"}}}),
	}})
	if err != nil {
		log.Fatal(err)
	}
	found, err := service.Listing.SearchProducts(ctx, caller, listing.SearchProducts{Fetch: "criteres_number"})
	if err != nil {
		log.Fatal(err)
	}
	products, err := found.Data.All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.ID, products[0].Model, *products[0].Price)

	// Everybody else comes through the API, beside the pages you serve already.
	pages := http.NewServeMux()
	pages.Handle("/api/", httpapi.New(service, httpapi.Options{}))
	pages.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the CRM\n") })
	server := httptest.NewServer(pages)
	defer server.Close()

	// A partner obtains a token and reads what the CRM has just created.
	token := partnerToken(server.URL)
	fmt.Println(get(server.URL+kernel.BasePath+"/products/1/criteria", token))
	fmt.Print(get(server.URL+"/anything", ""))

	// Output:
	// 1 11-1 425000
	// {"data":[{"id":"Prix","value":425000,"label":null}]}
	// the CRM
}

// partnerToken is what a partner does first.
func partnerToken(domain string) string {
	form := url.Values{"site_id": {"1"}}.Encode()
	r, err := http.NewRequest(http.MethodPost, domain+"/api/client/token/site", strings.NewReader(form))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("portal", "a secret of 256 random bits")
	_, rest, _ := strings.Cut(send(r), `"access_token":"`)
	token, _, _ := strings.Cut(rest, `"`)
	return token
}

// A CRM whose users have sessions already lets them use the API with those: what
// it knows about a session becomes a grant, and Admit makes a caller of that.
func ExampleOptions() {
	service, err := siteapi.New(
		kernel.Ports{Store: memstore.New(), Now: time.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: phones.E164},
		kernel.Options{Domain: "https://crm.example.org", Pepper: []byte("32 secret bytes, from your vault")},
	)
	if err != nil {
		log.Fatal(err)
	}
	_, err = service.Transfer.Provision(context.Background(), transfer.Setup{Sites: []transfer.SetupSite{{
		ID: 1, Name: "Agence Exemple", Agencies: []transfer.SetupAgency{{ID: 11, Name: "Agence Exemple"}},
	}}})
	if err != nil {
		log.Fatal(err)
	}

	sessions := map[string]string{"session-of-anne": "anne"} // the CRM's own
	identify := func(ctx context.Context, bearer string) (kernel.Caller, error) {
		user, known := sessions[bearer]
		if !known {
			return kernel.Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "log in first")
		}
		caller, err := service.Admit(ctx, access.Grant{
			Credential: access.CredentialID("user " + user), Site: 1, Packs: access.Properties,
			Permissions: []access.Permission{access.ProductRead}, Rights: []access.Right{access.ProductSearch},
		})
		if errors.Is(err, fault.NotFound) {
			err = fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the site is gone")
		}
		return caller, err
	}
	server := httptest.NewServer(httpapi.New(service, httpapi.Options{Identify: identify}))
	defer server.Close()

	fmt.Println(get(server.URL+kernel.BasePath+"/discovery", "session-of-anne")[:45])
	fmt.Println(get(server.URL+kernel.BasePath+"/products/1", "session-of-anne")[:34]) // no right to
	fmt.Println(get(server.URL+kernel.BasePath+"/products/1", "session-of-nobody")[:36])

	// Output:
	// {"data":[{"site_id":1,"agency_id":11,"name":"
	// {"error":{"code":"right_missing","
	// {"error":{"code":"unauthenticated","
}

func get(address, token string) string {
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		log.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return send(r)
}

func send(r *http.Request) string {
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	return string(body)
}
