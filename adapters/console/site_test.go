package console_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// formOf is where a page sends its form to; part is in the address.
func (s shown) formOf(part string) string {
	s.Helper()
	for _, found := range regexp.MustCompile(`action="/console([^"]+)"`).FindAllStringSubmatch(s.text, -1) {
		if strings.Contains(found[1], part) {
			return strings.ReplaceAll(found[1], "&amp;", "&")
		}
	}
	s.Fatalf("%s has no form %s:\n%s", s.Request.URL, part, s.text)
	return ""
}

func TestTheSettingsOfASiteAreChanged(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	b.get("/site").is(200).says("<h1>Réseau</h1>", "Europe/Paris", "Onze", "Douze", "Change the settings", `href="/console/site/users"`, "Treize", "not of the network")
	page := b.get("/site/settings").is(200).says(`value="Réseau"`, `<option value="EnCours" selected>`, `value="fr-2021"`)
	to := page.formOf("/site/settings")
	typed := []string{"name", "Réseau Nord", "default_status", "Projet", "timezone", "Paris", "currency", "EUR", "country", "FR", "language", "fr", "reference_pattern", "{agency}-{number}"}
	b.post(to, typed...).is(422).says(`id="field-timezone-wrong"`, `value="Paris"`, `value="Réseau Nord"`)
	typed[5] = "Europe/Brussels"
	b.post(to, append(typed, "energy_scales", "fr-2021")...).is(200).isAt("/site").says("The settings are changed.", "<h1>Réseau Nord</h1>", "Europe/Brussels", "fr-2021")
	typed[1] = "Réseau Sud"
	overtaken := b.post(to, typed...).is(409).says("Somebody else changed this", `value="Réseau Nord"`, "You had: Réseau Sud.", "You had: nothing.").saysNot(`value="Réseau Sud"`)
	if again := overtaken.formOf("/site/settings"); again == to {
		t.Error("the form is still about the former version")
	}
	own, err := w.site.Office.Settings(t.Context(), w.full(), kernel.Nothing{})
	w.must(err)
	if own.Name != "Réseau Nord" || own.DefaultStatus != "Projet" || own.Timezone != "Europe/Brussels" || !slices.Equal(own.EnergyScales, []string{"fr-2021"}) {
		t.Errorf("%+v", own)
	}
	b.get("/audit?operation=site.settings").is(200).says("<del>Europe/Paris</del>", "<ins>Europe/Brussels</ins>")
}

// valuesOf is the values of a list of site 1, in their order.
func (w *world) valuesOf(list int64) (lines []string) {
	w.Helper()
	for _, inactive := range []bool{true, false} {
		values, err := w.site.Office.ListListValues(w.Context(), w.full(), office.ReadListValues{List: list, IncludeInactive: inactive})
		w.must(err)
		line := ""
		for _, value := range values {
			line += value.Model + "=" + value.Label + " "
		}
		lines = append(lines, line)
	}
	return lines
}

func TestTheValuesOfAListAreOrderedLabelledAndRetired(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	b.get("/site/lists").is(200).says(`href="/console/site/lists/1"`, "room_types", "Pièces")
	to := b.get("/site/lists/1").is(200).says("room_types", `value="Label SEJOUR"`, `value="CUISINE" checked`).formOf("/values")
	form := func(places, labels [3]string, active ...string) (pairs []string) {
		for i, code := range []string{"SEJOUR", "CHAMBRE", "CUISINE"} {
			pairs = append(pairs, "model", code, "place", places[i], "label", labels[i])
		}
		for _, code := range active {
			pairs = append(pairs, "active", code)
		}
		return pairs
	}
	labels := [3]string{"Séjour", "Chambre", "Cuisine"}
	b.post(to, form([3]string{"1", "2", "1"}, [3]string{"", "Chambre", "Cuisine"}, "SEJOUR")...).is(422).
		says(`id="value-2-wrong"`, `aria-invalid="true"`, `value="Cuisine"`, `value="SEJOUR" checked`).saysNot(`value="CUISINE" checked`, `id="value-1-wrong"`)
	if got := w.valuesOf(1)[0]; got != "SEJOUR=Label SEJOUR CHAMBRE=Label CHAMBRE CUISINE=Label CUISINE " {
		t.Errorf("a form that was refused changed the values to %s", got)
	}
	b.post(to, form([3]string{"3", "2", "3"}, labels, "SEJOUR", "CUISINE")...).is(200).isAt("/site/lists/1").says("The values are changed.", `value="Séjour"`)
	if got := w.valuesOf(1); got[0] != "CHAMBRE=Chambre CUISINE=Cuisine SEJOUR=Séjour " || got[1] != "CUISINE=Cuisine SEJOUR=Séjour " {
		t.Errorf("%q", got)
	}
	b.post(to, form([3]string{"1", "2", "3"}, [3]string{"Salon", "Chambre", "Cuisine"}, "CUISINE")...).is(409).
		says("This was not done.", "Somebody else changed this", `value="Séjour"`, "You had: place 1, Salon, inactive.", `value="SEJOUR" checked`).saysNot(`value="Salon"`)
	b.get("/site/lists/99").is(404)
	b.get("/audit?operation=site.list").is(200).says("list 1")
}

func TestTheValuesOfACriterionAreChanged(t *testing.T) {
	w := newWorld(t)
	readers := w.operator(operator.Reader, 1)
	b := w.signedIn("claire@example.org")
	b.get("/site/criteria").is(200).says(`href="/console/site/criteria/TypeBien"`, "NUMBER, m²", "private", "inactive")
	b.get("/site/criteria/Surface").is(200).says("NUMBER, m²", "<dt>At least</dt><dd>0</dd>", "It has no values to choose from").saysNot("<table")
	to := b.get("/site/criteria/12").is(200).says("Equipements", "Label ALARME").formOf("/values")
	b.post(to, "model", "PISCINE", "place", "1", "label", "Piscine").is(422).says("CHEMINEE is missing", `value="Piscine"`, `value="Label ALARME"`)
	b.post(to, "model", "PISCINE", "label", "Piscine", "model", "CHEMINEE", "label", "Cheminée", "model", "ALARME", "label", "Alarme", "place", "3", "place", "", "place", "1", "active", "ALARME").
		is(200).isAt("/site/criteria/Equipements").says("The values are changed.")
	detail, err := w.site.Office.GetCriterion(t.Context(), w.full(), office.ReadCriterion{Criteria: "Equipements"})
	w.must(err)
	var codes []string
	for _, value := range detail.Values {
		codes = append(codes, value.Model)
	}
	if !slices.Equal(codes, []string{"ALARME", "CHEMINEE", "PISCINE"}) || !detail.Values[0].IsActive || detail.Values[1].IsActive {
		t.Errorf("%+v", detail.Values)
	}
	b.get("/events?types=CRITERIA_UPDATE").is(200).says(`href="/console/site/criteria/12"`)
	b.get("/site/criteria/Rien").is(404)
	w.signedIn(readers).get("/site/criteria/12").is(200).says("ALARME", "inactive").saysNot("<input name", "Save", "/site/users")
}

func TestWhoWorksAtASiteAndWhatTheyWriteDown(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	b.get("/site/users").is(200).says("Anne Arnaud", "Bruno Blanc", "inactive").saysNot("Chloé")
	b.get("/site/users?agency_id=12&active=no").is(200).says("Bruno Blanc", `value="12" selected`).saysNot("Anne")
	b.get("/site/users?agency_id=12&active=yes").is(200).says("No users are like that")
	b.get("/site/action-types").is(200).says("VISITE", "Contre-visite", "Par télécopie", "customer")
}

// A value that moves alone is where its number says, upwards and downwards.
func TestAValueGoesToItsPlace(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	order := func() (codes []string) {
		detail, err := w.site.Office.GetCriterion(t.Context(), w.full(), office.ReadCriterion{Criteria: "Statut"})
		w.must(err)
		for _, value := range detail.Values {
			codes = append(codes, value.Model)
		}
		return codes
	}
	for from := range 9 {
		for to := range 9 {
			before := order()
			var pairs []string
			for i, code := range before {
				place := i
				if i == from {
					place = to
				}
				pairs = append(pairs, "model", code, "label", code, "active", code, "place", string(rune('1'+place)))
			}
			b.post("/site/criteria/Statut/values?site=1", pairs...).is(200)
			want := slices.Insert(slices.Delete(slices.Clone(before), from, from+1), to, before[from])
			if got := order(); !slices.Equal(got, want) {
				t.Fatalf("from %d to %d: %q became %q", from, to, before, got)
			}
		}
	}
}
