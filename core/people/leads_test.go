package people_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

func TestAFollowUpOfProduct0NamesBothMistakes(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	_, err := w.People.CreateFollowUp(t.Context(), full, people.CreateFollowUp{CustomerID: 1001, ProductID: opt.Of(int64(0))})
	var codes []fault.Code
	for _, d := range fault.From(err).Details {
		if d.Field == "product_id" {
			codes = append(codes, d.Code)
		}
	}
	if !slices.Equal(codes, []fault.Code{fault.CodeOutOfRange, fault.CodeUnknownProduct}) {
		t.Errorf("%v: %v", codes, err)
	}
}

// unreadable is a store whose units cannot read leads.
type unreadable struct{ port.Store }

func (s unreadable) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(withoutLeads{tx}) })
}

type withoutLeads struct{ port.Tx }

func (t withoutLeads) Leads() port.Leads { return writeOnly{t.Tx.Leads()} }

type writeOnly struct{ port.Leads }

func (writeOnly) Get(site.ID, lead.ID) (lead.Lead, error) {
	return lead.Lead{}, errors.New("the lead is held")
}

func TestALeadThatIsSentAgainIsNotHeld(t *testing.T) {
	w := apitest.Over(t, unreadable{memstore.New()})
	full := w.As("full", 1)
	in := people.CreateSellerLead{}
	in.AgencyID, in.Lastname, in.Email = opt.Of(int64(11)), opt.Of("Durand"), opt.Of("durand@example.org")
	for range 2 {
		if _, err := w.People.CreateSellerLead(t.Context(), full, in); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFollowUpThatIsAbsentIsToldFirst(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	n := slices.IndexFunc(w.Operations(), func(o api.Operation) bool { return o.ID == "followup.update" })
	apitest.Refused(t, w.Operations()[n].Exists(t.Context(), full, []string{"1001", "999"}), fault.NotFound, fault.CodeNotFound)
}
