package criteria_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

func dictionary(keys ...string) *criteria.Dictionary {
	var defs []criteria.Definition
	for i, key := range keys {
		defs = append(defs, criteria.Definition{ID: criteria.ID(i + 1), Key: key, Type: criteria.TEXT})
	}
	return criteria.NewDictionary(defs, nil)
}

func TestK1_DigitsAreTheNumericID(t *testing.T) {
	d := dictionary("Prix", "Surface", "Prix2", "1a")
	for name, want := range map[string]string{
		"1": "Prix", "02": "Surface", "3": "Prix2", "0000000000000000000000003": "Prix2", "Prix2": "Prix2", "1a": "1a",
	} {
		if def, ok := d.Find(name); !ok || def.Key != want {
			t.Errorf("%q finds %q, %t", name, def.Key, ok)
		}
	}
	for _, name := range []string{"0", "5", "-1", "+1", "1.0", " 1", "9223372036854775807", "9223372036854775808", "99999999999999999999", "١", ""} {
		if def, ok := d.Find(name); ok {
			t.Errorf("%q finds %q", name, def.Key)
		}
	}
}

func TestK1_KeysAreNotDigitsAlone(t *testing.T) {
	for _, key := range []string{"1", "0", "007", "12345678901234567890"} {
		if err := (criteria.Definition{ID: 1, Key: key, Type: criteria.TEXT}).Validate(); err == nil {
			t.Errorf("the key %q could be mistaken for an id", key)
		}
	}
	for _, key := range []string{"1a", "-1", "1.0", "1 2", "a1"} {
		if err := (criteria.Definition{ID: 1, Key: key, Type: criteria.TEXT}).Validate(); err != nil {
			t.Error(err)
		}
	}
}

// The number 12 arrives here as its digits.
func TestK2_NumbersNameCriteriaByTheirDigits(t *testing.T) {
	d := criteria.NewDictionary(definitions, nil)
	for _, def := range definitions {
		byNumber, ok := d.Find(string(number(criteria.Number(def.ID).String())))
		if !ok || byNumber.Key != def.Key {
			t.Errorf("%d finds %q, %t", def.ID, byNumber.Key, ok)
		}
	}
}

func TestK3_ExactKeyThenTheOnlyOneInAnyCase(t *testing.T) {
	d := dictionary("TypeBien", "GES", "ges", "Été", "a", "A", "á")
	for name, want := range map[string]string{
		"TypeBien": "TypeBien", "typebien": "TypeBien", "TYPEBIEN": "TypeBien", "GES": "GES", "ges": "ges", "a": "a", "A": "A",
		"été": "Été", "ÉTÉ": "Été", "Á": "á",
	} {
		if def, ok := d.Find(name); !ok || def.Key != want {
			t.Errorf("%q finds %q, %t, not %q", name, def.Key, ok, want)
		}
	}
	for _, name := range []string{"Ges", "gEs", "Type Bien", "typebie", " TypeBien", "TypeBien ", "Ete", "\x00"} {
		if def, ok := d.Find(name); ok {
			t.Errorf("%q finds %q", name, def.Key)
		}
	}
	if _, ok := dictionary("ab", "AB", "aB").Find("Ab"); ok {
		t.Error("one of three keys that differ in case is found by a fourth spelling")
	}
}

// Find is what it says: the one definition whose key is the name, or else the
// one whose key is the name in another case.
func TestK3_FindIsUnambiguous(t *testing.T) {
	key := rapid.StringMatching(`[aAbB][aAbB1]{0,2}`)
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(key, 0, 8, rapid.ID).Draw(t, "keys")
		name := key.Draw(t, "name")
		var want []string
		for _, k := range keys {
			if strings.EqualFold(k, name) {
				want = append(want, k)
			}
		}
		if slices.Contains(want, name) {
			want = []string{name}
		}
		def, ok := dictionary(keys...).Find(name)
		if ok != (len(want) == 1) || ok && def.Key != want[0] {
			t.Fatalf("among %v, %q finds %q, %t", keys, name, def.Key, ok)
		}
	})
}

func TestDictionaryIsInOrderOfPosition(t *testing.T) {
	given := []criteria.Definition{
		{ID: 3, Key: "c", Position: 1}, {ID: 2, Key: "b", Position: 2}, {ID: 1, Key: "a", Position: 2}, {ID: math.MaxInt64, Key: "z", Position: 1},
		{ID: 4, Key: "d", Position: -1},
	}
	lists := []criteria.List{{ID: 3}, {ID: 1}, {ID: 2}}
	d := criteria.NewDictionary(given, lists)
	if given[0].Key != "c" || lists[0].ID != 3 {
		t.Error("making a dictionary sorted what it was made of")
	}
	var defined, all string
	for _, def := range d.Definitions() {
		defined += def.Key
	}
	for def := range d.All() {
		all += def.Key
	}
	if defined != "dczab" || all != defined {
		t.Errorf("the order is %s, and %s", defined, all)
	}
	for range d.All() {
		break // whoever has seen enough may leave
	}
	for _, def := range given {
		byID, ok := d.ByID(def.ID)
		byKey, found := d.ByKey(def.Key)
		if !ok || !found || byID.Key != def.Key || byKey.ID != def.ID {
			t.Errorf("%s finds %+v and %+v", def.Key, byID, byKey)
		}
	}
	for i, l := range d.Lists() {
		if l.ID != criteria.ListID(i+1) {
			t.Errorf("list %d comes at place %d", l.ID, i)
		}
	}
}

func TestDictionaryCannotBeChanged(t *testing.T) {
	d := criteria.NewDictionary([]criteria.Definition{{ID: 1, Key: "a"}}, []criteria.List{{ID: 1, Key: "rooms"}})
	d.Definitions()[0].Key = "b"
	d.Lists()[0].Key = "b"
	if def, ok := d.ByKey("a"); !ok || def.Key != "a" || d.Lists()[0].Key != "rooms" {
		t.Error("what it hands out changes the dictionary")
	}
	if _, ok := d.ByKey("A"); ok {
		t.Error("ByKey is exact")
	}
	if _, ok := d.ByID(2); ok {
		t.Error("there is no criterion 2")
	}
}

func TestListsAreFoundByID(t *testing.T) {
	views := criteria.List{ID: criteria.Views, Choices: []criteria.Choice{{ID: 1, Code: "MER", Active: true}, {ID: 2, Code: "MUR"}}}
	d := criteria.NewDictionary(nil, []criteria.List{views, {ID: criteria.RoomTypes}})
	found, ok := d.List(criteria.Views)
	if !ok || found.ID != 3 {
		t.Errorf("list 3 is %+v, %t", found, ok)
	}
	if c, ok := found.Choice("MUR"); !ok || c.ID != 2 || c.Active {
		t.Errorf("MUR is %+v, %t", c, ok)
	}
	for _, code := range []string{"mer", "", "1"} {
		if _, ok := found.Choice(code); ok {
			t.Errorf("%q is a code", code)
		}
	}
	if _, ok := d.List(criteria.FloorTypes); ok {
		t.Error("list 4 was not given")
	}
}
