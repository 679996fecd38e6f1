package exchange

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func tableFates(t *testing.T, content string) []string {
	t.Helper()
	all, beside := readAs(t, plainTable, t.TempDir(), []byte(content))
	got := fates(all)
	for _, d := range beside {
		got = append(got, "damage "+d)
	}
	return got
}

func TestATableIsReadByItsHeadings(t *testing.T) {
	want := map[string]any{
		"TypeBien": "Maison", "Prix": "250000", "CodePostal": "06000", "Ville": "Nice", "Surface": "82.5", "Ascenseur": true, "DisponibleLe": "2026-03-01",
		"Equipements": []any{"DIGICODE", "Alarme"}, "ConsoEner": "C",
	}
	for name, content := range map[string]string{
		"semicolons": "Réf.;Type de bien;PRIX;Code Postal;Ville;Surface habitable (m²);Ascenseur;Disponible le;Équipements;DPE;Photo 1;Photo 2\r\n" +
			"R1;Maison;250 000 € FAI;6000;Nice;82,5;Oui;01/03/2026;DIGICODE, Alarme;C;a.jpg;https://x.example/b.jpg\r\n",
		"commas": "reference,type,price,zip,city,living area,lift,available from,amenities,energy class,pictures\n" +
			`R1,Maison,"250,000 €",06000,Nice,82.5,true,2026-03-01,"DIGICODE|Alarme",C,a.jpg | https://x.example/b.jpg` + "\n",
		"tabs": "ref\ttype\tprix\tcp\tville\tsurface\tascenseur\tdisponible le\tequipements\tdpe\tphotos\nR1\tMaison\t250000\t06000\tNice\t82.5\t1\t2026-03-01\tDIGICODE;Alarme\tC\ta.jpg|https://x.example/b.jpg",
	} {
		encoded, err := charmap.Windows1252.NewEncoder().String(content)
		if err != nil {
			t.Fatal(err)
		}
		for _, written := range []string{content, "\ufeff" + content, encoded} {
			all, beside := readAs(t, plainTable, t.TempDir(), []byte(written))
			if len(all) != 1 || len(beside) > 0 || all[0].Reference != "R1" || len(all[0].NotUnderstood) > 0 {
				t.Fatalf("%s: %+v %q", name, all, beside)
			}
			if diff := gocmp.Diff(want, told(all[0])); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if diff := gocmp.Diff([]string{"a.jpg false", "https://x.example/b.jpg true"}, names(all[0])); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func TestATableIsOneWhateverItsTextsHold(t *testing.T) {
	if f := opened(t, written(t, "reference;prix;texte\nR1;1;vue !# mer <BIEN>\n"), webhook.Allowance{}); f.Format != Table {
		t.Errorf("it is taken for %s", f.Format)
	}
}

func TestHeadingsMeanWhatAMappingSays(t *testing.T) {
	name := filepath.Join(t.TempDir(), "listings.csv")
	if err := os.WriteFile(name, []byte("Code;Montant HT;Prix;Vue mer;Ville;Interphone\nR1;100;90;oui;Nice;oui\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mapping, err := ReadHeadings([]byte("code: reference\nMontant HT: prix\nPrix:\nVUE MER: VueMer\nInterphone: Equipements.INTERPHONE\n"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenMapped(name, mapping, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := listings(t, f)[0]
	if diff := gocmp.Diff(map[string]any{"Prix": "100", "VueMer": "oui", "Ville": "Nice", "Equipements": true}, told(l)); diff != "" || l.Reference != "R1" || f.Format != Table {
		t.Error(l.Reference, diff)
	}
	if _, err := OpenMapped(name, map[string]string{"!": "Prix"}, nil); err == nil {
		t.Error("a heading without letters is mapped")
	}
	for _, content := range []string{"", "- a", "a: [b", "a: {b: c}"} {
		if _, err := ReadHeadings([]byte(content)); err == nil {
			t.Errorf("%q is a mapping", content)
		}
	}
}

func TestAFormatSaysThatAListingIsGone(t *testing.T) {
	for f, content := range map[*format]string{
		plainTable: "reference;type;prix;supprimé\nR1;Maison;1;oui\nR2;Maison;1;\nR3;Maison;1;non\n",
		own:        `{"vitrine":1,"listings":[` + "\n" + `{"reference":"R1","gone":true},` + "\n" + `{"reference":"R2"},` + "\n" + `{"reference":"R3","gone":false}` + "\n]}",
		openImmo: "<openimmo>" + strings.Replace(immobilieOf(1), "</verwaltung_techn>", `<aktion aktionart="DELETE"/></verwaltung_techn>`, 1) + immobilieOf(2) +
			strings.Replace(immobilieOf(3), "</verwaltung_techn>", `<aktion aktionart="CHANGE"/></verwaltung_techn>`, 1) + "</openimmo>",
	} {
		all, _ := readAs(t, f, t.TempDir(), []byte(content))
		var got []string
		for _, l := range all {
			got = append(got, fmt.Sprint(l.Reference, l.Refused, l.Gone))
		}
		if diff := gocmp.Diff([]string{"R1true", "R2false", "R3false"}, got); diff != "" {
			t.Errorf("%s: %s", f.name, diff)
		}
	}
}

func TestDamageToARowOfATableStaysWithIt(t *testing.T) {
	const headings = "reference;type;prix;surface;ville;texte"
	row := func(n string) string {
		return "R" + n + `;Maison;250000;80;Nice;"Belle; vue` + "\n" + `sur ""le lac"""`
	}
	for name, c := range map[string]struct{ second, want string }{
		"none":                     {row("2"), "R2 line 4"},
		"a quote is not closed":    {`R2;Maison;250000;80;Nice;"Belle`, "R2 line 4: column 6 has a quote that is not closed"},
		"a column too many":        {`R2;Maison;250000;80;Nice;Belle;vue`, "R2 line 4: the row has 7 columns, and there are 6 headings"},
		"empty columns too many":   {`R2;Maison;250000;80;Nice;Belle;;`, "R2 line 4"},
		"columns are shifted":      {`R2;250000;Maison;80`, `R2 line 4: the row has 4 columns, and there are 6 headings: columns are shifted, for "prix" cannot hold "Maison"`},
		"the last ones are empty":  {`R2;Maison;250000`, "R2 line 4"},
		"the headings again":       {headings, "damage line 4: the row has headings or nothing, and no listing"},
		"nothing but separators":   {";;;;;", "damage line 4: the row has headings or nothing, and no listing"},
		"a line like a row within": {`R2;Maison;250000;80;Nice;"un, deux;` + "\n" + `trois"`, "R2 line 4"},
	} {
		want := []string{"R1 line 2", c.want, "R3 line 6"}
		if !strings.Contains(c.second, "\n") {
			want[2] = "R3 line 5"
		}
		if strings.HasPrefix(c.want, "damage") {
			want = []string{want[0], want[2], want[1]}
		}
		if diff := gocmp.Diff(want, tableFates(t, headings+"\n"+row("1")+"\n"+c.second+"\n"+row("3")+"\n")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	twice := headings + "\nR1;Maison;1;1;Nice;R2;Maison;1;1;Nice;x\n"
	if got := tableFates(t, twice); len(got) != 2 || !strings.Contains(got[1], "headings") {
		t.Errorf("two rows on a line: %q", got)
	}
}

// drawnRows are rows of a table as RFC 4180 has them, each with its end of line.
func drawnRows(t *rapid.T, between string) (rows []string) {
	cell := rapid.SampledFrom([]string{"", "a", "Nice", `"`, between, "\n", "\n\n", " ", "250000", "oui"})
	for n := range rapid.IntRange(1, 6).Draw(t, "rows") {
		cells := []string{fmt.Sprintf("R%d", n+1), "Maison", "250000"}
		for len(cells) < 6 {
			cells = append(cells, strings.Join(rapid.SliceOfN(cell, 0, 5).Draw(t, "cell"), ""))
		}
		for i, c := range cells {
			if strings.ContainsAny(c, "\"\n"+between) || strings.TrimSpace(c) != c || rapid.IntRange(0, 3).Draw(t, "quoted") == 0 {
				cells[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
			}
		}
		rows = append(rows, strings.Join(cells, between)+"\n")
	}
	return rows
}

// damagedAt returns a text with another byte at a place, one more or one less.
func damagedAt(t *rapid.T, text string) string {
	at := rapid.IntRange(0, len(text)-2).Draw(t, "at") // what is behind it is the end of a line
	by := rapid.SampledFrom([]string{`"`, `""`, ";", "x", ""}).Draw(t, "by")
	until := at
	if by == "" || rapid.Bool().Draw(t, "instead") {
		until++
	}
	return text[:at] + by + text[until:]
}

// Whatever is damaged, as many rows are stored or refused as were written, and those between others that are
// whole are stored.
func TestEachRowOfADamagedTableIsStoredOrRefused(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		between := rapid.SampledFrom([]string{";", ",", "\t"}).Draw(t, "separator")
		rows, broken := drawnRows(t, between), map[int]bool{}
		content := strings.Join([]string{"reference", "type", "prix", "texte", "titre", "ville"}, between) + "\n"
		damages := rapid.IntRange(0, 2).Draw(t, "damages")
		for range damages {
			n := rapid.IntRange(0, len(rows)-1).Draw(t, "row")
			rows[n] = damagedAt(t, rows[n])
			broken[n] = true
		}
		lines := make([]string, len(rows))
		for n, r := range rows {
			lines[n] = fmt.Sprintf("line %d", strings.Count(content, "\n")+1)
			content += r
		}
		all, beside := readAs(t, plainTable, folder, []byte(content))
		found := map[string]transfer.Listing{}
		for _, l := range all {
			found[l.Source] = l
		}
		for n, line := range lines {
			isWhole := !broken[n-1] && !broken[n] && !broken[n+1]
			if l := found[line]; isWhole && (l.Refused != "" || l.Reference != fmt.Sprintf("R%d", n+1)) {
				t.Fatalf("row %d of %s is %+v:\n%s%q\n%q", n+1, line, l, content, fates(all), beside)
			}
		}
		named := len(all)
		if damages > 1 { // the rest of one may look like an empty row
			named += len(beside)
		}
		if named < len(rows) || damages == 0 && (len(all) > len(rows) || len(beside) > 0) {
			t.Fatalf("%d rows are %q, %q:\n%s", len(rows), fates(all), beside, content)
		}
	})
}

// Whatever a table holds, each of its lines is in a listing that is stored, or is named.
func FuzzTable(f *testing.F) {
	f.Add("R1;Maison;1\nR2;\"a\n")
	f.Add("\"a\"\"b\";1;x\n;;;\n\"x\ny\"z;\n\n\"\"\"\"\n")
	f.Fuzz(func(t *testing.T, content string) {
		content = "reference;type;prix\n" + content
		of, err := headingsOf(plainTable, strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		read := func(r io.Reader) (found []string) {
			for l, err := range tableListings(plainTable, table{shape: of}, r) {
				if damage, beside := errors.AsType[Damage](err); beside {
					l, err = transfer.Listing{Source: damage.Source, Refused: damage.Why}, nil
				}
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, l.Source+" "+l.Refused)
			}
			return found
		}
		all := read(strings.NewReader(content))
		if again := read(&dribble{[]byte(content)}); !slices.Equal(all, again) {
			t.Errorf("read as %q, and byte by byte as %q", all, again)
		}
		named, within := map[string]string{}, false
		for _, one := range all {
			line, why, _ := strings.Cut(strings.TrimPrefix(one, "line "), " ")
			named[line] = why
		}
		for lines := newLineReader(strings.NewReader(content)); ; {
			line, ok := lines.next()
			if !ok {
				break
			}
			why, is := named[strconv.Itoa(line.number)]
			if is || line.number == 1 {
				within = is && (why == "" || strings.HasPrefix(why, "the row has headings or nothing"))
			} else if !line.blank() && !within {
				t.Errorf("line %d is in %q nowhere:\n%s", line.number, all, content)
			}
		}
	})
}
