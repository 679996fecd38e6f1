package httpapi_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// A CRM publishes its own data as the Site API. It implements port.Store over
// its tables, makes a service of that, and mounts the handler in the server it
// has anyway. Partners obtain tokens with credentials that the CRM hands out;
// the CRM's own users come in through Admit, by whatever means it knows them.
func Example() {
	ctx := context.Background()

	// The CRM's tables. Whoever implements port.Store runs package porttest over
	// it and knows that it keeps its promises; here the model of it stands in.
	var tables port.Store = memstore.New()

	service, err := siteapi.New(
		siteapi.Ports{Store: tables, Now: time.Now, Rand: rand.Reader, Zone: time.LoadLocation},
		siteapi.Options{Domain: "https://crm.example", Pepper: []byte("32 random bytes from a secret store")},
	)
	check(err)
	_, err = service.Provision(ctx, agencies()) // a store with data of its own needs none
	check(err)

	// The Site API beside the pages of the CRM, in one server.
	pages := http.NewServeMux()
	pages.Handle("/api/", httpapi.New(service, httpapi.Options{Environment: "production"}))
	pages.HandleFunc("GET /dashboard", dashboard(service))
	server := httptest.NewServer(pages)
	defer server.Close()

	// A partner that got a credential asks for a token, and creates a product.
	secret, err := service.CreateCredential(ctx, siteapi.SetupCredential{
		ID: "valuation-tool", Sites: []int64{1}, Packs: []string{"properties"},
		Permissions: []string{"SITE_PRODUCT:READ", "SITE_PRODUCT:WRITE"}, Rights: []string{"RS:PRODUCT_CREATE", "RS:PRODUCT_SEARCH"},
	})
	check(err)
	form := strings.NewReader(url.Values{"site_id": {"1"}}.Encode())
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/api/client/token/site", form)
	check(err)
	ask.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	ask.SetBasicAuth("valuation-tool", secret)
	granted, err := http.DefaultClient.Do(ask)
	check(err)
	granted.Body.Close()
	fmt.Println("token:", granted.StatusCode)

	// Inside the CRM no HTTP is needed: the same token operation is a method.
	token, err := service.IssueToken(ctx, siteapi.Caller{}, siteapi.IssueToken{
		Basic: siteapi.Basic{ClientID: "valuation-tool", ClientSecret: secret}, SiteID: opt.Of("1"),
	})
	check(err)
	create, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+siteapi.BasePath+"/products",
		strings.NewReader(`{"criteria": [{"id": "Ville", "value": "Lyon"}]}`))
	check(err)
	create.Header.Set("Authorization", "Bearer "+token.AccessToken)
	created, err := http.DefaultClient.Do(create)
	check(err)
	fmt.Println("product:", created.StatusCode, text(created))

	// An employee opens a page of the CRM itself.
	page, err := http.Get(server.URL + "/dashboard")
	check(err)
	fmt.Println("dashboard:", page.StatusCode, text(page))

	// Output:
	// token: 200
	// product: 201 {"data":{"id":1}}
	// dashboard: 200 1 product in Lyon
}

// dashboard is a page of the CRM. Its users log in as they always did; Admit
// makes a caller of what the CRM knows about them, and the use cases apply the
// same rules as they do for partners.
func dashboard(service *siteapi.Service) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// Here the CRM looks at its session and decides what the user may do.
		grant := access.Grant{
			Credential: "employee-7", Site: 1, Packs: access.Properties,
			Permissions: []access.Permission{access.ProductRead}, Rights: []access.Right{access.ProductSearch},
		}
		caller, err := service.Admit(r.Context(), grant)
		if err != nil {
			http.Error(w, "closed", http.StatusForbidden)
			return
		}
		var lyon siteapi.CountProducts
		lyon.Criterias = opt.Of([]siteapi.ConditionInput{{ID: "Ville", Operator: opt.Of("EGAL"), Value: siteapi.Raw{V: "Lyon"}}})
		found, err := service.CountProducts(r.Context(), caller, lyon)
		if err != nil {
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, "%d product in Lyon", found.Count)
	}
}

// agencies is the least a site needs.
func agencies() siteapi.Setup {
	return siteapi.Setup{Sites: []siteapi.SetupSite{{
		ID: 1, Name: "Réseau Exemple",
		Agencies: []siteapi.SetupAgency{{ID: 11, Name: "Agence de Lyon"}},
		Criteria: []siteapi.SetupCriterion{
			{ID: 1, Key: "Statut", Type: "UNIQUE", Label: "Statut", Values: []siteapi.SetupChoice{{ID: 1, Model: "EnCours", Label: "En cours"}}},
			{ID: 2, Key: "Ville", Type: "TEXT", Label: "Ville"},
		},
	}}}
}

func text(response *http.Response) string {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	return string(body)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
