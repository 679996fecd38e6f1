package wire_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// told are findings as one text: grade, subject and words.
func told(t *testing.T, c config.Server) string {
	t.Helper()
	var text strings.Builder
	for _, found := range wire.Check(t.Context(), c) {
		fmt.Fprintf(&text, "%d %s: %s\n", found.Grade, found.About, found.Text)
	}
	return text.String()
}

func TestCheckFindsWhatKeepsAServerFromWorking(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "vitrine.db")
	c := config.Server{Database: config.Database{Database: path}, Listen: "127.0.0.1:8080", AdminListen: "127.0.0.1:8081", PublicURL: "https://crm.example.org"}
	c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))

	if got := told(t, c); !strings.Contains(got, "1 database: "+path+" is not there yet") || strings.Contains(got, "2 ") {
		t.Errorf("before the first start: %s", got)
	}
	away := c
	away.Database.Database = filepath.Join(folder, "none", "vitrine.db")
	if got := told(t, away); !strings.Contains(got, "2 database: "+away.Database.Database+" cannot be made: there is no folder "+filepath.Join(folder, "none")+"\n") {
		t.Errorf("where there is no folder: %s", got)
	}
	if _, err := wire.HoldDatabase(away.Database); err == nil || !strings.Contains(err.Error(), "there is no folder") {
		t.Errorf("a server where there is no folder is told %v", err)
	}
	away.Database.Database = "/proc/vitrine.db" // where nobody may write
	if got := told(t, away); !strings.Contains(got, "2 database: /proc/vitrine.db cannot be made: ") {
		t.Errorf("where nothing can be made: %s", got)
	}
	none := c
	none.SecretKey = ""
	if got := told(t, none); !strings.Contains(got, "2 secret key: ") {
		t.Errorf("without a key: %s", got)
	}

	store := database(t, path, "")
	if _, err := wire.Service(t.Context(), store, c.Secrets, kernel.Options{}); err != nil {
		t.Fatal(err)
	}
	photos := filepath.Join(folder, "vitrine.photos")
	if err := os.Mkdir(photos, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := told(t, c); strings.Count("\n"+got, "\n0 ") != 6 || strings.Count(got, "\n") != 6 {
		t.Errorf("a server that can be started: %s", got)
	}
	if entries, err := os.ReadDir(filepath.Join(photos, "check")); err == nil && len(entries) > 0 {
		t.Errorf("it leaves %v behind", entries)
	}

	for name, c := range map[string]struct {
		change func(*config.Server)
		want   string
	}{
		"another key":        {func(c *config.Server) { c.SecretKey = base64.StdEncoding.EncodeToString(append(make([]byte, 31), 1)) }, "2 secret key: it does not open"},
		"no URL":             {func(c *config.Server) { c.PublicURL = "" }, "1 public URL: there is none"},
		"an unencrypted URL": {func(c *config.Server) { c.PublicURL = "http://crm.example.org" }, "1 public URL: http://crm.example.org is not encrypted"},
		"a URL of nobody":    {func(c *config.Server) { c.PublicURL, c.Listen = "http://127.0.0.1", ":80" }, "1 public URL: http://127.0.0.1 is this machine"},
		"public metrics":     {func(c *config.Server) { c.AdminListen = "" }, "1 metrics: "},
		"no certificate":     {func(c *config.Server) { c.TLSCert, c.TLSKey = "nowhere", "nowhere" }, "2 certificate: nowhere"},
		"no database":        {func(c *config.Server) { c.Database.Database = folder }, "2 database: "},
		"no PostgreSQL":      {func(c *config.Server) { c.Database.Database = "postgres://x@127.0.0.1:1/x" }, "2 database: postgres://x@127.0.0.1:1/x: "},
		"no place":           {func(c *config.Server) { c.Photos.Photos = "file://" + path }, "2 pictures: "},
	} {
		t.Run(name, func(t *testing.T) {
			changed := none
			changed.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
			c.change(&changed)
			if got := told(t, changed); !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}

	if err := store.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.Sites().Put(site.Site{ID: 1, Settings: site.Settings{TimeZone: "Europe/Nowhere"}}); err != nil {
			return err
		}
		return tx.Agencies().Put(site.Agency{ID: 11, Site: 1, TimeZone: "America/Nowhere"})
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(photos, "owner"), []byte(" another"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 time zones: there are no data of [America/Nowhere Europe/Nowhere]", "2 pictures: " + photos + ": the pictures there belong to another database"} {
		if got := told(t, c); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestCheckLooksAtTheCertificate(t *testing.T) {
	folder := t.TempDir()
	cert, key := issue(t, 1) // good for an hour, for 127.0.0.1
	c := config.Server{Database: config.Database{Database: filepath.Join(folder, "none.db")}, Listen: "127.0.0.1:0", PublicURL: "https://127.0.0.1"}
	c.TLSCert, c.TLSKey = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	replace(t, c.TLSCert, cert)
	replace(t, c.TLSKey, key)
	if got := told(t, c); !strings.Contains(got, "1 certificate: it ends on ") {
		t.Error(got)
	}
	c.PublicURL = "https://crm.example.org"
	if got := told(t, c); !strings.Contains(got, "2 certificate: it is not for crm.example.org") {
		t.Error(got)
	}
}

func TestCheckSaysWhereTracesAreSent(t *testing.T) {
	c := config.Server{Database: config.Database{Database: filepath.Join(t.TempDir(), "none.db")}, Listen: "127.0.0.1:0", PublicURL: "https://127.0.0.1"}
	if got := told(t, c); strings.Contains(got, "traces") {
		t.Error(got)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
	if got := told(t, c); !strings.Contains(got, "0 traces: sent to http://127.0.0.1:4318/v1/traces") {
		t.Error(got)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	if got := told(t, c); !strings.Contains(got, "2 traces: OTEL_EXPORTER_OTLP_PROTOCOL: ") {
		t.Error(got)
	}
}
