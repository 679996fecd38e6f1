package kernel_test

import (
	"errors"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

func TestWhatIsDoneBesideAUseCaseIsCommittedWithIt(t *testing.T) {
	w := apitest.New(t)
	full, called := w.As("full", 1), []int64{}
	beside := full.WithinSameCommit(func(tx port.Tx, answer any) error {
		called = append(called, answer.(kernel.Created).ID)
		_, err := tx.Products().Get(1, product.ID(answer.(kernel.Created).ID))
		return err
	})
	created, before, err := createOnce(w, beside, "listing-1")
	if err != nil || before != "" || len(called) != 1 || called[0] != created.ID {
		t.Fatalf("%+v, %q, %v; it was called with %v", created, before, err, called)
	}
	if _, before, err := createOnce(w, beside, "listing-1"); err != nil || before == "" || len(called) != 1 {
		t.Errorf("the second time %q, %v; it was called with %v", before, err, called)
	}

	seq, away := w.Seq(1), errors.New("the table is away")
	failing := full.WithinSameCommit(func(port.Tx, any) error { return away })
	if _, _, err := createOnce(w, failing, "listing-2"); !errors.Is(err, away) || w.Seq(1) != seq {
		t.Errorf("%v, and %d events", err, w.Seq(1)-seq)
	}
	if created, before, err := createOnce(w, full, "listing-2"); err != nil || before != "" || created.ID == 0 {
		t.Errorf("what failed was kept: %+v, %q, %v", created, before, err)
	}
}

func TestWhatIsDoneBesideARefusedUseCaseIsNotDone(t *testing.T) {
	w := apitest.New(t)
	c := w.As("full", 1).WithinSameCommit(func(port.Tx, any) error {
		t.Error("it is called")
		return nil
	})
	in := apitest.InAgency(99)
	if _, err := w.Listing.CreateProduct(t.Context(), c, in); err == nil {
		t.Error("an agency that is not there is taken")
	}
}
