package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// rowOf is a row of the format's own width, with some columns by their rank.
func rowOf(columns map[int]string) string {
	f := make([]string, lastColumn)
	f[agencyColumn-1], f[transactionColumn-1], f[versionColumn-1] = "a", "vente", Version
	for rank, content := range columns {
		f[rank-1] = content
	}
	return `"` + strings.Join(f, `"!#"`) + `"`
}

// written is the name of a file of this content.
func written(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "annonces.csv")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// readFile reads a file of this content.
func readFile(t *testing.T, content string) []transfer.Listing {
	t.Helper()
	return listings(t, opened(t, written(t, content), webhook.Allowance{}))
}

// fates are what became of listings, by reference: where they are, and why they were
// refused.
func fates(all []transfer.Listing) (fates []string) {
	for _, l := range all {
		fates = append(fates, strings.TrimSuffix(fmt.Sprintf("%s %s: %s", l.Reference, l.Source, l.Refused), ": "))
	}
	return fates
}

func row1to(n int) (rows []string) {
	for i := range n {
		rows = append(rows, rowOf(map[int]string{referenceColumn: fmt.Sprintf("R%d", i+1), titleColumn: "Maison", textColumn: "Belle maison", 11: "250000"}))
	}
	return rows
}

func TestDamageToARowStaysWithTheRow(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(rows []string)
		want   []string
	}{
		"none": {func([]string) {}, []string{"R1 line 1", "R2 line 2", "R3 line 3", "R4 line 4"}},
		"a missing last quote": {
			func(r []string) { r[1] = strings.TrimSuffix(r[1], `"`) },
			[]string{"R1 line 1", "R2 line 2: column 329 has a quote that is not closed", "R3 line 3", "R4 line 4"},
		},
		"a missing last quote at the end": {
			func(r []string) { r[3] = strings.TrimSuffix(r[3], `"`) },
			[]string{"R1 line 1", "R2 line 2", "R3 line 3", "R4 line 4: column 329 has a quote that is not closed"},
		},
		"a missing quote in the middle": {
			func(r []string) { r[1] = strings.Replace(r[1], `"Maison"`, `"Maison`, 1) },
			[]string{"R1 line 1", "R2 line 2: column 20 has a quote that is not closed", "R3 line 3", "R4 line 4"},
		},
		"a missing first quote": {
			func(r []string) { r[1] = r[1][1:] },
			[]string{"R1 line 1", "R2 line 2: column 1 has a quote that is not opened", "R3 line 3", "R4 line 4"},
		},
		"a separator too many": {
			func(r []string) { r[1] = strings.Replace(r[1], `"Maison"`, `""!#"Maison"`, 1) },
			[]string{
				"R1 line 1", "R2 line 2: the version of the format is not in column 301 but beside it: columns are shifted",
				"R3 line 3", "R4 line 4",
			},
		},
		"half a row": {
			func(r []string) { r[3] = strings.Join(strings.Split(r[3], "!#")[:134], "!#") },
			[]string{"R1 line 1", "R2 line 2", "R3 line 3", "R4 line 4: the row has 134 columns, and most of the file 329: it breaks off"},
		},
		"far more columns": {
			func(r []string) { r[1] += strings.Repeat(`!#"x"`, 500) },
			[]string{"R1 line 1", "R2 line 2: the row has 829 columns, and the format 334 at most", "R3 line 3", "R4 line 4"},
		},
		"two rows on one line": {
			func(r []string) { r[1], r[2] = r[1]+r[2], "" },
			[]string{
				"R1 line 1", "R2 line 2: the row has 657 columns, and the format 334 at most",
				"R3 line 2: the row has 657 columns, and the format 334 at most", "R4 line 4",
			},
		},
		"a row in two pieces": {
			func(r []string) { r[1] = strings.Replace(r[1], `"Maison"!#`, "\"Maison\"!#\n", 1) },
			[]string{"R1 line 1", "R2 line 2: the row breaks off, and seems to go on in line 3", "R3 line 4", "R4 line 5"},
		},
	} {
		for _, lineEnd := range []string{"\r\n", "\n", "\r"} {
			rows := row1to(4)
			c.damage(rows)
			if diff := gocmp.Diff(c.want, fates(readFile(t, strings.Join(rows, lineEnd)))); diff != "" {
				t.Errorf("%s, line ends %q: %s", name, lineEnd, diff)
			}
		}
	}
}

func TestATextMayHoldSeparatorsQuotesAndLineEnds(t *testing.T) {
	for written, want := range map[string]string{
		`Vue !# mer`: "Vue !# mer", `!#`: "!#", `dit ""Le Clos""`: `dit "Le Clos"`, `dit ""Le Clos""!# non`: `dit "Le Clos"!# non`,
		`dit "Le Clos" non`: `dit "Le Clos" non`, "Ligne 1\r\n\r\nLigne 2": "Ligne 1\n\nLigne 2", "a<BR>b<br />c": "a\nb\nc",
		"Ligne 1\r\nvente !# Ligne 2": "Ligne 1\nvente !# Ligne 2", `finit par "un mot"`: `finit par "un mot"`,
	} {
		rows := row1to(3)
		rows[1] = rowOf(map[int]string{referenceColumn: "R2", titleColumn: "Maison", textColumn: written, 11: "250000"})
		all := readFile(t, strings.Join(rows, "\r\n"))
		if len(all) != 3 || textsOf(all[1])["fr"][1] != want || told(all[1])["Prix"] != "250000" {
			t.Errorf("%q is read as %q: %v", written, textsOf(all[1]), fates(all))
		}
	}
}

func TestRowsMayHaveFewerColumnsWhereTheLastAreEmpty(t *testing.T) {
	rows := []string{`"a"!#"R1"!#"vente"`, `"a"!#"R2"!#"vente"!#"maison"!#"54000"`, `"a"!#"R3"!#"location"`, `"a"!#"R4"!#"vente"!#"12000"!#"maison"`, `"a"!#"R5"!#"viager"`}
	want := []string{"R1 line 1", "R2 line 2", "R3 line 3", `R4 line 4: the row has 5 columns, and most of the file 3: columns are shifted, for column 4 cannot hold "12000"`, "R5 line 5"}
	if diff := gocmp.Diff(want, fates(readFile(t, strings.Join(rows, "\n")))); diff != "" {
		t.Error(diff)
	}
}

func TestLinesWithoutAListingAreNoPartOfARow(t *testing.T) {
	rows := row1to(3)
	short := strings.TrimSuffix(rows[1], `!#""`)
	content := "\r\n\r\n" + rows[0] + "\r\n \t\r\n" + short + "\r\n\r\n" + rows[2] + "\r\n\x1a"
	if diff := gocmp.Diff([]string{"R1 line 3", "R2 line 5", "R3 line 7"}, fates(readFile(t, content))); diff != "" {
		t.Error(diff)
	}
}

func TestFilesMayBeInUTF16(t *testing.T) {
	content := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(rowOf(map[int]string{referenceColumn: "R1", textColumn: "Été"}) + "\r\n")) {
		content = append(content, byte(unit), byte(unit>>8))
	}
	if all := readFile(t, string(content)); len(all) != 1 || textsOf(all[0])["fr"][1] != "Été" {
		t.Errorf("read as %+v", all)
	}
}

func TestALineThatIsTooLongIsRefusedAndTheNextOneIsRead(t *testing.T) {
	rows := row1to(3)
	rows[1] = rowOf(map[int]string{referenceColumn: "R2", textColumn: strings.Repeat("x", maxListing+1)})
	want := []string{"R1 line 1", fmt.Sprintf("R2 line 2: the listing has more than %d bytes", maxListing), "R3 line 3"}
	if diff := gocmp.Diff(want, fates(readFile(t, strings.Join(rows, "\r")))); diff != "" {
		t.Error(diff)
	}
}

// A row that holds the names or the ranks of the columns is no listing, wherever it is.
func TestARowOfHeadingsOrRanksIsNoListing(t *testing.T) {
	headings, names, ranks, zeros := map[int]string{}, map[int]string{}, map[int]string{}, map[int]string{}
	for rank := 1; rank <= lastColumn; rank++ {
		headings[rank], ranks[rank], zeros[rank] = fmt.Sprintf("Champ n° %d", rank), fmt.Sprint(rank), fmt.Sprint(rank-1)
		names[rank] = "Libellé " + string(rune('a'+rank%26))
	}
	few := map[int]string{1: "Agence", 2: "Référence", 3: "Type d'annonce", 4: "Type de bien", 5: "CP", 11: "Prix", 16: "Surface", versionColumn: ""}
	for name, columns := range map[string]map[int]string{"numbered": headings, "names": names, "ranks": ranks, "ranks from 0": zeros, "some": few} {
		for at := range 4 {
			rows := slices.Insert(row1to(3), at, rowOf(columns))
			var fates []string
			for l, err := range opened(t, written(t, strings.Join(rows, "\r\n")), webhook.Allowance{}).Listings(t.Context()) {
				if damage, beside := errors.AsType[Damage](err); beside {
					fates = append(fates, damage.Source)
					continue
				}
				fates = append(fates, l.Reference+l.Refused)
			}
			want := slices.Insert([]string{"R1", "R2", "R3"}, at, fmt.Sprintf("line %d", at+1))
			if diff := gocmp.Diff(want, fates); diff != "" {
				t.Errorf("%s at %d: %s", name, at, diff)
			}
		}
	}
}

func TestAListingWithOneWordThatNobodyKnowsIsAListing(t *testing.T) {
	for _, columns := range []map[int]string{
		{referenceColumn: "R1", transactionColumn: "enchères"}, {referenceColumn: "R1", transactionColumn: "enchères", 4: "péniche", 11: "250000"},
		{1: "1", 2: "2", 3: "vente", 4: "4"},
	} {
		if all := readFile(t, rowOf(columns)); len(all) != 1 || all[0].Refused != "" {
			t.Errorf("%v: %+v", columns, all)
		}
	}
}

// Whatever a file holds, it is read to its end.
func FuzzPoliris(f *testing.F) {
	f.Add([]byte(strings.Join(row1to(3), "\r\n")))
	f.Add([]byte("\"a\"!#\"R1\"!#\"x\r\"a\"!#R2\n!#\"\"\"!#\"\r\r\n\x1a"))
	f.Add([]byte("\xff\xfe\"\x00!\x00#\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		of, err := shapeOf(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		for l, err := range polirisListings(poliris, table{shape: of}, bytes.NewReader(content)) {
			if damage, beside := errors.AsType[Damage](err); beside {
				l.Source, err = damage.Source, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			if l.Source == "" {
				t.Errorf("nobody knows where %+v is", l)
			}
		}
	})
}
