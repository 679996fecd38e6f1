package people_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// addCustomer adds a customer of agency 11.
func (w *world) addCustomer(change func(*people.CreateCustomer)) int64 {
	w.T.Helper()
	in := people.CreateCustomer{}
	in.AgencyID, in.Type, in.Lastname = opt.Of(int64(11)), opt.Of("PROSPECT"), opt.Of("Martin")
	change(&in)
	made, err := w.People.CreateCustomer(w.T.Context(), w.Again(w.As("full", 1)), in)
	if err != nil {
		w.T.Fatal(err)
	}
	return made.ID
}

func naming(id int64) opt.Field[[]customer.RelatedInput] {
	return opt.Of([]customer.RelatedInput{{Relation: opt.Of("CONJOINT"), Firstname: opt.Of("Ada"), CustomerID: opt.Of(id)}})
}

func TestOnlyCustomersWhoAreThereAreNamed(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	there, gone := w.addCustomer(func(*people.CreateCustomer) {}), w.addCustomer(func(*people.CreateCustomer) {})
	who := w.addCustomer(func(in *people.CreateCustomer) { in.Related = naming(there) })
	w.anonymize(gone)
	seq := w.Seq(1)
	for _, id := range []int64{gone, 999999} {
		in := people.UpdateCustomer{ID: who}
		in.Related = naming(id)
		_, err := w.People.UpdateCustomer(t.Context(), w.Again(full), in)
		apitest.RefusedField(t, err, fault.CodeUnknownCustomer, "related_contacts[0].customer_id")
		in = people.UpdateCustomer{ID: who}
		in.Notary = opt.Of(customer.NotaryInput{CustomerID: opt.Of(id), Name: opt.Of("Me Durand")})
		_, err = w.People.UpdateCustomer(t.Context(), w.Again(full), in)
		apitest.RefusedField(t, err, fault.CodeUnknownCustomer, "notary.customer_id")
		made := people.CreateCustomer{}
		made.AgencyID, made.Type, made.Lastname, made.Related = opt.Of(int64(11)), opt.Of("PROSPECT"), opt.Of("Durand"), naming(id)
		_, err = w.People.CreateCustomer(t.Context(), w.Again(full), made)
		apitest.RefusedField(t, err, fault.CodeUnknownCustomer, "related_contacts[0].customer_id")
	}
	if got := w.Seq(1) - seq; got != 0 {
		t.Errorf("%d events", got)
	}
	// Who was named before may go, and the rest can still be changed.
	w.anonymize(there)
	in := people.UpdateCustomer{ID: who}
	in.Lastname = opt.Of("Durand")
	if _, err := w.People.UpdateCustomer(t.Context(), w.Again(full), in); err != nil {
		t.Error(err)
	}
}

func TestADeletedCustomerLeavesNoWordsBehind(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	first, err := w.buyerLead(full, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	id := *first.CustomerID
	other := w.addCustomer(func(in *people.CreateCustomer) { in.Related = naming(id) })
	seq := w.Seq(1)
	if _, err := w.People.DeleteCustomer(t.Context(), w.Again(full), people.DeleteCustomer{ID: id}); err != nil {
		t.Fatal(err)
	}
	if got := w.Events(1, seq); !slices.Equal(got, []string{"SEARCH_DELETE", "LEAD_UPDATE", "CUSTOMER_UPDATE", "CUSTOMER_DELETE"}) {
		t.Errorf("the events are %v", got)
	}
	left, err := w.People.GetLead(t.Context(), w.Again(full), people.LeadPath{ID: first.ID})
	if err != nil || left.Email != nil {
		t.Errorf("the lead is %+v, %v", left, err)
	}
	kept, err := w.People.GetCustomer(t.Context(), w.Again(full), people.CustomerPath{ID: other})
	if err != nil || len(kept.RelatedContacts) != 1 || kept.RelatedContacts[0].Firstname != nil {
		t.Errorf("the other has %+v, %v", kept.RelatedContacts, err)
	}
	again, err := w.buyerLead(w.Again(full), "ada@example.com") // the very same, within a day
	if err != nil || again.ID == first.ID || !again.CustomerCreated {
		t.Errorf("the lead sent again is %+v, %v", again, err)
	}
}

func TestAnEmptyLookUpFindsNobody(t *testing.T) {
	w := newWorld(t)
	w.addCustomer(func(*people.CreateCustomer) {})
	for _, blank := range []string{"", "  "} {
		_, err := w.People.SearchCustomers(t.Context(), w.Again(w.As("full", 1)), people.SearchCustomers{Email: opt.Of(blank)})
		apitest.RefusedField(t, err, fault.CodeInvalidFormat, "email")
		_, err = w.People.SearchCustomers(t.Context(), w.Again(w.As("full", 1)), people.SearchCustomers{Phone: opt.Of(blank)})
		apitest.RefusedField(t, err, fault.CodeInvalidFormat, "phone")
	}
	if all, err := w.People.SearchCustomers(t.Context(), w.Again(w.As("full", 1)), people.SearchCustomers{Email: opt.Null[string]()}); err != nil || len(all.Data) == 0 {
		t.Errorf("null is no filter: %+v, %v", all, err)
	}
}
