package fault

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rooms = [][]translation{frenchCommon, frenchHTTP, frenchTokens, frenchOffice, frenchCriteria, frenchListing, frenchPeople, frenchDeals, frenchAgenda, frenchHooks, frenchConsole, frenchAlerts, frenchFeeds, frenchMeanings}

func TestEveryFormatHasOneFrench(t *testing.T) {
	all := slices.Concat(rooms...)
	if len(all) != len(frenchFormats) {
		t.Errorf("there are %d pairs for %d formats", len(all), len(frenchFormats))
	}
	for _, p := range all {
		if p.french == "" || frenchFormats[p.english] != p.french {
			t.Errorf("%q is %q as well as %q", p.english, p.french, frenchFormats[p.english])
		}
	}
}

func TestFormatsAreSorted(t *testing.T) {
	for _, room := range rooms {
		byEnglish := func(a, b translation) int {
			return cmp.Compare(strings.ToLower(a.english), strings.ToLower(b.english))
		}
		if !slices.IsSortedFunc(room, byEnglish) {
			t.Errorf("the formats from %q on are not sorted", room[0].english)
		}
	}
}

// verbs are those of a format, by the argument that each of them shows.
func verbs(format string) map[string]string {
	found := map[string]string{}
	for i, parts := range verb.FindAllStringSubmatch(format, -1) {
		found[cmp.Or(parts[1], fmt.Sprintf("[%d]", i+1))] = parts[2]
	}
	return found
}

func TestFrenchShowsTheSameArguments(t *testing.T) {
	for english, french := range FrenchFormats() {
		if !maps.Equal(verbs(english), verbs(french)) {
			t.Errorf("%q has the verbs %v, and %q has %v", english, verbs(english), french, verbs(french))
		}
	}
}

func TestVerbsAreToldApart(t *testing.T) {
	for _, other := range []string{"%s", "%s of %s", "%d of %d", "%[2]s of %[1]d", "%s of %.2f", "%[1]s of %[1]s"} {
		if maps.Equal(verbs("%s of %d"), verbs(other)) {
			t.Errorf("%q is taken for %q", other, "%s of %d")
		}
	}
	if !maps.Equal(verbs("%s of %d"), verbs("%[2]d, %[1]s")) {
		t.Error("the order matters")
	}
}

// A French writer leaves a space before these signs, and uses guillemets.
var typography = regexp.MustCompile(`[^ ][;!?»](?: |$)|[^ /\d]: |“|”`)

func TestFrenchIsWrittenAsFrench(t *testing.T) {
	for english, french := range FrenchFormats() {
		if found := typography.FindString(french); found != "" && !strings.Contains(french, "Authorization: Bearer") {
			t.Errorf("%q, for %q, has %q", french, english, found)
		}
	}
}
