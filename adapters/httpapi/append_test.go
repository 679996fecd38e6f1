package httpapi

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// fill draws a value of a type, with every kind of field and text in it.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1})).Draw(t, "number"))
	case reflect.Float64:
		v.SetFloat(rapid.OneOf(
			rapid.Float64Range(-1e30, 1e30), rapid.Float64Range(-1e-5, 1e-5), rapid.SampledFrom([]float64{0, 1e21, 1e-6, 9e-7, -1e-9, 1.5e-10, 1e100, 350000}),
		).Draw(t, "fraction"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(rapid.OneOf(
			rapid.StringMatching(`[ -~]{0,12}`), rapid.StringMatching(`[a-z]{0,12}`), rapid.String(),
			rapid.SampledFrom([]string{"\x00\b\f\n\r\x1f", "a\u2029b\xffc\ufffd", `a"b`, `a\b`, "\u2028", "\xff", "a\tb", "<a&b>", "\x7f", "é"}),
		).Draw(t, "text"))
	case reflect.Pointer:
		if depth > 0 && rapid.Bool().Draw(t, "some") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth-1)
		}
	case reflect.Slice:
		size := rapid.IntRange(-1, 3).Draw(t, "size")
		if size < 0 || depth == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), size, size))
		for i := range size {
			fill(t, v.Index(i), depth-1)
		}
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(anything(t))
		}
	case reflect.Struct:
		if v.Type() == instantType {
			v.Set(reflect.ValueOf(kernel.Instant{Time: time.UnixMicro(rapid.Int64Range(-1<<55, 1<<57).Draw(t, "instant"))}))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(t, v.Field(i), depth)
			}
		}
	default:
	}
}

// anything draws a value such as a field of any type has, and others.
func anything(t *rapid.T) reflect.Value {
	types := []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[*string](), reflect.TypeFor[float64](), reflect.TypeFor[*float64](), reflect.TypeFor[int](),
		reflect.TypeFor[[]string](), reflect.TypeFor[*[]string](), reflect.TypeFor[bool](), reflect.TypeFor[map[string]int](),
	}
	v := reflect.New(rapid.SampledFrom(types).Draw(t, "type")).Elem()
	fill(t, v, 2)
	return v
}

// answered are the types of all answers and of what is in them, those that are put
// together from parts left out.
func answered(t testing.TB) []reflect.Type {
	var types []reflect.Type
	var add func(of reflect.Type)
	add = func(of reflect.Type) {
		if slices.Contains(types, of) {
			return
		}
		if of.Implements(lazyType) {
			add(reflect.Zero(of).Interface().(listing.Lazy).Elem())
			return
		}
		types = append(types, of)
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			add(of.Elem())
		case reflect.Struct:
			for i := range of.NumField() {
				if of.Field(i).IsExported() {
					add(of.Field(i).Type)
				}
			}
		default:
		}
	}
	for _, o := range newService(t).Operations() {
		add(o.Out)
	}
	return types
}

// TestWhatIsAppendedIsWhatWouldBeEncoded holds the plan of every type in an answer
// against encoding/json, byte by byte.
func TestWhatIsAppendedIsWhatWouldBeEncoded(t *testing.T) {
	followed := map[string]int{}
	for _, of := range answered(t) {
		plan := planAppend(of)
		if plan == nil {
			continue
		}
		rapid.Check(t, func(t *rapid.T) {
			v := reflect.New(of).Elem()
			fill(t, v, 3)
			got, want := bytes.NewBufferString("before"), bytes.NewBufferString("before")
			if err := plan.append(got, v); err != nil {
				t.Fatal(err)
			}
			if err := appendJSON(want, v.Interface()); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Fatalf("%s is appended as\n%s\nand encoded as\n%s", of, got, want)
			}
			if _, ok := plan(nil, v); ok {
				followed[of.String()]++
			}
		})
	}
	for _, of := range []string{"listing.ProductSummary", "listing.Product", "listing.CriterionValue", "listing.CountResult", "*string", "float64", "bool"} {
		if followed[of] < 10 {
			t.Errorf("the plan for %s was followed %d times", of, followed[of])
		}
	}
}

// Outer has a field of the same name as one beside it.
type Outer struct {
	A int `json:"a"`
}

// TestOddTypesAreLeftToTheEncoder: what a plan does not know, it does not write.
func TestOddTypesAreLeftToTheEncoder(t *testing.T) {
	type inner struct {
		A int `json:"a"`
	}
	type self struct {
		Next *self `json:"next"`
	}
	for _, of := range []any{
		struct {
			A int `json:"a,omitempty"`
		}{},
		struct{ A int }{},
		struct {
			inner
		}{},
		struct {
			A int `json:"é"`
		}{},
		struct {
			A any `json:"a,string"` //nolint:staticcheck // the tag is wrong: that the plan refuses it is what is tested
		}{},
		struct {
			A *int `json:"a"`
			Outer
		}{},
		struct {
			A []int `json:"a,omitempty"`
		}{},
		struct {
			A []byte `json:"a"`
		}{},
		self{}, struct{}{}, map[string]int{}, true,
	} {
		if _, plain := of.(bool); plain != (planAppend(reflect.TypeOf(of)) != nil) {
			t.Errorf("%T has a plan: %t", of, !plain)
		}
	}
}

// BenchmarkIDs appends what most searches answer with.
func BenchmarkIDs(b *testing.B) {
	summaries := make([]*listing.ProductSummary, 100)
	for i := range summaries {
		summaries[i] = &listing.ProductSummary{ID: int64(100_000 + i)}
	}
	plan := planAppend(reflect.TypeFor[*listing.ProductSummary]())
	for name, one := range map[string]appender{"appended": plan, "encoded": nil} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				for _, s := range summaries {
					if err := one.append(&out, reflect.ValueOf(s)); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
