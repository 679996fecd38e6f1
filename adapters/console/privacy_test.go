package console_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func TestAPersonIsFoundAndExported(t *testing.T) {
	w := newWorld(t)
	w.buyer()
	b := w.signedIn(w.operator(operator.Privacy, 1))
	b.get("/privacy").is(200).saysNot("Éloïse", "Nobody is known")
	b.post("/privacy?site=1").is(422).says(`id="field-phone-wrong"`)
	b.post("/privacy?site=1", "email", "nobody@example.org").is(200).says("Nobody is known by that", `value="nobody@example.org"`)
	b.post("/privacy?site=1", "email", "eloise@example.org").is(200).isAt("/privacy?site=1").says(`href="/console/privacy/1001"`, "Éloïse Lefèvre")
	b.get("/privacy/1001").is(200).says("Éloïse Lefèvre", "<title>Customer 1001 ")
	b.get("/privacy/1001/export").is(404)

	file := b.post("/privacy/1001/export?site=1").is(200)
	if got := file.Header.Get("Content-Disposition"); got != "attachment; filename=customer-1001.json" {
		t.Errorf("Content-Disposition is %q", got)
	}
	var export struct {
		Customer struct{ Lastname string }
		Leads    []struct{ Email string }
	}
	w.must(json.Unmarshal([]byte(file.text), &export))
	if export.Customer.Lastname != "Lefèvre" || len(export.Leads) != 1 || export.Leads[0].Email != "eloise@example.org" {
		t.Errorf("the export has %+v", export)
	}
	b.get("/audit").is(200).says("person.find", "person.export", "customer 1001").saysNot("Lefèvre", "eloise@")
}

func TestAPersonIsAnonymisedByNameAfterThePassword(t *testing.T) {
	w := newWorld(t)
	w.buyer()
	b := w.signedIn(w.operator(operator.Privacy, 1))
	w.clock.Advance(operator.Recent)
	b.post("/privacy/1001/anonymize?site=1", "name", "Éloïse Lefèvre").is(401).says("Your password again", `name="name" value="Éloïse Lefèvre"`)
	b.post("/privacy/1001/anonymize?site=1", "name", "Lefèvre", "password_again", goodPassword).is(422).says(`id="field-name-wrong"`, `value="Lefèvre"`)
	done := b.post("/privacy/1001/anonymize?site=1", "name", "éloïse lefèvre").is(200).isAt("/privacy/1001")
	done.says("Everything personal about them is removed", "anonymised", "was removed already").saysNot("Éloïse", "eloise@")
	who, err := w.site.People.GetCustomer(t.Context(), w.full(), people.CustomerPath{ID: 1001})
	w.must(err)
	if who.AnonymizedAt == nil || backoffice.NameOf(who.CustomerSummary) != "customer 1001" {
		t.Errorf("%q is left, anonymised at %v", backoffice.NameOf(who.CustomerSummary), who.AnonymizedAt)
	}
	if audit := b.get("/audit").is(200).says("person.anonymize", "customer 1001"); strings.Contains(strings.ToLower(audit.text), "lefèvre") {
		t.Error("the audit names them")
	}
}
