package config_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// program takes options as the commands of the server do.
type program struct {
	config.File
	Serve config.Server `cmd:""`
	Other struct {
		config.Logging
		Site int    `help:"Of one run alone."`
		Only string `env:"VITRINE_ONLY"`
	} `cmd:""`
	Rotate struct {
		Old []string `name:"old-key" env:"VITRINE_OLD_SECRET_KEYS" secret:""`
	} `cmd:""`
}

func command(t *testing.T, args ...string) (program, error) {
	t.Helper()
	var p program
	parser, err := kong.New(&p, kong.Vars{"database": "vitrine.db", "geocoder": "none", "drain": "3s"}, kong.Resolvers(config.SecretFiles()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return p, err
}

func written(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "options.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A variable that no option reads is told with the nearest that one does.
func TestUnknownVariablesAreTold(t *testing.T) {
	var p program
	parser, err := kong.New(&p, kong.Vars{"database": "vitrine.db", "geocoder": "none", "drain": "3s"})
	if err != nil {
		t.Fatal(err)
	}
	for name, nearest := range map[string]string{
		"VITRINE_DATABSE": "VITRINE_DATABASE", "VITRINE_LISTEN_ADDRESS": "VITRINE_LISTEN", "VITRINE_LISTEN_FILE": "VITRINE_LISTEN",
		"VITRINE_SECRETKEY": "VITRINE_SECRET_KEY", "VITRINE_SECRET_KEY_FLIE": "VITRINE_SECRET_KEY_FILE", "VITRINE_database": "VITRINE_DATABASE", "VITRINE_CORS_ORIGIN": "VITRINE_CORS_ORIGINS",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("VITRINE_LISTEN", "127.0.0.1:1")
			t.Setenv(name, "a secret")
			unknown := config.Unknown(parser.Model.Node)
			want := "there is no option " + name + ", and so it has no effect; the nearest is " + nearest
			if len(unknown) != 1 || unknown[0] != want {
				t.Errorf("%q, want %q", unknown, want)
			}
		})
	}
	known := []string{
		"VITRINE=1", "vitrine_database=1", "VITRINEDATABASE=1", "VITRINE_DATABASE=x", "VITRINE_DATABASE_FILE=x", "VITRINE_OLD_SECRET_KEYS_FILE=x", "VITRINE_ONLY=x", "VITRINE_CONFIG=x",
		"VITRINE_HOOKS_ALLOW=x", "VITRINE_SERVICE_HOST=10.0.0.1", "VITRINE_SERVICE_PORT=80", "VITRINE_SERVICE_PORT_HTTP=80", "VITRINE_PORT=tcp://10.0.0.1:80",
		"VITRINE_PORT_80_TCP_ADDR=10.0.0.1", "VITRINE_API_PORT_80_TCP=x", "VITRINE_TEST_POSTGRES=x",
	}
	for _, set := range known {
		name, value, _ := strings.Cut(set, "=")
		t.Setenv(name, value)
	}
	if unknown := config.Unknown(parser.Model.Node); len(unknown) != 0 {
		t.Errorf("%q", unknown)
	}
}

func TestFlagsWinOverVariablesOverTheFileOverDefaults(t *testing.T) {
	file := written(t, "listen: 127.0.0.1:1\npublic-url: https://file.example\nenvironment: file\n")
	t.Setenv("VITRINE_CONFIG", file)
	t.Setenv("VITRINE_PUBLIC_URL", "https://variable.example")
	t.Setenv("VITRINE_ENVIRONMENT", "variable")
	p, err := command(t, "serve", "--environment=flag")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{p.Serve.Environment, p.Serve.PublicURL, p.Serve.Listen, p.Serve.Polling}
	if want := []string{"flag", "https://variable.example", "127.0.0.1:1", "warn"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAFileTakesEveryKindOfOption(t *testing.T) {
	p, err := command(t, "serve", "--config", written(t, `
# whatever serve takes
rate-limit: 12.5
rate-burst: 7
hooks-retry-delays: [2m, 10m, 1h]
hooks-allow: 10.1.0.0/16:443
hooks-allow-http: true
trusted-proxies:
  - 10.0.0.0/8
  - 192.0.2.1
cors-origins: "*"
only: it belongs to another command
secret-key: |
  `+sampleKey+`
`))
	if err != nil {
		t.Fatal(err)
	}
	s := p.Serve
	if s.RateLimit != 12.5 || s.RateBurst != 7 || !s.Hooks.AllowHTTP || s.Hooks.Allow != "10.1.0.0/16:443" || s.SecretKey != sampleKey {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(s.Hooks.RetryDelays, []time.Duration{2 * time.Minute, 10 * time.Minute, time.Hour}) ||
		!slices.Equal(s.TrustedProxies, []string{"10.0.0.0/8", "192.0.2.1"}) || !slices.Equal(s.CORSOrigins, []string{"*"}) {
		t.Errorf("%+v", s)
	}
	if _, err := command(t, "serve", "--config", written(t, "# nothing\n")); err != nil {
		t.Errorf("a file without options: %v", err)
	}
}

func TestAFileIsRefusedByItsLine(t *testing.T) {
	for content, want := range map[string]string{
		"listen: 127.0.0.1:1\nlisen: 127.0.0.1:2\n": ":2: there is no option lisen",
		"site: 1\n":                                       ":1: there is no option site",
		"config: other.yaml\n":                            ":1: there is no option config",
		"listen: a\n\nlisten: b\n":                        "listen",
		"environment: x\n\nrate-limit: many\n":            ":3: --rate-limit",
		"rate-limit:\n":                                   ":1: rate-limit must be one value",
		"hooks:\n  allow: 1\n":                            ":1: there is no option hooks",
		"hooks-retry-delays: [[1m]]\n":                    ":1: hooks-retry-delays must be one value",
		"- listen\n":                                      ":1: this is not a list of options",
		"rate-limit: 1\n---\nlog-level: x\nrate-limit: 2": ":4: rate-limit is already said in line 1",
		"log-level: loud\n":                               "--log-level",
		"listen: [\n":                                     "options.yaml",
	} {
		if _, err := command(t, "serve", "--config", written(t, content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
	if _, err := command(t, "serve", "--config", "nowhere.yaml"); err == nil {
		t.Error("a file that is not there is accepted")
	}
}

var sampleKey = base64.StdEncoding.EncodeToString(make([]byte, 32))

func TestSecretsComeFromFiles(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY_FILE", written(t, sampleKey+"\n"))
	t.Setenv("VITRINE_DATABASE_FILE", written(t, "postgres://vitrine:secret@db.example.org/vitrine"))
	p, err := command(t, "serve", "--config", written(t, "secret-key: from the file\n"))
	if err != nil || p.Serve.SecretKey != sampleKey || p.Serve.Database.Database != "postgres://vitrine:secret@db.example.org/vitrine" {
		t.Errorf("%v, %+v", err, p.Serve)
	}
	if p, err := command(t, "serve", "--database=flag.db"); err != nil || p.Serve.Database.Database != "flag.db" {
		t.Errorf("%v, %s", err, p.Serve.Database.Database)
	}
	t.Setenv("VITRINE_OLD_SECRET_KEYS_FILE", written(t, "one\ntwo\n"))
	if p, err := command(t, "rotate"); err != nil || !slices.Equal(p.Rotate.Old, []string{"one", "two"}) {
		t.Errorf("%v, %v", err, p.Rotate.Old)
	}
}

func TestSecretsOfFilesThatCannotBe(t *testing.T) {
	for want, set := range map[string]map[string]string{
		"VITRINE_SECRET_KEY and VITRINE_SECRET_KEY_FILE are both set": {"VITRINE_SECRET_KEY": sampleKey, "VITRINE_SECRET_KEY_FILE": written(t, sampleKey)},
		"VITRINE_SECRET_KEY_FILE: open nowhere":                       {"VITRINE_SECRET_KEY_FILE": "nowhere"},
		"must hold one line":                                          {"VITRINE_DATABASE_FILE": written(t, "a\nb\n")},
	} {
		t.Run(want, func(t *testing.T) {
			for name, value := range set {
				t.Setenv(name, value)
			}
			if _, err := command(t, "serve"); err == nil || !strings.Contains(err.Error(), want) {
				t.Error(err)
			}
		})
	}
}
