package wire_test

import (
	"encoding/base64"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

func TestAProviderNeedsAConsole(t *testing.T) {
	for name, c := range map[string]config.OpenID{"a provider": {Issuer: "https://id.example.org"}, "required passkeys": {RequirePasskey: true}} {
		path := filepath.Join(t.TempDir(), "vitrine.db")
		options := config.Server{Database: config.Database{Database: path}, Listen: free(t), Console: config.Console{OpenID: c}}
		options.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
		options.Hooks.Timeout = 1
		_, err := wire.NewServer(t.Context(), options, database(t, path, ""), slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), "need a console: say --console-listen") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
