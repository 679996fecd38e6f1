package siteapi_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// Whether something is there is told by Exists as the operation itself would tell
// it, whatever the ids of the path are.
func TestExistsSaysWhatTheOperationSays(t *testing.T) {
	w := apitest.New(t)
	full, rival := w.As("full", 1), w.As("rival", 2)
	search := people.CreateSearchRequest{CustomerID: 1001}
	search.TransactionType = opt.Of("Vente")
	wanted, err := w.People.CreateSearchRequest(t.Context(), full, search)
	if err != nil {
		t.Fatal(err)
	}
	lead := people.CreateBuyerLead{TransactionType: opt.Of("Vente")}
	lead.Email = opt.Of("ana@example.org")
	theirLead, err := w.People.CreateBuyerLead(t.Context(), rival, lead)
	if err != nil {
		t.Fatal(err)
	}
	lead.AgencyID = opt.Of(int64(11))
	ourLead, err := w.People.CreateBuyerLead(t.Context(), full, lead)
	if err != nil {
		t.Fatal(err)
	}
	deleted := w.CreateProduct()
	if _, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: deleted}); err != nil {
		t.Fatal(err)
	}
	// Those that are there, of another site, out of scope, and nowhere.
	const nowhere = 999_999
	ids := map[string][]int64{
		"agencyId": {11, 21, 13, nowhere}, "userId": {101, 201, 103, nowhere}, "listeId": {1, nowhere},
		"customerId": {1001, 2001, 1003, nowhere}, "searchId": {wanted.ID, nowhere}, "leadId": {ourLead.ID, theirLead.ID, nowhere},
		"productId": {w.CreateProduct(), w.CreateProductAs(rival, listing.CreateProduct{}), deleted, nowhere}, "pictureId": {nowhere},
		"hookId": {w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE")), w.Subscribe(rival, apitest.HookFor("PRODUCT_CREATE")), nowhere},
		"authId": {nowhere}, "offerId": {nowhere}, "agreementId": {nowhere}, "leaseId": {nowhere}, "conditionId": {nowhere},
		"eventId": {nowhere}, "permanenceId": {nowhere},
	}
	full = w.Again(full)
	places, cases := 0, 0
	for _, o := range w.Operations() {
		if o.Exists == nil || o.Method != kernel.GET || strings.Contains(o.Path, "{criteriaId}") || strings.Contains(o.Path, "{index}") {
			continue // criteria have names beside their ids, indices only names
		}
		if strings.Contains(o.Path, "{source}") || strings.Contains(o.Path, "{bookingId}") || o.ID == "agenda.availabilities" {
			continue // sources have names, and of bookings only the bearer of a token is told
		}
		if strings.Contains(o.Path, "{request_id}") {
			continue // requests have names
		}
		places++
		var names []string
		for _, m := range parameter.FindAllStringSubmatch(o.Path, -1) {
			names = append(names, m[1])
		}
		for _, path := range combinations(names, ids) {
			cases++
			in := reflect.New(o.In).Elem()
			for i, name := range names {
				if !setPath(in, name, path[i]) {
					t.Fatalf("%s has no field for %s", o.ID, name)
				}
			}
			_, err := o.Call(t.Context(), full, in.Interface())
			if got, want := told(o.Exists(t.Context(), full, texts(path))), told(err); got != want {
				t.Errorf("%s at %v: Exists says %s, the operation %s", o.ID, path, got, want)
			}
		}
	}
	if places < 20 || cases < 80 {
		t.Errorf("only %d operations were compared, in %d cases", places, cases)
	}
}

// Whatever an operation names in its path is looked for before anything else is
// wrong: its place names all of it.
func TestG1_EveryParameterOfAPathIsAPlace(t *testing.T) {
	w := apitest.New(t)
	for _, o := range w.Operations() {
		if !strings.Contains(o.Path, "{") {
			continue
		}
		longest := ""
		for _, p := range slices.Concat(w.Service.Office.Places(), w.Service.Listing.Places(), w.Service.People.Places(), w.Deals.Places(), w.Agenda.Places(), w.Service.Hooks.Places(), w.Requests.Places()) {
			if (o.Path == p.Path || strings.HasPrefix(o.Path, p.Path+"/")) && len(p.Path) > len(longest) {
				longest = p.Path
			}
		}
		if strings.Count(longest, "{") != strings.Count(o.Path, "{") {
			t.Errorf("%s: of %s only %q is a place", o.ID, o.Path, longest)
		}
	}
}

func texts(ids []int64) (names []string) {
	for _, id := range ids {
		names = append(names, fmt.Sprint(id))
	}
	return names
}

// told is what the caller learns of an error.
func told(err error) string {
	if err == nil {
		return "nothing"
	}
	f := fault.From(err)
	return fmt.Sprintf("%v %s %q", f.Kind, f.Code, f.Message)
}

// combinations are the paths of some names, each with all of its ids.
func combinations(names []string, ids map[string][]int64) [][]int64 {
	all := [][]int64{nil}
	for _, name := range names {
		var longer [][]int64
		for _, path := range all {
			for _, id := range ids[name] {
				longer = append(longer, append(path[:len(path):len(path)], id))
			}
		}
		all = longer
	}
	return all
}

// setPath sets the field of a request that comes from a parameter of the path.
func setPath(in reflect.Value, name string, id int64) bool {
	for i := range in.NumField() {
		switch f := in.Type().Field(i); {
		case f.Tag.Get("path") == name:
			in.Field(i).SetInt(id)
			return true
		case f.Anonymous && f.Type.Kind() == reflect.Struct && setPath(in.Field(i), name, id):
			return true
		}
	}
	return false
}
