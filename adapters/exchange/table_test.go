package exchange

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
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

// Whatever a table holds, it is read to its end.
func FuzzTable(f *testing.F) {
	f.Add("reference;type;prix\nR1;Maison;1\nR2;\"a\n")
	f.Add("ref,price,city,photos\n\"a\"\"b\",1,x,\"a.jpg | b.jpg\"\n;;;")
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, content string) {
		if _, is := plainTable.tableShape(fields(strings.Split(content, ";")), ";"); !is && !plainTable.showsTable([]byte(content[:min(len(content), 4096)])) {
			return
		}
		name := filepath.Join(folder, "listings")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if file, err := Open(name, Table, nil); err == nil {
			defer file.Close()
			for l, err := range file.Listings(t.Context()) {
				if err == nil && l.Source == "" {
					t.Errorf("nobody knows where %+v is", l)
				}
			}
		}
	})
}
