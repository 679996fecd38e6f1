package main

import (
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestAgenciesAreOneOrSeveralByTheirCodes(t *testing.T) {
	for text, want := range map[string]agencies{
		"11": {one: 11}, "A=11": {byCode: map[string]site.AgencyID{"A": 11}}, "A=11, b=12,c=d=12": {byCode: map[string]site.AgencyID{"A": 11, "b": 12, "c=d": 12}},
	} {
		var a agencies
		if err := a.UnmarshalText([]byte(text)); err != nil || !a.given() {
			t.Errorf("%q: %v", text, err)
		}
		if diff := gocmp.Diff(want, a, gocmp.AllowUnexported(agencies{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for _, text := range []string{"", "A", "0", "-1", "A=", "=11", "A=11,12", "A=11,a=12", "A=x"} {
		if err := new(agencies).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// ofAgencies is a file with a listing of each agency.
func ofAgencies(codes ...string) []byte {
	var rows strings.Builder
	for i, code := range codes {
		fmt.Fprintf(&rows, `"%s"!#"AG-%d"!#"Vente"!#"maison/villa"!#"44000"!#"Nantes"`+"\r\n", code, i)
	}
	return []byte(rows.String())
}

// agencyOf returns the agency of the product with a reference.
func (o *office) agencyOf(reference string) (agency site.AgencyID) {
	o.t.Helper()
	if err := o.store.View(o.t.Context(), func(tx port.Tx) error {
		found, err := tx.Products().Scan(1, 0, 100_000)
		for _, p := range found {
			if p.Reference == reference {
				agency = p.Agency
			}
		}
		return err
	}); err != nil {
		o.t.Fatal(err)
	}
	return agency
}

func TestListingsOfSeveralAgenciesGoWhereTheirCodesSay(t *testing.T) {
	o := newOffice(t, memstore.New())
	o.to = transfer.Portfolio{Site: 1, Agency: 11}
	for _, dryRun := range []bool{true, false} {
		report, err := o.moveContent("annonces.csv", ofAgencies("A", "B"), dryRun)
		if err == nil || !strings.Contains(err.Error(), `("A", "B")`) || report != "" {
			t.Errorf("without codes: %v, %s", err, report)
		}
	}
	o.agencies = map[string]site.AgencyID{"a": 11, "B": 12}
	report, err := o.moveContent("annonces.csv", ofAgencies("A", "B", "C", "", "A"), false)
	if err == nil || !strings.Contains(report, "5 listings: 3 created, 0 changed, 0 unchanged, 2 refused") ||
		!strings.Contains(report, `the listing is of the agency "C"`) || !strings.Contains(report, "does not say of which agency") {
		t.Errorf("%v: %s", err, report)
	}
	if first, second := o.agencyOf("AG-0"), o.agencyOf("AG-1"); first != 11 || second != 12 || o.agencyOf("AG-4") != 11 || o.agencyOf("AG-2") != 0 {
		t.Errorf("they are in %d and %d", first, second)
	}
	if report, err = o.moveContent("annonces.csv", ofAgencies("A", "B"), false); err != nil || !strings.Contains(report, "2 unchanged") {
		t.Errorf("again: %v, %s", err, report)
	}
	// One reference may be of two agencies.
	same := []byte(strings.ReplaceAll(string(ofAgencies("A", "B")), "AG-1", "AG-0"))
	if report, err = o.moveContent("annonces.csv", same, false); err != nil || !strings.Contains(report, "1 created, 0 changed, 1 unchanged") {
		t.Errorf("one reference: %v, %s", err, report)
	}
	o.agencies = map[string]site.AgencyID{"A": 21}
	if report, err = o.moveContent("annonces.csv", ofAgencies("A"), false); err == nil {
		t.Errorf("an agency of another site is accepted: %s", report)
	}
}
