package listing_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func TestP1_P3_AgencyOfANewProduct(t *testing.T) {
	w := newWorld(t)
	_, err := w.Listing.CreateProduct(t.Context(), w.As("full", 1), listing.CreateProduct{})
	apitest.RefusedField(t, err, fault.CodeRequired, "agency_id")
	only := w.CreateProductAs(w.As("rival", 2), listing.CreateProduct{})
	if got := w.ReadProduct(w.As("rival", 2), only, "").AgencyID; got != 21 {
		t.Errorf("the only agency of the scope is 21, not %d", got)
	}
	for name, agency := range map[string]int64{"another site's": 21, "one that left": 13, "unknown": 99} {
		_, err := w.Listing.CreateProduct(t.Context(), w.As("full", 1), apitest.InAgency(agency))
		t.Log(name)
		apitest.Refused(t, err, fault.Forbidden, fault.CodeAgencyOutOfScope)
	}
	_, err = w.Listing.CreateProduct(t.Context(), w.As("full", 1), apitest.InAgency(0))
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "agency_id")
	if types := w.Events(1, 0); strings.Join(types, " ") != "CUSTOMER_CREATE CUSTOMER_CREATE" {
		t.Errorf("refused creations left events: %v", types)
	}
}

func TestP4_UnknownUsers(t *testing.T) {
	w := newWorld(t)
	for name, user := range map[string]int64{"unknown": 9, "inactive": 102, "outside the scope": 103, "another site's": 201} {
		in := apitest.InAgency(11)
		in.UserID = opt.Of(user)
		_, err := w.Listing.CreateProduct(t.Context(), w.As("full", 1), in)
		t.Log(name)
		apitest.RefusedField(t, err, fault.CodeUnknownUser, "user_id")
	}
}

func TestP2_OwnerAndParentMustBeInScope(t *testing.T) {
	w := newWorld(t)
	for name, id := range map[string]int64{"unknown": 9, "outside the scope": 1003, "another site's": 2001} {
		in := apitest.InAgency(11)
		in.CustomerID = opt.Of(id)
		_, err := w.Listing.CreateProduct(t.Context(), w.As("full", 1), in)
		t.Log(name)
		apitest.RefusedField(t, err, fault.CodeUnknownCustomer, "customer_id")
	}
	foreign := w.CreateProductAs(w.As("rival", 2), listing.CreateProduct{})
	for _, id := range []int64{foreign, 99999} {
		in := apitest.InAgency(11)
		in.ParentID = opt.Of(id)
		_, err := w.Listing.CreateProduct(t.Context(), w.As("full", 1), in)
		apitest.RefusedField(t, err, fault.CodeUnknownProduct, "parent_id")
	}
}

func TestP5_P6_DefaultsOfANewProduct(t *testing.T) {
	w := newWorld(t)
	p := w.ReadProduct(w.As("full", 1), w.CreateProduct(), "")
	if p.WebStatus || p.Intercabinet || *p.SellerStatistics || p.Color != nil || p.NextContact != nil || p.UserID != nil {
		t.Errorf("the defaults are %+v", p.ProductFields)
	}
	if p.Status == nil || *p.Status != "EnCours" {
		t.Errorf("the default status of site 1 is EnCours, not %v", p.Status)
	}
	rival := w.As("rival", 2)
	if q := w.ReadProduct(rival, w.CreateProductAs(rival, listing.CreateProduct{}), ""); q.Status == nil || *q.Status != "Projet" {
		t.Errorf("the default status of site 2 is Projet, not %v", q.Status)
	}
}

func TestP8_P9_GeneratedReferences(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	reference := func(in listing.CreateProduct) string {
		return w.ReadProduct(full, w.CreateProductAs(full, in), "").Model
	}
	chosen := apitest.InAgency(11)
	chosen.Model = opt.Of("11-40")
	empty := apitest.InAgency(11)
	empty.Model = opt.Of("")
	other := apitest.InAgency(12)
	for i, step := range []struct {
		in   listing.CreateProduct
		want string
	}{{apitest.InAgency(11), "11-1"}, {chosen, "11-40"}, {empty, "11-41"}, {other, "12-1"}, {apitest.InAgency(11), "11-42"}} {
		if got := reference(step.in); got != step.want {
			t.Errorf("step %d: the reference is %s, want %s", i, got, step.want)
		}
	}
	last := w.CreateProductAs(full, apitest.InAgency(11))
	if _, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: last}); err != nil {
		t.Fatal(err)
	}
	if got := reference(apitest.InAgency(11)); got != "11-44" {
		t.Errorf("a deleted product's reference was used again: %s", got)
	}
}

func TestP9_AReferenceChosenByHandIsPassedOver(t *testing.T) {
	w := newWorld(t)
	setup := apitest.Network()
	setup.Sites[0].ReferencePattern = "MANDAT {number}"
	w.Provision(setup)
	chosen := apitest.InAgency(11)
	chosen.Model = opt.Of("mandat 1") // not the pattern's spelling, but the same reference
	full := w.As("full", 1)
	w.CreateProductAs(full, chosen)
	p := w.ReadProduct(full, w.CreateProductAs(full, apitest.InAgency(11)), "")
	if p.Model != "MANDAT 2" {
		t.Errorf("the reference is %q, want MANDAT 2", p.Model)
	}
	if types := w.Events(1, 0); len(types) != 4 {
		t.Errorf("two creations after two customers, but the events are %v", types)
	}
}

func TestP10_P12_ReferencesAreUniqueInTheirAgency(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	named := func(agency int64, model string) (kernel.Created, error) {
		in := apitest.InAgency(agency)
		in.Model = opt.Of(model)
		return w.Listing.CreateProduct(t.Context(), full, in)
	}
	first, err := named(11, "Été-1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = named(11, "ÉTÉ-1")
	apitest.RefusedField(t, err, fault.CodeReferenceTaken, "model")
	there, err := named(12, "Été-1")
	if err != nil {
		t.Error("another agency may use the reference:", err)
	}
	before := w.Seq(1)
	err = w.UpdateProduct(there.ID, func(in *listing.UpdateProduct) { in.AgencyID = opt.Of(int64(11)) })
	apitest.RefusedField(t, err, fault.CodeReferenceTaken, "model")
	if w.Seq(1) != before {
		t.Error("a refused move left an event")
	}
	if _, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: first.ID}); err != nil {
		t.Fatal(err)
	}
	_, err = named(11, "été-1")
	apitest.RefusedField(t, err, fault.CodeReferenceTaken, "model")
}

func TestFiftyParallelCreationsGetDistinctReferences(t *testing.T) {
	w := newWorld(t)
	caller := w.As("full", 1)
	var creations sync.WaitGroup
	ids := make([]int64, 50)
	for i := range ids {
		creations.Go(func() {
			created, err := w.Listing.CreateProduct(t.Context(), caller, apitest.InAgency(11))
			if err != nil {
				t.Error(err)
			}
			ids[i] = created.ID
		})
	}
	creations.Wait()
	seen := map[string]bool{}
	for _, id := range ids {
		seen[w.ReadProduct(caller, id, "").Model] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d distinct references, want 50", len(seen))
	}
}

func TestP13_ProductIDInTheBody(t *testing.T) {
	w := newWorld(t)
	id := w.CreateProduct()
	_, err := w.Listing.UpdateProduct(t.Context(), w.As("full", 1), listing.UpdateProduct{ID: id})
	apitest.RefusedField(t, err, fault.CodeProductIDRequired, "product_id")
	_, err = w.Listing.UpdateProduct(t.Context(), w.As("full", 1), listing.UpdateProduct{ID: id, ProductID: opt.Of(id + 1)})
	apitest.RefusedField(t, err, fault.CodeProductIDMismatch, "product_id")
}

func TestP14_NoChangeLeavesNoTrace(t *testing.T) {
	w := newWorld(t)
	id := w.CreateProduct("Prix", 250000, "Equipements", []any{"PISCINE", "ALARME"})
	full := w.As("full", 1)
	before, seq := w.ReadProduct(full, id, ""), w.Seq(1)
	w.Clock.Advance(time.Hour)
	for name, edit := range map[string]func(*listing.UpdateProduct){
		"only product_id": func(*listing.UpdateProduct) {},
		"the same values": func(in *listing.UpdateProduct) {
			in.Criteria = apitest.Criteria("6", "250000.0", "Equipements", []any{"ALARME", "PISCINE", "ALARME"})
			in.Model, in.WebStatus = opt.Of(before.Model), opt.Of(false)
		},
		"clearing what is not there": func(in *listing.UpdateProduct) { in.Color = opt.Null[int]() },
	} {
		if err := w.UpdateProduct(id, edit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after := w.ReadProduct(full, id, ""); !after.LastModified.Equal(before.LastModified.Time) || w.Seq(1) != seq {
			t.Errorf("%s: the product was modified", name)
		}
	}
}

func TestP35_EveryChangeIsOneEvent(t *testing.T) {
	w := newWorld(t)
	id := w.CreateProduct()
	full := w.As("full", 1)
	for name, edit := range map[string]func(*listing.UpdateProduct){
		"criterion": func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Prix", 1) },
		"room": func(in *listing.UpdateProduct) {
			in.Rooms = opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR")}, {Type: opt.Of("CHAMBRE")}})
		},
		"flag":  func(in *listing.UpdateProduct) { in.WebStatus = opt.Of(true) },
		"agent": func(in *listing.UpdateProduct) { in.UserID = opt.Of(int64(101)) },
		"move":  func(in *listing.UpdateProduct) { in.AgencyID = opt.Of(int64(12)) },
		"day":   func(in *listing.UpdateProduct) { in.NextContact = opt.Of("2026-12-01") },
		"color": func(in *listing.UpdateProduct) { in.Color = opt.Of(3) },
	} {
		w.Clock.Advance(time.Second)
		seq := w.Seq(1)
		if err := w.UpdateProduct(id, edit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if types := w.Events(1, seq); len(types) != 1 || types[0] != "PRODUCT_UPDATE" {
			t.Errorf("%s: the events are %v", name, types)
		}
		if got := w.ReadProduct(full, id, "").LastModified; !got.Equal(w.Clock.Now()) {
			t.Errorf("%s: last_modified is %v", name, got)
		}
	}
}

func TestP18_P20_P26_UnrecognisedValues(t *testing.T) {
	w := newWorld(t)
	in := apitest.InAgency(11)
	in.Criteria = apitest.Criteria("TypeBien", "Château")
	_, err := w.Listing.CreateProduct(t.Context(), w.As("full", 1), in)
	apitest.RefusedField(t, err, fault.CodeCriteriaValueUnknown, "criteria[0].value")

	id := w.CreateProduct()
	patch := func(pairs ...any) error {
		return w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria(pairs...) })
	}
	err = patch("TypeBien", "Château")
	apitest.Refused(t, err, fault.Unrecognised, fault.CodeCriteriaValueUnknown)
	if accepted := fault.From(err).Details[0].Accepted; len(accepted) != 3 {
		t.Errorf("the accepted values are %v", accepted)
	}
	apitest.Refused(t, patch("TypeBien", "Château", "Prix", "cher"), fault.Invalid, fault.CodeValidationError)
	apitest.Refused(t, patch("Prix", "cher"), fault.Invalid, fault.CodeInvalidCriteriaValue)
	apitest.Refused(t, patch("Nope", "x"), fault.Invalid, fault.CodeUnknownCriterion)
	err = w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Rooms = opt.Of([]product.RoomInput{{Type: opt.Of("CRYPTE")}}) })
	apitest.Refused(t, err, fault.Invalid, fault.CodeCriteriaValueUnknown)
}

func TestP21_AWriteIsAllOrNothing(t *testing.T) {
	w := newWorld(t)
	id := w.CreateProduct("Prix", 1)
	seq := w.Seq(1)
	err := w.UpdateProduct(id, func(in *listing.UpdateProduct) {
		in.Criteria = apitest.Criteria("Prix", 2, "Surface", "grand")
		in.WebStatus = opt.Of(true)
	})
	if !errors.Is(err, fault.Invalid) {
		t.Fatal(err)
	}
	p := w.ReadProduct(w.As("full", 1), id, "")
	if *p.Price != 1 || p.WebStatus || w.Seq(1) != seq {
		t.Error("part of a refused write was kept")
	}
}

func TestP22_P24_P25_Rooms(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	in := apitest.InAgency(11)
	in.Rooms = opt.Of([]product.RoomInput{{ID: opt.Of(product.RoomID(1)), Type: opt.Of("SEJOUR")}})
	_, err := w.Listing.CreateProduct(t.Context(), full, in)
	apitest.RefusedField(t, err, fault.CodeRoomIDNotAllowed, "rooms[0].id")

	in.Rooms = opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR"), Surface: opt.Of(20.5), Vue: opt.Of("MER"), Sol: opt.Of("PARQUET")}})
	id, other := w.CreateProductAs(full, in), w.CreateProductAs(full, in)
	rooms := func(id int64) []listing.Room { return *w.ReadProduct(full, id, "rooms").Rooms }
	room, foreign := rooms(id)[0], rooms(other)[0]
	if room.ID == foreign.ID {
		t.Fatal("rooms of different products share an id")
	}
	edit := func(change product.RoomInput) error {
		return w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Rooms = opt.Of([]product.RoomInput{change}) })
	}
	apitest.RefusedField(t, edit(product.RoomInput{ID: opt.Of(product.RoomID(foreign.ID)), Niveau: opt.Of(1)}), fault.CodeUnknownRoom, "rooms[0].id")
	if err := edit(product.RoomInput{ID: opt.Of(product.RoomID(room.ID)), Niveau: opt.Of(-1), Vue: opt.Null[string]()}); err != nil {
		t.Fatal(err)
	}
	if err := edit(product.RoomInput{Type: opt.Of("CHAMBRE")}); err != nil {
		t.Fatal(err)
	}
	after := rooms(id)
	if len(after) != 2 || *after[0].Niveau != -1 || after[0].Vue != nil || *after[0].Surface != 20.5 || after[1].Type != "CHAMBRE" {
		t.Errorf("the rooms are %+v", after)
	}
	if _, err := w.Listing.DeleteRoom(t.Context(), full, listing.DeleteRoom{ID: id, RoomID: room.ID}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Listing.DeleteRoom(t.Context(), full, listing.DeleteRoom{ID: id, RoomID: room.ID})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	if left := rooms(id); len(left) != 1 || left[0].Type != "CHAMBRE" {
		t.Errorf("the rooms left are %+v", left)
	}
}

func TestP31_G21_Delete(t *testing.T) {
	w := newWorld(t)
	id := w.CreateProduct()
	full := w.As("full", 1)
	if _, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: id}); err != nil {
		t.Fatal(err)
	}
	if types := w.Events(1, 0); types[len(types)-1] != "PRODUCT_DELETE" {
		t.Errorf("the events are %v", types)
	}
	_, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: id})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = w.Listing.GetProduct(t.Context(), w.Again(full), listing.ReadProduct{ID: id})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	apitest.Refused(t, w.UpdateProduct(id, func(*listing.UpdateProduct) {}), fault.NotFound, fault.CodeNotFound)
	if found := w.FindProducts(full, listing.SearchProducts{}); len(found) != 0 {
		t.Errorf("a search still finds %v", found)
	}
}

func TestG1_ProductsOfOthers(t *testing.T) {
	w := newWorld(t)
	mine := w.CreateProduct()
	rival := w.As("rival", 2)
	for name, call := range map[string]func(id int64) error{
		"get": func(id int64) error {
			_, err := w.Listing.GetProduct(t.Context(), w.Again(rival), listing.ReadProduct{ID: id})
			return err
		},
		"criteria": func(id int64) error {
			_, err := w.Listing.ListProductCriteria(t.Context(), rival, listing.ProductPath{ID: id})
			return err
		},
		"lots": func(id int64) error {
			_, err := w.Listing.ListLots(t.Context(), w.Again(rival), listing.ReadProduct{ID: id})
			return err
		},
		"update": func(id int64) error {
			_, err := w.Listing.UpdateProduct(t.Context(), rival, listing.UpdateProduct{ID: id, ProductID: opt.Of(id)})
			return err
		},
		"delete": func(id int64) error {
			_, err := w.Listing.DeleteProduct(t.Context(), rival, listing.DeleteProduct{ID: id})
			return err
		},
		"room": func(id int64) error {
			_, err := w.Listing.DeleteRoom(t.Context(), rival, listing.DeleteRoom{ID: id, RoomID: 1})
			return err
		},
	} {
		foreign, absent := call(mine), call(424242)
		apitest.Refused(t, foreign, fault.NotFound, fault.CodeNotFound)
		if foreign.Error() != absent.Error() {
			t.Errorf("%s: a foreign product shows: %v, not %v", name, foreign, absent)
		}
	}
	w.ReadProduct(w.As("full", 1), mine, "")
}

// TestProductsOfAnAgencyThatLeft: they are the site's own, so they are refused
// rather than denied.
func TestProductsOfAnAgencyThatLeft(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.CreateProductAs(full, apitest.InAgency(12))
	setup := apitest.Network()
	no := false
	setup.Sites[0].Agencies[1].InScope = &no
	w.Provision(setup)
	_, err := w.Listing.GetProduct(t.Context(), w.Again(full), listing.ReadProduct{ID: id})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeResourceOutOfScope)
	apitest.Refused(t, w.UpdateProduct(id, func(*listing.UpdateProduct) {}), fault.Forbidden, fault.CodeResourceOutOfScope)
	if found := w.FindProducts(full, listing.SearchProducts{}); len(found) != 0 {
		t.Errorf("a search finds %v", found)
	}
}

func TestL1_LotsHaveOneLevel(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	parent := w.CreateProduct()
	lot := func(parent int64, model string) (kernel.Created, error) {
		in := apitest.InAgency(11)
		in.ParentID, in.Model = opt.Of(parent), opt.Of(model)
		return w.Listing.CreateProduct(t.Context(), full, in)
	}
	b, err := lot(parent, "B")
	if err != nil {
		t.Fatal(err)
	}
	a, err := lot(parent, "A")
	if err != nil {
		t.Fatal(err)
	}
	_, err = lot(a.ID, "C")
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "parent_id")
	records, err := w.Listing.ListLots(t.Context(), w.Again(full), listing.ReadProduct{ID: parent})
	if err != nil {
		t.Fatal(err)
	}
	lots, err := records.Data.All(t.Context())
	if err != nil || len(lots) != 2 || lots[0].ID != a.ID || lots[1].ID != b.ID {
		t.Errorf("the lots by reference are %+v, %v", lots, err)
	}
	if got := w.ReadProduct(full, parent, "").LotsCount; got != 2 {
		t.Errorf("the product counts %d lots", got)
	}
}

func TestM4_Limits(t *testing.T) {
	w := newWorld(t)
	id := w.CreateProduct()
	err := w.UpdateProduct(id, func(in *listing.UpdateProduct) {
		var many []any
		for i := range 501 {
			many = append(many, "Prix", i)
		}
		in.Criteria = apitest.Criteria(many...)
	})
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "criteria")
	err = w.UpdateProduct(id, func(in *listing.UpdateProduct) {
		in.Rooms = opt.Of(make([]product.RoomInput, 101))
		for i := range in.Rooms.Value {
			in.Rooms.Value[i].Type = opt.Of("CHAMBRE")
		}
	})
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "rooms")
	err = w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Model = opt.Of(strings.Repeat("x", 256)) })
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "model")
}
