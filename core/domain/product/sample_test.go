package product_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// choices makes a referential of the words; those with a minus are not active
// any more.
func choices(words string) (list []criteria.Choice) {
	for i, word := range strings.Fields(words) {
		code, closed := strings.CutPrefix(word, "-")
		list = append(list, criteria.Choice{ID: int64(i + 1), Code: code, Label: code, Active: !closed})
	}
	return list
}

func bound(f float64) *float64 { return &f }

var (
	two        = 2
	dictionary = criteria.NewDictionary([]criteria.Definition{
		{ID: 1, Key: "TypeBien", Type: criteria.UNIQUE, Active: true, Choices: choices("Appartement Maison Terrain -Chateau")},
		{ID: 2, Key: "Statut", Type: criteria.UNIQUE, Active: true, Choices: choices("Estimation EnCours SousCompromis Vendu Retire Archive")},
		{ID: 3, Key: "Prix", Type: criteria.NUMBER, Active: true, Min: bound(0), Decimals: &two},
		{ID: 4, Key: "Surface", Type: criteria.NUMBER, Active: true},
		{ID: 5, Key: "Ascenseur", Type: criteria.FLAG, Active: true},
		{ID: 6, Key: "Adresse", Type: criteria.TEXT, Active: true},
		{ID: 7, Key: "Ville", Type: criteria.TEXT, Active: true},
		{ID: 8, Key: "Alentour", Type: criteria.TEXT, Active: true},
		{ID: 9, Key: "Equipements", Type: criteria.MULTIPLE, Active: true, Choices: choices("PISCINE SAUNA TENNIS -MINITEL")},
		{ID: 10, Key: "DateDPE", Type: criteria.DATE, Active: true},
		{ID: 11, Key: "VisiteVirtuelle", Type: criteria.TEXT, Active: true},
		{ID: 12, Key: "Minitel", Type: criteria.NUMBER},
	}, []criteria.List{
		{ID: criteria.RoomTypes, Choices: choices("SEJOUR CHAMBRE CUISINE -FUMOIR")},
		{ID: criteria.Expositions, Choices: choices("N S E -CENTRE")},
		{ID: criteria.Views, Choices: choices("MER JARDIN -MUR")},
		{ID: criteria.FloorTypes, Choices: choices("PARQUET LINO -TERRE")},
	})
	rules = product.Rules{Dictionary: dictionary, Zone: time.FixedZone("été", 2*3600), DefaultStatus: "EnCours"}
)

func pointer[T any](v T) *T { return &v }

// number is a number as a request writes it.
type number = criteria.Literal

func list(items ...any) []any { return append([]any{}, items...) }

// give changes one criterion.
func give(id string, value any) product.CriterionInput {
	return product.CriterionInput{ID: id, Value: criteria.Raw{V: value}}
}

func criteriaOf(changes ...product.CriterionInput) product.Change {
	return product.Change{Criteria: opt.Of(changes)}
}

func roomsOf(changes ...product.RoomInput) product.Change {
	return product.Change{Rooms: opt.Of(changes)}
}

func create(c product.Change) (product.Product, fault.Problems) {
	var problems fault.Problems
	return rules.Create(c, &problems), problems
}

func update(p product.Product, c product.Change) (product.Product, fault.Problems) {
	var problems fault.Problems
	return rules.Update(p, c, &problems), problems
}

// told writes problems as "field code", one after the other.
func told(problems fault.Problems) string {
	if problems.Empty() {
		return ""
	}
	var words []string
	for _, d := range fault.From(problems.Err()).Details {
		words = append(words, d.Field+" "+string(d.Code))
	}
	return strings.Join(words, ", ")
}

func mustCreate(t testing.TB, c product.Change) product.Product {
	t.Helper()
	p, problems := create(c)
	if !problems.Empty() {
		t.Fatalf("creating: %s", told(problems))
	}
	return p
}

func mustUpdate(t testing.TB, p product.Product, c product.Change) product.Product {
	t.Helper()
	after, problems := update(p, c)
	if !problems.Empty() {
		t.Fatalf("updating: %s", told(problems))
	}
	return after
}

// flat is a product that has some of everything.
func flat(t testing.TB) product.Product {
	t.Helper()
	p := mustCreate(t, product.Change{
		Criteria: opt.Of([]product.CriterionInput{
			give("TypeBien", "Appartement"), give("Prix", number("250000")), give("Surface", "65.5"), give("Ascenseur", true),
			give("Adresse", "3 rue de l'Église"), give("Ville", "Saint-Étienne"), give("Alentour", "45.4397,4.3872"),
			give("Equipements", list("SAUNA", "PISCINE")), give("DateDPE", "16/09/2026"),
		}),
		Model: opt.Of("M-7"), AgencyID: opt.Of(int64(11)), UserID: opt.Of(int64(101)), WebStatus: opt.Of(true),
		NextContact: opt.Of("2026-10-01"), Color: opt.Of(3),
		Rooms: opt.Of([]product.RoomInput{
			{Type: opt.Of("SEJOUR"), Surface: opt.Of(25.5), Niveau: opt.Of(2), Exposition: opt.Of("S"), Vue: opt.Of("MER"), Commentaire: opt.Of("clair")},
			{Type: opt.Of("CHAMBRE"), Sol: opt.Of("PARQUET")},
		}),
		Descriptions: opt.Of([]product.DescriptionInput{
			{Language: "fr", Title: opt.Of("Bel appartement"), Text: opt.Of("À voir."), ShortText: opt.Of("Beau")}, {Language: "en", Text: opt.Of("Nice.")},
		}),
	})
	p.ID, p.Site, p.Customer = 1, 1, 1001
	p.Added, p.Modified, p.Version = time.Unix(1e9, 0), time.Unix(1e9, 0), 4
	for i := range p.Rooms {
		p.Rooms[i].ID = product.RoomID(501 + i)
	}
	p.Pictures = []product.Picture{
		{ID: 1, Visibility: product.Public, Label: "Façade", Width: 1200, Height: 800, Size: 9, ContentType: "image/png", SHA256: "a", Sent: "b", Added: p.Added},
		{ID: 2, Visibility: product.Private, Width: 800, Height: 600},
	}
	return p
}

// whole describes everything a product holds, pointers followed.
func whole(p product.Product) string {
	var rooms []string
	for _, r := range p.Rooms {
		surface, level := "none", "none"
		if r.Surface != nil {
			surface = fmt.Sprint(*r.Surface)
		}
		if r.Niveau != nil {
			level = fmt.Sprint(*r.Niveau)
		}
		r.Surface, r.Niveau = nil, nil
		rooms = append(rooms, fmt.Sprintf("%+v %s %s", r, surface, level))
	}
	p.Rooms = nil
	return fmt.Sprintf("%#v %#v", p, rooms) // maps are printed in the order of their keys
}

// Generators.

func drawField[T any](t *rapid.T, label string, values ...T) opt.Field[T] {
	switch n := rapid.IntRange(-2, len(values)-1).Draw(t, label); n {
	case -2:
		return opt.Field[T]{}
	case -1:
		return opt.Null[T]()
	default:
		return opt.Of(values[n])
	}
}

// some is a field that is absent or has one of the values.
func some[T any](t *rapid.T, label string, values ...T) opt.Field[T] {
	if f := drawField(t, label, values...); !f.Null {
		return f
	}
	return opt.Field[T]{}
}

// possible are values of the criteria, the last of each list wrong.
var possible = map[string][]any{
	"TypeBien":        {"Appartement", "Maison", nil, "Chateau"},
	"Statut":          {"EnCours", "Vendu", "Archive", ""},
	"Prix":            {number("1"), "250000.5", number("2e5"), nil, "-1"},
	"Surface":         {"65.5", number("20"), "", "m2"},
	"Ascenseur":       {true, "0", nil, "oui"},
	"Adresse":         {"3 rue X", " 3 Rue X ", nil, true},
	"Ville":           {"Lyon", "Paris", "", "a\x00"},
	"Alentour":        {"48.8566,2.3522", "48.856600, 2.352200", nil, "0,0"},
	"Equipements":     {list("SAUNA"), list("TENNIS", "SAUNA"), "PISCINE", list(), list("MINITEL")},
	"DateDPE":         {"2026-09-16", "16/09/2026", "2026-09-16T08:30", nil, "2026-02-30"},
	"VisiteVirtuelle": {"https://visite.example/1", nil, list()},
}

func drawCriteria(t *rapid.T, keys []string, right bool) []product.CriterionInput {
	var changes []product.CriterionInput
	for _, key := range keys {
		values := possible[key]
		if right {
			values = values[:len(values)-1]
		}
		id := key
		if rapid.Bool().Draw(t, "by id") {
			def, _ := dictionary.Find(key)
			id = strconv.FormatInt(int64(def.ID), 10)
		}
		changes = append(changes, give(id, rapid.SampledFrom(values).Draw(t, key)))
	}
	return changes
}

var allKeys = func() (keys []string) {
	for def := range dictionary.All() {
		if def.Active {
			keys = append(keys, def.Key)
		}
	}
	return keys
}()

func drawKeys(t *rapid.T) []string {
	return rapid.Permutation(allKeys).Draw(t, "keys")[:rapid.IntRange(0, 5).Draw(t, "how many")]
}

// drawChange draws a change that adds no rooms; only a right one is sure to be
// accepted.
func drawChange(t *rapid.T, p product.Product, right bool) product.Change {
	c := product.Change{
		Model: some(t, "model", "A-1", " a-1", "B-2"), AgencyID: some(t, "agency", int64(11), 12),
		UserID:    drawField(t, "user", int64(101), 102),
		WebStatus: some(t, "web_status", true, false), Intercabinet: some(t, "intercabinet", true, false), SellerStatistics: some(t, "statistics", true, false),
		NextContact: drawField(t, "next_contact", "2026-10-01", "2020-02-29"), Color: drawField(t, "color", 1, 5),
	}
	if !right {
		c.Model = drawField(t, "another model", "A-1", "", "B-2")
		c.WebStatus = drawField(t, "another web_status", true)
		c.Color = drawField(t, "another color", 0, 6, 2)
		c.NextContact = drawField(t, "another next_contact", "2026-10-01", "01/10/2026")
	}
	if rapid.Bool().Draw(t, "criteria") {
		c.Criteria = opt.Of(drawCriteria(t, drawKeys(t), right))
	}
	if rapid.Bool().Draw(t, "rooms") {
		c.Rooms = opt.Of([]product.RoomInput{})
		for _, r := range p.Rooms {
			if rapid.Bool().Draw(t, "room") {
				change := drawRoomChange(t, right)
				change.ID = opt.Of(r.ID)
				c.Rooms.Value = append(c.Rooms.Value, change)
			}
		}
	}
	if rapid.Bool().Draw(t, "descriptions") {
		for _, language := range []string{"fr", "en", "de"} {
			if rapid.Bool().Draw(t, language) {
				c.Descriptions.Set = true
				c.Descriptions.Value = append(c.Descriptions.Value, product.DescriptionInput{
					Language: language, Title: drawField(t, "title", "A", "B"), Text: drawField(t, "text", "C", "D"), ShortText: drawField(t, "short", "E"),
				})
			}
		}
	}
	return c
}

func drawRoomChange(t *rapid.T, right bool) product.RoomInput {
	c := product.RoomInput{
		Type: some(t, "type", "SEJOUR", "CUISINE"), Surface: drawField(t, "surface", 12.5, 0, 20), Niveau: drawField(t, "niveau", -1, 0, 3),
		Exposition: drawField(t, "exposition", "N", "S", ""), Commentaire: drawField(t, "commentaire", "clair", ""),
	}
	if rapid.Bool().Draw(t, "view") {
		c.Vue = drawField(t, "vue", "MER", "JARDIN")
	} else {
		c.Sol = drawField(t, "sol", "PARQUET", "LINO")
	}
	if !right {
		c.Type, c.Vue, c.Surface = drawField(t, "another type", "FUMOIR", "SEJOUR"), drawField(t, "another vue", "MUR", "MER"), drawField(t, "another surface", -1, 1.5)
	}
	return c
}

// drawProduct draws a product as a history of creation and updates leaves it.
func drawProduct(t *rapid.T) product.Product {
	c := drawChange(t, product.Product{}, true)
	c.Rooms = opt.Of([]product.RoomInput{})
	for range rapid.IntRange(0, 3).Draw(t, "rooms") {
		change := drawRoomChange(t, true)
		change.Type = opt.Of("CHAMBRE")
		c.Rooms.Value = append(c.Rooms.Value, change)
	}
	p, problems := create(c)
	if !problems.Empty() {
		t.Fatalf("creating: %s", told(problems))
	}
	if p.ID = product.ID(rapid.Int64Range(1, 99).Draw(t, "id")); p.Reference == "" {
		p.Reference = fmt.Sprint("11-", p.ID)
	}
	if p.Agency == 0 {
		p.Agency = 11
	}
	for i := range p.Rooms {
		p.Rooms[i].ID = product.RoomID(10*int(p.ID) + i)
	}
	p.Modified = time.Unix(rapid.Int64Range(1e9, 1e9+3).Draw(t, "modified"), 0)
	p.Added = p.Modified.Add(-time.Duration(rapid.IntRange(0, 3).Draw(t, "age")) * time.Second)
	return p
}

// codes lists the codes that can still be chosen.
func codes(choices []criteria.Choice) (active []string) {
	for _, c := range choices {
		if c.Active {
			active = append(active, c.Code)
		}
	}
	return active
}
