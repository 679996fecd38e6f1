package backoffice_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// told lists the events of site 1, such as "USER_CREATE 104", after a sequence.
func (w *world) told(after int64) (lines []string) {
	w.View(func(tx port.Tx) error {
		events, err := tx.Ledger().After(1, after, 1000)
		for _, e := range events {
			lines = append(lines, fmt.Sprintf("%s %d of %d", e.Type, e.Resource, e.Agency))
		}
		return err
	})
	return lines
}

func (w *world) seq(t *testing.T) int64 {
	t.Helper()
	head, err := w.Store.Head(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return head.Seq
}

// whole is site 1 with its agencies and users.
func (w *world) whole(t *testing.T) backoffice.WholeSite {
	t.Helper()
	return do(t, w.GetSite, w.admin, on(kernel.Nothing{}))
}

func TestAnAgencyIsAddedAndChanged(t *testing.T) {
	w := newWorld(t)
	before := w.seq(t)
	made := do(t, w.CreateAgency, w.admin, on(backoffice.AgencyInput{Agency: site.Agency{Name: " Nantes ", City: "Nantes", Active: true}, InScope: true}))
	if made.ID != 22 { // site 2 has agency 21
		t.Errorf("it has the id %d", made.ID)
	}
	now := w.whole(t)
	agency, err := now.Agency(22)
	if err != nil || agency.Name != "Nantes" || agency.Site != 1 || !agency.Active || agency.Added.IsZero() || !slices.Equal(ids(now.Record.Agencies), []int64{11, 12, 22}) {
		t.Errorf("%+v in %v, %v", agency, now.Record.Agencies, err)
	}
	if told := w.told(before); len(told) != 0 {
		t.Errorf("a new agency is told as %q, and by provisioning as nothing", told)
	}
	agency.Phone, agency.City = "0240000000", ""
	do(t, w.ChangeAgency, w.admin, on(backoffice.AgencyInput{IfMatch: is(now.Version), Agency: agency, InScope: true}))
	if told := w.told(before); !slices.Equal(told, []string{"AGENCY_UPDATE 22 of 22"}) {
		t.Errorf("the change is told as %q", told)
	}
	entries := w.audit(t)
	if changed, created := entries[0], entries[1]; created.Operation != "agency.create" || created.Subject != "agency 22" || changed.Operation != "agency.change" || changed.Subject != "agency 22" || changed.Site != 1 ||
		!slices.Contains(changed.Changes, edit.Edit{Field: "City", Before: "‹string, 6›"}) {
		t.Errorf("%+v", entries[:2])
	}
	// What is the same again is told to nobody.
	seq := w.seq(t)
	do(t, w.ChangeAgency, w.admin, on(backoffice.AgencyInput{Agency: agency, InScope: true}))
	if told := w.told(seq); len(told) != 0 {
		t.Errorf("no difference is told as %q", told)
	}
}

// An agency that leaves the scope, or comes into it, takes its users and all that is of it along.
func TestAnAgencyLeavesTheScopeAndReturns(t *testing.T) {
	w := newWorld(t)
	agency, err := w.whole(t).Agency(12)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		inScope bool
		scope   []int64
		told    []string
	}{
		{false, []int64{11}, []string{"AGENCY_UPDATE 12 of 0", "USER_DELETE 102 of 12"}},
		{true, []int64{11, 12}, []string{"AGENCY_UPDATE 12 of 12", "USER_CREATE 102 of 12"}},
	} {
		seq := w.seq(t)
		do(t, w.ChangeAgency, w.admin, on(backoffice.AgencyInput{Agency: agency, InScope: c.inScope}))
		if scope, told := ids(w.whole(t).Record.Agencies), w.told(seq); !slices.Equal(scope, c.scope) || !slices.Equal(told, c.told) {
			t.Errorf("in scope %t: the scope is %v, and told is %q", c.inScope, scope, told)
		}
		w.View(func(tx port.Tx) error {
			kept, err := tx.ScopeChanges().Scan(1, 0, 10)
			if n := len(kept); n == 0 || kept[n-1].Entered != c.inScope {
				t.Errorf("in scope %t: what is to be told yet is %+v", c.inScope, kept)
			}
			return err
		})
	}
}

func TestAUserIsAddedAndMoves(t *testing.T) {
	w := newWorld(t)
	before := w.seq(t)
	in := backoffice.UserInput{User: site.User{Agency: 11, Firstname: "Ada", Lastname: "Martin", Email: "ada@example.org", StatusKind: "SALARIE", Type: 2, Active: true}}
	if made := do(t, w.CreateUser, w.admin, on(in)); made.ID != 104 {
		t.Errorf("it has the id %d", made.ID)
	}
	user, err := w.whole(t).User(104)
	if err != nil || user.FullName() != "Ada Martin" || user.Site != 1 || user.Type != 2 || user.Added.IsZero() {
		t.Fatalf("%+v, %v", user, err)
	}
	user.Agency = 12
	do(t, w.ChangeUser, w.admin, on(backoffice.UserInput{User: user}))
	user.Agency = 13 // out of scope
	do(t, w.ChangeUser, w.admin, on(backoffice.UserInput{User: user}))
	if told := w.told(before); !slices.Equal(told, []string{"USER_CREATE 104 of 11", "USER_UPDATE 104 of 12", "USER_DELETE 104 of 13"}) {
		t.Errorf("told is %q", told)
	}
	if entry := w.audit(t)[0]; entry.Operation != "user.change" || entry.Subject != "user 104" || !slices.Equal(entry.Changes, []edit.Edit{{Field: "Agency", Before: "12", After: "13"}}) {
		t.Errorf("%+v", entry)
	}
	in.User.ID = 9
	if made := do(t, w.CreateUser, w.admin, on(in)); made.ID != 9 {
		t.Errorf("with an id of its own it has the id %d", made.ID)
	}
}

// What breaks a rule names the field, and changes nothing.
func TestWrongAgenciesAndUsersAreRefused(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 300)
	agency := func(a site.Agency) func() error { return agencyBy(w.CreateAgency, w.admin, a) }
	user := func(u site.User) func() error { return agencyUser(w.CreateUser, w.admin, u) }
	before, entries := w.whole(t), len(w.audit(t))
	for name, c := range map[string]struct {
		send   func() error
		fields []string
	}{
		"an agency without a name":  {agency(site.Agency{}), []string{"name"}},
		"an agency of blanks":       {agency(site.Agency{Name: " \u200b"}), []string{"name"}},
		"much too long, and e-mail": {agency(site.Agency{Name: long, Email: "ada"}), []string{"name", "email"}},
		"a time zone":               {agency(site.Agency{Name: "A", TimeZone: "Paris"}), []string{"timezone"}},
		"a day":                     {agency(site.Agency{Name: "A", Card: site.ProfessionalCard{ValidUntil: "31/12/2026"}}), []string{"professional_card.valid_until"}},
		"an id below 1":             {agency(site.Agency{ID: -1, Name: "A"}), []string{"id"}},
		"an agency there is":        {agency(site.Agency{ID: 12, Name: "A"}), []string{"id"}},
		"an agency of another site": {agency(site.Agency{ID: 21, Name: "A"}), []string{"id"}},
		"a changed agency":          {agencyBy(w.ChangeAgency, w.admin, site.Agency{ID: 11}), []string{"name"}},
		"a user of no agency":       {user(site.User{Lastname: "A"}), []string{"agency_id"}},
		"of another site":           {user(site.User{Agency: 21}), []string{"agency_id"}},
		"what nobody is":            {user(site.User{Agency: 11, Type: 9, Gender: -1, Group: 7, StatusKind: "ROI"}), []string{"status_kind", "type", "gender", "group_id"}},
		"a user's e-mail":           {user(site.User{Agency: 11, Email: "ada"}), []string{"email"}},
		"a user there is":           {user(site.User{ID: 101, Agency: 11}), []string{"id"}},
		"a changed user":            {agencyUser(w.ChangeUser, w.admin, site.User{ID: 101}), []string{"agency_id"}},
	} {
		if err := c.send(); !errors.Is(err, fault.Invalid) || !slices.Equal(fieldsOf(err), c.fields) {
			t.Errorf("%s: %v names %v", name, err, fieldsOf(err))
		}
	}
	for name, send := range map[string]func() error{
		"agency": agencyBy(w.ChangeAgency, w.admin, site.Agency{ID: 99, Name: "A"}), "user": agencyUser(w.ChangeUser, w.admin, site.User{ID: 99, Agency: 11}),
	} {
		if err := send(); !errors.Is(err, fault.NotFound) {
			t.Errorf("an unknown %s is %v", name, err)
		}
	}
	_, err := w.ChangeAgency(t.Context(), w.admin, on(backoffice.AgencyInput{IfMatch: is(before.Version - 1), Agency: before.Agencies[0]}))
	apitest.Refused(t, err, fault.Stale, fault.CodePreconditionFailed)
	_, err = w.CreateAgency(t.Context(), w.admin, backoffice.At[backoffice.AgencyInput]{Site: 99, In: backoffice.AgencyInput{Agency: site.Agency{Name: "A"}}})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	if after := w.whole(t); after.Version != before.Version || len(after.Agencies) != len(before.Agencies) || len(after.Users) != len(before.Users) || len(w.audit(t)) != entries {
		t.Errorf("refusals changed %+v to %+v", before, after)
	}
}

// agencyBy sends an agency to a use case about site 1.
func agencyBy[Out any](use func(context.Context, backoffice.Actor, backoffice.At[backoffice.AgencyInput]) (Out, error), by backoffice.Actor, a site.Agency) func() error {
	return func() error {
		_, err := use(context.Background(), by, on(backoffice.AgencyInput{Agency: a, InScope: true}))
		return err
	}
}

// agencyUser does so with a user.
func agencyUser[Out any](use func(context.Context, backoffice.Actor, backoffice.At[backoffice.UserInput]) (Out, error), by backoffice.Actor, u site.User) func() error {
	return func() error {
		_, err := use(context.Background(), by, on(backoffice.UserInput{User: u}))
		return err
	}
}

func is(v kernel.Version) kernel.IfMatch {
	return kernel.IfMatch{Given: true, Versions: []kernel.Version{v}}
}

// What operators make is as if a file had described it: provisioning the same changes nothing.
func TestWhatOperatorsMakeIsWhatAFileDescribes(t *testing.T) {
	w := newWorld(t)
	do(t, w.CreateAgency, w.admin, on(backoffice.AgencyInput{Agency: site.Agency{ID: 14, Name: "Nantes", Active: true}, InScope: true}))
	do(t, w.CreateUser, w.admin, on(backoffice.UserInput{User: site.User{ID: 104, Agency: 14, Lastname: "Martin", Gender: 2, Active: true}}))
	described := apitest.Network()
	own := &described.Sites[0]
	own.Agencies = append(own.Agencies, transfer.SetupAgency{ID: 14, Name: "Nantes"})
	own.Users = append(own.Users, transfer.SetupUser{ID: 104, AgencyID: 14, Lastname: "Martin", Gender: "F"})
	if done, err := w.Transfer.Provision(t.Context(), described); err != nil || cmp.Or(done.Added, done.Changed) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}
