package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// pieces are what texts are made of that files and encodings stumble over.
var pieces = []string{
	"Bel appartement", " ", "à l'orée", "250 000 €", `"`, `""`, `"x"`, "!#", `"!#"`, "!", "#", ",", ".", "\n", "\r\n", "\r", "<br>", "<BR/>",
	"ﬁ", "œuvre", "☃", "🏡", "👩‍👩‍👧", "Ã©", "é", "\u00a0", "\u202f", "\u2028", "\u0085", "\u001a", "\u0007", "\t", "“", "–", "Łódź", "Николай", "北京",
	"x\u0302", "＂！＃", "″", "0", "NON", "?", "'", "\ufeff", "\u200b", "\u00ad", "\u0081", "…", "vente", "\\", "&amp;",
}

func drawText(t *rapid.T, label string, most int) string {
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, label), "")
	return string([]rune(text)[:min(most, len([]rune(text)))])
}

// drawValue is a value of a criterion, nil for none.
func drawValue(t *rapid.T, c transfer.SetupCriterion) any {
	var active []string
	for _, choice := range c.Values {
		if choice.IsActive == nil || *choice.IsActive {
			active = append(active, choice.Model)
		}
	}
	switch c.Type {
	case "UNIQUE":
		return rapid.SampledFrom(active).Draw(t, c.Key)
	case "MULTIPLE":
		var codes []any
		for _, code := range rapid.SliceOfNDistinct(rapid.SampledFrom(active), 1, 4, rapid.ID[string]).Draw(t, c.Key) {
			codes = append(codes, code)
		}
		return codes
	case "NUMBER":
		low, high := 0, 2_000_000
		if c.Min != nil {
			low = int(*c.Min)
		}
		if c.Max != nil {
			high = int(*c.Max)
		}
		n := float64(rapid.IntRange(low, high).Draw(t, c.Key))
		if c.Decimals != nil && *c.Decimals > 0 && c.Max == nil {
			n += float64(rapid.IntRange(0, 9).Draw(t, c.Key+" tenths")) / 10
		}
		return n
	case "FLAG":
		return rapid.Bool().Draw(t, c.Key)
	case "DATE":
		day := fmt.Sprintf("20%02d-%02d-%02d", rapid.IntRange(0, 40).Draw(t, c.Key), rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day"))
		return day + rapid.SampledFrom([]string{"", "", "T23:30:00Z", "T00:00:00Z"}).Draw(t, "time")
	case "TEXT":
		if c.Key == "Alentour" {
			return fmt.Sprintf("%d.%06d,-%d.5", rapid.IntRange(41, 51).Draw(t, "latitude"), rapid.IntRange(0, 999_999).Draw(t, "fraction"), rapid.IntRange(0, 5).Draw(t, "longitude"))
		}
		return drawText(t, c.Key, 200)
	}
	return nil
}

func drawProduct(t *rapid.T, of []transfer.SetupCriterion, agency int64, n int) transfer.SetupProduct {
	p := transfer.SetupProduct{
		Model: drawText(t, "reference", 40) + fmt.Sprint("-", n), AgencyID: agency, WebStatus: true, Criteria: map[string]any{"Statut": "EnCours"},
	}
	if rapid.Bool().Draw(t, "reference only differs in what cannot be written") {
		p.Model = fmt.Sprint(strings.Repeat("☃", n%40+1), "🏡", n/40)
	}
	for _, c := range of {
		active := c.IsActive == nil || *c.IsActive
		if active && c.Key != "Statut" && rapid.IntRange(0, 2).Draw(t, "has "+c.Key) > 0 {
			p.Criteria[c.Key] = drawValue(t, c)
		}
	}
	for _, language := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"fr", "en", "de", "ru", "it", "es"}), 0, 6, rapid.ID[string]).Draw(t, "languages") {
		p.Descriptions = append(p.Descriptions, transfer.SetupDescription{
			Language: language, Title: drawText(t, "title", 250), Text: drawText(t, "text", 900), ShortText: drawText(t, "short text", 100),
		})
	}
	return p
}

// comesBack checks that products change in nothing when they are exported, in each format, and the file is
// imported where it came from.
func (o *office) comesBack(t fails, described transfer.Setup, products []transfer.SetupProduct) {
	described.Sites = slices.Clone(described.Sites)
	home := slices.IndexFunc(described.Sites, func(s transfer.SetupSite) bool { return s.ID == int64(quays.Site) })
	described.Sites[home].Products = products
	if _, err := o.Transfer.Provision(o.t.Context(), described); err != nil {
		t.Fatalf("%v", err)
	}
	var all []transfer.Exported
	for e, err := range o.Transfer.Export(o.t.Context(), quays) {
		if err != nil {
			t.Fatalf("%v", err)
		}
		all = append(all, e)
	}
	for _, as := range exchange.Written() {
		var file bytes.Buffer
		w, err := exchange.NewWriter(&file, as, false)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for _, e := range all[len(all)-len(products):] {
			if err := w.Write(e); err != nil {
				t.Fatalf("%v", err)
			}
		}
		if err := w.Flush(); err != nil || bytes.ContainsAny(file.Bytes(), "\x1a\x00\x07") {
			t.Fatalf("%v, or control characters: %q", err, file.Bytes())
		}
		before := o.seq()
		report, err := o.moveContent("annonces", file.Bytes(), false)
		if want := fmt.Sprintf("%s: 0 created, 0 changed, %d unchanged, 0 refused", counted(len(products), "listing", "listings"), len(products)); err != nil ||
			!strings.HasPrefix(report, want) || strings.Contains(report, "Not understood") || o.seq() != before {
			t.Fatalf("%s: %v, %d events: %s\n%s", as, err, o.seq()-before, report, bytes.ReplaceAll(file.Bytes(), []byte(`""!#""!#""!#`), nil))
		}
	}
}

// What the file cannot say stays as it is.
func TestAnAgencysOwnExportChangesNothing(t *testing.T) {
	described, err := setup.Decode(strings.NewReader(sandboxSetup))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	drawn := rapid.Custom(func(t *rapid.T) transfer.SetupProduct {
		n++
		return drawProduct(t, described.Sites[0].Criteria, int64(quays.Agency), n)
	})
	t.Run("memory", func(t *testing.T) {
		o := newOffice(t, memstore.New())
		rapid.Check(t, func(rt *rapid.T) {
			o.comesBack(rt, described, rapid.SliceOfN(drawn, 1, 3).Draw(rt, "products"))
		})
	})
	onDatabases(t, func(t *testing.T, o *office) {
		var products []transfer.SetupProduct
		for i := range 60 {
			products = append(products, drawn.Example(i))
		}
		o.comesBack(t, described, products)
	})
}

// column is what an export of a portfolio has in a column, by reference.
func (o *office) column(rank int, reference string) string {
	o.t.Helper()
	for _, line := range o.exportedLines() {
		if columns := strings.Split(line, `"!#"`); len(columns) > rank && columns[1] == reference {
			return columns[rank-1]
		}
	}
	o.t.Fatalf("%s is not exported", reference)
	return ""
}

func (o *office) exportedLines() []string {
	o.t.Helper()
	name := filepath.Join(o.t.TempDir(), "annonces.csv")
	if _, err := export(o.t.Context(), o.Service, quays, exchange.Poliris, name, terminal.Silent{}); err != nil {
		o.t.Fatal(err)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		o.t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(content)), "\r\n")
}

// A letter is read off a number and exported with it. A file that has another
// number beside the old letter means both.
func TestALetterThatAFileTellsStaysBesideAnotherNumber(t *testing.T) {
	onStores(t, func(t *testing.T, o *office) {
		const consumptionColumn, letterColumn = 176, 177
		line := ""
		for _, candidate := range o.exportedLines() {
			if columns := strings.Split(candidate, `"!#"`); columns[letterColumn-1] == "D" && columns[consumptionColumn-1] != "" {
				columns[consumptionColumn-1] = "700"
				line = strings.Join(columns, `"!#"`)
				break
			}
		}
		reference := strings.Split(line, `"!#"`)[1]
		report, err := o.moveContent("annonces.csv", []byte(line), false)
		if err != nil || !strings.HasPrefix(report, "1 listing: 0 created, 1 changed") {
			t.Fatalf("%v: %s", err, report)
		}
		if n, letter := o.column(consumptionColumn, reference), o.column(letterColumn, reference); n != "700" || letter != "D" {
			t.Errorf("the number is %s, and the letter %s", n, letter)
		}
	})
}

// Nobody answers at the URLs of the pictures, and nobody has to.
func TestPicturesOfAnAgencysOwnExportAreKnownByTheirURLs(t *testing.T) {
	onStores(t, func(t *testing.T, o *office) {
		if _, err := o.move(t.Context(), portfolio(t, 3), false, &gauge{}); err != nil {
			t.Fatal(err)
		}
		content, before := strings.Join(o.exportedLines(), "\r\n"), o.seq()
		if !strings.Contains(content, `"https://crm.example/photos/2/`) {
			t.Fatal("no picture is exported")
		}
		for _, dryRun := range []bool{true, false} {
			report, err := o.moveContent("annonces.csv", []byte(content), dryRun)
			if err != nil || o.seq() != before || !strings.Contains(report, "0 created, 0 changed") || !strings.Contains(report, "0 pictures added") ||
				strings.Contains(report, "Not understood") || strings.Contains(report, "behind URLs") {
				t.Errorf("%v: %s", err, report)
			}
		}
	})
}
