package siteapi_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// rule is that of a line of the contract.
func rule(t *testing.T, l apitest.ContractLine) access.Rule {
	t.Helper()
	rule := access.Rule{Permission: l.Permission, Right: l.Right}
	for _, name := range l.Packs {
		pack, err := access.ParsePack(name)
		if err != nil {
			t.Fatal(err)
		}
		rule.Packs |= pack
	}
	return rule
}

func TestTheTableIsTheContract(t *testing.T) {
	w := apitest.New(t)
	table, names := map[string]kernel.Operation{}, map[string]bool{}
	for _, o := range append(w.Operations(), w.TokenOperations()...) {
		if _, twice := table[o.ID]; twice {
			t.Errorf("the table has %s twice", o.ID)
		}
		if o.Name == "" || names[o.Name] {
			t.Errorf("%s is called %q, which is no name of its own", o.ID, o.Name)
		}
		table[o.ID], names[o.Name] = o, true
	}
	for _, l := range apitest.Contract(t, "..") {
		o, found := table[l.ID]
		if !found {
			t.Errorf("the contract has %s, the table does not", l.ID)
			continue
		}
		delete(table, l.ID)
		if o.Method != l.Method || o.Path != l.Path || o.Status != l.Status || !o.Public && o.Rule != rule(t, l) {
			t.Errorf("%s is %s %s %d %+v in the table, and %+v in the contract", l.ID, o.Method, o.Path, o.Status, o.Rule, l)
		}
	}
	for id := range table {
		t.Errorf("the table has %s, the contract does not", id)
	}
}

// useCase calls a use case with a request that says nothing.
type useCase func(context.Context, kernel.Caller) error

// published are the use cases of the areas' APIs by the name of their field:
// those that check the caller, and those that do not.
func published(s *siteapi.Service) (checked, unchecked map[string]useCase) {
	checked, unchecked = map[string]useCase{}, map[string]useCase{}
	collect := func(into map[string]useCase, area string, fields reflect.Value) {
		for i := range fields.NumField() {
			field := fields.Field(i)
			into[area+"."+fields.Type().Field(i).Name] = func(ctx context.Context, c kernel.Caller) error {
				out := field.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(c), reflect.Zero(field.Type().In(2))})
				err, _ := out[1].Interface().(error)
				return err
			}
		}
	}
	for area, apis := range map[string][2]any{
		"Office":   {&s.Office.API, s.Office.Unchecked()},
		"Tokens":   {&s.Tokens.API, s.Tokens.Unchecked()},
		"History":  {&s.History.API, s.History.Unchecked()},
		"Listing":  {&s.Listing.API, s.Listing.Unchecked()},
		"People":   {&s.People.API, s.People.Unchecked()},
		"Deals":    {&s.Deals.API, s.Deals.Unchecked()},
		"Agenda":   {&s.Agenda.API, s.Agenda.Unchecked()},
		"Hooks":    {&s.Hooks.API, s.Hooks.Unchecked()},
		"Requests": {&s.Requests.API, s.Requests.Unchecked()},
	} {
		collect(checked, area, reflect.ValueOf(apis[0]).Elem())
		collect(unchecked, area, reflect.ValueOf(apis[1]))
	}
	return checked, unchecked
}

// fields are the fields of the areas' APIs by the operation that guards them: the
// one that refuses a caller when the rule of the operation does. They are found in
// a service of their own, whose guards are changed on the way.
func fields(t *testing.T) map[string]string {
	t.Helper()
	w, ctx := apitest.New(t), stopped(t)
	checked, _ := published(w.Service)
	caller := w.As("full", 1)
	caller.Grant.Permissions = access.Permissions()
	found := map[string]string{}
	for _, o := range append(w.Operations(), w.TokenOperations()...) {
		other := o
		other.Public, other.Rule = false, access.Rule{Permission: "nobody has it"}
		kernel.Check([]kernel.Operation{other})
		for name, use := range checked {
			if refusal(use(ctx, caller)) == fault.CodePermissionMissing {
				if found[o.ID] != "" {
					t.Errorf("%s guards both %s and %s", o.ID, found[o.ID], name)
				}
				found[o.ID] = name
				delete(checked, name)
			}
		}
		if found[o.ID] == "" {
			t.Errorf("%s guards no field of an API", o.ID)
		}
	}
	for name := range checked {
		t.Errorf("%s is in no line of the table", name)
	}
	return found
}

// stopped is a context in which the store fails, so that whoever is admitted fails
// in another way than by a refusal.
func stopped(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestAuthorisationMatrix calls every operation with every set of packs, with
// and without its permission and its right, through the table and as the function
// of Go that it publishes, and holds the outcome against the contract.
func TestAuthorisationMatrix(t *testing.T) {
	w, ctx := apitest.New(t), stopped(t)
	checked, unchecked := published(w.Service)
	caller := w.As("full", 1)
	lines := map[string]apitest.ContractLine{}
	for _, l := range apitest.Contract(t, "..") {
		lines[l.ID] = l
	}
	fieldOf, cases := fields(t), 0
	for _, o := range w.Operations() {
		l, in, field := lines[o.ID], reflect.Zero(o.In).Interface(), fieldOf[o.ID]
		ways := map[string]useCase{
			"Call": func(ctx context.Context, c kernel.Caller) error {
				_, err := o.Call(ctx, c, in)
				return err
			},
			field: checked[field],
		}
		for packs := access.Packs(0); packs <= access.AllPacks; packs++ {
			for _, holds := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
				caller.Grant.Packs, caller.Grant.Permissions, caller.Grant.Rights = packs, nil, nil
				if holds[0] {
					caller.Grant.Permissions = []access.Permission{l.Permission}
				}
				if holds[1] {
					caller.Grant.Rights = []access.Right{l.Right}
				}
				want := l.Refusal(packs, holds[0], holds[1])
				for way, call := range ways {
					cases++
					if got := refusal(call(ctx, caller)); got != want {
						t.Fatalf("%s by %s with packs %q, permission %t, right %t: refused for %q, want %q", o.ID, way, packs, holds[0], holds[1], got, want)
					}
				}
			}
		}
		caller.Grant = access.Grant{Site: 1}
		if err := unchecked[field](ctx, caller); refusal(err) != "" {
			t.Errorf("%s, which is not to check, refuses: %v", field, err)
		}
	}
	t.Logf("%d cases", cases)
}

// A caller whom nobody has identified is refused before the rule is asked, but for
// operations that authenticate by themselves.
func TestCallersComeFromIdentifyOrAdmit(t *testing.T) {
	w, ctx := apitest.New(t), stopped(t)
	made := kernel.Caller{Grant: access.Grant{
		Site: 1, Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	}}
	checked, _ := published(w.Service)
	for _, o := range w.Operations() {
		_, err := o.Call(ctx, made, reflect.Zero(o.In).Interface())
		apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	}
	for field, use := range checked {
		var told *fault.Error
		refused := errors.As(use(ctx, made), &told) && told.Code == fault.CodeUnauthenticated
		if public := slices.Contains([]string{"Tokens.IssueToken", "Tokens.RefreshToken", "Tokens.RevokeToken"}, field); refused == public {
			t.Errorf("%s: refused %t", field, refused)
		}
	}
}

// refusal is the code of an access check's refusal, or "".
func refusal(err error) fault.Code {
	var known *fault.Error
	if errors.As(err, &known) {
		checks := []fault.Code{fault.CodePackMissing, fault.CodePermissionMissing, fault.CodeRightMissing}
		if slices.Contains(checks, known.Code) {
			return known.Code
		}
	}
	return ""
}
