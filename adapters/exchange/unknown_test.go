package exchange_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// zipped is an archive with one file.
func zipped(t *testing.T, name, content string) string {
	t.Helper()
	var all bytes.Buffer
	w := zip.NewWriter(&all)
	file, err := w.Create(name)
	if err == nil {
		_, err = file.Write([]byte(content))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return all.String()
}

func openText(t *testing.T, content string, format exchange.Format) error {
	t.Helper()
	name := filepath.Join(t.TempDir(), "listings")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := exchange.Open(name, format, exchange.NewWeb(webhook.Allowance{}))
	if err == nil {
		err = file.Close()
	}
	return err
}

// What comes in the place of a file of listings is no file without listings.
func TestAFileOfAnotherKindIsRefusedByWhatItIs(t *testing.T) {
	page := "<!DOCTYPE html>\n<html><head><title>Se connecter &amp; importer</title></head><body>…</body></html>"
	for name, c := range map[string]struct{ content, want string }{
		"nothing":          {"", "the file is empty"},
		"blanks":           {" \r\n\r\n", "the file is empty"},
		"a page":           {page, `a web page ("Se connecter & importer")`},
		"a page, marked":   {"\ufeff" + page, "a web page"},
		"a page, no head":  {"<html><body>502</body></html>", "a web page"},
		"a page, zipped":   {zipped(t, "annonces.csv", page), "a web page"},
		"JSON":             {`{"error": "unauthorized"}`, `the file is JSON ({"error": "unauthorized"})`},
		"a list in JSON":   {`[{"id": 1}]`, "the file is JSON"},
		"a feed of news":   {`<?xml version="1.0"?><!-- news --><rss version="2.0"><channel/></rss>`, "with the root <rss>"},
		"XHTML":            {`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head/></html>`, "with the root <html>"},
		"an opening angle": {"< >", "has no element"},
		"a PDF":            {"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "application/pdf"},
		"a picture":        {"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"},
		"gzip":             {"\x1f\x8b\x08\x00\x00\x00\x00\x00", "gzip"},
		"a sheet":          {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", "an office program"},
		"a cut archive":    {zipped(t, "annonces.csv", "a")[:20], "damaged or cut off"},
		"another CSV":      {"référence;prix\r\n1;2\r\n", `begins with "référence;prix 1;2"`},
		"in Windows-1252":  {"r\xe9f\xe9rence;prix\r\n", `begins with "référence;prix"`},
		"bytes":            {"\x00\x01\x02\x03\x04", "unknown kind"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, format := range []exchange.Format{"", exchange.AC3, exchange.Poliris} {
				if format == exchange.AC3 && strings.HasSuffix(name, "zipped") {
					continue // the archive has no file of AC3
				}
				err := openText(t, c.content, format)
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "LISTEPA") {
					t.Errorf("as %q it is told %v, want %s", format, err, c.want)
				}
			}
		})
	}
}

// A feed may have no listings, and is none the less one.
func TestAFeedWithoutListingsIsOpened(t *testing.T) {
	for _, feed := range []string{
		"<LISTEPA></LISTEPA>", `<?xml version="1.0" encoding="iso-8859-1"?><!-- none --><LISTEPA/>`, "<x:listepa xmlns:x='y'/>",
		"<OTHER><BIEN/></OTHER>", "<BIEN></BIEN>", "damaged <BIEN>", "</BIEN>",
	} {
		if err := openText(t, feed, ""); err != nil {
			t.Errorf("%s: %v", feed, err)
		}
	}
}
