package fault_test

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

var verb = regexp.MustCompile(`%[-+# 0]*\d*(?:\.\d+)?([a-zA-Z%])`)

// arguments draws what a format shows.
func arguments(t *rapid.T, format string) (args []any) {
	for _, parts := range verb.FindAllStringSubmatch(format, -1) {
		switch parts[1] {
		case "d":
			args = append(args, rapid.IntRange(0, 1000).Draw(t, "number"))
		case "f", "g":
			args = append(args, rapid.Float64Range(-1e6, 1e6).Draw(t, "decimal"))
		case "s", "q", "v":
			args = append(args, rapid.StringMatching(`[a-zé_\[\]0-9]{1,8}`).Draw(t, "word"))
		case "%":
		default:
			t.Fatalf("%q has a verb that this test does not know", format)
		}
	}
	return args
}

func TestG18_EnglishIsTheFormatItself(t *testing.T) {
	formats := slices.Sorted(maps.Keys(maps.Collect(fault.FrenchFormats())))
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom(formats).Draw(t, "format")
		args := arguments(t, format)
		text, want := fault.Textf(format, args...), fmt.Sprintf(format, args...)
		for _, got := range []string{text.String(), text.Error(), text.In(fault.English), fault.New(fault.Invalid, fault.CodeRequired, format, args...).Error()} {
			if got != want {
				t.Fatalf("%q in place of %q", got, want)
			}
		}
	})
}

func TestG18_FrenchShowsEveryArgument(t *testing.T) {
	formats := slices.Sorted(maps.Keys(maps.Collect(fault.FrenchFormats())))
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom(formats).Draw(t, "format")
		args := arguments(t, format)
		got := fault.Textf(format, args...).In(fault.French)
		if strings.Contains(got, "%!") {
			t.Fatalf("%q is shown as %q", format, got)
		}
		for _, arg := range args {
			if word, ok := arg.(string); ok && !strings.Contains(got, word) {
				t.Fatalf("%q, with %q, is shown as %q", format, word, got)
			}
		}
	})
}

func TestG18_TextsInTextsAreShownInTheLanguageOfTheWhole(t *testing.T) {
	text := fault.Textf("%s must be %s, not %s", "price", fault.Textf("a number"), fault.Textf("a string"))
	if text.String() != "price must be a number, not a string" || text.In(fault.French) != "price doit être un nombre, et non une chaîne" {
		t.Errorf("%q and %q", text, text.In(fault.French))
	}
	var rule error = fault.Textf("the url is not absolute")
	if got := fault.Textf("%v", rule).In(fault.French); got != "l'url n'est pas absolue" {
		t.Errorf("an error that is a text is shown as %q", got)
	}
}

func TestG18_WhatIsNoTextStaysAsItIs(t *testing.T) {
	for _, text := range []fault.Text{fault.Verbatim("100 % a-12"), fault.Textf("%s", errors.New("a number")), fault.Textf("who knows %d", 3)} {
		if text.In(fault.French) != text.String() {
			t.Errorf("%q becomes %q", text, text.In(fault.French))
		}
	}
}

func TestG18_DetailsAndSummariesAreInFrenchToo(t *testing.T) {
	var problems fault.Problems
	problems.Add("url", fault.CodeRequired, "%s is required", "url")
	problems.Wrong("count", fault.CodeOutOfRange, 0, "count is 1 to %d", 100)
	told := fault.From(problems.Err())
	got := []string{told.Message.In(fault.French), told.Details[0].Message.In(fault.French), told.Details[1].Message.In(fault.French)}
	if want := []string{"2 champs ne sont pas valides ; voyez les détails", "le champ url est obligatoire", "count va de 1 à 100"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestATextKeptInEnglishIsReadInFrench(t *testing.T) {
	for _, said := range []fault.Text{
		fault.Textf("the file is empty"),
		fault.Textf("%s: it holds several listings", fault.Textf("the row has %d columns, and most of the file %d", 12, 334)),
		fault.Textf("%s; %s", fault.Textf("the file is XML of another kind, with the root <%s>", "rss"), fault.Textf("listings are in %s, or a ZIP archive with one of them", "CSV: a, XLSX")),
		fault.Textf("nothing was withdrawn: %d of the %d listings of the source are not in the file any more, or gone by it, and %d %% at once are allowed", 7, 20, 25),
		fault.Textf("the file is a text that begins with %q", "a: b; c"),
		fault.Textf("line %d: %s", 12, "unexpected EOF"),
		fault.Textf("%s: %s", "Prix", fault.Textf("expected a number with a decimal point, without spaces or unit")),
	} {
		if got, want := fault.Read(said.String()).In(fault.French), said.In(fault.French); got != want || got == said.String() {
			t.Errorf("%q is read as %q, want %q", said, got, want)
		}
	}
	// What others said may be made so that many formats fit each part of it.
	hostile := strings.Repeat("line 1: x: it breaks off; y: it holds several listings; ", 200)
	if got := fault.Read(hostile); got.String() != hostile {
		t.Error("a hostile text is read as another one")
	}
	for _, unknown := range []string{"", "a portal said this", "x: y", "%d"} {
		if got := fault.Read(unknown); got.In(fault.French) != unknown || got.String() != unknown {
			t.Errorf("%q is read as %q", unknown, got.In(fault.French))
		}
	}
}
