package sqlstore

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

func TestCriteriaAreStoredForPeopleToRead(t *testing.T) {
	got, err := CriteriaText(criteria.Values{
		"TypeBien": criteria.Unique("Maison"), "Prix": criteria.Number(250000), "Surface": criteria.Number(92.35), "Ascenseur": criteria.Flag(true),
		"Cave": criteria.Flag(false), "Exposition": criteria.Multiple{"SO", "N"}, "Vues": criteria.Multiple{},
		"Titre":   criteria.Text("Vue «mer»,\n\t\"calme\" & \\ 🏠 <é>"),
		"DateDPE": criteria.Date{At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)},
		"Visite":  criteria.Date{At: time.Date(2024, 2, 29, 8, 30, 0, 1000, time.UTC), Timed: true},
	})
	want := `{"Ascenseur":true,"Cave":false,"DateDPE":"d2024-02-29","Exposition":["SO","N"],"Prix":250000,"Surface":92.35,` +
		`"Titre":"tVue «mer»,\n\u0009\"calme\" & \\ 🏠 <é>","TypeBien":"uMaison","Visite":"i2024-02-29T08:30:00.000001Z","Vues":[]}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

func TestWhatIsNotInTheStoredFormIsRefused(t *testing.T) {
	for _, s := range []string{
		``, `{`, `}`, `{}{}`, `{} `, ` {}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,"a":1}`, `{"a":1 }`, `{"a":1"b":2}`, `{"b":1,"a":2}`, `{"a":1,"a":1}`,
		`{"a":null}`, `{"a":{}}`, `{"a":""}`, `{"a":"x"}`, `{"a":"u}`, `{"a":"u\"}`, `{"a":"u\x"}`, `{"a":"u` + "\n" + `"}`, `{"a":truth}`, `{"a":tru}`,
		`{"a":01}`, `{"a":-}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":+1}`, `{"a":1e999}`, `{"a":NaN}`, `{"a":[}`, `{"a":[1]}`, `{"a":["x",]}`, `{"a":["x""y"]}`,
		`{"a":"d"}`, `{"a":"d2024-02-30"}`, `{"a":"d2024-13-01"}`, `{"a":"d2024-01-00"}`, `{"a":"d2024-1-1"}`, `{"a":"d2024-01-01x"}`, `{"a":"d20x4-01-01"}`,
		`{"a":"i2024-01-01"}`, `{"a":"i2024-01-01T24:00:00.000000Z"}`, `{"a":"i2024-01-01T00:60:00.000000Z"}`, `{"a":"i2024-01-01T00:00:61.000000Z"}`,
		`{"a":"i2024-01-01T00:00:00.000Z"}`, `{"a":"i2024-01-01T00:00:00.00000xZ"}`, `{"a":"i2024-01-01 00:00:00.000000Z"}`,
	} {
		if v, err := ParseCriteria(s); err == nil {
			t.Errorf("%s is taken for %v", s, v)
		}
	}
}

func TestWhatCannotBeStoredIsRefused(t *testing.T) {
	for _, v := range []criteria.Value{
		nil, criteria.Number(math.NaN()), criteria.Number(math.Inf(1)), criteria.Number(math.Inf(-1)), criteria.Text("\xff"), criteria.Unique("a\xc3"),
		criteria.Multiple{"\xff"}, criteria.Date{At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, criteria.Date{At: time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if b, err := CriteriaText(criteria.Values{"k": v}); err == nil {
			t.Errorf("%#v is stored as %s", v, b)
		}
	}
}

// anyText has escapes, quotes and code points of every length.
var anyText = rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("\"\\/\n\t\x00\x1f\x7futé€🏠\u2028\ufffd{}[]:,d"))))

var anyNumber = rapid.OneOf(
	rapid.Float64(),
	rapid.Map(rapid.Int64Range(-1e15, 1e15), func(n int64) float64 { return float64(n) }),
	rapid.Map(rapid.Int64Range(-1e15, 1e15), func(n int64) float64 { return float64(n) / 100 }),
	rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1e-6, 9.99e-7, 1e20, 1e21, 5e-324, math.MaxFloat64, 0.1, 123456789012345, 0.123456789012345}),
)

var anyValue = rapid.Custom(func(t *rapid.T) criteria.Value {
	at := time.UnixMicro(rapid.Int64Range(-62167219200000000, 253402300799999999).Draw(t, "at")).UTC() // the years 0 to 9999
	switch rapid.IntRange(0, 6).Draw(t, "type") {
	case 0:
		return criteria.Unique(anyText.Draw(t, "code"))
	case 1:
		return criteria.Number(anyNumber.Draw(t, "number"))
	case 2:
		return criteria.Flag(rapid.Bool().Draw(t, "flag"))
	case 3:
		return criteria.Multiple(rapid.SliceOfN(anyText, 0, 4).Draw(t, "codes"))
	case 4:
		return criteria.Date{At: at.Truncate(24 * time.Hour)}
	case 5:
		return criteria.Date{At: at, Timed: true}
	}
	return criteria.Text(anyText.Draw(t, "text"))
})

func TestCriteriaComeBackFromText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := criteria.Values(rapid.MapOfN(anyText, anyValue, 0, 6).Draw(t, "values"))
		text, err := CriteriaText(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseCriteria(string(text))
		if err != nil || !want.Equal(got) {
			t.Fatalf("%s came back as %#v, want %#v (%v)", text, got, want, err)
		}
		facts, _, err := appendFacts(nil, nil, string(text))
		if err != nil || !reflect.DeepEqual(facts, criteria.AppendFacts(nil, got)) {
			t.Fatalf("%s was read as %#v (%v)", text, facts, err)
		}
		// The form is JSON to every other program, with the same numbers and texts.
		var plain map[string]any
		if err := json.Unmarshal(text, &plain); err != nil || len(plain) != len(want) {
			t.Fatalf("%s is no JSON: %v", text, err)
		}
		for key, v := range want {
			if n, ok := v.(criteria.Number); ok && plain[key] != float64(n) {
				t.Fatalf("%s: %v, want %v", key, plain[key], n)
			}
			if s, ok := v.(criteria.Text); ok && plain[key] != "t"+string(s) {
				t.Fatalf("%s: %q, want %q", key, plain[key], s)
			}
		}
	})
}

func FuzzParseValues(f *testing.F) {
	f.Add(`{}`)
	f.Add(`{"a":"uMaison","b":-12.50,"c":true,"d":["x","y"],"e":"tt\u00e9\n\"","f":"d2024-02-29","g":"i2024-02-29T08:30:00.000001Z","h":1e-7}`)
	f.Add(sampleText(f))
	f.Fuzz(func(t *testing.T, s string) {
		values, err := ParseCriteria(s)
		if err != nil {
			return
		}
		if !json.Valid([]byte(s)) {
			t.Fatalf("%q is taken for %v, and is no JSON", s, values)
		}
		again, err := CriteriaText(values)
		if err != nil {
			return // text that is no UTF-8 never comes from formatValues
		}
		back, err := ParseCriteria(string(again))
		if err != nil || !values.Equal(back) {
			t.Fatalf("%q became %q and then %v (%v)", s, again, back, err)
		}
	})
}

// What is read must not change when the parser reads the next.
func TestCriteriaShareNoMemoryWithTheText(t *testing.T) {
	text := []byte(`{"Codes":["cc"],"Texte":"taaaa","Type":"ubbbb"}`)
	got, err := ParseCriteria(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := ParseCriteria(strings.NewReplacer("aaaa", "zzzz", "bbbb", "yyyy", "cc", "xx").Replace(string(text))); err != nil {
			t.Fatal(err)
		}
	}
	want := criteria.Values{"Codes": criteria.Multiple{"cc"}, "Texte": criteria.Text("aaaa"), "Type": criteria.Unique("bbbb")}
	if !want.Equal(got) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A parser serves many sites: what it keeps must not grow with them.
func TestAParserKeepsLittle(t *testing.T) {
	p := parsers.New().(*parser)
	long := strings.Repeat("x", maxSharedLength+1)
	for i := range 2 * maxShared {
		p.s, p.i = fmt.Sprintf(`{"k%d":"uv%d","l":["w%d","%s"]}`, i, i, i, long), 0
		if _, err := p.values(); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.names) > maxShared || len(p.codes) > maxShared || p.names[long] != "" {
		t.Errorf("%d names and %d codes", len(p.names), len(p.codes))
	}
}

// sampleText is 30 criteria as a real product has them.
func sampleText(tb testing.TB) string {
	tb.Helper()
	text, err := CriteriaText(sampleCriteria(7))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func sampleCriteria(i int) criteria.Values {
	v := criteria.Values{
		"TypeBien": criteria.Unique([]string{"Maison", "Appartement", "Terrain"}[i%3]), "TypeTransaction": criteria.Unique("Vente"),
		"Statut": criteria.Unique("EnCours"), "Prix": criteria.Number(100000 + 500*(i%1000)), "Surface": criteria.Number(float64(i%200) + 0.5),
		"NbPieces": criteria.Number(i % 8), "Adresse": criteria.Text(fmt.Sprintf("%d rue des Lilas", i)), "CodePostal": criteria.Text(fmt.Sprint(75000 + i%20)),
		"Ville": criteria.Text("Paris"), "Pays": criteria.Text("FR"), "Alentour": criteria.Text("48.856600,2.352200"), "ConsoEner": criteria.Unique("D"),
		"GES": criteria.Unique("C"), "conso_energ": criteria.Number(187), "valeur_GES": criteria.Number(23),
		"DateDPE": criteria.Date{At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}, "Exposition": criteria.Multiple{"S", "SO"},
		"Titre": criteria.Text("Belle maison lumineuse avec vue"), "Mandat": criteria.Text(fmt.Sprint("M-", i)), "Chauffage": criteria.Unique("Gaz"),
	}
	for n := range 10 {
		v[fmt.Sprint("Option", n)] = criteria.Flag((i+n)%2 == 0)
	}
	return v
}

func BenchmarkParseValues(b *testing.B) {
	text := sampleText(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParseCriteria(text); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEverySequenceHasAName(t *testing.T) {
	if slices.Contains(sequenceNames[:], "") {
		t.Errorf("%q", sequenceNames)
	}
}
