package console_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// source reads an import source of site 1 as it is stored.
func (w *world) source(id operator.ImportSourceID) operator.ImportSource {
	return stored(w, func(tx port.Tx) (operator.ImportSource, error) { return tx.ImportSources().Get(1, id) })
}

func (w *world) target(id operator.TargetID) operator.PublicationTarget {
	return stored(w, func(tx port.Tx) (operator.PublicationTarget, error) { return tx.PublicationTargets().Get(1, id) })
}

// sourceForm is a form of a source that is sent, with some fields in place of those of a good one.
func sourceForm(other ...string) []string {
	return formWith([]string{
		"name", "Nantes", "agency_id", "11", "url", "https://feeds.example.org/a.xml?key=5ec4e7", "user", "me", "password", "pa55word",
		"mode", "full", "withdrawal", "delete", "withdrawal_limit", "35", "every", "15m", "format", "table", "mapping", "Prix de vente: Prix\r\nVille:du bien: Ville\r\n", "adopt", "yes",
	}, other)
}

func targetForm(other ...string) []string {
	return formWith([]string{
		"name", "Portail", "folder", "portail/lyon", "format", "openimmo", "pictures", "files", "agencies", "AG-LYON: 11\r\n", "incremental", "yes", "complete", "yes", "every", "30m",
		"criterias", "Prix SUPERIEUR 100000\r\nTypeBien COMPREND Maison, Appartement",
	}, other)
}

func formWith(pairs, other []string) []string {
	for pair := range slices.Chunk(other, 2) {
		if i := slices.Index(pairs, pair[0]); i >= 0 {
			pairs[i+1] = pair[1]
		} else {
			pairs = append(pairs, pair...)
		}
	}
	return pairs
}

func TestASourceIsMadeChangedAndDeleted(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.get("/imports").is(200).says("No sources yet", `href="/console/import-sources/new"`)
	b.get("/import-sources/new").is(200).says(`value="1h"`, `value="20"`, `value="11" selected`)
	b.post("/import-sources/new?site=1", sourceForm()...).is(200).isAt("/import-sources/1").says("The source is made.", "https://feeds.example.org/a.xml", "15 min").saysNot("pa55word", "5ec4e7")
	want := operator.SourceSettings{
		Location: operator.Location{URL: "https://me:pa55word@feeds.example.org/a.xml?key=5ec4e7"}, Format: "table", Mapping: map[string]string{"Prix de vente": "Prix", "Ville:du bien": "Ville"},
		Agency: 11, Every: 15 * 60e9, Mode: "full", Withdrawal: "delete", WithdrawalLimit: 35, Adopt: true,
	}
	made := w.source(1)
	if made.Name != "Nantes" || !reflect.DeepEqual(made.Settings, want) {
		t.Errorf("%+v", made)
	}
	b.get("/import-sources/1/edit").is(200).says(`value="https://feeds.example.org/a.xml"`, "Prix de vente: Prix", `value="yes" checked`, `value="35"`, "setup file").saysNot("pa55word", "5ec4e7", `value="me"`)

	// What is not shown stays while it is left empty, and goes to no other server.
	b.post("/import-sources/1/edit?site=1", sourceForm("name", "Nice", "url", "https://feeds.example.org/a.xml", "user", "", "password", "", "agency_id", "", "agencies", "A: 11")...).is(200).isAt("/import-sources/1").says("The source is changed.")
	want.Agency, want.Agencies = 0, map[string]site.AgencyID{"A": 11}
	if s := w.source(1); s.Name != "Nice" || !reflect.DeepEqual(s.Settings, want) {
		t.Errorf("%+v", s)
	}
	b.get("/import-sources/1/edit").is(200).says(">A: 11</textarea>", `<option value="" selected>several`)
	b.post("/import-sources/1/edit?site=1", sourceForm("url", "https://feeds.example.org/a.xml", "user", "", "password", "n3w")...).is(200)
	if got := w.source(1).Settings.URL; got != "https://me:n3w@feeds.example.org/a.xml?key=5ec4e7" {
		t.Errorf("with another password it is %s", got)
	}
	b.post("/import-sources/1/edit?site=1", sourceForm("url", "https://other.example.org/a.xml", "user", "", "password", "")...).is(200)
	if got := w.source(1).Settings.URL; got != "https://other.example.org/a.xml" {
		t.Errorf("at another server it is %s", got)
	}
	b.get("/import-sources/1/delete").is(200).says("The listings that it brought stay")
	b.post("/import-sources/1/delete?site=1").is(200).isAt("/imports").says("The source is deleted.", "No sources yet")
	b.get("/import-sources/1/edit").is(404)
}

func TestAWrongFieldOfASourceIsNamedAndNothingChanges(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.post("/import-sources/new?site=1", sourceForm()...).is(200)
	before := w.source(1)
	for field, wrong := range map[string][]string{
		"name": {"name", " "}, "agency_id": {"agency_id", ""}, "agencies": {"agency_id", "", "agencies", "A: 21"}, "folder": {"folder", "nantes"}, "url": {"url", "ftp://feeds.example.org"},
		"format": {"format", "word", "mapping", ""}, "mapping": {"mapping", "Prix"}, "mode": {"mode", "some"}, "withdrawal": {"withdrawal", "keep"}, "withdrawal_limit": {"withdrawal_limit", "many"}, "every": {"every", "often"},
	} {
		for _, path := range []string{"/import-sources/new", "/import-sources/1/edit"} {
			b.post(path+"?site=1", sourceForm(append([]string{"name", "Typed"}, wrong...)...)...).is(422).says(`id="field-`+field+`-wrong"`).saysNot("pa55word", "could not be")
		}
	}
	b.post("/import-sources/1/edit?site=1", sourceForm("every", "5s", "withdrawal_limit", "101", "agencies", "A 11", "agency_id", "")...).is(422).says(`id="field-agencies-wrong"`, `value="5s"`, ">A 11</textarea>")
	b.post("/import-sources/1/edit?site=1", sourceForm("every", "5s", "withdrawal_limit", "101")...).is(422).says(`id="field-every-wrong"`, `id="field-withdrawal_limit-wrong"`)
	if s := w.source(1); !reflect.DeepEqual(s, before) {
		t.Errorf("it is changed to %+v", s)
	}
	b.get("/import-sources/2").is(404)
}

func TestATargetIsMadeChangedAndDeleted(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.get("/publication-targets").is(200).says("No portals yet", `href="/console/publication-targets/new"`)
	b.get("/publication-targets/new").is(200)
	b.post("/publication-targets/new?site=1", targetForm()...).is(200).isAt("/publication-targets/1").says("The portal is made.", "portail/lyon", "30 min")
	s := w.target(1).Settings
	if s.Folder != "portail/lyon" || s.Format != "openimmo" || s.Pictures != "files" || s.Agencies[11] != "AG-LYON" || !s.Incremental || !s.Complete || s.Every != 30*60e9 {
		t.Errorf("%+v", s)
	}
	if len(s.Criterias) != 2 || s.Criterias[0].List || !slices.Equal(s.Criterias[1].Values, []string{"Maison", "Appartement"}) {
		t.Errorf("the conditions are %+v", s.Criterias)
	}
	b.get("/publication-targets/1/edit").is(200).says("AG-LYON: 11", "Prix SUPERIEUR 100000\nTypeBien COMPREND Maison,Appartement</textarea>", `value="30m"`)
	b.post("/publication-targets/1/edit?site=1", targetForm("folder", "", "url", "https://portal.example.org/in", "user", "me", "password", "pa55word")...).is(200).says("The portal is changed.")
	b.get("/publication-targets/1/edit").is(200).says(`value="https://portal.example.org/in"`).saysNot("pa55word")
	b.post("/publication-targets/1/edit?site=1", targetForm("folder", "", "url", "https://portal.example.org/in", "format", "poliris", "incremental", "")...).is(200)
	if s := w.target(1).Settings; s.URL != "https://me:pa55word@portal.example.org/in" || s.Format != "poliris" || s.Incremental {
		t.Errorf("%+v", s)
	}
	before := w.target(1).Settings
	for field, wrong := range map[string][]string{
		"name": {"name", ""}, "folder": {"folder", "../x"}, "url": {"folder", "", "url", "portal"}, "format": {"format", "ac3"}, "pictures": {"pictures", "some"}, "incremental": {"format", "kyero"},
		"agencies": {"agencies", "A: 11\nB: 11"}, "criterias": {"criterias", "Prix SUPERIEUR 1\n\nPiscine EGAL 1"}, "every": {"every", "1s"},
	} {
		b.post("/publication-targets/1/edit?site=1", targetForm(wrong...)...).is(422).says(`id="field-` + field + `-wrong"`)
	}
	b.post("/publication-targets/1/edit?site=1", targetForm("criterias", "Prix SUPERIEUR 1\n\nPiscine EGAL 1")...).is(422).says("Piscine EGAL 1: no criterion has this key or id")
	b.post("/publication-targets/1/edit?site=1", targetForm("criterias", "Prix")...).is(422).says(`id="field-criterias-wrong"`, ">Prix</textarea>")
	if s := w.target(1).Settings; s.Folder != before.Folder || s.URL != before.URL || len(s.Criterias) != len(before.Criterias) {
		t.Errorf("it is changed to %+v", s)
	}
	b.get("/publication-targets/1/delete").is(200).says("The portal keeps the listings that it has")
	b.post("/publication-targets/1/delete?site=1").is(200).isAt("/publication-targets").says("The portal is deleted.", "No portals yet")
}

func TestReadersMakeNoSourcesAndTargets(t *testing.T) {
	w := filledWorld(t)
	b := w.signedIn(w.operator(operator.Reader, 1))
	for _, path := range []string{"/import-sources/new", "/import-sources/1/edit", "/import-sources/1/delete", "/publication-targets/new", "/publication-targets/1/edit", "/publication-targets/1/delete"} {
		b.get(path).is(403)
		b.post(path+"?site=1", targetForm()...).is(403)
	}
	if w.source(1).Name != "Nantes" || w.target(1).Name != "Portail" {
		t.Error("something is changed")
	}
}
