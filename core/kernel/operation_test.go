package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

type greet struct{ Name string }

type greeting struct{ Text string }

// greeter is an area with one use case, for those with the pack properties.
type greeter struct {
	Greet kernel.UseCase[greet, greeting]
}

func (g *greeter) operation() kernel.Operation {
	return kernel.Op(&g.Greet, "greet", kernel.POST, "/greetings", 200, kernel.Needs(access.Properties, access.ProductWrite, access.ProductCreate), "Greet",
		func(_ context.Context, _ kernel.Caller, in greet) (greeting, error) {
			return greeting{"hello " + in.Name}, nil
		})
}

func TestAnOperationIsCalledAsItsField(t *testing.T) {
	var g greeter
	area := kernel.NewArea(&g, func(g *greeter) []kernel.Operation { return []kernel.Operation{g.operation().InData()} })
	if o := area.Operations()[0]; o.Name != "Greet" || o.ID != "greet" {
		t.Errorf("the operation is called %q", o.Name)
	}
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
	kernel.Check([]kernel.Operation{o})
	for name, call := range map[string]func(kernel.Caller) (any, error){
		"the field": func(c kernel.Caller) (any, error) { return g.Greet(t.Context(), c, greet{"you"}) },
		"Call":      func(c kernel.Caller) (any, error) { return o.Call(t.Context(), c, greet{"you"}) },
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := call(k.caller(1)); err != nil || out != (greeting{"hello you"}) {
				t.Errorf("%+v, %v", out, err)
			}
			_, err := call(lacking)
			apitest.Refused(t, err, fault.Forbidden, fault.CodePackMissing)
			_, err = call(kernel.Caller{Grant: k.caller(1).Grant})
			apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
		})
	}
	if out, err := unchecked.Greet(t.Context(), lacking, greet{"you"}); err != nil || out.Text != "hello you" {
		t.Errorf("a copy from before: %+v, %v", out, err)
	}
	public := o.AsPublic()
	if _, err := public.Call(t.Context(), kernel.Caller{}, greet{}); err != nil {
		t.Errorf("a public operation refuses: %v", err)
	}
	if _, err := o.Call(t.Context(), k.caller(1), greeting{}); err == nil || !strings.Contains(err.Error(), "not kernel_test.greeting") {
		t.Errorf("a request of another type: %v", err)
	}
}

func TestAnswersInTheEnvelope(t *testing.T) {
	var g greeter
	k := newKernel(t)
	o := g.operation().InData()
	if o.Out.String() != "kernel.Data[github.com/vitrine-crm/vitrine/core/kernel_test.greeting]" {
		t.Errorf("the answer is of type %s", o.Out)
	}
	out, err := o.Call(t.Context(), k.caller(1), greet{"you"})
	if err != nil || out != (kernel.Data[greeting]{Data: greeting{"hello you"}}) {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWhichOperationsWriteAndCanBeRepeated(t *testing.T) {
	reads, writes := kernel.Needs(0, access.ProductRead, ""), kernel.Needs(0, access.ProductWrite, "")
	for name, c := range map[string]struct {
		o                  kernel.Operation
		writes, repeatable bool
	}{
		"a search":             {kernel.Operation{Method: kernel.POST, Rule: reads}, false, false},
		"a creation":           {kernel.Operation{Method: kernel.POST, Rule: writes}, true, true},
		"a change":             {kernel.Operation{Method: kernel.PATCH, Rule: writes}, true, false},
		"a deletion":           {kernel.Operation{Method: kernel.DELETE, Rule: writes}, true, false},
		"a read for writers":   {kernel.Operation{Method: kernel.GET, Rule: writes}, false, false},
		"a public operation":   {kernel.Operation{Method: kernel.POST, Rule: writes, Public: true}, false, false},
		"one without any rule": {kernel.Operation{Method: kernel.POST}, false, false},
	} {
		if c.o.Writes() != c.writes || c.o.Repeatable() != c.repeatable {
			t.Errorf("%s writes %t, can be repeated %t", name, c.o.Writes(), c.o.Repeatable())
		}
	}
}

func TestG5_WhichOperationsSearch(t *testing.T) {
	search, read := access.Rule{Right: access.ProductSearch}, access.Rule{Right: access.ProductGet}
	for _, c := range []struct {
		method string
		rule   access.Rule
		want   bool
	}{{kernel.POST, search, true}, {kernel.GET, search, false}, {kernel.POST, read, false}} {
		if got := (kernel.Operation{Method: c.method, Rule: c.rule}).Searches(); got != c.want {
			t.Errorf("%s with %s searches: %t", c.method, c.rule.Right, got)
		}
	}
}

func TestG1_PathsGetTheNearestPlace(t *testing.T) {
	place := func(path string) kernel.Place {
		return kernel.Place{Path: path, Exists: func(context.Context, kernel.Caller, []string) error { return errors.New(path) }}
	}
	operations := []kernel.Operation{
		{ID: "search", Path: "/products/search"},
		{ID: "get", Path: "/products/{productId}"},
		{ID: "lots", Path: "/products/{productId}/lots"},
		{ID: "picture", Path: "/products/{productId}/pictures/{pictureId}"},
		{ID: "else", Path: "/products/{productId}else"},
	}
	kernel.AddExists(operations, []kernel.Place{place("/products/{productId}/pictures/{pictureId}"), place("/products/{productId}")})
	for i, want := range []string{"", "/products/{productId}", "/products/{productId}", "/products/{productId}/pictures/{pictureId}", ""} {
		o := operations[i]
		if (o.Exists == nil) != (want == "") {
			t.Errorf("%s is at a place: %t", o.ID, o.Exists != nil)
		}
		if o.Exists == nil {
			continue
		}
		if err := o.Exists(t.Context(), kernel.Caller{}, nil); err == nil || err.Error() != want {
			t.Errorf("%s is at %v, want %s", o.ID, err, want)
		}
	}
}

func TestG1_NothingHasAnIDThatIsNoPositiveInteger(t *testing.T) {
	exists := kernel.ByID(func(_ context.Context, _ kernel.Caller, ids []int64) error {
		if !slices.Equal(ids, []int64{7, 8}) {
			return fmt.Errorf("asked for %v", ids)
		}
		return nil
	})
	if err := exists(t.Context(), kernel.Caller{}, []string{"7", "8"}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"", "0", "-1", "x", "1.0", "9223372036854775808"} {
		if err := exists(t.Context(), kernel.Caller{}, []string{"7", name}); !errors.Is(err, fault.NotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
