package product_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// verbs are the two ways to write, for rules that hold for both.
var verbs = map[string]func(product.Change) (product.Product, fault.Problems){
	"create": create,
	"update": func(c product.Change) (product.Product, fault.Problems) {
		return update(product.Product{ID: 1, Reference: "1", Criteria: criteria.Values{"Statut": criteria.Unique("EnCours")}}, c)
	},
}

func TestP1_P5_P6_ANewProductNeedsNothing(t *testing.T) {
	p := mustCreate(t, product.Change{})
	want := product.Product{Criteria: criteria.Values{"Statut": criteria.Unique("EnCours")}}
	if whole(p) != whole(want) {
		t.Errorf("%+v", p)
	}
}

func TestP6_DefaultStatusIsTheSites(t *testing.T) {
	for setting, want := range map[string]string{"Estimation": "Estimation", "EnCours": "EnCours", "": "EnCours"} {
		var problems fault.Problems
		r := rules
		r.DefaultStatus = setting
		if p := r.Create(product.Change{}, &problems); p.Status() != want {
			t.Errorf("with the default %q a new product is %q", setting, p.Status())
		}
		if p := r.Create(criteriaOf(give("Statut", "Vendu")), &problems); p.Status() != "Vendu" {
			t.Errorf("the default %q replaces a given status with %q", setting, p.Status())
		}
	}
}

func TestP7_AProductAlwaysHasAStatus(t *testing.T) {
	for _, empty := range []any{nil, "", " ", list()} {
		if p := mustCreate(t, criteriaOf(give("Statut", empty))); p.Status() != "EnCours" {
			t.Errorf("created with %#v, the status is %q", empty, p.Status())
		}
		p, problems := update(flat(t), criteriaOf(give("statut", empty)))
		if got := told(problems); got != "criteria[0].value required" || p.Status() != "EnCours" {
			t.Errorf("updated with %#v: %s, the status is %q", empty, got, p.Status())
		}
	}
}

func TestP8_P11_AProductAlwaysHasAReference(t *testing.T) {
	for name, empty := range map[string]opt.Field[string]{"null": opt.Null[string](), "empty": opt.Of(""), "blank": opt.Of(" \u00a0")} {
		if p := mustCreate(t, product.Change{Model: empty}); p.Reference != "" {
			t.Errorf("created with %s, the reference is %q instead of the next free one", name, p.Reference)
		}
		p, problems := update(flat(t), product.Change{Model: empty})
		if got := told(problems); got != "model required" || p.Reference != "M-7" {
			t.Errorf("updated with %s: %s, the reference is %q", name, got, p.Reference)
		}
	}
	for verb, write := range verbs {
		if p, problems := write(product.Change{Model: opt.Of(" e\u0301-12 ")}); !problems.Empty() || p.Reference != "é-12" {
			t.Errorf("%s: %q, %s", verb, p.Reference, told(problems))
		}
	}
}

func TestP10_ReferencesAreComparedWithoutCase(t *testing.T) {
	for _, same := range []string{"M-É7", "m-é7", " M-e7 ", "M-E\u03017"} {
		if product.FoldReference(same) != product.FoldReference("M-É7") {
			t.Errorf("%q is another reference", same)
		}
	}
	for _, other := range []string{"M-E70", "ME7", "M E7", ""} {
		if product.FoldReference(other) == product.FoldReference("M-É7") {
			t.Errorf("%q is the same reference", other)
		}
	}
}

func TestP14_IdenticalValuesChangeNothing(t *testing.T) {
	before := flat(t)
	for name, c := range map[string]product.Change{
		"nothing": {},
		"empty arrays": {
			Criteria: opt.Of([]product.CriterionInput{}), Rooms: opt.Of([]product.RoomInput{}), Descriptions: opt.Of([]product.DescriptionInput{}),
		},
		"null arrays": {
			Criteria: opt.Null[[]product.CriterionInput](), Rooms: opt.Null[[]product.RoomInput](), Descriptions: opt.Null[[]product.DescriptionInput](),
		},
		"the values in other words": criteriaOf(
			give("1", "Appartement"), give("prix", "250000.00"), give("Surface", number("6.55e1")), give("Ascenseur", "1"),
			give("Adresse", " 3 rue de l'E\u0301glise"), give("Alentour", "+45.4397, 4.38720001"), give("9", list("PISCINE", "SAUNA", "PISCINE")),
			give("DateDPE", "2026-09-16"), give("Statut", "EnCours"),
		),
		"criteria removed that were not there": criteriaOf(give("VisiteVirtuelle", nil)),
		"the fields": {
			Model: opt.Of(" M-7"), AgencyID: opt.Of(int64(11)), UserID: opt.Of(int64(101)), WebStatus: opt.Of(true),
			Intercabinet: opt.Of(false), SellerStatistics: opt.Of(false), NextContact: opt.Of("2026-10-01"), Color: opt.Of(3),
		},
		"the rooms": roomsOf(
			product.RoomInput{ID: opt.Of(product.RoomID(501)), Type: opt.Of("SEJOUR"), Surface: opt.Of(25.50), Niveau: opt.Of(2), Vue: opt.Of("MER"), Commentaire: opt.Of("clair ")},
			product.RoomInput{ID: opt.Of(product.RoomID(502)), Surface: opt.Null[float64](), Exposition: opt.Of(""), Vue: opt.Null[string]()},
		),
		"the texts": {Descriptions: opt.Of([]product.DescriptionInput{
			{Language: "FR", Title: opt.Of(" Bel appartement"), Text: opt.Of("A\u0300 voir.")}, {Language: "de", Text: opt.Null[string]()},
		})},
	} {
		if after := mustUpdate(t, before, c); !after.Same(before) {
			t.Errorf("%s: %s\nbecame %s", name, whole(before), whole(after))
		}
	}
}

func TestP15_NullClearsWhatMayBeEmpty(t *testing.T) {
	p := mustUpdate(t, flat(t), product.Change{UserID: opt.Null[int64](), NextContact: opt.Null[string](), Color: opt.Null[int]()})
	if p.User != 0 || p.NextContact != "" || p.Color != 0 {
		t.Errorf("the user is %d, the contact %q, the color %d", p.User, p.NextContact, p.Color)
	}
	for field, c := range map[string]product.Change{
		"web_status invalid_type":        {WebStatus: opt.Null[bool]()},
		"intercabinet invalid_type":      {Intercabinet: opt.Null[bool]()},
		"seller_statistics invalid_type": {SellerStatistics: opt.Null[bool]()},
		"agency_id required":             {AgencyID: opt.Null[int64]()},
	} {
		before := flat(t)
		after, problems := update(before, c)
		if got := told(problems); got != field || !after.Same(before) {
			t.Errorf("%s: %s", field, got)
		}
		if p := mustCreate(t, c); p.WebStatus || p.Intercabinet || p.SellerStatistics || p.Agency != 0 {
			t.Errorf("%s: created as %+v", field, p)
		}
	}
}

func TestFieldsAreSet(t *testing.T) {
	for verb, write := range verbs {
		p, problems := write(product.Change{
			AgencyID: opt.Of(int64(12)), UserID: opt.Of(int64(102)), WebStatus: opt.Of(true), Intercabinet: opt.Of(true), SellerStatistics: opt.Of(true),
		})
		if !problems.Empty() || p.Agency != 12 || p.User != 102 || !p.WebStatus || !p.Intercabinet || !p.SellerStatistics {
			t.Errorf("%s: %+v, %s", verb, p, told(problems))
		}
	}
	p := mustUpdate(t, flat(t), product.Change{WebStatus: opt.Of(false)})
	if p.WebStatus || p.Color != 3 || p.User != 101 || p.Agency != 11 {
		t.Errorf("only web_status was to change: %+v", p)
	}
}

func TestP16_NextContactIsADay(t *testing.T) {
	for verb, write := range verbs {
		for _, day := range []string{"2026-10-01", "1999-12-31", "2024-02-29", "0001-01-01"} {
			if p, problems := write(product.Change{NextContact: opt.Of(day)}); !problems.Empty() || p.NextContact != day {
				t.Errorf("%s: %q is %q, %s", verb, day, p.NextContact, told(problems))
			}
		}
		for _, text := range []string{"", " ", "01/10/2026", "2026-10-1", "2026-02-29", "2026-10-01T08:00:00Z", "2026-10-01 ", "0000-01-01", "demain"} {
			p, problems := write(product.Change{NextContact: opt.Of(text)})
			if got := told(problems); got != "next_contact invalid_format" || p.NextContact != "" {
				t.Errorf("%s: %q is %q, %s", verb, text, p.NextContact, got)
			}
		}
	}
}

func TestP17_ColorIsOneToFive(t *testing.T) {
	for verb, write := range verbs {
		for color := -1; color <= 7; color++ {
			p, problems := write(product.Change{Color: opt.Of(color)})
			if color >= 1 && color <= 5 {
				if !problems.Empty() || p.Color != color {
					t.Errorf("%s: color %d is %d, %s", verb, color, p.Color, told(problems))
				}
			} else if got := told(problems); got != "color out_of_range" || p.Color != 0 {
				t.Errorf("%s: color %d is %d, %s", verb, color, p.Color, got)
			}
		}
	}
}

// P18: a code outside its referential has one code on both verbs, and the use
// case tells them apart by it. P20: everything else of the wrong type has
// others.
func TestP18_P20_CodesOfWrongValues(t *testing.T) {
	for verb, write := range verbs {
		for _, c := range []struct {
			key   string
			value any
			code  fault.Code
		}{
			{"TypeBien", "Villa", fault.CodeCriteriaValueUnknown},
			{"TypeBien", number("1"), fault.CodeCriteriaValueUnknown},
			{"TypeBien", "Chateau", fault.CodeCriteriaValueUnknown}, // K8
			{"Statut", "encours", fault.CodeCriteriaValueUnknown},
			{"Equipements", list("SAUNA", "X"), fault.CodeCriteriaValueUnknown},
			{"Equipements", "MINITEL", fault.CodeCriteriaValueUnknown},
			{"TypeBien", list("Maison"), fault.CodeInvalidCriteriaValue},
			{"Equipements", list(nil), fault.CodeInvalidCriteriaValue},
			{"Prix", "cher", fault.CodeInvalidCriteriaValue},
			{"Prix", "1,99", fault.CodeInvalidCriteriaValue},
			{"Prix", "-1", fault.CodeOutOfRange},
			{"Ascenseur", "oui", fault.CodeInvalidCriteriaValue},
			{"Ville", number("1"), fault.CodeInvalidCriteriaValue},
			{"Ville", "a\x00b", fault.CodeInvalidFormat},
			{"Ville", strings.Repeat("x", 256), fault.CodeOutOfRange},
			{"DateDPE", "2026-02-30", fault.CodeInvalidCriteriaValue},
			{"Alentour", "0,0", fault.CodeInvalidCoordinates},
			{"Alentour", "48,8566,2,3522", fault.CodeInvalidCoordinates},
		} {
			p, problems := write(criteriaOf(give("Surface", "12"), give(c.key, c.value)))
			if got, want := told(problems), "criteria[1].value "+string(c.code); got != want {
				t.Errorf("%s: %s = %v: %s, not %s", verb, c.key, c.value, got, want)
			}
			if _, kept := p.Criteria[c.key]; kept && c.key != "Statut" {
				t.Errorf("%s: %s = %v was kept", verb, c.key, c.value)
			}
		}
	}
	_, problems := create(criteriaOf(give("TypeBien", "Villa")))
	if got := fault.From(problems.Err()).Details[0].Accepted; !slices.Equal(got, []string{"Appartement", "Maison", "Terrain"}) {
		t.Errorf("accepted values are %v", got)
	}
}

func TestP19_UnknownCriteria(t *testing.T) {
	for verb, write := range verbs {
		for _, id := range []string{"Prx", "", "99", "0", "-3", "Prix "} {
			_, problems := write(criteriaOf(give("Prix", "1"), give(id, "1")))
			if got := told(problems); got != "criteria[1].id unknown_criterion" {
				t.Errorf("%s: %q: %s", verb, id, got)
			}
		}
	}
}

func TestK4_TheSameCriterionTwice(t *testing.T) {
	for verb, write := range verbs {
		for _, again := range []string{"Prix", "prix", "3", "003"} {
			for _, value := range []any{"2", "1", nil} {
				_, problems := write(criteriaOf(give("Prix", "1"), give("Surface", "1"), give(again, value)))
				if got := told(problems); got != "criteria[2].id duplicate_criterion" {
					t.Errorf("%s: Prix and %s: %s", verb, again, got)
				}
			}
		}
	}
}

func TestK5_AnEmptyValueRemovesTheCriterion(t *testing.T) {
	for _, empty := range []any{nil, "", "  ", list()} {
		for key := range flat(t).Criteria {
			if key == criteria.KeyStatus {
				continue // P7
			}
			p := mustUpdate(t, flat(t), criteriaOf(give(key, empty)))
			if _, there := p.Criteria[key]; there || len(p.Criteria) != len(flat(t).Criteria)-1 {
				t.Errorf("%s = %#v leaves %v", key, empty, p.Criteria)
			}
		}
	}
	if p := mustCreate(t, criteriaOf(give("Prix", nil), give("Alentour", ""))); len(p.Criteria) != 1 { // K18
		t.Errorf("created with %v", p.Criteria)
	}
}

func TestK12_PatchReplacesTheWholeSet(t *testing.T) {
	p := mustUpdate(t, flat(t), criteriaOf(give("Equipements", list("TENNIS"))))
	if got := p.Criteria["Equipements"]; !criteria.Equal(got, criteria.Multiple{"TENNIS"}) {
		t.Errorf("the set is %v", got)
	}
}

func TestK13_DatesWithoutAnOffsetAreInTheSitesZone(t *testing.T) {
	p := mustCreate(t, criteriaOf(give("DateDPE", "16/09/2026 08:30")))
	if got := criteria.Plain(p.Criteria["DateDPE"]); got != "2026-09-16T06:30:00.000Z" {
		t.Errorf("%v", got)
	}
}

func TestK14_InactiveCriteria(t *testing.T) {
	for verb, write := range verbs {
		for _, value := range []any{"1", nil, "x"} {
			p, problems := write(criteriaOf(give("Minitel", value)))
			if got := told(problems); got != "criteria[0].id criterion_inactive" || p.Criteria["Minitel"] != nil {
				t.Errorf("%s: %v: %s", verb, value, got)
			}
		}
	}
}

func TestP21_EverythingWrongIsTold(t *testing.T) {
	for verb, write := range verbs {
		_, problems := write(product.Change{
			Criteria: opt.Of([]product.CriterionInput{give("Prix", "x"), give("Nope", "1"), give("TypeBien", "Villa"), give("Ville", "Lyon")}),
			Model:    opt.Of(strings.Repeat("x", 256)), Color: opt.Of(9), NextContact: opt.Of("x"),
			Rooms:        opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR")}, {Type: opt.Of("X"), Surface: opt.Of(-1.0)}}),
			Descriptions: opt.Of([]product.DescriptionInput{{Language: "français"}}),
		})
		want := "model out_of_range, criteria[0].value invalid_criteria_value, criteria[1].id unknown_criterion, " +
			"criteria[2].value criteria_value_unrecognised, rooms[1].type criteria_value_unrecognised, rooms[1].surface out_of_range, " +
			"descriptions[0].language invalid_format, next_contact invalid_format, color out_of_range"
		if got := told(problems); got != want {
			t.Errorf("%s: %s", verb, got)
		}
	}
}

func room(id product.RoomID, c product.RoomInput) product.Change {
	c.ID = opt.Of(id)
	return roomsOf(c)
}

func TestP22_NewRoomsHaveNoID(t *testing.T) {
	_, problems := create(roomsOf(
		product.RoomInput{Type: opt.Of("SEJOUR")}, product.RoomInput{ID: opt.Of(product.RoomID(1)), Type: opt.Of("SEJOUR")},
		product.RoomInput{ID: opt.Of(product.RoomID(0)), Type: opt.Of("SEJOUR")},
	))
	if got := told(problems); got != "rooms[1].id room_id_not_allowed, rooms[2].id room_id_not_allowed" {
		t.Error(got)
	}
	p := mustCreate(t, roomsOf(product.RoomInput{ID: opt.Null[product.RoomID](), Type: opt.Of("SEJOUR")}))
	if len(p.Rooms) != 1 || p.Rooms[0].ID != 0 {
		t.Errorf("a room whose id is null became %+v", p.Rooms)
	}
}

func TestP23_UnknownRooms(t *testing.T) {
	for _, id := range []product.RoomID{0, -1, 1, 503} {
		before := flat(t)
		after, problems := update(before, room(id, product.RoomInput{Type: opt.Of("CUISINE")}))
		if got := told(problems); got != "rooms[0].id unknown_room" || !after.Same(before) {
			t.Errorf("room %d: %s", id, got)
		}
	}
	// A room that the same request adds has no id yet.
	_, problems := update(flat(t), roomsOf(product.RoomInput{Type: opt.Of("CUISINE")}, product.RoomInput{ID: opt.Of(product.RoomID(0)), Type: opt.Of("SEJOUR")}))
	if got := told(problems); got != "rooms[1].id unknown_room" {
		t.Error(got)
	}
}

func TestP28_OneRoomIsOneObject(t *testing.T) {
	before := flat(t)
	id := before.Rooms[0].ID
	for name, second := range map[string]product.RoomInput{
		"the floor after the view": {ID: opt.Of(id), Sol: opt.Of("PARQUET")},
		"nothing":                  {ID: opt.Of(id)},
	} {
		_, problems := update(before, roomsOf(product.RoomInput{ID: opt.Of(id), Vue: opt.Of("MER")}, second))
		if got := told(problems); got != "rooms[1].id ambiguous_field" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if _, problems := create(roomsOf(product.RoomInput{Type: opt.Of("CUISINE")}, product.RoomInput{Type: opt.Of("CUISINE")})); !problems.Empty() {
		t.Errorf("two rooms of one type: %s", told(problems))
	}
}

func TestP24_OnlyGivenFieldsOfARoomChange(t *testing.T) {
	before := flat(t).Rooms[0]
	for name, c := range map[string]struct {
		change product.RoomInput
		want   func(*product.Room)
	}{
		"nothing":             {product.RoomInput{}, func(*product.Room) {}},
		"type":                {product.RoomInput{Type: opt.Of("CUISINE")}, func(r *product.Room) { r.Type = "CUISINE" }},
		"surface":             {product.RoomInput{Surface: opt.Of(30.25)}, func(r *product.Room) { r.Surface = pointer(30.25) }},
		"surface null":        {product.RoomInput{Surface: opt.Null[float64]()}, func(r *product.Room) { r.Surface = nil }},
		"niveau 0":            {product.RoomInput{Niveau: opt.Of(0)}, func(r *product.Room) { r.Niveau = pointer(0) }},
		"niveau null":         {product.RoomInput{Niveau: opt.Null[int]()}, func(r *product.Room) { r.Niveau = nil }},
		"exposition":          {product.RoomInput{Exposition: opt.Of("N")}, func(r *product.Room) { r.Exposition = "N" }},
		"exposition null":     {product.RoomInput{Exposition: opt.Null[string]()}, func(r *product.Room) { r.Exposition = "" }},
		"vue empty":           {product.RoomInput{Vue: opt.Of("")}, func(r *product.Room) { r.Vue = "" }},
		"sol beside vue":      {product.RoomInput{Sol: opt.Of("LINO")}, func(r *product.Room) { r.Sol = "LINO" }},
		"commentaire":         {product.RoomInput{Commentaire: opt.Of(" e\u0301 ")}, func(r *product.Room) { r.Commentaire = "é" }},
		"commentaire null":    {product.RoomInput{Commentaire: opt.Null[string]()}, func(r *product.Room) { r.Commentaire = "" }},
		"sol null is nothing": {product.RoomInput{Sol: opt.Null[string]()}, func(*product.Room) {}},
	} {
		want := before
		c.want(&want)
		p := mustUpdate(t, flat(t), room(501, c.change))
		if got := p.Rooms[0]; whole(product.Product{Rooms: []product.Room{got}}) != whole(product.Product{Rooms: []product.Room{want}}) {
			t.Errorf("%s: %+v, not %+v", name, got, want)
		}
		if len(p.Rooms) != 2 || p.Rooms[1].Sol != "PARQUET" {
			t.Errorf("%s: the other room became %+v", name, p.Rooms[1:])
		}
	}
}

func TestP26_RoomsSpeakInCodesOfTheirLists(t *testing.T) {
	fields := map[string]struct {
		list criteria.ListID
		set  func(*product.RoomInput, string)
		get  func(product.Room) string
	}{
		"type":       {criteria.RoomTypes, func(c *product.RoomInput, s string) { c.Type = opt.Of(s) }, func(r product.Room) string { return r.Type }},
		"exposition": {criteria.Expositions, func(c *product.RoomInput, s string) { c.Exposition = opt.Of(s) }, func(r product.Room) string { return r.Exposition }},
		"vue":        {criteria.Views, func(c *product.RoomInput, s string) { c.Vue = opt.Of(s) }, func(r product.Room) string { return r.Vue }},
		"sol":        {criteria.FloorTypes, func(c *product.RoomInput, s string) { c.Sol = opt.Of(s) }, func(r product.Room) string { return r.Sol }},
	}
	for field, f := range fields {
		l, _ := dictionary.List(f.list)
		for verb, write := range verbs {
			for _, code := range codes(l.Choices) {
				c := product.RoomInput{Type: opt.Of("SEJOUR")}
				f.set(&c, code)
				if p, problems := write(roomsOf(c)); !problems.Empty() || f.get(p.Rooms[0]) != code {
					t.Errorf("%s: %s %s: %s", verb, field, code, told(problems))
				}
			}
			for _, wrong := range []string{"1", "sejour", "X", l.Choices[len(l.Choices)-1].Code} {
				c := product.RoomInput{Type: opt.Of("SEJOUR")}
				f.set(&c, wrong)
				_, problems := write(roomsOf(c))
				if got := told(problems); got != "rooms[0]."+field+" criteria_value_unrecognised" {
					t.Errorf("%s: %s %s: %s", verb, field, wrong, got)
				} else if got := fault.From(problems.Err()).Details[0].Accepted; !slices.Equal(got, codes(l.Choices)) {
					t.Errorf("%s: %s accepts %v", verb, field, got)
				}
			}
		}
	}
}

func TestP27_ARoomAlwaysHasAType(t *testing.T) {
	for verb, write := range verbs {
		for name, given := range map[string]opt.Field[string]{"missing": {}, "null": opt.Null[string](), "empty": opt.Of("")} {
			_, problems := write(roomsOf(product.RoomInput{Type: given, Surface: opt.Of(1.0)}))
			if got := told(problems); got != "rooms[0].type required" {
				t.Errorf("%s: %s: %s", verb, name, got)
			}
		}
	}
	before := flat(t)
	for name, given := range map[string]opt.Field[string]{"null": opt.Null[string](), "empty": opt.Of("")} {
		after, problems := update(before, room(501, product.RoomInput{Type: given}))
		if got := told(problems); got != "rooms[0].type required" || after.Rooms[0].Type != "SEJOUR" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestP28_VueAndSolExcludeEachOtherInAnUpdate(t *testing.T) {
	both := product.RoomInput{Type: opt.Of("SEJOUR"), Vue: opt.Of("MER"), Sol: opt.Of("LINO")}
	if p := mustCreate(t, roomsOf(both)); p.Rooms[0].Vue != "MER" || p.Rooms[0].Sol != "LINO" {
		t.Errorf("created as %+v", p.Rooms[0])
	}
	for name, c := range map[string]product.Change{"a new room": roomsOf(both), "a room that is there": room(501, both)} {
		before := flat(t)
		after, problems := update(before, c)
		if got := told(problems); got != "rooms[0].sol vue_sol_exclusive" || !after.Same(before) {
			t.Errorf("%s: %s", name, got)
		}
	}
	// What is stored is not touched, and only values count.
	p := mustUpdate(t, flat(t), room(501, product.RoomInput{Sol: opt.Of("LINO")}))
	if p.Rooms[0].Vue != "MER" || p.Rooms[0].Sol != "LINO" {
		t.Errorf("updated to %+v", p.Rooms[0])
	}
	for _, empty := range []opt.Field[string]{opt.Null[string](), opt.Of("")} {
		if p := mustUpdate(t, flat(t), room(501, product.RoomInput{Vue: empty, Sol: opt.Of("LINO")})); p.Rooms[0].Vue != "" || p.Rooms[0].Sol != "LINO" {
			t.Errorf("updated to %+v", p.Rooms[0])
		}
	}
	// Two rooms may have one each.
	mustUpdate(t, flat(t), roomsOf(
		product.RoomInput{ID: opt.Of(product.RoomID(501)), Vue: opt.Of("MER")}, product.RoomInput{ID: opt.Of(product.RoomID(502)), Sol: opt.Of("LINO")},
	))
}

func TestP29_SurfaceAndLevelOfARoom(t *testing.T) {
	for verb, write := range verbs {
		for _, s := range []float64{0, 0.01, 12.34, 99999.99, 0.07, 1.1, 1e6} {
			if p, problems := write(roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Surface: opt.Of(s)})); !problems.Empty() || *p.Rooms[0].Surface != s {
				t.Errorf("%s: %v m²: %s", verb, s, told(problems))
			}
		}
		if p, problems := write(roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Surface: opt.Of(0.30000000000000004)})); !problems.Empty() || *p.Rooms[0].Surface != 0.3 {
			t.Errorf("%s: what arithmetic leaves of 0.3 m²: %s", verb, told(problems))
		}
		for _, s := range []float64{-0.01, -1, 0.001, 12.345, 12.340000001, 0.30000000000001, 1e6 + 1, math.NaN(), math.Inf(1), math.Inf(-1)} {
			p, problems := write(roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Surface: opt.Of(s)}))
			if got := told(problems); got != "rooms[0].surface out_of_range" || p.Rooms[0].Surface != nil {
				t.Errorf("%s: %v m²: %s", verb, s, got)
			}
		}
		for _, n := range []int{0, 12, -1, -99, 999} {
			if p, problems := write(roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Niveau: opt.Of(n)})); !problems.Empty() || *p.Rooms[0].Niveau != n {
				t.Errorf("%s: level %d: %s", verb, n, told(problems))
			}
		}
		for _, n := range []int{-100, 1000} {
			p, problems := write(roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Niveau: opt.Of(n)}))
			if got := told(problems); got != "rooms[0].niveau out_of_range" || p.Rooms[0].Niveau != nil {
				t.Errorf("%s: level %d: %s", verb, n, got)
			}
		}
	}
}

func TestP29_EverySurfaceInSquareCentimetresIsAccepted(t *testing.T) {
	for hundredths := range 100_000 {
		s, err := strconv.ParseFloat(fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100), 64)
		if err != nil {
			t.Fatal(err)
		}
		if _, problems := create(roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Surface: opt.Of(s)})); !problems.Empty() {
			t.Fatalf("%v m²: %s", s, told(problems))
		}
	}
}

func TestP30_RoomsKeepTheirOrder(t *testing.T) {
	p := mustUpdate(t, flat(t), roomsOf(
		product.RoomInput{Type: opt.Of("CUISINE")}, product.RoomInput{ID: opt.Of(product.RoomID(502)), Type: opt.Of("SEJOUR")},
		product.RoomInput{Type: opt.Of("CHAMBRE")}, product.RoomInput{ID: opt.Of(product.RoomID(501)), Surface: opt.Of(1.0)},
	))
	var got []string
	for _, r := range p.Rooms {
		got = append(got, fmt.Sprintf("%d %s", r.ID, r.Type))
	}
	if want := "501 SEJOUR, 502 SEJOUR, 0 CUISINE, 0 CHAMBRE"; strings.Join(got, ", ") != want {
		t.Errorf("the rooms are %v", got)
	}
}

// P32: archiving is not deleting. P33: every transition is allowed. P34: the
// status and web_status have nothing to do with each other.
func TestP32_P33_P34_StatusIsAnOrdinaryCriterion(t *testing.T) {
	def, _ := dictionary.ByKey(criteria.KeyStatus)
	for _, from := range codes(def.Choices) {
		for _, to := range codes(def.Choices) {
			p := mustUpdate(t, flat(t), criteriaOf(give("Statut", from)))
			q := mustUpdate(t, p, criteriaOf(give("Statut", to)))
			if p.Status() != from || q.Status() != to || !q.Deleted.IsZero() || !q.WebStatus || q.Same(p) != (from == to) {
				t.Errorf("from %s to %s: %+v", from, to, q)
			}
			if r := mustUpdate(t, p, product.Change{WebStatus: opt.Of(false)}); r.Status() != from || r.WebStatus {
				t.Errorf("unpublishing changes %s to %s", from, r.Status())
			}
		}
	}
}

func TestM4_LimitsOfOneWrite(t *testing.T) {
	many := func(n int) product.Change {
		var changes []product.CriterionInput
		for i := range n {
			changes = append(changes, give(fmt.Sprint("K", i), "1"))
		}
		return criteriaOf(changes...)
	}
	var wide []criteria.Definition
	for i := range 501 {
		wide = append(wide, criteria.Definition{ID: criteria.ID(i + 1), Key: fmt.Sprint("K", i), Type: criteria.NUMBER, Active: true})
	}
	r := product.Rules{Dictionary: criteria.NewDictionary(wide, nil)}
	for n, want := range map[int]string{500: "", 501: "criteria out_of_range"} {
		var problems fault.Problems
		p := r.Update(product.Product{}, many(n), &problems)
		if got := told(problems); got != want || want == "" && len(p.Criteria) != n || want != "" && len(p.Criteria) != 0 {
			t.Errorf("%d criteria: %q, %d written", n, got, len(p.Criteria))
		}
	}

	newRooms := func(n int) product.Change {
		return roomsOf(slices.Repeat([]product.RoomInput{{Type: opt.Of("SEJOUR")}}, n)...)
	}
	mustCreate(t, newRooms(100))
	mustUpdate(t, flat(t), newRooms(98))
	full := mustCreate(t, newRooms(100))
	for i := range full.Rooms {
		full.Rooms[i].ID = product.RoomID(i + 1)
	}
	mustUpdate(t, full, room(7, product.RoomInput{Surface: opt.Of(1.0)}))
	for name, write := range map[string]func() fault.Problems{
		"101 new":           func() fault.Problems { _, found := create(newRooms(101)); return found },
		"99 beside 2":       func() fault.Problems { _, found := update(flat(t), newRooms(99)); return found },
		"one more than 100": func() fault.Problems { _, found := update(full, newRooms(1)); return found },
		"101 changes of one": func() fault.Problems {
			_, found := update(full, roomsOf(slices.Repeat([]product.RoomInput{{ID: opt.Of(product.RoomID(1))}}, 101)...))
			return found
		},
	} {
		if got := told(write()); got != "rooms out_of_range" {
			t.Errorf("%s: %s", name, got)
		}
	}

	text := func(n int) opt.Field[string] { return opt.Of(strings.Repeat("é", n)) }
	for verb, write := range verbs {
		for want, c := range map[string][2]product.Change{
			"model":                      {{Model: text(255)}, {Model: text(256)}},
			"rooms[0].commentaire":       {roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Commentaire: text(1000)}), roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Commentaire: text(1001)})},
			"descriptions[0].title":      {describe("fr", text(255), opt.Field[string]{}, opt.Field[string]{}), describe("fr", text(256), opt.Field[string]{}, opt.Field[string]{})},
			"descriptions[0].text":       {describe("fr", opt.Field[string]{}, text(10000), opt.Field[string]{}), describe("fr", opt.Field[string]{}, text(10001), opt.Field[string]{})},
			"descriptions[0].short_text": {describe("fr", opt.Field[string]{}, opt.Field[string]{}, text(1000)), describe("fr", opt.Field[string]{}, opt.Field[string]{}, text(1001))},
		} {
			if _, problems := write(c[0]); !problems.Empty() {
				t.Errorf("%s: the longest %s: %s", verb, want, told(problems))
			}
			if _, problems := write(c[1]); told(problems) != want+" out_of_range" {
				t.Errorf("%s: too long a %s: %s", verb, want, told(problems))
			}
		}
	}
}

func describe(language string, title, text, short opt.Field[string]) product.Change {
	return product.Change{Descriptions: opt.Of([]product.DescriptionInput{{Language: language, Title: title, Text: text, ShortText: short}})}
}

func TestG10_TextNoStoreCouldKeep(t *testing.T) {
	for verb, write := range verbs {
		for _, text := range []string{"a\x00b", "a\xffb"} {
			for want, c := range map[string]product.Change{
				"model":                      {Model: opt.Of(text)},
				"rooms[0].commentaire":       roomsOf(product.RoomInput{Type: opt.Of("SEJOUR"), Commentaire: opt.Of(text)}),
				"descriptions[0].title":      describe("fr", opt.Of(text), opt.Of("x"), opt.Of("x")),
				"descriptions[0].text":       describe("fr", opt.Of("x"), opt.Of(text), opt.Of("x")),
				"descriptions[0].short_text": describe("fr", opt.Of("x"), opt.Of("x"), opt.Of(text)),
			} {
				if _, problems := write(c); told(problems) != want+" invalid_format" {
					t.Errorf("%s: %s = %q: %s", verb, want, text, told(problems))
				}
			}
		}
	}
}

func TestDescriptionsByLanguage(t *testing.T) {
	absent := opt.Field[string]{}
	p := flat(t)
	p = mustUpdate(t, p, describe(" DE ", absent, opt.Of("Schön."), absent))
	p = mustUpdate(t, p, describe("fr", opt.Null[string](), absent, opt.Of("Bref")))
	p = mustUpdate(t, p, describe("en", absent, opt.Null[string](), absent))
	want := []product.Description{{Language: "fr", Text: "À voir.", ShortText: "Bref"}, {Language: "de", Text: "Schön."}}
	if !slices.Equal(p.Descriptions, want) {
		t.Errorf("%+v", p.Descriptions)
	}
	if flat(t).Title("fr") != "Bel appartement" || p.Title("fr") != "" || p.Title("it") != "" {
		t.Errorf("the titles are %q and %q", flat(t).Title("fr"), p.Title("fr"))
	}
	for _, language := range []string{"", "f", "fra", "f1", "é", "FRA", "f "} {
		if _, problems := update(flat(t), describe(language, absent, opt.Of("x"), absent)); told(problems) != "descriptions[0].language invalid_format" {
			t.Errorf("%q: %s", language, told(problems))
		}
	}
	_, problems := update(flat(t), product.Change{Descriptions: opt.Of([]product.DescriptionInput{
		{Language: "fr", Text: opt.Of("a")}, {Language: "FR", Text: opt.Of("b")},
	})})
	if got := told(problems); got != "descriptions[1].language ambiguous_field" {
		t.Errorf("a language given twice: %s", got)
	}
	var many []product.DescriptionInput
	for i := range 21 {
		many = append(many, product.DescriptionInput{Language: "a" + string(rune('a'+i)), Text: opt.Of("x")})
	}
	full := mustCreate(t, product.Change{Descriptions: opt.Of(many[:20])})
	mustUpdate(t, full, product.Change{Descriptions: opt.Of(many[:1])})
	none := slices.Clone(many)
	for i := range none {
		none[i].Text = opt.Null[string]()
	}
	for name, write := range map[string]func() fault.Problems{
		"21 languages": func() fault.Problems { _, found := create(product.Change{Descriptions: opt.Of(many)}); return found },
		"one beside 20": func() fault.Problems {
			_, found := update(full, product.Change{Descriptions: opt.Of(many[20:])})
			return found
		},
		"21 removed": func() fault.Problems {
			_, found := update(full, product.Change{Descriptions: opt.Of(none)})
			return found
		},
	} {
		if got := told(write()); got != "descriptions out_of_range" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestCreateLeavesToTheUseCaseWhatIsItsOwn(t *testing.T) {
	p := mustCreate(t, product.Change{Rooms: opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR")}})})
	if p.ID != 0 || p.Site != 0 || p.Customer != 0 || p.Parent != 0 || p.Reference != "" || p.Version != 0 || p.Rooms[0].ID != 0 ||
		p.Added != (time.Time{}) || p.Modified != (time.Time{}) || p.CreatedBy != 0 {
		t.Errorf("%+v", p)
	}
}
