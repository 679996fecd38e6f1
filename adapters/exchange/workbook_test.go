package exchange_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// workbook is one whose first sheet has some rows.
func workbook(t *testing.T, all ...[]any) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	for n, cells := range all {
		if err := book.SetSheetRow("Sheet1", fmt.Sprint("A", n+1), &cells); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := book.NewSheet("Autre"); err != nil {
		t.Fatal(err)
	}
	if err := book.SetCellStr("Autre", "A1", "référence"); err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if err := book.Write(&content); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

// readWorkbook returns the listings of a workbook, each as its reference and criteria, and what is wrong.
func readWorkbook(t *testing.T, content []byte) (found []string, err error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	name := filepath.Join(t.TempDir(), "biens.xlsx")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if left, failed := os.ReadDir(os.TempDir()); failed != nil || len(left) > 0 {
			t.Errorf("%d folders are left, %v", len(left), failed)
		}
	}()
	f, err := exchange.Open(name, "", exchange.NewWeb(webhook.Allowance{}))
	if err != nil {
		return nil, err
	}
	for l, err := range f.Listings(t.Context()) {
		if err != nil {
			found = append(found, "damage: "+err.Error())
			continue
		}
		text := l.Source + " " + l.Reference
		for _, c := range l.Criteria {
			text += fmt.Sprintf(" %s=%v", c.Key, c.Value.V)
		}
		if l.Refused != "" {
			text += " refused: " + l.Refused
		}
		for _, d := range l.Descriptions {
			text += fmt.Sprintf(" %q", d.Text.Value)
		}
		found = append(found, text)
	}
	return found, f.Close()
}

func TestAWorkbookIsReadAsTheTableOfItsFirstSheet(t *testing.T) {
	found, err := readWorkbook(t, workbook(t,
		[]any{"Référence", "Type de bien", "Transaction", "Prix", "Surface", "Code postal", "Ville", "Date de mandat", "Description", "Ascenseur"},
		[]any{"X-1", "Maison", "Vente", 250000, 95.5, "06000", "Nice", time.Date(2026, 2, 13, 0, 0, 0, 0, time.UTC), "Belle\nmaison; \"Le Clos\"", "oui"},
		[]any{"X-2", "Appartement", "Location", 800.25, 40, 54000, "Nancy"},
	))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(found, "\n")
	for _, want := range []string{
		"X-1 ", "Prix=250000", "Surface=95.5", "CodePostal=06000", "DateMandat=2026-02-13", `"Belle\nmaison; \"Le Clos\""`, "X-2 ", "Prix=800.25", "CodePostal=54000",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	if len(found) != 2 {
		t.Errorf("%d listings: %s", len(found), got)
	}
}

func TestAWorkbookWithoutListingsIsRefused(t *testing.T) {
	whole := workbook(t, []any{"Référence", "Prix", "Ville"}, []any{"X-1", 1, "Nice"})
	for what, content := range map[string][]byte{
		"another sheet": workbook(t, []any{"Recettes", "Dépenses"}, []any{1, 2}),
		"an empty one":  workbook(t),
		"half of it":    whole[:len(whole)/2],
	} {
		if found, err := readWorkbook(t, content); err == nil {
			t.Errorf("%s is read: %q", what, found)
		}
	}
}
