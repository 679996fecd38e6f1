package site_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

var agencyIDs = rapid.SliceOf(rapid.Custom(func(t *rapid.T) site.AgencyID {
	return site.AgencyID(rapid.Int64Range(1, 12).Draw(t, "agency"))
}))

func TestScopeIsTheSetOfItsAgencies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := agencyIDs.Draw(t, "agencies")
		before := slices.Clone(given)
		scope := site.NewScope(given...)
		if !slices.Equal(given, before) {
			t.Fatalf("making a scope changed the list it was made of: %v", given)
		}
		distinct := map[site.AgencyID]bool{}
		for _, id := range given {
			distinct[id] = true
		}
		for id := site.AgencyID(-1); id <= 14; id++ {
			if scope.Has(id) != distinct[id] {
				t.Fatalf("the scope of %v has %d: %t", given, id, scope.Has(id))
			}
		}
		listed := scope.Agencies()
		if !slices.IsSorted(listed) || len(listed) != len(distinct) {
			t.Fatalf("the scope of %v lists %v", given, listed)
		}
		if scope.Empty() != (len(distinct) == 0) {
			t.Fatalf("the scope of %v is empty: %t", given, scope.Empty())
		}
		only, ok := scope.Only()
		if ok != (len(distinct) == 1) || ok && !distinct[only] || !ok && only != 0 {
			t.Fatalf("the only agency of %v is %d, %t", given, only, ok)
		}
	})
}

func TestScopeDoesNotChangeAfterwards(t *testing.T) {
	owner := site.Site{Agencies: []site.AgencyID{12, 11}}
	scope := owner.Scope()
	owner.Agencies[0] = 99
	scope.Agencies()[0] = 98
	if !slices.Equal(scope.Agencies(), []site.AgencyID{11, 12}) || scope.Has(99) || scope.Has(98) {
		t.Errorf("the scope became %v", scope.Agencies())
	}
}

func TestScopeOfNothingHasNothing(t *testing.T) {
	var scope site.Scope
	if !scope.Empty() || scope.Has(0) || len(scope.Agencies()) != 0 {
		t.Error("the zero Scope reaches something")
	}
	if _, ok := scope.Only(); ok {
		t.Error("the zero Scope has an only agency")
	}
}

func TestSettingsHaveFrenchDefaults(t *testing.T) {
	want := site.Settings{
		DefaultStatus: "EnCours", TimeZone: "Europe/Paris", Currency: "EUR", Country: "FR", Language: "fr",
		ReferencePattern: "{agency}-{number}",
	}
	if got := (site.Settings{}).WithDefaults(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
	chosen := site.Settings{
		DefaultStatus: "Estimation", TimeZone: "Indian/Reunion", Currency: "CHF", Country: "CH", Language: "de",
		ReferencePattern: "R{number}", EnergyScales: []string{"ch-co2"},
	}
	if got := chosen.WithDefaults(); !reflect.DeepEqual(got, chosen) {
		t.Errorf("the defaults replaced a choice: %+v", got)
	}
}

func TestFullNameOfAUser(t *testing.T) {
	for want, user := range map[string]site.User{
		"Luc Morel": {Firstname: "Luc", Lastname: "Morel"}, "Morel": {Lastname: "Morel"}, "Luc": {Firstname: "Luc"}, "": {},
	} {
		if got := user.FullName(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestAgenciesAndUsersAreTheSameButForTheirTimes(t *testing.T) {
	at, longitude := time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC), 4.8
	elsewhere := 4.9
	agency := site.Agency{ID: 11, Name: "Lyon", Longitude: &longitude, Languages: []string{"fr"}, Added: at, Modified: at}
	for what, c := range map[string]struct {
		change func(*site.Agency)
		same   bool
	}{
		"nothing":       {func(*site.Agency) {}, true},
		"its times":     {func(a *site.Agency) { a.Added, a.Modified = at.Add(1), at.Add(2) }, true},
		"its name":      {func(a *site.Agency) { a.Name = "Annecy" }, false},
		"its place":     {func(a *site.Agency) { a.Longitude = &elsewhere }, false},
		"its languages": {func(a *site.Agency) { a.Languages = []string{"en"} }, false},
	} {
		changed := agency
		if c.change(&changed); agency.Same(changed) != c.same || changed.Same(agency) != c.same {
			t.Errorf("an agency that changes %s is the same: %t", what, agency.Same(changed))
		}
	}
	user := site.User{ID: 101, Firstname: "Luc", Languages: []string{"fr"}, Added: at, Modified: at}
	later, renamed := user, user
	later.Added, later.Modified, renamed.Firstname = at.Add(1), at.Add(2), "Léa"
	if !user.Same(later) || user.Same(renamed) {
		t.Error("a user is another by their times, or the same under another name")
	}
}
