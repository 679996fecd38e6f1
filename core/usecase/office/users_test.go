package office_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestUsersAreThoseOfAgenciesInScope(t *testing.T) {
	w := apitest.New(t)
	none, eleven := opt.Field[int64]{}, opt.Of(int64(11))
	for _, c := range []struct {
		agency opt.Field[int64]
		active opt.Field[bool]
		want   []int64
	}{
		{none, opt.Field[bool]{}, []int64{101, 102}}, {none, opt.Of(true), []int64{101}}, {none, opt.Of(false), []int64{102}},
		{eleven, opt.Field[bool]{}, []int64{101}}, {eleven, opt.Of(false), nil},
	} {
		page, err := w.Office.ListUsers(t.Context(), w.As("full", 1), office.ListUsers{AgencyID: c.agency, Active: c.active})
		if err != nil || page.Data == nil || page.Meta.Path != "https://crm.example.org/api/v2/site/users" {
			t.Errorf("%+v: %+v, %v", c, page, err)
		}
		var got []int64
		for _, u := range page.Data {
			got = append(got, u.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for _, outside := range []int64{13, 21, 99} {
		_, err := w.Office.ListUsers(t.Context(), w.As("full", 1), office.ListUsers{AgencyID: opt.Of(outside)})
		apitest.Refused(t, err, fault.Forbidden, fault.CodeAgencyOutOfScope)
	}
	_, err := w.Office.ListUsers(t.Context(), w.As("full", 1), office.ListUsers{PageQuery: kernel.PageQuery{PerPage: opt.Of(201)}})
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "per_page")
}

func TestAUserOutsideTheScope(t *testing.T) {
	w := apitest.New(t)
	read := func(id int64) (office.User, error) {
		return w.Office.GetUser(t.Context(), w.As("full", 1), office.UserPath{ID: id})
	}
	anne, err := read(101)
	if err != nil || anne.Firstname != "Anne" || anne.AgencyID != 11 || !slices.Equal(anne.AgencyIDs, []int64{11}) || !anne.IsActive || anne.Languages == nil || anne.Email != nil {
		t.Errorf("%+v, %v", anne, err)
	}
	if bruno, err := read(102); err != nil || bruno.IsActive {
		t.Errorf("who is not active can be read: %+v, %v", bruno, err)
	}
	_, err = read(103)
	apitest.Refused(t, err, fault.Forbidden, fault.CodeResourceOutOfScope)
	for _, id := range []int64{201, 9} {
		_, err = read(id)
		apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	}
}

// A group of an agency outside the scope is not listed, and of a group of the
// whole site only members in scope count.
func TestGroupsCountWhoIsInScope(t *testing.T) {
	w := apitest.New(t)
	network := apitest.Network()
	network.Sites[0].UserGroups = []transfer.SetupUserGroup{{ID: 1, Name: "Luxe"}, {ID: 2, Name: "Onze", AgencyID: 11}, {ID: 3, Name: "Treize", AgencyID: 13}}
	for i := range network.Sites[0].Users {
		network.Sites[0].Users[i].GroupID = 1
	}
	w.Provision(network)
	groups, err := w.Office.ListUserGroups(t.Context(), w.As("full", 1), kernel.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range groups {
		got = append(got, fmt.Sprint(g.Name, " ", g.UsersCount, " ", g.AgencyID != nil, " ", g.Permissions))
	}
	if !slices.Equal(got, []string{"Luxe 2 false []", "Onze 0 true []"}) {
		t.Errorf("%q", got)
	}
}

func TestLabelsAreThoseOfTheCore(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	for name, c := range map[string]struct {
		list kernel.UseCase[kernel.Nothing, []office.LabelRecord]
		want []site.Label
	}{"types": {w.Office.ListUserTypes, site.UserTypes()}, "genders": {w.Office.ListGenders, site.Genders()}} {
		got, err := c.list(t.Context(), full, kernel.Nothing{})
		if err != nil || len(got) != len(c.want) {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		for i, want := range c.want {
			if got[i] != (office.LabelRecord{ID: want.ID, Model: want.Code, Label: want.Label}) {
				t.Errorf("%s: %+v, want %+v", name, got[i], want)
			}
		}
	}
	lists, err := w.Office.ListLists(t.Context(), full, kernel.Nothing{})
	if err != nil || len(lists) != 4 || lists[0] != (office.ListResource{ID: 1, Key: "room_types", Label: "Pièces"}) {
		t.Errorf("the lists are %+v, %v", lists, err)
	}
}
