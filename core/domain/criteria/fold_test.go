package criteria_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

func TestQ22_TextsThatFoldToTheSame(t *testing.T) {
	for want, texts := range map[string][]string{
		"saint-etienne": {"Saint-Étienne", " saint-etienne ", "SAINT-E\u0301TIENNE", "Saint‐Étienne", "Saint\u2011Etienne", "Saint–Étienne"},
		"l'hay":         {"L’Haÿ", "L'HAY", "lʼhay", "l‘hay"},
		"oeuf de caen":  {"Œuf de Cæn", "œuf\u00a0de\u202fcaen", "OEUF  DE\t CAEN", "\noeuf de caen"},
		"strasse":       {"Straße", "STRASSE", "STRAẞE"},
		"lodz soro":     {"Łódź Sørø", "lodz soro"},
		"300 €":         {"300 €", "３００\u3000€"},
		"istanbul dong": {"İstanbul Đồng", "ıstanbul đong", "\u200bISTANBUL\ufeff ðong"},
		"thor hung tot": {"Þór Ħung Ŧot", "thor hung tot"},
		"a-b":           {"a—b", "a―b", "a‒b", "a−b", "a\u00ad-b", "a﹣b", "a⸺b"},
		"d'or":          {"d´or", "d`or", "d′or", "d＇or", "d‛or", "d\u1ffdor", "d\u1fefor"},
		"":              {"", " ", "\u00a0\t\n", "\u0301", "\u200b", "\u3164"},
	} {
		for _, text := range texts {
			if got := criteria.Fold(text); got != want {
				t.Errorf("%q folds to %q, not %q", text, got, want)
			}
		}
	}
}

// TestWhatNobodySeesIsNoPartOfWhatIsCompared puts every such character into a text.
func TestWhatNobodySeesIsNoPartOfWhatIsCompared(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		hidden := unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		if got := criteria.Fold("ab" + string(r) + "c"); hidden && got != "abc" {
			t.Errorf("with %U it folds to %q", r, got)
		}
		if got := criteria.Bare("a" + string(r) + "b"); (got == "ab") != hidden && r != utf8.RuneError {
			t.Errorf("with %U it is %q", r, got)
		}
	}
	for text, want := range map[string]string{
		"\u200bAnne\ufeff": "Anne", "Le\u00adGoff": "LeGoff", "\u202aAnne\u202c": "Anne", "\u2060": "", "👨\u200d👩": "👨\u200d👩", "می\u200cخواهم": "می\u200cخواهم", "☺\ufe0f": "☺\ufe0f",
	} {
		if got := criteria.Visible(text); got != want {
			t.Errorf("%+q shows as %+q", text, got)
		}
	}
}

// TestEveryLetterOfWesternEuropeHasAnASCIIForm reads all letters of the blocks Latin-1
// and Latin Extended-A.
func TestEveryLetterOfWesternEuropeHasAnASCIIForm(t *testing.T) {
	for r := rune(0xc0); r <= 0x17f; r++ {
		if folded := criteria.Fold(string(r)); unicode.IsLetter(r) && strings.Trim(folded, "abcdefghijklmnopqrstuvwxyz'·") != "" && r != 'ĸ' {
			t.Errorf("%c folds to %q", r, folded)
		}
	}
}

func TestNamesOfPlacesThatAreOne(t *testing.T) {
	for want, names := range map[string][]string{
		"saint etienne":               {"Saint-Étienne", "ST ETIENNE", "St-Étienne", "st. etienne", "SAINT ETIENNE CEDEX 2", "St–Étienne Cedex", "saint\u200b-étienne"},
		"sainte foy les lyon":         {"Sainte-Foy-lès-Lyon", "STE FOY LES LYON", "Ste-Foy lès Lyon"},
		"l hay les roses":             {"L’Haÿ-les-Roses", "L HAY LES ROSES", "l'haÿ les roses", "L´Haÿ—les—Roses"},
		"paris la defense":            {"Paris-La-Défense", "PARIS LA DEFENSE CEDEX 12"},
		"stains":                      {"Stains"},
		"val d isere":                 {"Val-d'Isère", "VAL D ISERE", "Val d′Isère"},
		"lyon":                        {"Lyon CEDEX 03", "LYON"},
		"saint georges de la riviere": {"St-Georges de la Rivière"},
		"st":                          {"St"},
		"":                            {"", "-", " ' "},
	} {
		for _, name := range names {
			if got := criteria.FoldPlace(name); got != want || criteria.FoldPlace(got) != want {
				t.Errorf("%q folds to %q, not %q", name, got, want)
			}
		}
	}
}

func TestTextsThatFoldApart(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{"saint etienne", "saint-etienne", "saintetienne", "st etienne", "saint_etienne", "l'isle", "l isle", "lisle", "m2", "m"} {
		folded := criteria.Fold(text)
		if other, taken := seen[folded]; taken {
			t.Errorf("%q and %q fold to the same", text, other)
		}
		seen[folded] = text
	}
}

func TestFoldAndNormaliseAreDoneOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawString(t, "text")
		folded, normal := criteria.Fold(s), criteria.Normalise(s)
		if again := criteria.Fold(folded); again != folded {
			t.Fatalf("%q folds to %q, that to %q", s, folded, again)
		}
		if again := criteria.Normalise(normal); again != normal {
			t.Fatalf("%q is stored as %q, that as %q", s, normal, again)
		}
		if again := criteria.Fold(normal); again != folded {
			t.Fatalf("%q folds to %q, stored to %q", s, folded, again)
		}
		if outer := criteria.Fold(" \u00a0" + s + "\t"); outer != folded {
			t.Fatalf("%q folds to %q, between spaces to %q", s, folded, outer)
		}
	})
}

func TestFoldIsDoneOnceForEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if folded := criteria.Fold("a" + string(r) + "b"); criteria.Fold(folded) != folded {
			t.Errorf("%U folds to %q, that to %q", r, folded, criteria.Fold(folded))
		}
	}
}

// Marks that keep their place only because an accent stands between them.
func TestFoldIsDoneOnceForMarksWithoutTheirAccents(t *testing.T) {
	for _, s := range []string{"a\U0001d16d\u034f\U0001d165", "\u1932\U00016ff0\u0301\u1715", strings.Repeat("\u302e", 70)} {
		if folded := criteria.Fold(s); criteria.Fold(folded) != folded {
			t.Errorf("%+q folds to %+q, that to %+q", s, folded, criteria.Fold(folded))
		}
	}
}

func TestFoldIgnoresCaseAndAccentsOfFrench(t *testing.T) {
	plain, dressed := []rune("aaaeeeeiioouuucyAAAEEEEIIOOUUUCY"), []rune("àâäéèêëîïôöùûüçÿÀÂÄÉÈÊËÎÏÔÖÙÛÜÇŸ")
	rapid.Check(t, func(t *rapid.T) {
		var a, b strings.Builder
		for range rapid.IntRange(0, 8).Draw(t, "letters") {
			i := rapid.IntRange(0, len(plain)-1).Draw(t, "letter")
			a.WriteRune(plain[i])
			b.WriteRune(dressed[i])
		}
		if want := strings.ToLower(a.String()); criteria.Fold(a.String()) != want || criteria.Fold(b.String()) != want || criteria.Fold(strings.ToUpper(b.String())) != want {
			t.Fatalf("%q folds to %q, %q to %q", a.String(), criteria.Fold(a.String()), b.String(), criteria.Fold(b.String()))
		}
	})
}

// Plain ASCII takes a shorter way, which an accent at the end bars.
func TestFoldOfASCIIIsTheFoldOfText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.Map(rapid.ByteRange(0, 127), func(b byte) rune { return rune(b) })).Draw(t, "text")
		if short, long := criteria.Fold(s), criteria.Fold(s+"\u0301"); short != long {
			t.Fatalf("%q folds to %q, or to %q", s, short, long)
		}
	})
}

func TestFoldedTextHasSingleInnerSpacesAndNoCapitals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folded := criteria.Fold(drawString(t, "text"))
		if strings.Contains(folded, "  ") || strings.Trim(folded, " ") != folded || !utf8.ValidString(folded) {
			t.Fatalf("%q", folded)
		}
		for _, r := range folded {
			if unicode.ToLower(r) != r || unicode.IsSpace(r) && r != ' ' {
				t.Fatalf("%q has the character %U", folded, r)
			}
		}
	})
}
