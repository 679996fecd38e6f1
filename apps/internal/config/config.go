// Package config is the one table of options: a field per option, with its
// flag, its environment variable, its default and what it does. The command
// line, the environment, the help and the reference page are all read from it.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/peer"
)

// Database says where the data are.
type Database struct {
	Database    string `env:"VITRINE_DATABASE" default:"${database}" secret:"" help:"SQLite file, or a postgres:// URL."`
	Connections int    `env:"VITRINE_DATABASE_CONNECTIONS" default:"16" help:"Most connections to PostgreSQL."`
	// DatabasePatience is DefaultPatience where it is zero.
	DatabasePatience time.Duration `env:"VITRINE_DATABASE_PATIENCE" default:"5s" help:"How long a request waits for PostgreSQL in all, before clients are told that the service is unavailable."`
	Pooled           bool          `env:"VITRINE_DATABASE_POOLED" help:"PostgreSQL is behind a pooler in transaction mode: prepare no statements."`
}

// Logging says what is logged, and how.
type Logging struct {
	LogLevel  string `env:"VITRINE_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"Least level to log: ${enum}."`
	LogFormat string `env:"VITRINE_LOG_FORMAT" default:"json" enum:"json,text" help:"Form of log lines: ${enum}."`
}

// Rotation says how secrets of clients are replaced.
type Rotation struct {
	FormerSecretLifetime time.Duration `env:"VITRINE_FORMER_SECRET_LIFETIME" default:"24h" help:"How long the former secret of a client is good after a rotation."`
}

// Server says how the API is served.
type Server struct {
	Database    `group:"database"`
	Logging     `group:"logs"`
	Secrets     `group:"database"`
	Geocoding   `group:"geocoder"`
	Photos      `group:"pictures"`
	Requests    `group:"retention"`
	Rotation    `group:"tokens"`
	Hooks       Hooks     `embed:"" prefix:"hooks-" group:"webhooks"`
	Retention   Retention `embed:"" prefix:"retain-" group:"retention"`
	NoDispatch  bool      `group:"webhooks" env:"VITRINE_NO_DISPATCH" help:"Serve without delivering webhooks, which vitrine dispatch does elsewhere."`
	Listen      string    `env:"VITRINE_LISTEN" default:"127.0.0.1:8080" help:"Address the API listens on."`
	AdminListen string    `env:"VITRINE_ADMIN_LISTEN" placeholder:"ADDRESS" help:"Address of /healthz, /readyz and /metrics; by default they are on the API's."`
	Console     `group:"console"`
	Mailing     `group:"alerts"`
	Pages
	TLS
	ImportFolder string `group:"imports" env:"VITRINE_IMPORT_FOLDER" type:"existingdir" help:"Folder below which import sources have theirs; without one they have addresses only."`
	ExportFolder string `group:"imports" env:"VITRINE_EXPORT_FOLDER" type:"existingdir" help:"Folder below which publication targets have theirs; without one they have addresses only."`
	PublicURL    string `env:"VITRINE_PUBLIC_URL" placeholder:"URL" help:"Scheme and host under which clients reach the API, told in every token; by default that of the listening address, which must be one of this machine alone."`
	Environment  string `env:"VITRINE_ENVIRONMENT" help:"Name of this environment, shown as X-Environment and part of new API keys."`

	AccessTokenLifetime  time.Duration `group:"tokens" env:"VITRINE_ACCESS_TOKEN_LIFETIME" default:"1h" help:"How long an access token is valid."`
	RefreshTokenLifetime time.Duration `group:"tokens" env:"VITRINE_REFRESH_TOKEN_LIFETIME" default:"720h" help:"How long a refresh token is valid; each exchange starts anew."`
	RefreshTokenFamily   time.Duration `group:"tokens" env:"VITRINE_REFRESH_TOKEN_FAMILY" default:"2160h" help:"How long tokens can be refreshed before the client must present its secret again."`

	RateLimit      float64  `group:"limits" env:"VITRINE_RATE_LIMIT" default:"100" help:"Requests a second each credential may send on average; 0 is no limit."`
	RateBurst      int      `group:"limits" env:"VITRINE_RATE_BURST" default:"200" help:"Requests a credential may send at once."`
	RateDaily      int      `group:"limits" env:"VITRINE_RATE_DAILY" default:"250000" help:"Requests each credential may send in a day, which begins at midnight UTC; 0 is no limit."`
	RateSearches   int      `group:"limits" env:"VITRINE_RATE_SEARCHES" default:"5" help:"Searches with fetch each credential may have under way at once; 0 is no limit."`
	HeavyReads     int      `group:"limits" env:"VITRINE_HEAVY_READS" default:"-1" help:"Searches, counts, lists and calendar feeds that this process works on at once, while others wait in turn; 0 is no limit, -1 one per processor, at most half of the connections to PostgreSQL."`
	TokenFailures  int      `group:"limits" env:"VITRINE_TOKEN_FAILURES" default:"10" help:"Failed token calls a minute per address; 0 is no limit."`
	Polling        string   `group:"limits" env:"VITRINE_POLLING" default:"warn" enum:"off,warn,strict" help:"What to do about the same search sent over and over: ${enum}."`
	TrustedProxies []string `env:"VITRINE_TRUSTED_PROXIES" placeholder:"CIDR" help:"Proxies in front of the server, whose X-Forwarded-For is believed."`
	CORSOrigins    []string `name:"cors-origins" env:"VITRINE_CORS_ORIGINS" help:"Origins whose pages may call the API; * for all."`

	CatalogueMemory int  `group:"memory" env:"VITRINE_CATALOGUE_MEMORY" default:"2048" placeholder:"MIB" help:"Memory for what is kept of sites, search indexes above all, in MiB; what was not asked for longest leaves first."`
	NoWarmUp        bool `group:"memory" env:"VITRINE_NO_WARM_UP" help:"Load no search index before it is asked for; by default those of the largest sites are, in the background."`
	RenderMemory    int  `group:"memory" env:"VITRINE_RENDER_MEMORY" default:"512" placeholder:"MIB" help:"Memory for rendered products, in MiB."`

	DrainDelay      time.Duration `env:"VITRINE_DRAIN_DELAY" default:"${drain}" help:"How long to go on answering, no longer ready, when told to stop, so that balancers notice."`
	ShutdownTimeout time.Duration `env:"VITRINE_SHUTDOWN_TIMEOUT" default:"15s" help:"How long to wait for requests under way when told to stop."`
}

// Dispatcher says how webhooks are delivered by a process that does nothing
// else.
type Dispatcher struct {
	Database    `group:"database"`
	Logging     `group:"logs"`
	Secrets     `group:"database"`
	Hooks       Hooks     `embed:"" prefix:"hooks-" group:"webhooks"`
	Retention   Retention `embed:"" prefix:"retain-" group:"retention"`
	PublicURL   string    `env:"VITRINE_PUBLIC_URL" placeholder:"URL" help:"Scheme and host under which clients reach the API, shown in some payload formats."`
	AdminListen string    `env:"VITRINE_ADMIN_LISTEN" placeholder:"ADDRESS" help:"Address of /healthz, /readyz and /metrics; by default there is none."`
}

// Validate reports everything that cannot be right.
func (s *Server) Validate() error {
	var wrong []string
	for _, rule := range []struct {
		bad     bool
		message string
	}{
		{s.RateLimit < 0, "--rate-limit cannot be negative"},
		{s.RateBurst < 1, "--rate-burst must be at least 1"},
		{s.RateDaily < 0, "--rate-daily cannot be negative"},
		{s.RateSearches < 0, "--rate-searches cannot be negative"},
		{s.HeavyReads < -1, "--heavy-reads cannot be less than -1"},
		{s.TokenFailures < 0, "--token-failures cannot be negative"},
		{s.CatalogueMemory < 1, "--catalogue-memory must be at least 1"},
		{s.RenderMemory < 1, "--render-memory must be at least 1"},
		{s.AccessTokenLifetime < time.Second, "--access-token-lifetime must be at least 1s"},
		{s.RefreshTokenLifetime < s.AccessTokenLifetime, "--refresh-token-lifetime must not be shorter than --access-token-lifetime"},
		{s.FormerSecretLifetime < 0, "--former-secret-lifetime cannot be negative"},
		{s.RefreshTokenFamily < s.RefreshTokenLifetime, "--refresh-token-family must not be shorter than --refresh-token-lifetime"},
		{!isOrigin(s.PublicURL), "--public-url must be a scheme and a host, such as https://crm.example.org"},
	} {
		if rule.bad {
			wrong = append(wrong, rule.message)
		}
	}
	_, proxies := s.Proxies()
	_, key := s.Key()
	for _, err := range []error{
		proxies, key,
		checkNamed("--listen", s.Listen, "--public-url", "VITRINE_PUBLIC_URL", s.PublicURL),
		checkNamed("--console-listen", s.ConsoleListen, "--console-url", "VITRINE_CONSOLE_URL", s.ConsoleURL.ConsoleURL),
	} {
		if err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	return nil
}

func isOrigin(text string) bool {
	if text == "" {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// Domain returns where clients reach the API: as configured, or at the address that
// is listened on.
func (s *Server) Domain(listening net.Addr) string {
	return reached(s.PublicURL, s.scheme(), listening)
}

// ConsoleAt returns the links to a console that listens on an address; one next to the API
// is reached as the API is.
func (s *Server) ConsoleAt(listening net.Addr) ConsoleURL {
	url := s.ConsoleURL.ConsoleURL
	if s.ConsoleListen == "" {
		url = cmp.Or(url, s.PublicURL)
	}
	return ConsoleURL{reached(url, s.scheme(), listening)}
}

// reached returns where something is reached: as configured, or at the address that is
// listened on.
func reached(configured, scheme string, listening net.Addr) string {
	if configured != "" {
		return strings.TrimRight(configured, "/")
	}
	host, port, err := net.SplitHostPort(listening.String())
	if err != nil {
		return scheme + "://" + listening.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// Level returns the least level to log.
func (l Logging) Level() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.LogLevel)); err != nil {
		return slog.LevelInfo
	}
	return level
}

// Proxies returns the networks of TrustedProxies.
func (s *Server) Proxies() ([]netip.Prefix, error) {
	networks, err := peer.Networks(s.TrustedProxies)
	if err != nil {
		return nil, fmt.Errorf("--trusted-proxies: %w", err)
	}
	return networks, nil
}

// IsPostgres reports whether the database is a PostgreSQL server rather than a
// file.
func (d Database) IsPostgres() bool { return isPostgres(d.Database) }

func isPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// pairs begin settings of PostgreSQL that are no URL.
var pairs = regexp.MustCompile(`^\s*(host|hostaddr|port|dbname|user|password|service|sslmode)\s*=`)

// scheme begins what is no name of a file: a drive such as C: has one letter.
var scheme = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9+.-]+):`)

// Understood reports why the database cannot be opened as it is named. The name may have
// a password in it, and is not told.
func (d Database) Understood() error {
	named := scheme.FindStringSubmatch(d.Database)
	switch {
	case named != nil && !d.IsPostgres():
		return fmt.Errorf("--database is a file, or a URL that begins with postgres:// or postgresql://, which %s: does not; a file with such a name is written ./%s:…",
			named[1], named[1])
	case d.Database == "":
		return errors.New("--database cannot be empty")
	case d.IsPostgres() && unencoded(d.Database):
		return errors.New("--database: the user or the password in the URL has a character that ends it, or begins something else: percent-encode it (@ is %40, / is %2F, ? is %3F, # is %23, % is %25, a space is %20)")
	case pairs.MatchString(d.Database):
		return errors.New("--database is the name of a file or a URL, postgres://user:password@host/name: pairs such as host=… are not understood")
	}
	return nil
}

// unencoded reports whether the user or the password in a URL of PostgreSQL cannot be read as
// it was meant: an @ that should end it comes behind what has ended it.
func unencoded(database string) bool {
	_, rest, _ := strings.Cut(database, "://")
	end := strings.IndexAny(rest+"/", "/?#")
	user, servers := "", rest[:end]
	if at := strings.LastIndex(servers, "@"); at >= 0 {
		user, servers = servers[:at], servers[at+1:]
	}
	if _, err := url.Parse("postgres://" + user + "@host"); err != nil {
		return true
	}
	path, query, _ := strings.Cut(rest[end:], "?")
	_, err := url.Parse("postgres://" + servers)
	wrong := strings.Contains(path, "@") || user == "" && err != nil && !strings.Contains(servers, ",") && strings.Contains(query, "@")
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		wrong = wrong || strings.Contains(name, "@")
	}
	return wrong
}

// Shown returns the database as it may be logged: without a password.
func (d Database) Shown() string {
	if named := scheme.FindStringSubmatch(d.Database); named != nil && !d.IsPostgres() {
		return named[1] + ":…"
	}
	if !d.IsPostgres() {
		return d.Database
	}
	u, err := url.Parse(d.Database)
	if err != nil || unencoded(d.Database) {
		return "postgres://…"
	}
	return u.Redacted()
}
