package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// pieces are what texts are made of that files stumble over. Markup is taken out of all texts.
var pieces = []string{
	"Bel appartement", " ", "à l'orée", "250 000 €", `"`, `""`, ";", ",", "|", "!#", "\n", "\r\n", "]]>", "œuvre", "☃", "🏡", "\u2028", "\u0085", "\u001a",
	"\t", "Łódź", "0", "NON", "?", "'", "\ufeff", "\ufffe", "\u200b", "=", "-", "{", "}", `\`, `\n`, "/",
}

func drawText(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 8).Draw(t, label), "")
}

// drawValue is a value of a criterion.
func drawValue(t *rapid.T, c transfer.SetupCriterion) criteria.Value {
	codes := func() (all []string) {
		for _, choice := range c.Values {
			all = append(all, choice.Model)
		}
		return all
	}
	switch c.Type {
	case "UNIQUE":
		return criteria.Unique(rapid.SampledFrom(codes()).Draw(t, c.Key))
	case "MULTIPLE":
		return criteria.Multiple(rapid.SliceOfNDistinct(rapid.SampledFrom(codes()), 1, 5, rapid.ID[string]).Draw(t, c.Key))
	case "NUMBER":
		n := float64(rapid.IntRange(0, 2_000_000).Draw(t, c.Key))
		if c.Decimals != nil && *c.Decimals > 0 {
			n += float64(rapid.IntRange(0, 9).Draw(t, "tenths")) / 10
		}
		return criteria.Number(n)
	case "FLAG":
		return criteria.Flag(rapid.Bool().Draw(t, c.Key))
	case "DATE":
		d, _ := criteria.ParseDate(fmt.Sprintf("20%02d-%02d-%02d", rapid.IntRange(0, 40).Draw(t, c.Key), rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day")), nil)
		return d
	}
	if c.Key == criteria.KeyPostalCode {
		return criteria.Text(rapid.StringMatching(`\d{4}[1-9]`).Draw(t, c.Key))
	}
	return criteria.Text(drawText(t, c.Key))
}

// expressible is what a format can say of a value, as it is read; false if it says it not at all, or as
// another one.
func (f *format) expressible(key string, v criteria.Value, all criteria.Values) (any, bool) {
	want := criteria.Restate(v).V
	if literal, is := want.(criteria.Literal); is {
		want = string(literal)
	}
	if said, is := want.(string); is {
		want, _ = plainText(f.say(said))
	}
	if f == own {
		return want, want != ""
	}
	for _, c := range f.table {
		if c.base != key || c.part != "" || c.read == nil || c.write == nil || c.when != nil && !c.when(all) {
			continue
		}
		if written, _ := plainText(f.say(f.written(c, all))); written != "" {
			if read := c.read(written); read != nil {
				return read, reflect.DeepEqual(read, want)
			}
		}
	}
	return nil, false
}

// members are the codes of a criterion that a format has places for.
func (f *format) members(key string) (codes []string) {
	for _, c := range f.table {
		if c.base == key && c.part != "" {
			codes = append(codes, c.part)
		}
	}
	return codes
}

// drawExported is a listing that a format can say, and how it should be read.
func drawExported(t *rapid.T, f *format, known []transfer.SetupCriterion, n int) (transfer.Exported, map[string]any) {
	e := transfer.Exported{
		ID: product.ID(n), Agency: 11, Currency: "EUR", Reference: drawText(t, "reference") + strconv.Itoa(n), Criteria: criteria.Values{},
	}
	for _, c := range known {
		if c.Key != criteria.KeyPosition && rapid.IntRange(0, 3).Draw(t, "has "+c.Key) > 0 {
			e.Criteria[c.Key] = drawValue(t, c)
		}
	}
	want := map[string]any{}
	for again := true; again; { // what is said of one may depend on another
		again = false
		clear(want)
		for _, key := range slices.Sorted(maps.Keys(e.Criteria)) {
			v := e.Criteria[key]
			if several, is := v.(criteria.Multiple); is && len(f.members(key)) > 0 {
				for _, code := range several {
					if slices.Contains(f.members(key), code) {
						want[key+" "+code] = true
					}
				}
			} else if said, is := f.expressible(key, v, e.Criteria); is {
				want[key] = said
			} else {
				delete(e.Criteria, key)
				again = true
			}
		}
	}
	if f.members(keyOrientation) != nil && e.Criteria.Code(keyOrientation) != bothWays && e.Criteria[keyOrientation] != nil {
		want[keyOrientation] = e.Criteria.Code(keyOrientation)
	}
	if rapid.Bool().Draw(t, "placed") {
		e.Position = &criteria.Position{Latitude: 48.5, Longitude: -float64(rapid.IntRange(1, 50).Draw(t, "longitude")) / 10}
		want[criteria.KeyPosition] = e.Position.String()
	}
	for _, language := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"fr", "en", "de", "nl"}), 0, 3, rapid.ID[string]).Draw(t, "languages") {
		e.Descriptions = append(e.Descriptions, product.Description{Language: language, Title: drawText(t, "title"), Text: drawText(t, "text")})
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "pictures") {
		e.Pictures = append(e.Pictures, fmt.Sprintf("https://crm.example/%d/%d.jpg?a=b&c=d", n, i))
		title := ""
		if rapid.Bool().Draw(t, "titled") {
			title = drawText(t, "picture title")
		}
		e.Titles = append(e.Titles, title)
	}
	return e, want
}

// A listing that is written and read is the same one, as far as the table of its format can say it.
func TestWhatAFormatWritesItReadsAgain(t *testing.T) {
	vocabulary, err := setup.French()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		if f.writer == nil {
			continue
		}
		t.Run(string(f.name), func(t *testing.T) {
			folder := t.TempDir()
			rapid.Check(t, func(t *rapid.T) { comesBack(t, f, vocabulary.Criteria, folder) })
		})
	}
}

func comesBack(t *rapid.T, f *format, known []transfer.SetupCriterion, folder string) {
	var file bytes.Buffer
	w := newWriter(&file, f)
	var all []transfer.Exported
	var wanted []map[string]any
	for n := range rapid.IntRange(0, 4).Draw(t, "listings") {
		e, want := drawExported(t, f, known, n+1)
		all, wanted = append(all, e), append(wanted, want)
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if f == poliris && len(all) == 0 {
		return // it is an empty file
	}
	read, beside := readAs(t, f, folder, file.Bytes())
	if len(read) != len(all) || len(beside) > 0 {
		t.Fatalf("of %d listings %d are read, damage %q:\n%s", len(all), len(read), beside, file.String())
	}
	for i, l := range read {
		e := all[i]
		got := told(l)
		for _, c := range l.Criteria {
			if c.Code != "" {
				delete(got, c.Key)
			}
		}
		for _, c := range l.Criteria {
			if c.Code != "" {
				got[c.Key+" "+c.Code] = c.Value.V
			}
		}
		if diff := gocmp.Diff(wanted[i], got); diff != "" || l.Refused != "" || len(l.NotUnderstood) > 0 {
			t.Fatalf("%s%s%v\n%s", l.Refused, diff, l.NotUnderstood, file.String())
		}
		if l.Reference != f.say(e.Reference) && l.Reference != unbroken(f.say(e.Reference)) || l.ID != e.ID && (f == own || f.has(keyID)) || l.Agency != "11" && f.has(keyAgency) {
			t.Fatalf("%q, agency %q, id %d:\n%s", l.Reference, l.Agency, l.ID, file.String())
		}
		if diff := gocmp.Diff(f.sayableTexts(e), textsOf(l)); diff != "" {
			t.Fatalf("%s\n%s", diff, file.String())
		}
		var names, titles []string
		for _, p := range l.Pictures {
			names, titles = append(names, p.Name), append(titles, p.Title)
		}
		if !slices.Equal(names, e.Pictures) || !slices.Equal(titles, f.sayableTitles(e)) {
			t.Fatalf("%q and %q, not %q and %q:\n%s", names, titles, e.Pictures, f.sayableTitles(e), file.String())
		}
		if rest := l.Beyond(e); rest.Reference != "" || len(rest.Criteria)+len(rest.Descriptions) > 0 {
			t.Fatalf("it says more than there is: %+v\n%s", rest, file.String())
		}
	}
}

func (f *format) has(key string) bool {
	return slices.ContainsFunc(f.fields, func(c field) bool { return c.key == key && c.read != nil })
}

// sayableTexts are the texts of a listing that a format has places for.
func (f *format) sayableTexts(e transfer.Exported) map[string][2]string {
	want := map[string][2]string{}
	spoken := f.spoken(e.Descriptions)
	for i, d := range e.Descriptions {
		var both [2]string
		if f == own || f.has(keyTitle+"."+spoken[i]) {
			both[0] = f.say(d.Title)
		}
		if f == own || f.has(keyText+"."+spoken[i]) {
			both[1] = f.say(d.Text)
		}
		text, _ := plainText(both[1])
		if title := phrase(&transfer.Listing{}, "", both[0]); title+text != "" {
			want[d.Language] = [2]string{title, text}
		}
	}
	return want
}

// sayableTitles are the titles of pictures that a format has places for.
func (f *format) sayableTitles(e transfer.Exported) (titles []string) {
	has := f == own || slices.ContainsFunc(f.fields, func(c field) bool { return strings.HasPrefix(c.key, keyCaption) && c.write != nil })
	for _, title := range e.Titles {
		said := ""
		if has {
			said = f.say(title)
		}
		if f == plainTable {
			said = strings.NewReplacer("|", "/", "\n", " ").Replace(said)
		}
		titles = append(titles, phrase(&transfer.Listing{}, "", said))
	}
	return titles
}

type fails interface {
	Fatal(args ...any)
	Helper()
}

// readAs reads a file of a format.
func readAs(t fails, f *format, folder string, content []byte) (all []transfer.Listing, beside []string) {
	t.Helper()
	name := filepath.Join(folder, "listings")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := Open(name, f.name, NewWeb(webhook.Allowance{}))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for l, err := range file.Listings(context.Background()) {
		if damage, is := errors.AsType[Damage](err); is {
			beside = append(beside, damage.Error())
		} else if err != nil {
			t.Fatal(err)
		} else {
			all = append(all, l)
		}
	}
	return all, beside
}
