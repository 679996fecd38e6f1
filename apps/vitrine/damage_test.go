package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// written is a listing as some software writes it.
type written struct {
	reference, price, city, text string
	row                          string
	// damaged: what of it is stored, if anything, may differ from what was written.
	damaged bool
}

func drawListing(t *rapid.T, n int) *written {
	words := []string{"Vue sur le lac. ", "Proche !# gare ", `dit "Le Clos" `, "\r\n", "\n", "déjà ", "250 000 € ", "!#", "vente ", "fin"}
	w := &written{
		reference: fmt.Sprintf("D-%05d", n), price: fmt.Sprint(100_000 + n), city: "Nancy",
		text: "Début " + strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "text"), "") + "!",
	}
	columns := make([]string, 329)
	columns[0], columns[1], columns[2], columns[3], columns[4], columns[5] = "agence-7", w.reference, "Vente", "maison/villa", "54000", w.city
	columns[10], columns[15], columns[17], columns[19], columns[20], columns[300] = w.price, "95,5", "4", "Maison", strings.ReplaceAll(w.text, `"`, `""`), "4.09"
	columns[40], columns[301] = rapid.SampledFrom([]string{"OUI", "NON", ""}).Draw(t, "lift"), "2"
	w.row = `"` + strings.Join(columns, `"!#"`) + `"`
	return w
}

// damage does something to a row that keeps it apart from its neighbours, though
// not more than that.
func (w *written) damage(t *rapid.T) {
	w.damaged = true
	at := func(label string) int { return rapid.IntRange(1, len(w.row)-1).Draw(t, label) }
	drop := func(what string) {
		found := strings.Count(w.row, what)
		nth, from := rapid.IntRange(0, found-1).Draw(t, "which"), 0
		for range nth {
			from += strings.Index(w.row[from:], what) + len(what)
		}
		from += strings.Index(w.row[from:], what)
		w.row = w.row[:from] + w.row[from+len(what):]
	}
	insert := func(what ...string) {
		i := at("where")
		w.row = w.row[:i] + rapid.SampledFrom(what).Draw(t, "what") + w.row[i:]
	}
	switch rapid.SampledFrom([]string{
		"last quote", "first quote", "a quote", "another quote", "a separator", "another separator", "a line end", "its end", "its beginning",
		"more columns", "a byte", "odd bytes",
	}).Draw(t, "damage") {
	case "last quote":
		w.row = strings.TrimSuffix(w.row, `"`)
	case "first quote":
		w.row = strings.TrimPrefix(w.row, `"`)
	case "a quote":
		drop(`"`)
	case "another quote":
		insert(`"`)
	case "a separator":
		drop(rapid.SampledFrom([]string{"!#", `"!#"`, `!#"`, "!", "#"}).Draw(t, "separator"))
	case "another separator":
		insert("!#", `"!#"`, `!#"`, `"!#`)
	case "a line end":
		insert("\n", "\r", "\r\n")
	case "its end":
		w.row = w.row[:max(at("from"), 20)] // the reference stays
	case "its beginning":
		w.row = w.row[min(at("up to"), len(w.row)-20):]
	case "more columns":
		w.row += strings.Repeat(`!#"x"`, rapid.IntRange(100, 700).Draw(t, "columns"))
	case "a byte":
		i := at("where")
		w.row = w.row[:i-1] + w.row[i:]
	case "odd bytes":
		insert("\x00", "\x1a", "\xff\xfe", "\xc3", "\u2028", "\ufeff", "\x0b")
	}
}

// inEncoding is a file as software of some kind writes it.
func inEncoding(t *rapid.T, content string) []byte {
	switch rapid.SampledFrom([]string{"Windows-1252", "UTF-8", "UTF-8 with a mark", "UTF-16"}).Draw(t, "encoding") {
	case "Windows-1252":
		if encoded, err := charmap.Windows1252.NewEncoder().String(content); err == nil {
			return []byte(encoded)
		}
	case "UTF-8 with a mark":
		return []byte("\ufeff" + content)
	case "UTF-16":
		bytes := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(content)) {
			bytes = append(bytes, byte(unit), byte(unit>>8))
		}
		return bytes
	}
	return []byte(content)
}

// damagedFile is a file of listings, some of them damaged.
type damagedFile struct {
	listings []*written
	content  []byte
	// name is what a file of this format is called, whole one with these listings.
	name  string
	whole func([]*written) string
	// inRows tells that a line end ends a listing, unless it is quoted.
	inRows bool
}

// drawFile makes a file whose references begin at n.
func drawFile(t *rapid.T, n int) damagedFile {
	var all []*written
	for i := range rapid.IntRange(3, 9).Draw(t, "listings") {
		all = append(all, drawListing(t, n+i))
	}
	// Two damaged neighbours may be, byte by byte, what one damaged listing is.
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, (len(all)-3)/2), 0, 4, rapid.ID[int]).Draw(t, "damaged") {
		all[2*i].damage(t)
	}
	lineEnd, joined := rapid.SampledFrom([]string{"\r\n", "\n", "\r"}).Draw(t, "line ends"), -1
	if i := len(all) - 2; i > 3 && !all[i].damaged && rapid.Bool().Draw(t, "the last line end is missing") {
		joined, all[i].damaged, all[i+1].damaged = i, true, true
	}
	var content strings.Builder
	for i, w := range all {
		content.WriteString(w.row)
		if i != joined {
			content.WriteString(lineEnd)
		}
	}
	return damagedFile{all, inEncoding(t, content.String()), "annonces.csv", wholeCSV, true}
}

func wholeCSV(all []*written) string {
	var content strings.Builder
	for _, w := range all {
		content.WriteString(w.row + "\r\n")
	}
	return content.String()
}

func (f damagedFile) intact() (intact []*written) {
	for _, w := range f.listings {
		if !w.damaged {
			intact = append(intact, w)
		}
	}
	return intact
}

// references begin what listings of feeds are known by, and listingTags begin and end them.
var (
	references  = regexp.MustCompile(`<(id|ref|REFERENCE|AFF_NUM|AFF_ID|objektnr_intern|objektnr_extern)\b`)
	listingTags = regexp.MustCompile(`</?(property|BIEN|immobilie)>`)
)

// pieces is how many more rows than listings there may be: at a line end in its text
// a damaged listing may come apart, as nobody knows any more what was quoted. One of a feed into
// which a further reference came is named by both; one into which a further beginning or end came,
// by what is before it and what is behind.
func (f damagedFile) pieces() (n int) {
	for _, w := range f.listings {
		if f.inRows && w.damaged {
			n += strings.Count(w.row, "\n") + strings.Count(w.row, "\r")
		} else if w.damaged {
			n += max(0, len(references.FindAllString(w.row, -1))-1) + max(0, len(listingTags.FindAllString(w.row, -1))-2)
		}
	}
	return n
}

// fails is a test, or one case of a property.
type fails interface {
	Fatalf(format string, args ...any)
}

// accounts checks that each listing of a file is stored, refused by name or, where
// nothing is left that makes it a listing, shown with its line, and those that
// nothing happened to are stored as they were written.
func (o *office) accounts(t fails, f damagedFile) (imported bool) {
	before, all := o.listings(), len(f.listings)
	report, err := o.moveContent(f.name, f.content, false)
	if err != nil && strings.Contains(err.Error(), "listings of several agencies") && o.listings() == before {
		return false // of so many rows the agency is damaged that nobody knows whose the listings are
	}
	found, created, refused := 0, 0, 0
	_, damage, _ := strings.Cut(report, "Damaged beside the listings:\n")
	beside := strings.Count(damage, "  line ")
	if _, err := fmt.Sscanf(report, "%d %s %d created, 0 changed, 0 unchanged, %d refused", &found, new(string), &created, &refused); err != nil ||
		found+beside < all || found > all+f.pieces() || created+refused != found || created != o.listings()-before || strings.Count(report, "\n  refused ") != refused {
		t.Fatalf("of %d listings: %s\n%s", all, report, strings.ReplaceAll(string(f.content), `""!#""!#""!#`, ""))
	}
	if (err != nil) != (refused > 0 || damage != "") {
		t.Fatalf("the command says %v: %s", err, report)
	}
	want := fmt.Sprintf("%s: 0 created, 0 changed, %d unchanged, 0 refused", counted(len(f.intact()), "listing", "listings"), len(f.intact()))
	if report, err = o.moveContent(f.name, []byte(f.whole(f.intact())), true); err != nil || !strings.Contains(report, want) {
		t.Fatalf("%v: %s\n%s", err, report, strings.ReplaceAll(string(f.content), `""!#""!#""!#`, ""))
	}
	return true
}

// moveContent imports a file of this content.
func (o *office) moveContent(name string, content []byte, dryRun bool) (string, error) {
	o.t.Helper()
	name = filepath.Join(o.t.TempDir(), name)
	if err := os.WriteFile(name, content, 0o600); err != nil {
		o.t.Fatal(err)
	}
	return o.move(o.t.Context(), name, dryRun, &gauge{})
}

// holds checks what is kept of listings that nothing happened to.
func (o *office) holds(all []*written) {
	o.t.Helper()
	found := map[string][]string{}
	for _, line := range o.exportedLines() {
		columns := strings.Split(line, `"!#"`)
		found[columns[1]] = columns
	}
	as := strings.NewReplacer("\r\n", "<BR>", "\n", "<BR>", `"`, "'", "!#", "! #")
	for _, w := range all {
		text, err := charmap.Windows1252.NewEncoder().String(as.Replace(unmarked(w.text)))
		if c := found[w.reference]; err != nil || c == nil || c[10] != w.price || c[5] != w.city || c[20] != text || c[19] != "Maison" {
			o.t.Errorf("%s was written with %q and is kept as %q", w.reference, w.text, c[:min(len(c), 22)])
		}
	}
}

var (
	markup     = regexp.MustCompile(`(?s)<!--.*?-->|</?[A-Za-z]+>|<!--`)
	blankEnds  = regexp.MustCompile(` +\n`)
	blankLines = regexp.MustCompile(`\n{3,}`)
)

// unmarked returns what is kept of a text with markup.
func unmarked(text string) string {
	plain := strings.ReplaceAll(markup.ReplaceAllString(text, ""), "&nbsp;", " ")
	if plain == text {
		return text
	}
	return blankLines.ReplaceAllString(blankEnds.ReplaceAllString(strings.TrimSpace(plain), "\n"), "\n\n")
}

func TestEveryListingOfADamagedFileIsStoredOrRefused(t *testing.T) { storedOrRefused(t, drawFile) }

// storedOrRefused draws files whose references begin at a number.
func storedOrRefused(t *testing.T, file func(t *rapid.T, n int) damagedFile) {
	n, intact := 0, []*written(nil)
	drawn := rapid.Custom(func(t *rapid.T) damagedFile { n += 10; return file(t, n) })
	t.Run("memory", func(t *testing.T) {
		o := newOffice(t, memstore.New())
		rapid.Check(t, func(rt *rapid.T) {
			f := drawn.Draw(rt, "file")
			if o.accounts(rt, f) {
				intact = append(intact, f.intact()...)
			}
		})
		o.holds(intact)
	})
	onDatabases(t, func(t *testing.T, o *office) {
		intact = nil
		for i := range 20 {
			f := drawn.Example(i)
			if o.accounts(t, f) {
				intact = append(intact, f.intact()...)
			}
		}
		o.holds(intact)
	})
}
