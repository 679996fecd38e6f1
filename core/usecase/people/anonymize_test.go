package people_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// addSeller adds a customer who can be found by name and e-mail address.
func (w *world) addSeller(lastname, email string) int64 {
	w.T.Helper()
	in := people.CreateCustomer{}
	in.AgencyID, in.Type = opt.Of(int64(11)), opt.Of("VENDEUR")
	in.Lastname, in.Email = opt.Of(lastname), opt.Of(email)
	created, err := w.People.CreateCustomer(w.T.Context(), w.As("full", 1), in)
	if err != nil {
		w.T.Fatal(err)
	}
	return created.ID
}

func (w *world) anonymize(id int64) {
	w.T.Helper()
	if _, err := w.People.AnonymizeCustomer(w.T.Context(), w.As("full", 1), people.CustomerPath{ID: id}); err != nil {
		w.T.Fatal(err)
	}
}

// buyerLead is a lead from an e-mail address.
func (w *world) buyerLead(c kernel.Caller, email string) (people.Lead, error) {
	w.T.Helper()
	in := people.CreateBuyerLead{TransactionType: opt.Of("Vente")}
	in.AgencyID, in.Email = opt.Of(int64(11)), opt.Of(email)
	created, err := w.People.CreateBuyerLead(w.T.Context(), c, in)
	if err != nil {
		return people.Lead{}, err
	}
	return w.People.GetLead(w.T.Context(), w.Again(c), people.LeadPath{ID: created.ID})
}

func TestAnonymisingTellsOfWhateverChangesAndASecondTimeOfNothing(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	lead, err := w.buyerLead(full, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	id := *lead.CustomerID
	other := people.CreateCustomer{}
	other.AgencyID, other.Type, other.Lastname = opt.Of(int64(12)), opt.Of("VENDEUR"), opt.Of("Voisin")
	other.Related = opt.Of([]customer.RelatedInput{{CustomerID: opt.Of(id), Relation: opt.Of("CONJOINT"), Lastname: opt.Of("Ada")}})
	related, err := w.People.CreateCustomer(t.Context(), full, other)
	if err != nil {
		t.Fatal(err)
	}
	seq := w.Seq(1)
	w.anonymize(id)
	want := []string{"SEARCH_UPDATE", "LEAD_UPDATE", "CUSTOMER_UPDATE", "CUSTOMER_DELETE"}
	if got := w.Events(1, seq); !slices.Equal(got, want) {
		t.Errorf("the events are %v, want %v", got, want)
	}
	seq = w.Seq(1)
	w.anonymize(id)
	if got := w.Events(1, seq); len(got) > 0 {
		t.Errorf("the second time tells of %v", got)
	}
	read, err := w.People.GetCustomer(t.Context(), w.As("full", 1), people.CustomerPath{ID: related.ID})
	if err != nil || len(read.RelatedContacts) != 1 {
		t.Fatalf("%+v, %v", read.RelatedContacts, err)
	}
	if r := read.RelatedContacts[0]; *r.CustomerID != id || r.Relation != "CONJOINT" || r.Lastname != nil {
		t.Errorf("of the relation %+v is left", r)
	}
}

func TestWhatIsLeftOfAnAnonymousCustomerIsForFigures(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.addSeller("Lovelace", "ada@example.com")
	w.anonymize(id)
	left, err := w.People.GetCustomer(t.Context(), w.Again(full), people.CustomerPath{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	if left.AnonymizedAt == nil || !left.IsArchived || left.Type != "VENDEUR" || left.AgencyID != 11 || left.Lastname != nil || left.Email != nil {
		t.Errorf("%+v is left", left)
	}
	if _, err := w.People.ExportCustomer(t.Context(), full, people.CustomerPath{ID: id}); err != nil {
		t.Errorf("the export of what is left: %v", err)
	}
	if _, err := w.People.DeleteCustomer(t.Context(), full, people.DeleteCustomer{ID: id}); err != nil {
		t.Errorf("what is left can be deleted: %v", err)
	}
}

func TestNothingCanBeAddedToAnAnonymousCustomer(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	lead, err := w.buyerLead(full, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	id, home := *lead.CustomerID, w.CreateProduct()
	attached := demand.FollowUp{ID: 1, Site: 1, Customer: customer.ID(id), Product: product.ID(home), Status: demand.StatusProposed}
	if err := w.Store.Update(t.Context(), func(tx port.Tx) error { return tx.FollowUps().Put(attached) }); err != nil {
		t.Fatal(err)
	}
	w.anonymize(id)
	seq := w.Seq(1)
	var follow people.FollowUpInput
	follow.Comment = opt.Of("Ada")
	var act listing.ActionInput
	act.ActionID = opt.Of(int64(3))
	for what, write := range map[string]func() error{
		"a name": func() error {
			in := people.UpdateCustomer{ID: id}
			in.Lastname = opt.Of("Ada")
			_, err := w.People.UpdateCustomer(t.Context(), full, in)
			return err
		},
		"a search": func() error {
			in := people.CreateSearchRequest{CustomerID: id}
			in.TransactionType = opt.Of("Vente")
			_, err := w.People.CreateSearchRequest(t.Context(), full, in)
			return err
		},
		"a change of a search": func() error {
			in := people.UpdateSearchRequest{CustomerID: id, ID: *lead.SearchID}
			in.IsActive = opt.Of(true)
			_, err := w.People.UpdateSearchRequest(t.Context(), full, in)
			return err
		},
		"a follow-up": func() error {
			_, err := w.People.CreateFollowUp(t.Context(), full, people.CreateFollowUp{CustomerID: id, ProductID: opt.Of(home), FollowUpInput: follow})
			return err
		},
		"a change of a follow-up": func() error {
			_, err := w.People.UpdateFollowUp(t.Context(), full, people.UpdateFollowUp{CustomerID: id, ID: int64(attached.ID), FollowUpInput: follow})
			return err
		},
		"an action": func() error {
			_, err := w.People.CreateCustomerAction(t.Context(), full, people.CreateCustomerAction{ID: id, ActionInput: act})
			return err
		},
	} {
		t.Run(what, func(t *testing.T) { apitest.Refused(t, write(), fault.Conflict, fault.CodeCustomerAnonymized) })
	}
	owned := listing.CreateProduct{}
	owned.AgencyID, owned.CustomerID = opt.Of(int64(11)), opt.Of(id)
	_, err = w.Listing.CreateProduct(t.Context(), full, owned)
	apitest.Refused(t, err, fault.Invalid, fault.CodeUnknownCustomer)
	if got := w.Seq(1) - seq; got != 0 {
		t.Errorf("%d events", got)
	}
}

func TestALeadOfSomebodyAnonymisedIsFromSomebodyNew(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	first, err := w.buyerLead(full, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	w.anonymize(*first.CustomerID)
	again, err := w.buyerLead(full, "ada@example.com") // the very same, within a day
	if err != nil || again.ID == first.ID || *again.CustomerID == *first.CustomerID || !again.CustomerCreated {
		t.Errorf("the lead that comes again is %+v, %v", again, err)
	}
}

// stale finds a customer as a request did that looked before they were anonymised.
type stale struct {
	port.Store
	found *customer.Customer
}

func (s stale) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: staleTx{tx.Roles, s.found}}) })
}

type staleTx struct {
	port.Roles
	found *customer.Customer
}

func (t staleTx) Customers() port.Customers { return staleCustomers{t.Roles.Customers(), t.found} }

type staleCustomers struct {
	port.Customers
	found *customer.Customer
}

func (r staleCustomers) Find(q port.CustomerQuery) ([]customer.Customer, error) {
	if r.found.ID != 0 {
		return []customer.Customer{*r.found}, nil
	}
	return r.Customers.Find(q)
}

func TestALeadDoesNotBringBackWhoIsAnonymisedMeanwhile(t *testing.T) {
	found := new(customer.Customer)
	w := &world{apitest.Over(t, stale{memstore.New(), found})}
	id := w.addSeller("Lovelace", "ada@example.com")
	w.anonymize(id)
	*found = customer.Customer{ID: customer.ID(id)}
	lead, err := w.buyerLead(w.As("full", 1), "ada@example.com")
	if err != nil || *lead.CustomerID == id || !lead.CustomerCreated {
		t.Errorf("the lead is %+v, %v", lead, err)
	}
}

func TestReplicasForgetThePerson(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	lead, err := w.buyerLead(full, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	id := *lead.CustomerID
	name := people.UpdateCustomer{ID: id}
	name.Lastname = opt.Of("Lovelace")
	if _, err := w.People.UpdateCustomer(t.Context(), full, name); err != nil {
		t.Fatal(err)
	}
	owned := listing.CreateProduct{}
	owned.AgencyID, owned.CustomerID, owned.WebStatus = opt.Of(int64(11)), opt.Of(id), opt.Of(true)
	owned.Criteria = apitest.Criteria("Statut", "EnCours", "TypeTransaction", "Vente")
	home := w.CreateProductAs(full, owned)
	named := listing.SearchProducts{}
	named.Keyword = opt.Of("lovelace")
	state := func() string {
		matches := w.matchingSearches(w.Again(full), home, false)
		return fmt.Sprint(len(matches.Data), w.FindProducts(full, named))
	}
	if got, want := state(), fmt.Sprint(1, []int64{home}); got != want {
		t.Fatalf("before, it is %s, want %s", got, want)
	}
	w.anonymize(id)
	if got, want := state(), fmt.Sprint(0, []int64{}); got != want {
		t.Errorf("then it is %s, want %s", got, want)
	}
}

// Whoever repeats a request from before does it anew: nothing may tell that there
// was one.
func TestReceiptsGoWithTheirCustomer(t *testing.T) {
	w := newWorld(t)
	once := func(name, email string) (lead people.Lead, repeated bool) {
		c, err := w.Once(t.Context(), w.As("full", 1), apitest.Key(name))
		if err == nil {
			lead, err = w.buyerLead(c, email)
		}
		if _, answered := errors.AsType[*kernel.Answered](err); answered {
			return lead, true
		}
		if err != nil {
			t.Fatal(err)
		}
		return lead, false
	}
	ada, _ := once("of ada", "ada@example.com")
	once("of ada, sent again", "ada@example.com")
	once("of bob", "bob@example.com")
	w.anonymize(*ada.CustomerID)
	for name, want := range map[string]bool{"of ada": false, "of ada, sent again": false, "of bob": true} {
		err := w.Store.View(t.Context(), func(tx port.Tx) error {
			_, err := tx.Receipts().Get(port.ReceiptID{Site: 1, Credential: "full", Operation: "product.create", Key: name})
			if kept := err == nil; kept != want {
				t.Errorf("the receipt %s is kept: %t", name, kept)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// filled are the names of the fields that are not zero, those of structs one by
// one.
func filled(v reflect.Value, prefix string) (names []string) {
	for i := range v.NumField() {
		field, name := v.Field(i), prefix+v.Type().Field(i).Name
		switch {
		case field.IsZero():
		case field.Kind() == reflect.Struct && field.Type() != reflect.TypeFor[time.Time]():
			names = append(names, filled(field, name+".")...)
		default:
			names = append(names, name)
		}
	}
	return names
}

func TestWhatStaysOfARecordIsNamed(t *testing.T) {
	var c customer.Customer
	var r demand.SearchRequest
	var f demand.FollowUp
	var l demand.Lead
	for _, whole := range []any{&c, &r, &f, &l} {
		apitest.Fill(t, whole)
	}
	for _, left := range []struct {
		record any
		want   string
	}{
		{c.Anonymous(time.Unix(2, 0)), "ID Site Agency User Type Archived Anonymized Added Modified Version Profile.Origin"},
		{r.Anonymous(), "ID Site Customer Agency User Status TransactionType PropertyTypes Origin Added Modified Deleted Version"},
		{f.Anonymous(), "ID Site Customer Product Search User Status RefusalReason Rating History Added Modified Version"},
		{l.Anonymous(), "ID Site Agency User Kind Status Customer CustomerCreated Product Search FollowUp Origin Project.Kind Wish.TransactionType Added Modified Version"},
	} {
		if got := strings.Join(filled(reflect.ValueOf(left.record), ""), " "); got != left.want {
			t.Errorf("of a %T stay\n%s\nwant\n%s", left.record, got, left.want)
		}
	}
}
