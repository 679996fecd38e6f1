package exchange

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const ownFeed = `{"vitrine":1,"listings":[
{"reference":"R1","agency":"11","criteria":{"Prix":250000,"CodePostal":"6000","Meuble":true,"Equipements":["DIGICODE"]},"texts":[{"language":"fr","title":"Été","text":"<p>Vue</p>"}],"pictures":[{"url":"a.jpg","title":"Salon"}],"position":{"latitude":48.5,"longitude":2}},
{"reference":"R2"},
{"reference":"R3"}
]}
`

func TestTheOwnFeedIsReadLineByLine(t *testing.T) {
	f := opened(t, written(t, ownFeed), webhook.Allowance{})
	all := listings(t, f)
	if len(all) != 3 || f.Format != JSON || all[0].Pictures[0].Title != "Salon" || all[0].Agency != "11" {
		t.Fatalf("%s: %+v", f.Format, all)
	}
	want := map[string]any{"Prix": "250000", "CodePostal": "06000", "Meuble": true, "Equipements": []any{"DIGICODE"}, "Alentour": "48.500000,2.000000"}
	if diff := gocmp.Diff(want, told(all[0])); diff != "" || textsOf(all[0])["fr"] != [2]string{"Été", "Vue"} {
		t.Error(textsOf(all[0]), diff)
	}
}

func TestDamageToALineOfTheOwnFeedStaysWithIt(t *testing.T) {
	for name, c := range map[string]struct{ old, by, want string }{
		"none":         {"x", "x", "R1 line 2, R2 line 3, R3 line 4"},
		"a brace less": {`"R2"}`, `"R2"`, "R1 line 2, R2 line 3: it is no JSON of a listing: unexpected EOF, R3 line 4"},
		"a type":       {`"R2"}`, `"R2","texts":1}`, "R1 line 2, R2 line 3: texts cannot be a JSON number, R3 line 4"},
		"two on one":   {"},\n" + `{"reference":"R3"`, `},{"reference":"R3"`, "R1 line 2, R2 line 3: there is more on the line than one listing, R3 line 3: there is more on the line than one listing"},
		"cut off":      {"\n]}", "", "R1 line 2, R2 line 3, R3 line 4, at the end: the file ends, and its list is not closed"},
	} {
		all, beside := readAs(t, own, t.TempDir(), []byte(strings.Replace(ownFeed, c.old, c.by, 1)))
		if diff := gocmp.Diff(c.want, strings.Join(append(fates(all), beside...), ", ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Whatever a feed holds, each of its lines is a listing or is refused.
func FuzzJSON(f *testing.F) {
	f.Add(ownFeed)
	f.Add("{\"vitrine\":1,\"listings\":[{\"reference\":\"\\u00e9\"},\n{\"criteria\":{\"Prix\":[1,{}]}}\n]}")
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, content string) {
		name := filepath.Join(folder, "feed.json")
		if err := os.WriteFile(name, []byte("{\"vitrine\":1,\"listings\":[\n"+content), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(name, JSON, nil)
		if err != nil {
			t.Skip(err)
		}
		defer file.Close()
		named := map[string]bool{}
		for l, err := range file.Listings(t.Context()) {
			if damage, beside := errors.AsType[Damage](err); beside {
				l.Source = damage.Source
			}
			named[l.Source] = true
		}
		for lines := newLineReader(strings.NewReader("\n" + content)); ; {
			line, ok := lines.next()
			if !ok {
				break
			}
			if is := named[fmt.Sprintf("line %d", line.number)]; !is && len(strings.Trim(string(line.content), " \t\v\f,]}\x1a\u0085\u00a0")) > 0 {
				t.Errorf("line %d is nowhere in %v:\n%s", line.number, named, content)
			}
		}
	})
}
