package people_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func TestAnExportSaysWhatItLeavesOut(t *testing.T) {
	w := newWorld(t)
	id := w.addSeller("Lovelace", "ada@example.com")
	err := w.Store.Update(t.Context(), func(tx port.Tx) error {
		for n := range 1001 {
			a := customer.Action{ID: customer.ActionID(n + 1), Site: 1, Subject: customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: id}, Label: "Appel", Result: "r"}
			if err := tx.Actions().Append(a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	export, err := w.People.ExportCustomer(t.Context(), w.As("full", 1), people.CustomerPath{ID: id})
	if err != nil || len(export.Actions) != 1000 || export.Actions[0].ID != 1001 || !slices.Equal(export.Truncated, []string{"actions"}) {
		t.Errorf("%d actions, truncated %v, %v", len(export.Actions), export.Truncated, err)
	}
}

func TestRightsEndWithTheScope(t *testing.T) {
	w := newWorld(t)
	id := w.addSeller("Lovelace", "ada@example.com")
	rival := w.As("rival", 2)
	_, err := w.People.ExportCustomer(t.Context(), rival, people.CustomerPath{ID: id})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = w.People.AnonymizeCustomer(t.Context(), rival, people.CustomerPath{ID: id})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)

	outside := customer.Customer{ID: 900, Site: 1, Agency: 13, Type: "VENDEUR", Lastname: "Partie", Added: time.Now()}
	if err := w.Store.Update(t.Context(), func(tx port.Tx) error { return tx.Customers().Put(outside) }); err != nil {
		t.Fatal(err)
	}
	_, err = w.People.ExportCustomer(t.Context(), w.As("full", 1), people.CustomerPath{ID: 900})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeResourceOutOfScope)
	_, err = w.People.AnonymizeCustomer(t.Context(), w.As("full", 1), people.CustomerPath{ID: 900})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeResourceOutOfScope)
}
