package api_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

type greet struct{ Name string }

type greeting struct{ Text string }

// greeter is an area with one use case, for those with the pack properties.
type greeter struct {
	Greet api.UseCase[greet, greeting]
}

func (g *greeter) operation() api.Operation {
	return api.Op(&g.Greet, "greet", api.POST, "/greetings", 200, api.Needs(access.Properties, access.ProductWrite, access.ProductCreate), "Greet",
		func(_ context.Context, _ api.Caller, in greet) (greeting, error) {
			return greeting{"hello " + in.Name}, nil
		})
}

func TestAFieldIsGuardedOnceChecked(t *testing.T) {
	var g greeter
	k := newKernel(t)
	o := g.operation()
	lacking := k.caller(1)
	lacking.Grant.Packs = access.Websites
	if out, err := g.Greet(t.Context(), lacking, greet{"you"}); err != nil || out.Text != "hello you" {
		t.Errorf("before Check: %+v, %v", out, err)
	}
	unchecked := g
	api.Check([]api.Operation{o})
	for name, call := range map[string]func(api.Caller) (any, error){
		"the field": func(c api.Caller) (any, error) { return g.Greet(t.Context(), c, greet{"you"}) },
		"Call":      func(c api.Caller) (any, error) { return o.Call(t.Context(), c, greet{"you"}) },
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := call(k.caller(1)); err != nil || out != (greeting{"hello you"}) {
				t.Errorf("%+v, %v", out, err)
			}
			_, err := call(lacking)
			apitest.Refused(t, err, fault.Forbidden, fault.CodePackMissing)
			_, err = call(api.Caller{Grant: k.caller(1).Grant})
			apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
		})
	}
	if out, err := unchecked.Greet(t.Context(), lacking, greet{"you"}); err != nil || out.Text != "hello you" {
		t.Errorf("a copy from before: %+v, %v", out, err)
	}
	public := o.AsPublic()
	if _, err := public.Call(t.Context(), api.Caller{}, greet{}); err != nil {
		t.Errorf("a public operation refuses: %v", err)
	}
	if _, err := o.Call(t.Context(), k.caller(1), greeting{}); err == nil || !strings.Contains(err.Error(), "not api_test.greeting") {
		t.Errorf("a request of another type: %v", err)
	}
}

func TestAnswersInTheEnvelope(t *testing.T) {
	var g greeter
	k := newKernel(t)
	o := g.operation().InData()
	if o.Out.String() != "api.Data[github.com/vitrine-crm/vitrine/core/api_test.greeting]" {
		t.Errorf("the answer is of type %s", o.Out)
	}
	out, err := o.Call(t.Context(), k.caller(1), greet{"you"})
	if err != nil || out != (api.Data[greeting]{Data: greeting{"hello you"}}) {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWhichOperationsWriteAndCanBeRepeated(t *testing.T) {
	reads, writes := api.Needs(0, access.ProductRead, ""), api.Needs(0, access.ProductWrite, "")
	for name, c := range map[string]struct {
		o                  api.Operation
		writes, repeatable bool
	}{
		"a search":             {api.Operation{Method: api.POST, Rule: reads}, false, false},
		"a creation":           {api.Operation{Method: api.POST, Rule: writes}, true, true},
		"a change":             {api.Operation{Method: api.PATCH, Rule: writes}, true, false},
		"a deletion":           {api.Operation{Method: api.DELETE, Rule: writes}, true, false},
		"a read for writers":   {api.Operation{Method: api.GET, Rule: writes}, false, false},
		"a public operation":   {api.Operation{Method: api.POST, Rule: writes, Public: true}, false, false},
		"one without any rule": {api.Operation{Method: api.POST}, false, false},
	} {
		if c.o.Writes() != c.writes || c.o.Repeatable() != c.repeatable {
			t.Errorf("%s writes %t, can be repeated %t", name, c.o.Writes(), c.o.Repeatable())
		}
	}
}

// Each path gets the nearest place at or above it, and only who may read there
// learns whether something is there.
func TestPathsGetTheNearestPlace(t *testing.T) {
	place := func(path string) api.Place {
		return api.Place{Path: path, Exists: func(context.Context, api.Caller, []int64) error { return errors.New(path) }}
	}
	product, picture := access.ProductRead, access.ProductWrite
	operations := []api.Operation{
		{ID: "search", Method: api.POST, Path: "/products/search"},
		{ID: "get", Method: api.GET, Path: "/products/{productId}", Rule: access.Rule{Permission: product}},
		{ID: "update", Method: api.PATCH, Path: "/products/{productId}", Rule: access.Rule{Permission: access.ProductWrite}},
		{ID: "lots", Method: api.GET, Path: "/products/{productId}/lots"},
		{ID: "picture", Method: api.GET, Path: "/products/{productId}/pictures/{pictureId}", Rule: access.Rule{Permission: picture}},
		{ID: "remove", Method: api.DELETE, Path: "/products/{productId}/pictures/{pictureId}"},
		{ID: "else", Method: api.GET, Path: "/products/{productId}else"},
		{ID: "write only", Method: api.DELETE, Path: "/drafts/{draftId}"},
	}
	api.AddExists(operations, []api.Place{
		place("/products/{productId}"), place("/products/{productId}/pictures/{pictureId}"), place("/drafts/{draftId}"),
	})
	for id, want := range map[string]struct {
		place string
		read  access.Permission
	}{
		"search": {}, "else": {},
		"get":        {"/products/{productId}", product},
		"update":     {"/products/{productId}", product},
		"lots":       {"/products/{productId}", ""},
		"picture":    {"/products/{productId}/pictures/{pictureId}", picture},
		"remove":     {"/products/{productId}/pictures/{pictureId}", picture},
		"write only": {"/drafts/{draftId}", ""},
	} {
		o := operations[slices.IndexFunc(operations, func(o api.Operation) bool { return o.ID == id })]
		if want.place == "" {
			if o.Exists != nil {
				t.Errorf("%s is at a place", id)
			}
			continue
		}
		reader := api.Caller{Grant: access.Grant{Permissions: []access.Permission{want.read}}}
		if err := o.Exists(t.Context(), reader, nil); err == nil || err.Error() != want.place {
			t.Errorf("%s is at %v, want %s", id, err, want.place)
		}
		if err := o.Exists(t.Context(), api.Caller{}, nil); (err == nil) != (want.read != "") {
			t.Errorf("%s tells those who may not read: %v", id, err)
		}
	}
}
