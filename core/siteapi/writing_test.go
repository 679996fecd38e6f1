package siteapi_test

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
)

// number is a number as a request writes it.
func number(text string) criteria.Literal { return criteria.Literal(text) }

func inAgency(id int64) (in listing.CreateProduct) {
	in.AgencyID = opt.Of(id)
	return in
}

// update patches a product of site 1 and returns what came of it.
func (w *world) update(id int64, edit func(*listing.UpdateProduct)) error {
	w.t.Helper()
	in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
	edit(&in)
	_, err := w.Listing.UpdateProduct(w.t.Context(), w.as("full", 1), in)
	return err
}

func TestP1_P3_AgencyOfANewProduct(t *testing.T) {
	w := newWorld(t)
	_, err := w.Listing.CreateProduct(t.Context(), w.as("full", 1), listing.CreateProduct{})
	refusedField(t, err, fault.CodeRequired, "agency_id")
	only := w.createAs(w.as("rival", 2), listing.CreateProduct{})
	if got := w.read(w.as("rival", 2), only, "").AgencyID; got != 21 {
		t.Errorf("the only agency of the scope is 21, not %d", got)
	}
	for name, agency := range map[string]int64{"another site's": 21, "one that left": 13, "unknown": 99} {
		_, err := w.Listing.CreateProduct(t.Context(), w.as("full", 1), inAgency(agency))
		t.Log(name)
		refused(t, err, fault.Forbidden, fault.CodeAgencyOutOfScope)
	}
	_, err = w.Listing.CreateProduct(t.Context(), w.as("full", 1), inAgency(0))
	refusedField(t, err, fault.CodeOutOfRange, "agency_id")
	if types := w.events(1, 0); strings.Join(types, " ") != "CUSTOMER_CREATE CUSTOMER_CREATE" {
		t.Errorf("refused creations left events: %v", types)
	}
}

func TestP4_UnknownUsers(t *testing.T) {
	w := newWorld(t)
	for name, user := range map[string]int64{"unknown": 9, "inactive": 102, "outside the scope": 103, "another site's": 201} {
		in := inAgency(11)
		in.UserID = opt.Of(user)
		_, err := w.Listing.CreateProduct(t.Context(), w.as("full", 1), in)
		t.Log(name)
		refusedField(t, err, fault.CodeUnknownUser, "user_id")
	}
}

func TestP2_OwnerAndParentMustBeInScope(t *testing.T) {
	w := newWorld(t)
	for name, id := range map[string]int64{"unknown": 9, "outside the scope": 1003, "another site's": 2001} {
		in := inAgency(11)
		in.CustomerID = opt.Of(id)
		_, err := w.Listing.CreateProduct(t.Context(), w.as("full", 1), in)
		t.Log(name)
		refusedField(t, err, fault.CodeUnknownCustomer, "customer_id")
	}
	foreign := w.createAs(w.as("rival", 2), listing.CreateProduct{})
	for _, id := range []int64{foreign, 99999} {
		in := inAgency(11)
		in.ParentID = opt.Of(id)
		_, err := w.Listing.CreateProduct(t.Context(), w.as("full", 1), in)
		refusedField(t, err, fault.CodeUnknownProduct, "parent_id")
	}
}

func TestP5_P6_DefaultsOfANewProduct(t *testing.T) {
	w := newWorld(t)
	p := w.read(w.as("full", 1), w.create(), "")
	if p.WebStatus || p.Intercabinet || p.SellerStatistics || p.Color != nil || p.NextContact != nil || p.UserID != nil {
		t.Errorf("the defaults are %+v", p.ProductFields)
	}
	if p.Status == nil || *p.Status != "EnCours" {
		t.Errorf("the default status of site 1 is EnCours, not %v", p.Status)
	}
	rival := w.as("rival", 2)
	if q := w.read(rival, w.createAs(rival, listing.CreateProduct{}), ""); q.Status == nil || *q.Status != "Projet" {
		t.Errorf("the default status of site 2 is Projet, not %v", q.Status)
	}
}

func TestP8_P9_GeneratedReferences(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	reference := func(in listing.CreateProduct) string { return w.read(full, w.createAs(full, in), "").Model }
	chosen := inAgency(11)
	chosen.Model = opt.Of("11-40")
	empty := inAgency(11)
	empty.Model = opt.Of("")
	other := inAgency(12)
	for i, step := range []struct {
		in   listing.CreateProduct
		want string
	}{{inAgency(11), "11-1"}, {chosen, "11-40"}, {empty, "11-41"}, {other, "12-1"}, {inAgency(11), "11-42"}} {
		if got := reference(step.in); got != step.want {
			t.Errorf("step %d: the reference is %s, want %s", i, got, step.want)
		}
	}
	last := w.createAs(full, inAgency(11))
	if _, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: last}); err != nil {
		t.Fatal(err)
	}
	if got := reference(inAgency(11)); got != "11-44" {
		t.Errorf("a deleted product's reference was used again: %s", got)
	}
}

func TestP9_AReferenceChosenByHandIsPassedOver(t *testing.T) {
	w := newWorld(t)
	setup := smallNetwork()
	setup.Sites[0].ReferencePattern = "MANDAT {number}"
	if _, err := w.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	chosen := inAgency(11)
	chosen.Model = opt.Of("mandat 1") // not the pattern's spelling, but the same reference
	full := w.as("full", 1)
	w.createAs(full, chosen)
	p := w.read(full, w.createAs(full, inAgency(11)), "")
	if p.Model != "MANDAT 2" {
		t.Errorf("the reference is %q, want MANDAT 2", p.Model)
	}
	if types := w.events(1, 0); len(types) != 4 {
		t.Errorf("two creations after two customers, but the events are %v", types)
	}
}

func TestP10_P12_ReferencesAreUniqueInTheirAgency(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	named := func(agency int64, model string) (api.Created, error) {
		in := inAgency(agency)
		in.Model = opt.Of(model)
		return w.Listing.CreateProduct(t.Context(), full, in)
	}
	first, err := named(11, "Été-1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = named(11, "ÉTÉ-1")
	refusedField(t, err, fault.CodeReferenceTaken, "model")
	there, err := named(12, "Été-1")
	if err != nil {
		t.Error("another agency may use the reference:", err)
	}
	before := w.seq(1)
	err = w.update(there.ID, func(in *listing.UpdateProduct) { in.AgencyID = opt.Of(int64(11)) })
	refusedField(t, err, fault.CodeReferenceTaken, "model")
	if w.seq(1) != before {
		t.Error("a refused move left an event")
	}
	if _, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: first.ID}); err != nil {
		t.Fatal(err)
	}
	_, err = named(11, "été-1")
	refusedField(t, err, fault.CodeReferenceTaken, "model")
}

func TestFiftyParallelCreationsGetDistinctReferences(t *testing.T) {
	w := newWorld(t)
	caller := w.as("full", 1)
	var creations sync.WaitGroup
	ids := make([]int64, 50)
	for i := range ids {
		creations.Go(func() {
			created, err := w.Listing.CreateProduct(t.Context(), caller, inAgency(11))
			if err != nil {
				t.Error(err)
			}
			ids[i] = created.ID
		})
	}
	creations.Wait()
	seen := map[string]bool{}
	for _, id := range ids {
		seen[w.read(caller, id, "").Model] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d distinct references, want 50", len(seen))
	}
}

func TestP13_ProductIDInTheBody(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	_, err := w.Listing.UpdateProduct(t.Context(), w.as("full", 1), listing.UpdateProduct{ID: id})
	refusedField(t, err, fault.CodeProductIDRequired, "product_id")
	_, err = w.Listing.UpdateProduct(t.Context(), w.as("full", 1), listing.UpdateProduct{ID: id, ProductID: opt.Of(id + 1)})
	refusedField(t, err, fault.CodeProductIDMismatch, "product_id")
}

func TestP14_NoChangeLeavesNoTrace(t *testing.T) {
	w := newWorld(t)
	id := w.create(criterion("Prix", number("250000")), criterion("Equipements", []any{"PISCINE", "ALARME"}))
	full := w.as("full", 1)
	before, seq := w.read(full, id, ""), w.seq(1)
	w.clock.advance(time.Hour)
	for name, edit := range map[string]func(*listing.UpdateProduct){
		"only product_id": func(*listing.UpdateProduct) {},
		"the same values": func(in *listing.UpdateProduct) {
			in.Criteria = criteriaOf(criterion("6", "250000.0"), criterion("Equipements", []any{"ALARME", "PISCINE", "ALARME"}))
			in.Model, in.WebStatus = opt.Of(before.Model), opt.Of(false)
		},
		"clearing what is not there": func(in *listing.UpdateProduct) { in.Color = opt.Null[int]() },
	} {
		if err := w.update(id, edit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after := w.read(full, id, ""); !after.LastModified.Equal(before.LastModified.Time) || w.seq(1) != seq {
			t.Errorf("%s: the product was modified", name)
		}
	}
}

func TestP35_EveryChangeIsOneEvent(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	full := w.as("full", 1)
	for name, edit := range map[string]func(*listing.UpdateProduct){
		"criterion": func(in *listing.UpdateProduct) { in.Criteria = criteriaOf(criterion("Prix", number("1"))) },
		"room": func(in *listing.UpdateProduct) {
			in.Rooms = opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR")}, {Type: opt.Of("CHAMBRE")}})
		},
		"flag":  func(in *listing.UpdateProduct) { in.WebStatus = opt.Of(true) },
		"agent": func(in *listing.UpdateProduct) { in.UserID = opt.Of(int64(101)) },
		"move":  func(in *listing.UpdateProduct) { in.AgencyID = opt.Of(int64(12)) },
		"day":   func(in *listing.UpdateProduct) { in.NextContact = opt.Of("2026-12-01") },
		"color": func(in *listing.UpdateProduct) { in.Color = opt.Of(3) },
	} {
		w.clock.advance(time.Second)
		seq := w.seq(1)
		if err := w.update(id, edit); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if types := w.events(1, seq); len(types) != 1 || types[0] != "PRODUCT_UPDATE" {
			t.Errorf("%s: the events are %v", name, types)
		}
		if got := w.read(full, id, "").LastModified; !got.Equal(w.clock.Now()) {
			t.Errorf("%s: last_modified is %v", name, got)
		}
	}
}

func TestP18_P20_P26_UnrecognisedValues(t *testing.T) {
	w := newWorld(t)
	in := inAgency(11)
	in.Criteria = criteriaOf(criterion("TypeBien", "Château"))
	_, err := w.Listing.CreateProduct(t.Context(), w.as("full", 1), in)
	refusedField(t, err, fault.CodeCriteriaValueUnknown, "criteria[0].value")

	id := w.create()
	patch := func(inputs ...product.CriterionInput) error {
		return w.update(id, func(in *listing.UpdateProduct) { in.Criteria = criteriaOf(inputs...) })
	}
	err = patch(criterion("TypeBien", "Château"))
	refused(t, err, fault.Unrecognised, fault.CodeCriteriaValueUnknown)
	if accepted := fault.From(err).Details[0].Accepted; len(accepted) != 3 {
		t.Errorf("the accepted values are %v", accepted)
	}
	refused(t, patch(criterion("TypeBien", "Château"), criterion("Prix", "cher")), fault.Invalid, fault.CodeValidationError)
	refused(t, patch(criterion("Prix", "cher")), fault.Invalid, fault.CodeInvalidCriteriaValue)
	refused(t, patch(criterion("Nope", "x")), fault.Invalid, fault.CodeUnknownCriterion)
	err = w.update(id, func(in *listing.UpdateProduct) { in.Rooms = opt.Of([]product.RoomInput{{Type: opt.Of("CRYPTE")}}) })
	refused(t, err, fault.Invalid, fault.CodeCriteriaValueUnknown)
}

func TestP21_AWriteIsAllOrNothing(t *testing.T) {
	w := newWorld(t)
	id := w.create(criterion("Prix", number("1")))
	seq := w.seq(1)
	err := w.update(id, func(in *listing.UpdateProduct) {
		in.Criteria = criteriaOf(criterion("Prix", number("2")), criterion("Surface", "grand"))
		in.WebStatus = opt.Of(true)
	})
	if !errors.Is(err, fault.Invalid) {
		t.Fatal(err)
	}
	p := w.read(w.as("full", 1), id, "")
	if *p.Price != 1 || p.WebStatus || w.seq(1) != seq {
		t.Error("part of a refused write was kept")
	}
}

func TestP22_P24_P25_Rooms(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	in := inAgency(11)
	in.Rooms = opt.Of([]product.RoomInput{{ID: opt.Of(product.RoomID(1)), Type: opt.Of("SEJOUR")}})
	_, err := w.Listing.CreateProduct(t.Context(), full, in)
	refusedField(t, err, fault.CodeRoomIDNotAllowed, "rooms[0].id")

	in.Rooms = opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR"), Surface: opt.Of(20.5), Vue: opt.Of("MER"), Sol: opt.Of("PARQUET")}})
	id, other := w.createAs(full, in), w.createAs(full, in)
	rooms := func(id int64) []listing.Room { return *w.read(full, id, "rooms").Rooms }
	room, foreign := rooms(id)[0], rooms(other)[0]
	if room.ID == foreign.ID {
		t.Fatal("rooms of different products share an id")
	}
	edit := func(change product.RoomInput) error {
		return w.update(id, func(in *listing.UpdateProduct) { in.Rooms = opt.Of([]product.RoomInput{change}) })
	}
	refusedField(t, edit(product.RoomInput{ID: opt.Of(product.RoomID(foreign.ID)), Niveau: opt.Of(1)}), fault.CodeUnknownRoom, "rooms[0].id")
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
	refused(t, err, fault.NotFound, fault.CodeNotFound)
	if left := rooms(id); len(left) != 1 || left[0].Type != "CHAMBRE" {
		t.Errorf("the rooms left are %+v", left)
	}
}

func TestP31_G21_Delete(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	full := w.as("full", 1)
	if _, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: id}); err != nil {
		t.Fatal(err)
	}
	if types := w.events(1, 0); types[len(types)-1] != "PRODUCT_DELETE" {
		t.Errorf("the events are %v", types)
	}
	_, err := w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: id})
	refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = w.Listing.GetProduct(t.Context(), w.again(full), listing.ReadProduct{ID: id})
	refused(t, err, fault.NotFound, fault.CodeNotFound)
	refused(t, w.update(id, func(*listing.UpdateProduct) {}), fault.NotFound, fault.CodeNotFound)
	if found := w.found(full, listing.SearchProducts{}); len(found) != 0 {
		t.Errorf("a search still finds %v", found)
	}
}

func TestG1_ProductsOfOthers(t *testing.T) {
	w := newWorld(t)
	mine := w.create()
	rival := w.as("rival", 2)
	for name, call := range map[string]func(id int64) error{
		"get": func(id int64) error {
			_, err := w.Listing.GetProduct(t.Context(), w.again(rival), listing.ReadProduct{ID: id})
			return err
		},
		"criteria": func(id int64) error {
			_, err := w.Listing.ListProductCriteria(t.Context(), rival, listing.ProductPath{ID: id})
			return err
		},
		"lots": func(id int64) error {
			_, err := w.Listing.ListLots(t.Context(), w.again(rival), listing.ReadProduct{ID: id})
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
		refused(t, foreign, fault.NotFound, fault.CodeNotFound)
		if foreign.Error() != absent.Error() {
			t.Errorf("%s: a foreign product shows: %v, not %v", name, foreign, absent)
		}
	}
	w.read(w.as("full", 1), mine, "")
}

// TestProductsOfAnAgencyThatLeft: they are the site's own, so they are refused
// rather than denied.
func TestProductsOfAnAgencyThatLeft(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.createAs(full, inAgency(12))
	setup := smallNetwork()
	no := false
	setup.Sites[0].Agencies[1].InScope = &no
	if _, err := w.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	_, err := w.Listing.GetProduct(t.Context(), w.again(full), listing.ReadProduct{ID: id})
	refused(t, err, fault.Forbidden, fault.CodeResourceOutOfScope)
	refused(t, w.update(id, func(*listing.UpdateProduct) {}), fault.Forbidden, fault.CodeResourceOutOfScope)
	if found := w.found(full, listing.SearchProducts{}); len(found) != 0 {
		t.Errorf("a search finds %v", found)
	}
}

func TestL1_LotsHaveOneLevel(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	parent := w.create()
	lot := func(parent int64, model string) (api.Created, error) {
		in := inAgency(11)
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
	refusedField(t, err, fault.CodeOutOfRange, "parent_id")
	records, err := w.Listing.ListLots(t.Context(), w.again(full), listing.ReadProduct{ID: parent})
	if err != nil {
		t.Fatal(err)
	}
	lots, err := records.All(t.Context())
	if err != nil || len(lots) != 2 || lots[0].ID != a.ID || lots[1].ID != b.ID {
		t.Errorf("the lots by reference are %+v, %v", lots, err)
	}
	if got := w.read(full, parent, "").LotsCount; got != 2 {
		t.Errorf("the product counts %d lots", got)
	}
}

func TestM4_Limits(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	err := w.update(id, func(in *listing.UpdateProduct) {
		var many []product.CriterionInput
		for i := range 501 {
			many = append(many, criterion("Prix", number(strconv.Itoa(i))))
		}
		in.Criteria = criteriaOf(many...)
	})
	refusedField(t, err, fault.CodeOutOfRange, "criteria")
	err = w.update(id, func(in *listing.UpdateProduct) {
		in.Rooms = opt.Of(make([]product.RoomInput, 101))
		for i := range in.Rooms.Value {
			in.Rooms.Value[i].Type = opt.Of("CHAMBRE")
		}
	})
	refusedField(t, err, fault.CodeOutOfRange, "rooms")
	err = w.update(id, func(in *listing.UpdateProduct) { in.Model = opt.Of(strings.Repeat("x", 256)) })
	refusedField(t, err, fault.CodeOutOfRange, "model")
}
