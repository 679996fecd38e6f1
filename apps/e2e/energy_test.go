package e2e_test

import (
	"fmt"
	"slices"
	"testing"
)

// energyOf shows the letters of a product as its energy block tells them, with
// the regime when one was computed.
func (c *client) energyOf(id int64) string {
	c.t.Helper()
	read := c.get(product(id, "?fetch=criteres_text")).is(200)
	e := read.at("data.energy").(object)
	inBlocks := map[any]any{}
	derived := false
	for _, item := range read.list("data.criteres_text") {
		item := item.(object)
		if item["id"] == "ConsoEner" || item["id"] == "GES" {
			inBlocks[item["id"]] = item["value"]
			derived = derived || item["derived"] == true
		} else if item["derived"] != false {
			c.t.Errorf("%v is said to be computed", item)
		}
	}
	if inBlocks["ConsoEner"] != e["conso_ener"] || inBlocks["GES"] != e["ges"] || derived != e["derived"] || derived != (e["regime"] != nil) {
		c.t.Errorf("the block says %v, the criteria %v", e, inBlocks)
	}
	if c.criterion(id, "ConsoEner") != e["conso_ener"] || c.criterion(id, "GES") != e["ges"] {
		c.t.Errorf("the list of criteria does not say %v", e)
	}
	return fmt.Sprint(e["conso_ener"], " ", e["ges"], " ", e["regime"])
}

// findsBy reports whether a product is found by its letters, and not by others.
func (c *client) findsBy(id int64, consoEner, ges string) {
	c.t.Helper()
	for key, letter := range map[string]string{"ConsoEner": consoEner, "GES": ges} {
		for _, code := range []string{"A", "B", "C", "D", "E", "F", "G", "NS", "VI"} {
			ids := c.walk(object{"criterias": list{condition(key, "EGAL", code)}})
			if slices.Contains(ids, id) != (code == letter) {
				c.t.Errorf("%s %s: found is %t, the letter is %s", key, code, code != letter, letter)
			}
		}
		if letter == "" {
			continue
		}
		if ids := c.walk(object{"criterias": list{condition(key, "COMPREND", list{letter, "VI"})}}); !slices.Contains(ids, id) {
			c.t.Errorf("%s is not found among %s and VI", key, letter)
		}
	}
}

func TestK22_K23_LettersAreComputedShownAndFound(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"criteria": criteria("TypeBien", "Appartement", "CodePostal", "75011", "Surface", 65, "conso_energ", 249.9, "valeur_GES", 49.9)})
		ledger := c.ledger()
		for _, step := range []struct {
			criteria       list
			want, dpe, ges string
		}{
			{criteria("conso_energ", 250, "valeur_GES", 30), "E D fr-2021", "E", "D"},
			{criteria("Surface", 30, "conso_energ", 345, "valeur_GES", 20), "E C fr-2021-small", "E", "C"},
			{criteria("ConsoEner", "VI"), "VI C fr-2021-small", "VI", "C"},
			{criteria("GES", "A"), "VI A <nil>", "VI", "A"},
			{criteria("conso_energ", 100, "valeur_GES", 20), "C C fr-2021-small", "C", "C"}, // the worse of B and C
			{criteria("ConsoEner", "G"), "G C fr-2021-small", "G", "C"},
			{criteria("ConsoEner", nil), "C C fr-2021-small", "C", "C"},
			{criteria("TypeBien", "Terrain"), "<nil> <nil> <nil>", "", ""},
			{criteria("TypeBien", "Maison", "Pays", "BE", "CodePostal", "5000", "conso_energ", 300), "D <nil> be-wal", "D", ""},
		} {
			c.change(id, object{"criteria": step.criteria})
			if got := c.energyOf(id); got != step.want {
				t.Errorf("%v: %s, want %s", step.criteria, got, step.want)
			}
			c.findsBy(id, step.dpe, step.ges)
			ledger.tells(fmt.Sprintf("PRODUCT_UPDATE %d", id)) // one event, letters included
		}
		c.change(id, object{"criteria": criteria("conso_energ", 300)})
		ledger.tells()
		c.patch(product(id), object{"product_id": id, "criteria": criteria("conso_energ", -1)}).refused(422, "out_of_range", "criteria[0].value")
		c.patch(product(id), object{"product_id": id, "criteria": criteria("valeur_GES", "-0.1")}).refused(422, "out_of_range", "criteria[0].value")
		c.post("/products", object{"agency_id": 11, "criteria": criteria("conso_energ", -1)}).refused(422, "out_of_range", "criteria[0].value")
		if got := c.energyOf(id); got != "D <nil> be-wal" {
			t.Errorf("after refused requests: %s", got)
		}
	})
}

// The products a sandbox begins with have letters as if they had been sent.
func TestProvisionedProductsHaveLetters(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		computed, declared := 0, 0
		for _, record := range c.everything("criteres_text") {
			e := record["energy"].(object)
			switch {
			case e["derived"] == true:
				computed++
				if e["conso_ener"] == nil || e["conso_energ"] == nil || e["regime"] == nil {
					t.Errorf("product %v: %v", record["id"], e)
				}
			case e["conso_ener"] != nil:
				declared++
			case e["conso_energ"] != nil && record["property_type"] != "Terrain":
				t.Errorf("product %v, %v, has numbers and no letters: %v", record["id"], record["property_type"], e)
			}
		}
		if computed < 50 || declared < 5 {
			t.Errorf("%d products with computed letters, %d with declared ones", computed, declared)
		}
		id := c.search(object{"model": "11-1001"}).ids()[0]
		if got := c.energyOf(id); got != "F F fr-2021" { // 370 kWh, 75.9 kgCO2, 93.5 m², assessed in 2023
			t.Errorf("product %d: %s", id, got)
		}
	})
}
