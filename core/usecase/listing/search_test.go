package listing_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func condition(id, operator string, value any) criteria.ConditionInput {
	return criteria.ConditionInput{ID: id, Operator: opt.Of(operator), Value: criteria.Raw{V: value}}
}

func searching(conditions ...criteria.ConditionInput) (in listing.SearchProducts) {
	in.Criterias = opt.Of(conditions)
	return in
}

func TestR1_Q1_ASearchWithoutAnythingWalksByCursor(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	var all []int64
	for range 205 {
		all = append(all, w.CreateProductAs(full, apitest.InAgency(11)))
	}
	var walked []int64
	in := listing.SearchProducts{}
	for pages := 0; ; pages++ {
		result, err := w.Listing.SearchProducts(t.Context(), w.Again(full), in)
		if err != nil {
			t.Fatal(err)
		}
		records, err := result.Data.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if r.ProductFields != nil {
				t.Fatal("without fetch a record is its id alone")
			}
			walked = append(walked, r.ID)
		}
		if result.Mode != "cursor" || result.HasMore != (result.NextCursor != nil) {
			t.Fatalf("page %d is %+v", pages, result)
		}
		if !result.HasMore {
			break
		}
		in.Cursor = opt.Of(*result.NextCursor)
	}
	if !slices.Equal(walked, all) {
		t.Errorf("walked %d of %d products", len(walked), len(all))
	}
}

func TestQ1_Q3_Q13_OffsetMode(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	one, two, three := w.CreateProductAs(full, apitest.InAgency(11)), w.CreateProductAs(full, apitest.InAgency(11)), w.CreateProductAs(full, apitest.InAgency(11))
	for name, c := range map[string]struct {
		in   listing.SearchProducts
		want []int64
	}{
		"count":      {listing.SearchProducts{Paging: kernel.Paging{Count: opt.Of(2)}}, []int64{three, two}},
		"skip":       {listing.SearchProducts{Paging: kernel.Paging{Skip: opt.Of(1)}}, []int64{two, one}},
		"sort_order": {listing.SearchProducts{SortOrder: opt.Of("asc")}, []int64{one, two, three}},
		"sort_type":  {listing.SearchProducts{SortType: opt.Of("id")}, []int64{three, two, one}},
	} {
		result, err := w.Listing.SearchProducts(t.Context(), w.Again(full), c.in)
		if err != nil || result.Mode != "offset" || result.NextCursor != nil {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
		if got := w.FindProducts(full, c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", name, got, c.want)
		}
	}
}

func TestQ4_Q8_PagingRefusals(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		in    listing.SearchProducts
		code  fault.Code
		field string
	}{
		"count 0":            {listing.SearchProducts{Paging: kernel.Paging{Count: opt.Of(0)}}, fault.CodeOutOfRange, "count"},
		"count 2001":         {listing.SearchProducts{Paging: kernel.Paging{Count: opt.Of(2001)}}, fault.CodeOutOfRange, "count"},
		"count 101 hydrated": {listing.SearchProducts{Fetch: "rooms", Paging: kernel.Paging{Count: opt.Of(101)}}, fault.CodeOutOfRange, "count"},
		"skip -1":            {listing.SearchProducts{Paging: kernel.Paging{Skip: opt.Of(-1)}}, fault.CodeOutOfRange, "skip"},
		"cursor":             {listing.SearchProducts{Paging: kernel.Paging{Cursor: opt.Of("")}}, fault.CodeInvalidCursor, "cursor"},
		"cursor garbage":     {listing.SearchProducts{Paging: kernel.Paging{Cursor: opt.Of("abc!")}}, fault.CodeInvalidCursor, "cursor"},
		"sort_type":          {listing.SearchProducts{SortType: opt.Of("price")}, fault.CodeInvalidFormat, "sort_type"},
		"sort_order":         {listing.SearchProducts{SortOrder: opt.Of("up")}, fault.CodeInvalidFormat, "sort_order"},
		"fetch":              {listing.SearchProducts{Fetch: "rooms,photos"}, fault.CodeUnknownFetchValue, "fetch"},
	} {
		_, err := w.Listing.SearchProducts(t.Context(), w.As("full", 1), c.in)
		t.Log(name)
		apitest.RefusedField(t, err, c.code, c.field)
	}
}

func TestQ5_CursorBeatsTheOffsetFields(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	first, second := w.CreateProductAs(full, apitest.InAgency(11)), w.CreateProductAs(full, apitest.InAgency(11))
	page, err := w.Listing.SearchProducts(t.Context(), w.Again(full), listing.SearchProducts{Paging: kernel.Paging{Cursor: opt.Of("MA=="), Count: opt.Of(-5)}})
	if err == nil {
		t.Fatalf("0 is no id, but the cursor was taken: %+v", page)
	}
	got := w.FindProducts(full, listing.SearchProducts{SortType: opt.Of("nonsense"), Paging: kernel.Paging{Cursor: opt.Of("MQ"), Skip: opt.Of(-5), Count: opt.Of(99999)}})
	want := []int64{first, second}
	if first == 1 {
		want = []int64{second}
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestQ15_Q18_Q25_Q26_ConditionRefusals(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		in    criteria.ConditionInput
		code  fault.Code
		field string
	}{
		"unknown criterion": {condition("Nope", "EGAL", "x"), fault.CodeUnknownCriterion, "criterias[0].id"},
		"no criterion":      {condition("", "EGAL", "x"), fault.CodeUnknownCriterion, "criterias[0].id"},
		"unknown operator":  {condition("Prix", "LIKE", "1"), fault.CodeInvalidFormat, "criterias[0].operator"},
		"no operator":       {criteria.ConditionInput{ID: "Prix", Value: criteria.Raw{V: "1"}}, fault.CodeRequired, "criterias[0].operator"},
		"no value":          {criteria.ConditionInput{ID: "Prix", Operator: opt.Of("EGAL")}, fault.CodeRequired, "criterias[0].value"},
		"wrong pair":        {condition("TypeBien", "SUPERIEUR", "Maison"), fault.CodeOperatorNotSupported, "criterias[0].operator"},
		"array with EGAL":   {condition("Prix", "EGAL", []any{"1", "2"}), fault.CodeInvalidCriteriaValue, "criterias[0].value"},
		"unknown code":      {condition("TypeBien", "COMPREND", []any{"Maison", "Château"}), fault.CodeCriteriaValueUnknown, "criterias[0].value"},
		"not searchable":    {condition("Remarques", "CONTIENT", "x"), fault.CodeOperatorNotSupported, "criterias[0].operator"},
	} {
		_, err := w.Listing.SearchProducts(t.Context(), w.As("full", 1), searching(c.in))
		t.Log(name)
		apitest.RefusedField(t, err, c.code, c.field)
		count := listing.CountProducts{}
		count.Criterias = opt.Of([]criteria.ConditionInput{c.in})
		_, err = w.Listing.CountProducts(t.Context(), w.As("full", 1), count)
		apitest.RefusedField(t, err, c.code, c.field)
	}
}

func TestQ40_ScopeOfASearch(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	eleven, twelve := w.CreateProductAs(full, apitest.InAgency(11)), w.CreateProductAs(full, apitest.InAgency(12))
	w.CreateProductAs(w.As("rival", 2), listing.CreateProduct{})
	if got := w.FindProducts(full, listing.SearchProducts{}); !slices.Equal(got, []int64{eleven, twelve}) {
		t.Errorf("found %v", got)
	}
	in := listing.SearchProducts{}
	in.AgencyID = opt.Of(int64(12))
	if got := w.FindProducts(full, in); !slices.Equal(got, []int64{twelve}) {
		t.Errorf("in agency 12: %v", got)
	}
	for _, agency := range []int64{13, 21, 99} {
		in.AgencyID = opt.Of(agency)
		_, err := w.Listing.SearchProducts(t.Context(), full, in)
		apitest.Refused(t, err, fault.Forbidden, fault.CodeAgencyOutOfScope)
	}
	in.AgencyID = opt.Of(int64(-1))
	_, err := w.Listing.SearchProducts(t.Context(), full, in)
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "agency_id")
}

func TestQ29_R6_WebsitesSeeNoPersonalData(t *testing.T) {
	w := newWorld(t)
	in := apitest.InAgency(11)
	in.CustomerID = opt.Of(int64(1001))
	in.Criteria = apitest.Criteria("Adresse", "3 rue Cachée", "AdresseMasquee", 1, "Remarques", "secret")
	id := w.CreateProductAs(w.As("full", 1), in)
	full, website := w.As("full", 1), w.As("website", 1)

	if p := w.ReadProduct(full, id, "criteres_text"); *p.CustomerID != 1001 || *p.Address != "3 rue Cachée" || len(*p.CriteresText) != 2 {
		t.Errorf("the network sees %+v", p.ProductFields)
	}
	p := w.ReadProduct(website, id, "criteres_text,criteres_fulltext")
	if p.CustomerID != nil || p.Address != nil || len(*p.CriteresText) != 1 || len(*p.CriteresFulltext) != 0 {
		t.Errorf("a website sees %+v", p.ProductFields)
	}
	search := listing.SearchProducts{}
	for _, name := range []string{"eloise lefevre", "LEFÈVRE Éloïse"} {
		search.Keyword = opt.Of(name)
		if got := w.FindProducts(full, search); len(got) != 1 {
			t.Errorf("the network finds %v by %q", got, name)
		}
		if got := w.FindProducts(website, search); len(got) != 0 {
			t.Errorf("a website finds %v by %q", got, name)
		}
	}
	_, err := w.Listing.GetProduct(t.Context(), website, listing.ReadProduct{ID: id, Fetch: "rooms,customer"})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeFetchNotAllowed)
	search = searching(condition("Remarques", "CONTIENT", "secret"))
	_, err = w.Listing.SearchProducts(t.Context(), website, search)
	apitest.RefusedField(t, err, fault.CodeUnknownCriterion, "criterias[0].id")
}

// TestFetchBlocks: every block asked for is there in its documented type, and no
// other.
func TestFetchBlocks(t *testing.T) {
	w := newWorld(t)
	in := apitest.InAgency(11)
	in.CustomerID, in.UserID, in.Intercabinet = opt.Of(int64(1001)), opt.Of(int64(101)), opt.Of(true)
	in.Descriptions = opt.Of([]product.DescriptionInput{{Language: "fr", Title: opt.Of("Titre"), Text: opt.Of("Texte")}})
	id := w.CreateProductAs(w.As("full", 1), in)
	full := w.As("full", 1)
	every := ""
	for _, name := range product.PartNames() {
		every += name + ","
	}
	p := w.ReadProduct(full, id, every)
	if p.AssignedTo == nil || *p.AssignedTo == nil || (**p.AssignedTo).ID != 101 {
		t.Error("assigned_to is missing")
	}
	if p.Customer == nil || *p.Customer == nil || (**p.Customer).ID != 1001 {
		t.Error("customer is missing")
	}
	if p.CreatedBy == nil || *p.CreatedBy != nil {
		t.Error("created_by must be there and null: no user made the product")
	}
	if len(*p.Scopes) != 2 || (*p.Scopes)[0].Access != "owner" || (*p.Scopes)[1].AgencyID != 12 {
		t.Errorf("scopes are %+v", *p.Scopes)
	}
	if len(*p.Descriptions) != 1 || *p.Title != "Titre" {
		t.Errorf("descriptions are %+v", *p.Descriptions)
	}
	if p.ProductsPhotos == nil || p.Statistic == nil || p.OnlineBooking == nil || p.Themes == nil || p.Category == nil || p.LiveVisit == nil {
		t.Error("a block is missing")
	}
	if q := w.ReadProduct(full, id, "rooms"); q.Rooms == nil || q.Customer != nil || q.Scopes != nil {
		t.Error("fetch=rooms must bring rooms and nothing else")
	}
}

// TestSearchIsFresh: what one node writes, every node finds at once; and a
// renamed owner is found by the new name.
func TestSearchIsFresh(t *testing.T) {
	w := newWorld(t)
	other := &world{apitest.Empty(t, w.Store, w.Clock)}
	full := w.As("full", 1)
	id := w.CreateProduct("Ville", "Lyon")
	lyon := searching(condition("Ville", "EGAL", "lyon"))
	for name, node := range map[string]*world{"writer": w, "other": other} {
		if got := node.FindProducts(full, lyon); len(got) != 1 {
			t.Errorf("the %s finds %v", name, got)
		}
	}
	if err := w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Ville", "Annecy") }); err != nil {
		t.Fatal(err)
	}
	for name, node := range map[string]*world{"writer": w, "other": other} {
		if got := node.FindProducts(full, lyon); len(got) != 0 {
			t.Errorf("the %s still finds %v", name, got)
		}
	}
}

func TestCataloguesLeaveWithinTheirLimit(t *testing.T) {
	w := newWorld(t)
	w.CreateProduct()
	service := apitest.Limited(t, w.Store, w.Clock, 1)
	if err := service.Service.Listing.Warm(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	one := service.Cached()["catalogue"].Bytes
	if err := service.Service.Listing.Warm(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if two := service.Cached()["catalogue"].Bytes; one == 0 || two == 0 || two >= 2*one {
		t.Errorf("one catalogue takes %d bytes; after the second there are %d", one, two)
	}
}

func TestAnEmptyLastModifiedIsNoDate(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	for _, text := range []string{"", " ", " x "} {
		given := opt.Of(text)
		_, products := w.Listing.CountProducts(t.Context(), full, listing.CountProducts{ProductFilters: listing.ProductFilters{LastModified: given}})
		_, customers := w.People.SearchCustomers(t.Context(), full, people.SearchCustomers{LastModified: given})
		for _, err := range []error{products, customers} {
			apitest.RefusedField(t, err, fault.CodeInvalidFormat, "last_modified")
			if known := fault.From(err); known.Details[0].Value != text {
				t.Errorf("%q is told as %q", text, known.Details[0].Value)
			}
		}
	}
}
