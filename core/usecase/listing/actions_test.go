package listing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// call is what a request about an action of a type says.
func call(kind int64) listing.ActionInput { return listing.ActionInput{ActionID: opt.Of(kind)} }

func (w *world) act(c kernel.Caller, product int64, in listing.ActionInput) listing.ActionCreated {
	w.T.Helper()
	created, err := w.Listing.CreateProductAction(w.T.Context(), w.Again(c), listing.CreateProductAction{ID: product, ActionInput: in})
	if err != nil {
		w.T.Fatal(err)
	}
	return created
}

func (w *world) history(c kernel.Caller, product, cursor int64) listing.ActionPage {
	w.T.Helper()
	in := listing.ReadActions{ID: product}
	if cursor != 0 {
		in.Cursor = opt.Of(cursor)
	}
	page, err := w.Listing.ListProductActions(w.T.Context(), w.Again(c), in)
	if err != nil {
		w.T.Fatal(err)
	}
	return page
}

// shown are the ids and labels of a history.
func shown(items []listing.ActionHistoryItem) string {
	var words []string
	for _, a := range items {
		words = append(words, fmt.Sprint(a.ID, " ", a.ActionLabel))
	}
	return strings.Join(words, ", ")
}

func TestAnActionIsLoggedAndPerhapsInTheHistory(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	first := w.act(full, id, call(1))
	if first.ID != id || first.ActionID == "" {
		t.Errorf("T7: %+v", first)
	}
	w.Clock.Advance(time.Minute)
	in := call(2)
	in.ChildActionID, in.UserID, in.Result = opt.Of(int64(21)), opt.Of(int64(101)), opt.Of("  Très intéressés ")
	in.DatePerformed = opt.Of("2026-09-15T18:00:00")
	created, err := w.Listing.CreateProductAction(t.Context(), full, listing.CreateProductAction{ID: id, ActionInput: in, CustomerID: opt.Of(int64(1001))})
	if err != nil {
		t.Fatal(err)
	}
	w.act(full, id, call(3))

	page := w.history(full, id, 0)
	if len(page.Data) != 1 || page.HasMore || page.NextCursor != nil {
		t.Fatalf("T3: the history is %+v", page)
	}
	item := page.Data[0]
	if fmt.Sprint(item.ID) != created.ActionID || item.ActionID != 2 || item.ActionLabel != "Visite" || *item.ChildActionID != 21 ||
		*item.ChildActionLabel != "Première visite" || *item.UserID != 101 || *item.CustomerID != 1001 || *item.Result != "Très intéressés" {
		t.Errorf("%+v", item)
	}
	// G13: without an offset it is Paris, in summer.
	if item.DatePerformed.Format(time.RFC3339) != "2026-09-15T16:00:00Z" || item.DateAdded.Format(time.RFC3339) != "2026-09-16T08:31:00Z" {
		t.Errorf("performed %s, added %s", item.DatePerformed, item.DateAdded)
	}
	read := w.ReadProduct(full, id, "actions_history,log_actions")
	if shown(*read.ActionsHistory) != shown(page.Data) {
		t.Errorf("the block shows %s", shown(*read.ActionsHistory))
	}
	var log []string
	for _, entry := range *read.LogActions {
		log = append(log, entry.Label+" by "+entry.Actor)
	}
	if !slices.Equal(log, []string{"Compte rendu by full", "Visite by Anne Arnaud", "Appel by full"}) {
		t.Errorf("the log is %q", log)
	}
}

func TestT3_TheHistoryFollowsTheChildrenOfTheMoment(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	w.act(full, id, call(3))
	if got := w.history(full, id, 0); len(got.Data) != 0 {
		t.Errorf("the history is %+v", got)
	}
	network := apitest.Network()
	network.Sites = network.Sites[:1]
	network.Sites[0].ActionTypes[2].Children[0].IsActive = nil
	network.Sites[0].ActionTypes[1].Children = nil
	w.act(full, id, call(2))
	w.Provision(network)
	if got := shown(w.history(full, id, 0).Data); got != "1 Compte rendu" {
		t.Errorf("the history is %q", got)
	}
	if got := shown(*w.ReadProduct(full, id, "actions_history").ActionsHistory); got != "1 Compte rendu" {
		t.Errorf("the block is %q", got)
	}
}

func TestT1_TheHistoryIsPagedLatestFirst(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	for range 101 {
		w.act(full, id, call(2))
	}
	w.act(full, w.CreateProduct(), call(2))
	var got []int64
	for cursor, pages := int64(0), 1; ; pages++ {
		page := w.history(full, id, cursor)
		for _, a := range page.Data {
			got = append(got, a.ID)
		}
		if page.HasMore != (page.NextCursor != nil) || page.HasMore != (pages < 3) {
			t.Fatalf("page %d: %t, %v", pages, page.HasMore, page.NextCursor)
		}
		if !page.HasMore {
			break
		}
		cursor = *page.NextCursor
	}
	if len(got) != 101 || got[0] != 101 || !slices.IsSortedFunc(got, func(a, b int64) int { return int(b - a) }) {
		t.Errorf("%v", got)
	}
	if exact := w.history(full, id, 51); len(exact.Data) != 50 || exact.HasMore {
		t.Errorf("an exactly full last page: %d, %t", len(exact.Data), exact.HasMore)
	}
	_, err := w.Listing.ListProductActions(t.Context(), full, listing.ReadActions{ID: id, Cursor: opt.Of(int64(0))})
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "cursor")
}

// R10: in lists too.
func TestBlocksShowTheTwentyLatestActions(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	ids := []int64{w.CreateProduct(), w.CreateProduct(), w.CreateProduct()}
	for range 25 {
		w.act(full, ids[0], call(2))
		w.act(full, ids[2], call(1))
	}
	result, err := w.Listing.SearchProducts(t.Context(), w.Again(full), listing.SearchProducts{Fetch: "actions_history,log_actions"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := result.Data.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range all {
		got = append(got, fmt.Sprint(len(*p.ActionsHistory), " ", len(*p.LogActions)))
	}
	if !slices.Equal(got, []string{"20 20", "0 0", "0 20"}) || (*all[0].ActionsHistory)[0].ID != 49 || (*all[2].LogActions)[19].ID != 12 {
		t.Errorf("%q", got)
	}
}

func TestT4_T8_WhatAnActionLeaves(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	before, seq := w.ReadProduct(full, id, ""), w.Seq(1)
	w.Clock.Advance(time.Hour)
	w.act(full, id, call(1))
	if got := w.Events(1, seq); !slices.Equal(got, []string{"ACTION_CREATE"}) {
		t.Errorf("the events are %q", got)
	}
	if events := w.ListEvents(w.Again(full), hooks.ListEvents{After: opt.Of(seq)}); len(events.Data) != 1 || events.Data[0].ResourceID != id || *events.Data[0].AgencyID != 11 {
		t.Errorf("%+v", events.Data)
	}
	if after := w.ReadProduct(full, id, ""); after.LastModified != before.LastModified {
		t.Errorf("last_modified went to %s", after.LastModified)
	}
	if got := w.ListEvents(w.As("website", 1), hooks.ListEvents{After: opt.Of(seq)}); len(got.Data) != 0 {
		t.Errorf("a website hears of %+v", got.Data)
	}
}

func TestActionRefusals(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	in := func(kind int64, change func(*listing.CreateProductAction)) listing.CreateProductAction {
		request := listing.CreateProductAction{ID: id, ActionInput: call(kind)}
		if change != nil {
			change(&request)
		}
		return request
	}
	child := func(child int64) func(*listing.CreateProductAction) {
		return func(r *listing.CreateProductAction) { r.ChildActionID = opt.Of(child) }
	}
	seq := w.Seq(1)
	for _, c := range []struct {
		request listing.CreateProductAction
		code    fault.Code
		field   string
	}{
		{listing.CreateProductAction{ID: id}, fault.CodeRequired, "action_id"},
		{in(9, nil), fault.CodeUnknownAction, "action_id"},
		{in(0, nil), fault.CodeUnknownAction, "action_id"},
		{in(21, nil), fault.CodeUnknownAction, "action_id"},
		{in(5, nil), fault.CodeUnknownAction, "action_id"},
		{in(5, child(21)), fault.CodeUnknownAction, "action_id"},
		{in(4, nil), fault.CodeActionInactive, "action_id"},
		{in(1, child(21)), fault.CodeUnknownAction, "child_action_id"},
		{in(2, child(22)), fault.CodeActionInactive, "child_action_id"},
		{in(1, func(r *listing.CreateProductAction) { r.UserID = opt.Of(int64(102)) }), fault.CodeUnknownUser, "user_id"},
		{in(1, func(r *listing.CreateProductAction) { r.UserID = opt.Of(int64(103)) }), fault.CodeUnknownUser, "user_id"},
		{in(1, func(r *listing.CreateProductAction) { r.CustomerID = opt.Of(int64(1003)) }), fault.CodeUnknownCustomer, "customer_id"},
		{in(1, func(r *listing.CreateProductAction) { r.CustomerID = opt.Of(int64(2001)) }), fault.CodeUnknownCustomer, "customer_id"},
		{in(1, func(r *listing.CreateProductAction) { r.CustomerID = opt.Of(int64(-1)) }), fault.CodeOutOfRange, "customer_id"},
		{in(1, func(r *listing.CreateProductAction) { r.DatePerformed = opt.Of("hier") }), fault.CodeInvalidFormat, "date_performed"},
		{in(1, func(r *listing.CreateProductAction) { r.Result = opt.Of(strings.Repeat("é", 10_001)) }), fault.CodeOutOfRange, "result"},
	} {
		_, err := w.Listing.CreateProductAction(t.Context(), full, c.request)
		apitest.RefusedField(t, err, c.code, c.field)
	}
	elsewhere := w.CreateProductAs(w.As("rival", 2), listing.CreateProduct{})
	for _, path := range []int64{999, elsewhere} {
		_, err := w.Listing.CreateProductAction(t.Context(), full, listing.CreateProductAction{ID: path})
		apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
		_, err = w.Listing.ListProductActions(t.Context(), full, listing.ReadActions{ID: path})
		apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	}
	if w.Seq(1) != seq || len(*w.ReadProduct(full, id, "log_actions").LogActions) != 0 {
		t.Error("a refused action left a trace")
	}
}

// P33: whatever the transition.
func TestChangesOfStatutAreLogged(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	for _, change := range [][2]any{{"Statut", "Vendu"}, {"Statut", "Vendu"}, {"Prix", 1}, {"Statut", "EnCours"}} {
		in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
		in.Criteria = apitest.Criteria(change[0].(string), change[1])
		if n, ok := change[1].(int); ok {
			in.Criteria = apitest.Criteria(change[0].(string), fmt.Sprint(n))
		}
		if _, err := w.Listing.UpdateProduct(t.Context(), full, in); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	read := w.ReadProduct(full, id, "log_actions,actions_history")
	for _, entry := range *read.LogActions {
		got = append(got, fmt.Sprint(entry.ActionID == nil, " ", entry.Label, " ", *entry.Result, " ", entry.Actor))
	}
	if want := []string{"true Statut Vendu → EnCours full", "true Statut EnCours → Vendu full"}; !slices.Equal(got, want) || len(*read.ActionsHistory) != 0 {
		t.Errorf("the log is %q", got)
	}
}

func TestStatisticCountsActions(t *testing.T) {
	w := newWorld(t)
	full, id := w.As("full", 1), w.CreateProduct()
	visit := func(kind int64, customer int64, at string) {
		t.Helper()
		in := listing.CreateProductAction{ID: id, ActionInput: call(kind)}
		in.DatePerformed = opt.Of(at)
		if customer != 0 {
			in.CustomerID = opt.Of(customer)
		}
		if _, err := w.Listing.CreateProductAction(t.Context(), full, in); err != nil {
			t.Fatal(err)
		}
	}
	visit(2, 1001, "2026-09-10T10:00:00Z")
	visit(2, 1001, "2026-09-18T10:00:00Z")
	visit(2, 0, "2026-09-19T10:00:00Z")
	visit(1, 1001, "2026-09-10T10:00:00Z")
	since := "2026-09-16"
	want := listing.Statistic{Contacts: 1, VisitsDone: 1, VisitsPlanned: 2}
	check := func() {
		t.Helper()
		got := *w.ReadProduct(full, id, "statistic").Statistic
		if got.Since == nil || *got.Since != since {
			t.Errorf("since %v", got.Since)
		}
		got.Since = nil
		if got != want {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
	check()
	w.Clock.Advance(50 * time.Hour)
	want.VisitsDone, want.VisitsPlanned = 2, 1
	check()
	id = w.CreateProduct()
	since, want = "2026-09-18", listing.Statistic{}
	check()
}

func TestWhoMayReadActionsLearnsThatAProductIsAbsent(t *testing.T) {
	w := apitest.New(t)
	caller, err := w.Admit(t.Context(), access.Grant{
		Site: 1, Packs: access.Customers, Permissions: []access.Permission{access.ProductRead, access.ProductWrite}, Rights: []access.Right{access.ProductAction},
	})
	if err != nil {
		t.Fatal(err)
	}
	n := slices.IndexFunc(w.Operations(), func(o kernel.Operation) bool { return o.ID == "product.action.create" })
	apitest.Refused(t, w.Operations()[n].Exists(t.Context(), caller, []string{"999"}), fault.NotFound, fault.CodeNotFound)
}
