package exchange

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestWhatWindows1252LacksIsWrittenInLatinLettersOrAsAQuestionMark(t *testing.T) {
	for text, want := range map[string]string{
		"Été à Nîmes, 250 000 € – « œuf »": "\xc9t\xe9 \xe0 N\xeemes, 250 000 \x80 \x96 \xab \x9cuf \xbb",
		"Łódź, Țară, ﬁn":                   "L\xf3dz, Tara, fin", "Николай": "Nikolai", "x\u0302": "x", "½ ⅓ 2ⁿ ≥ →": "\xbd 1/3 2n >= -",
		"☃ 🏡": "? ?", "250\u202f000\u2009m": "250 000 m", "a\u200b\ufeffb\u2028c\u0085d\re\r\nf": "ab\nc\nd\ne\nf", "a\x1a\x00\x07\u0081b\tc": "ab c",
	} {
		if got := encode(text); got != want {
			t.Errorf("%q is written as %q, not %q", text, got, want)
		}
	}
}

func TestNoControlCharacterIsEverWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if i := strings.IndexFunc(encode(text), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 {
			t.Fatalf("%q is written with a control character: %q", text, encode(text))
		}
	})
}

// columnsOf are the columns that the file has for a product.
func columnsOf(t *testing.T, e transfer.Exported) map[int]string {
	t.Helper()
	written := map[int]string{}
	for next, err := range rows(fileOf(t, e), shape{}) {
		if err != nil || next.problem != "" || len(next.fields) != lastColumn {
			t.Fatalf("%v, %+v", err, next)
		}
		for i, content := range next.fields {
			if content != "" && i+1 != versionColumn {
				written[i+1] = content
			}
		}
	}
	return written
}

func TestColumnsForPositionFeesOrientationAndBalconiesAreFilled(t *testing.T) {
	e := transfer.Exported{ID: 7, Agency: 11, Reference: "ref7", Criteria: criteria.Values{
		"Honoraires": criteria.Number(12_000), "ChargeHonoraires": criteria.Unique("ACQUEREUR"), "PrixNetVendeur": criteria.Number(238_000),
		"Exposition": criteria.Unique("SO"), "Balcon": criteria.Flag(true), "EtatGeneral": criteria.Unique("RENOVE"),
		"Equipements": criteria.Multiple{"DIGICODE", "INTERPHONE", "FIBRE"}, "Proximites": criteria.Multiple{"LAC"},
	}, Position: &criteria.Position{Latitude: 48.8566, Longitude: -2.3522}, Descriptions: []product.Description{{Language: "ru", Title: "Дом"}}}
	want := map[int]string{
		1: "11", 2: "ref7", 175: "7", 15: "12000", 302: "1", 303: "238000", 35: "OUI", 37: "OUI", 39: "1", 28: "OUI", 45: "OUI", 46: "OUI", 75: "OUI",
		298: "48.856600", 299: "-2.352200", 124: "RU", 126: "Dom",
	}
	if diff := gocmp.Diff(want, columnsOf(t, e)); diff != "" {
		t.Error(diff)
	}
	e.Criteria = criteria.Values{
		"ChargeHonoraires": criteria.Unique("VENDEUR"), "PrixNetVendeur": criteria.Number(238_000), "Balcon": criteria.Flag(false),
		"Exposition": criteria.Unique("TRAVERSANT"), "EtatGeneral": criteria.Unique("A_RAFRAICHIR"),
	}
	e.Position, e.Descriptions = nil, nil
	if diff := gocmp.Diff(map[int]string{1: "11", 2: "ref7", 175: "7", 302: "2", 39: "0", 163: "OUI"}, columnsOf(t, e)); diff != "" {
		t.Error(diff)
	}
}

func TestOrientationsAreReadFromTheColumnsOfDirections(t *testing.T) {
	for _, c := range []struct {
		ranks []int
		want  any
	}{{nil, nil}, {[]int{35}, "S"}, {[]int{35, 36}, "SE"}, {[]int{37, 38}, "NO"}, {[]int{35, 38}, "TRAVERSANT"}, {[]int{36, 37}, "TRAVERSANT"}, {[]int{35, 36, 37, 38}, "TRAVERSANT"}} {
		f := make(fields, lastColumn)
		for rank := 35; rank <= 38; rank++ {
			f[rank-1] = "NON"
		}
		for _, rank := range c.ranks {
			f[rank-1] = "oui"
		}
		if got := told(polirisListing(f))[keyOrientation]; got != c.want {
			t.Errorf("%v is %q, not %q", c.ranks, got, c.want)
		}
	}
}

// What a product tells already is not in Beyond, however little the file can say of
// it; everything else is.
func TestBeyondIsWhatAProductDoesNotTellYet(t *testing.T) {
	e := transfer.Exported{ID: 7, Agency: 11, Reference: `Ł"7`, Criteria: criteria.Values{
		"TypeBien": criteria.Unique("Studio"), "Prix": criteria.Number(250_000), "Ville": criteria.Text("Łódź"), "Exposition": criteria.Unique("SO"),
		"Equipements": criteria.Multiple{"ALARME"}, "Chauffage": criteria.Unique("COLLECTIF"), "EnergieChauffage": criteria.Unique("BOIS"),
	}, Position: &criteria.Position{Latitude: 48.8566, Longitude: 2.3522}, Descriptions: []product.Description{
		{Language: "en", Title: "Title", Text: "☃"}, {Language: "fr", Title: "Titre", Text: "un\ndeux <br> \"trois\""},
	}}
	var own transfer.Listing
	for next, err := range rows(fileOf(t, e), shape{}) {
		if own = polirisListing(next.fields); err != nil {
			t.Fatal(err)
		}
	}
	rest := own.Beyond(e)
	if rest.Reference != "" || len(rest.Criteria) > 0 || len(rest.Descriptions) > 0 || len(rest.NotUnderstood) > 0 || own.ID != 7 || own.Reference != "L'7" {
		t.Errorf("an export tells more than there is: %+v of %+v", rest, own)
	}
	now := e
	now.Criteria = e.Criteria.Clone()
	now.Criteria["Prix"], now.Criteria["Exposition"], now.Reference = criteria.Number(240_000), criteria.Unique("N"), "ref7"
	delete(now.Criteria, "Equipements")
	now.Position, now.Descriptions = nil, []product.Description{{Language: "fr", Title: "Autre titre", Text: e.Descriptions[1].Text}}
	rest = own.Beyond(now)
	if diff := gocmp.Diff(map[string]any{"Prix": "250000", "Exposition": "SO", "Alentour": "48.856600,2.352200", "Equipements": true}, told(rest)); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(map[string][2]string{"fr": {"Titre", ""}, "en": {"Title", "?"}}, textsOf(rest)); diff != "" || rest.Reference != "L'7" {
		t.Error(rest.Reference, diff)
	}
}
