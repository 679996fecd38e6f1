package openapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// colours are choices as a request names them, separated by commas.
type colours string

func (colours) Choices() []string { return []string{"red", "blue"} }

// town is a small record.
type town struct {
	Name string `json:"name"`
}

// tree is a record that holds others of its kind.
type tree struct {
	Parent   *tree  `json:"parent"`
	Children []tree `json:"children"`
}

// place is one of two records.
type place struct {
	kernel.OneOf
	Town *town
	Tree *tree
}

func text(t *testing.T, schema any) string {
	t.Helper()
	out, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestEveryTypeHasASchema(t *testing.T) {
	type both struct{ request, answer string }
	alike := func(schema string) both { return both{schema, schema} }
	const reference = `{"$ref":"#/components/schemas/town"}`
	for of, want := range map[reflect.Type]both{
		reflect.TypeFor[string]():                alike(`{"type":"string"}`),
		reflect.TypeFor[bool]():                  alike(`{"type":"boolean"}`),
		reflect.TypeFor[int]():                   alike(`{"format":"int64","type":"integer"}`),
		reflect.TypeFor[int64]():                 alike(`{"format":"int64","type":"integer"}`),
		reflect.TypeFor[kernel.Version]():        alike(`{"format":"int64","type":"integer"}`),
		reflect.TypeFor[float64]():               alike(`{"format":"double","type":"number"}`),
		reflect.TypeFor[kernel.Instant]():        alike(`{"format":"date-time","type":"string"}`),
		reflect.TypeFor[listing.File]():          alike(`{"format":"binary","type":"string"}`),
		reflect.TypeFor[kernel.Object]():         alike(`{"anyOf":[{"additionalProperties":{},"type":"object"},{"type":"null"}]}`),
		reflect.TypeFor[listing.IDList]():        alike(`{"oneOf":[{"items":{"format":"int64","type":"integer"},"type":"array"},{"type":"string"}]}`),
		reflect.TypeFor[colours]():               alike(`{"items":{"enum":["red","blue"],"type":"string"},"type":"array"}`),
		reflect.TypeFor[[]string]():              alike(`{"items":{"type":"string"},"type":"array"}`),
		reflect.TypeFor[[2]float64]():            alike(`{"items":{"format":"double","type":"number"},"type":"array"}`),
		reflect.TypeFor[map[string]bool]():       {`{"additionalProperties":{"type":"boolean"},"type":"object"}`, `{"anyOf":[{"additionalProperties":{"type":"boolean"},"type":"object"},{"type":"null"}]}`},
		reflect.TypeFor[town]():                  alike(reference),
		reflect.TypeFor[[]town]():                alike(`{"items":` + reference + `,"type":"array"}`),
		reflect.TypeFor[map[string]town]():       {`{"additionalProperties":` + reference + `,"type":"object"}`, `{"anyOf":[{"additionalProperties":` + reference + `,"type":"object"},{"type":"null"}]}`},
		reflect.TypeFor[struct{ A bool }]():      alike(`{"properties":{},"type":"object"}`),
		reflect.TypeFor[kernel.Data[town]]():     alike(`{"$ref":"#/components/schemas/townEnvelope"}`),
		reflect.TypeFor[listing.Records[town]](): alike(`{"items":` + reference + `,"type":"array"}`),
		reflect.TypeFor[listing.Record[town]]():  alike(reference),
		reflect.TypeFor[place]():                 alike(`{"$ref":"#/components/schemas/place"}`),

		// What may be null.
		reflect.TypeFor[*string]():                   alike(`{"anyOf":[{"type":"string"},{"type":"null"}]}`),
		reflect.TypeFor[opt.Field[string]]():         alike(`{"anyOf":[{"type":"string"},{"type":"null"}]}`),
		reflect.TypeFor[opt.Field[*bool]]():          alike(`{"anyOf":[{"type":"boolean"},{"type":"null"}]}`),
		reflect.TypeFor[opt.Field[[]string]]():       alike(`{"anyOf":[{"items":{"type":"string"},"type":"array"},{"type":"null"}]}`),
		reflect.TypeFor[*kernel.Instant]():           alike(`{"anyOf":[{"format":"date-time","type":"string"},{"type":"null"}]}`),
		reflect.TypeFor[*kernel.Object]():            alike(`{"anyOf":[{"additionalProperties":{},"type":"object"},{"type":"null"}]}`),
		reflect.TypeFor[*town]():                     alike(`{"anyOf":[` + reference + `,{"type":"null"}]}`),
		reflect.TypeFor[opt.Field[town]]():           alike(`{"anyOf":[` + reference + `,{"type":"null"}]}`),
		reflect.TypeFor[*listing.Records[town]]():    alike(`{"anyOf":[{"items":` + reference + `,"type":"array"},{"type":"null"}]}`),
		reflect.TypeFor[opt.Field[map[string]int]](): alike(`{"anyOf":[{"additionalProperties":{"format":"int64","type":"integer"},"type":"object"},{"type":"null"}]}`),
	} {
		for dir, want := range map[direction]string{request: want.request, answer: want.answer} {
			s := newSchemas()
			if got := text(t, s.of(of, dir)); got != want || s.err != nil {
				t.Errorf("%s, direction %d: %s, want %s (%v)", of, dir, got, want, s.err)
			}
		}
	}
}

func TestNamedRecordsAreComponents(t *testing.T) {
	s := newSchemas()
	s.of(reflect.TypeFor[[]place](), answer)
	s.of(reflect.TypeFor[*place](), answer)
	for name, want := range map[string]string{
		"town":  `{"properties":{"name":{"type":"string"}},"required":["name"],"type":"object"}`,
		"place": `{"oneOf":[{"$ref":"#/components/schemas/town"},{"$ref":"#/components/schemas/tree"}]}`,
		"tree": `{"properties":{"children":{"items":{"$ref":"#/components/schemas/tree"},"type":"array"},` +
			`"parent":{"anyOf":[{"$ref":"#/components/schemas/tree"},{"type":"null"}]}},"required":["parent","children"],"type":"object"}`,
	} {
		if got := text(t, s.components[name]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if len(s.components) != 3 || s.err != nil {
		t.Errorf("%d components, %v", len(s.components), s.err)
	}
}

func TestWhatHasNoSchemaIsAnError(t *testing.T) {
	namesake := func() reflect.Type {
		type town struct {
			Mayor string `json:"mayor"`
		}
		return reflect.TypeFor[town]()
	}
	for name, c := range map[string]struct {
		types []reflect.Type
		want  string
	}{
		"a value of any type":            {[]reflect.Type{reflect.TypeFor[opt.Field[criteria.Raw]]()}, "needs a tag"},
		"a type that JSON does not have": {[]reflect.Type{reflect.TypeFor[chan int]()}, "no schema for chan int"},
		"two records of one name":        {[]reflect.Type{reflect.TypeFor[town](), namesake()}, "two schemas are called town"},
		"a bound that is no number": {[]reflect.Type{reflect.TypeFor[struct {
			N int `json:"n" minimum:"one"`
		}]()}, `minimum "one" is not a number`},
		"a value without types": {[]reflect.Type{reflect.TypeFor[struct {
			V any `json:"v"`
		}]()}, "which types it has"},
		"a type that is not simple": {[]reflect.Type{reflect.TypeFor[struct {
			V any `json:"v" type:"string,tree"`
		}]()}, `no simple type is called "tree"`},
		"the first of several is the one told": {[]reflect.Type{reflect.TypeFor[chan int](), reflect.TypeFor[uint8]()}, "no schema for chan int"},
	} {
		s := newSchemas()
		for _, of := range c.types {
			s.of(of, answer)
		}
		if s.err == nil || !strings.Contains(s.err.Error(), c.want) {
			t.Errorf("%s: %v", name, s.err)
		}
	}
}

func TestTagsAddToASchema(t *testing.T) {
	for tag, c := range map[string]struct {
		of   reflect.Type
		want string
	}{
		``:                             {reflect.TypeFor[string](), `{"type":"string"}`},
		`doc:"what it is"`:             {reflect.TypeFor[string](), `{"description":"what it is","type":"string"}`},
		`doc:"which town"`:             {reflect.TypeFor[town](), `{"$ref":"#/components/schemas/town","description":"which town"}`},
		`format:"email"`:               {reflect.TypeFor[string](), `{"format":"email","type":"string"}`},
		`minimum:"1" maximum:"5"`:      {reflect.TypeFor[int](), `{"format":"int64","maximum":5,"minimum":1,"type":"integer"}`},
		`minimum:"-0.5"`:               {reflect.TypeFor[float64](), `{"format":"double","minimum":-0.5,"type":"number"}`},
		`enum:"a,b"`:                   {reflect.TypeFor[string](), `{"enum":["a","b"],"type":"string"}`},
		`enum:"c,d"`:                   {reflect.TypeFor[opt.Field[string]](), `{"anyOf":[{"enum":["c","d"],"type":"string"},{"type":"null"}]}`},
		`alias:"hasVisit360,visit"`:    {reflect.TypeFor[bool](), `{"type":"boolean","x-aliases":["hasVisit360","visit"]}`},
		`coerce:"string"`:              {reflect.TypeFor[criteria.Raw](), `{"type":"string"}`},
		`type:"number,null"`:           {reflect.TypeFor[criteria.Raw](), `{"anyOf":[{"format":"double","type":"number"},{"type":"null"}]}`},
		`type:"string,integer"`:        {reflect.TypeFor[any](), `{"oneOf":[{"type":"string"},{"format":"int64","type":"integer"}]}`},
		`type:"strings,null" doc:"n"`:  {reflect.TypeFor[any](), `{"anyOf":[{"items":{"type":"string"},"type":"array"},{"type":"null"}],"description":"n"}`},
		`items:"number,string"`:        {reflect.TypeFor[opt.Field[[]criteria.Raw]](), `{"anyOf":[{"items":{"oneOf":[{"format":"double","type":"number"},{"type":"string"}]},"type":"array"},{"type":"null"}]}`},
		`type:"polygon"`:               {reflect.TypeFor[criteria.Raw](), `{"items":{"items":{"items":{"format":"double","type":"number"},"type":"array"},"type":"array"},"type":"array"}`},
		`type:"string,null" enum:"x"`:  {reflect.TypeFor[any](), `{"anyOf":[{"enum":["x"],"type":"string"},{"type":"null"}]}`},
		`raw:"true" required:"true"`:   {reflect.TypeFor[string](), `{"type":"string"}`},
		`doc:"a" format:"b" alias:"c"`: {reflect.TypeFor[*string](), `{"anyOf":[{"format":"b","type":"string"},{"type":"null"}],"description":"a","x-aliases":["c"]}`},
	} {
		s := newSchemas()
		if got := text(t, s.described(c.of, reflect.StructTag(tag), request)); got != c.want || s.err != nil {
			t.Errorf("%s on %s: %s, want %s (%v)", tag, c.of, got, c.want, s.err)
		}
	}
}

// Embedded is what other records embed; its fields are theirs.
type Embedded struct {
	Inner int `json:"inner"`
}

// Details are embedded by those who may not have them.
type Details struct {
	Extra string `json:"extra"`
	Must  string `json:"must" required:"true"`
}

func TestWhichFieldsAreRequired(t *testing.T) {
	type record struct {
		Embedded
		*Details
		Plain    string            `json:"plain"`
		Needed   string            `json:"needed" required:"true"`
		Maybe    opt.Field[string] `json:"maybe"`
		Given    opt.Field[string] `json:"given" required:"true"`
		Nullable *string           `json:"nullable"`
		Absent   *string           `json:"absent,omitempty"`
		Both     **string          `json:"both,omitempty"`
		Hidden   string            `json:"-"`
		Path     int64             `path:"id"`
		Header   string            `header:"X-Header"`
		secret   string            //nolint:unused // it must not be seen
	}
	s := newSchemas()
	for dir, want := range map[direction][]string{
		// A request needs what a tag says, an answer is whole but for what may be
		// left out; what is embedded by pointer may be, with all it needs.
		request: {"given", "needed"},
		answer:  {"given", "inner", "needed", "nullable", "plain"},
	} {
		schema := s.properties(reflect.TypeFor[record](), "json", dir)
		required := slices.Sorted(slices.Values(schema["required"].([]string)))
		if !slices.Equal(required, want) {
			t.Errorf("direction %d: %q are required, want %q", dir, required, want)
		}
		properties := schema["properties"].(object)
		names := []string{"absent", "both", "extra", "given", "inner", "maybe", "must", "needed", "nullable", "plain"}
		if got := slices.Sorted(keysOf(properties)); !slices.Equal(got, names) {
			t.Errorf("direction %d: the properties are %q, want %q", dir, got, names)
		}
		for name, want := range map[string]string{"absent": `{"type":"string"}`, "both": `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "nullable": `{"anyOf":[{"type":"string"},{"type":"null"}]}`} {
			if got := text(t, properties[name]); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
	if schema := newSchemas().properties(reflect.TypeFor[town](), "json", request); schema["required"] != nil {
		t.Errorf("nothing is required, and it says so: %v", schema)
	}
}

// A request says how long its fields may be by the name of a constant, and in a
// field without a name what it requires of those that requests share.
func TestH18_LimitsAndWhatIsRequiredTogether(t *testing.T) {
	type shared struct {
		Text  opt.Field[string]         `json:"text" max:"form.MaxName"`
		List  opt.Field[[]town]         `json:"list" max:"product.MaxRooms"`
		Own   opt.Field[kernel.Object]  `json:"own" max:"demand.MaxMetadata"`
		IDs   opt.Field[listing.IDList] `json:"ids" max:"kernel.MaxPageIDs"`
		Given opt.Field[string]         `json:"given" required:"true"`
	}
	type record struct {
		_ struct{} `required:"text" optional:"given" anyOf:"list,own"`
		shared
	}
	s := newSchemas()
	schema := s.properties(reflect.TypeFor[record](), "json", request)
	for part, want := range map[string]string{
		"required": `["text"]`, "allOf": `[{"anyOf":[{"required":["list"]},{"required":["own"]}]}]`,
	} {
		if got := text(t, schema[part]); got != want {
			t.Errorf("%s: %s, want %s", part, got, want)
		}
	}
	for name, want := range map[string]string{
		"text":  `{"maxLength":255,"type":"string"}`,
		"own":   `{"anyOf":[{"additionalProperties":{},"maxProperties":50,"type":"object"},{"type":"null"}]}`,
		"ids":   `{"anyOf":[{"oneOf":[{"items":{"format":"int64","type":"integer"},"maxItems":2000,"type":"array"},{"type":"string"}]},{"type":"null"}]}`,
		"given": `{"anyOf":[{"type":"string"},{"type":"null"}]}`,
	} {
		if got := text(t, schema["properties"].(object)[name]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if list := text(t, schema["properties"].(object)["list"]); !strings.Contains(list, `"maxItems":100`) {
		t.Error(list)
	}
	type unknown struct {
		Text string `json:"text" max:"nothing.Max"`
	}
	if s.properties(reflect.TypeFor[unknown](), "json", request); s.err == nil {
		t.Error("a limit without a name is no mistake")
	}
}

func TestASourceHasOnlyItsOwnFields(t *testing.T) {
	type mixed struct {
		ID   int64        `path:"id"`
		Page int          `query:"page"`
		Body string       `json:"body"`
		Form string       `form:"form"`
		File listing.File `file:"file"`
		User string       `basic:"user"`
	}
	for _, source := range []string{"json", "form", "file", "path", "query"} {
		properties := newSchemas().properties(reflect.TypeFor[mixed](), source, request)["properties"].(object)
		if len(properties) != 1 {
			t.Errorf("%s: %v", source, properties)
		}
	}
	want := sources{path: true, query: true, json: true, form: true, file: true}
	if got := sourcesOf(reflect.TypeFor[mixed]()); got != want {
		t.Errorf("%+v", got)
	}
	if got := sourcesOf(reflect.TypeFor[struct {
		kernel.IfMatch
		Match kernel.IfMatch
	}]()); got != (sources{match: true}) {
		t.Errorf("%+v", got)
	}
	if got := sourcesOf(reflect.TypeFor[kernel.Nothing]()); got != (sources{}) {
		t.Errorf("%+v", got)
	}
}

// Whatever a record is made of, its fields are all described, what is required of
// them follows from tags and direction, and each can be said to admit null.
func TestLawsOfRecords(t *testing.T) {
	kinds := []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[int64](), reflect.TypeFor[*bool](), reflect.TypeFor[[]float64](), reflect.TypeFor[opt.Field[string]](),
		reflect.TypeFor[opt.Field[[]town]](), reflect.TypeFor[*town](), reflect.TypeFor[map[string]string](),
	}
	rapid.Check(t, func(t *rapid.T) {
		var fields []reflect.StructField
		var names []string
		needed := map[string]bool{}
		for i := range rapid.IntRange(0, 6).Draw(t, "fields") {
			name := string(rune('a' + i))
			tag := `json:"` + name + `"`
			if needed[name] = rapid.Bool().Draw(t, "required"); needed[name] {
				tag += ` required:"true"`
			}
			names = append(names, name)
			fields = append(fields, reflect.StructField{Name: strings.ToUpper(name), Type: rapid.SampledFrom(kinds).Draw(t, "type"), Tag: reflect.StructTag(tag)})
		}
		record := reflect.StructOf(fields)
		for _, dir := range []direction{request, answer} {
			s := newSchemas()
			schema := s.of(record, dir)
			properties := schema["properties"].(object)
			if got := slices.Sorted(keysOf(properties)); !slices.Equal(got, names) || s.err != nil {
				t.Fatalf("the properties are %q, want %q (%v)", got, names, s.err)
			}
			required, _ := schema["required"].([]string)
			for i, name := range names {
				optional := strings.HasPrefix(fields[i].Type.Name(), "Field[")
				want := needed[name] || dir == answer && !optional
				if slices.Contains(required, name) != want {
					t.Fatalf("direction %d: %s is required: %t, of %s %s", dir, name, !want, fields[i].Type, fields[i].Tag)
				}
			}
			for name, property := range properties {
				if got, err := json.Marshal(nullable(property.(object))); err != nil || string(got) != "{}" && !strings.Contains(string(got), `"null"`) {
					t.Fatalf("%s: %s does not admit null (%v)", name, got, err)
				}
			}
		}
	})
}
