package wire

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Grade says how bad a finding is.
type Grade uint8

const (
	// Good is as it should be.
	Good Grade = iota
	// Doubtful works, though hardly as it was meant.
	Doubtful
	// Bad keeps a server from starting, or from working.
	Bad
)

// Finding is what was found out about one thing.
type Finding struct {
	Grade Grade
	About string
	Text  string
}

// OpenToLook opens the database to look at it, whatever its schema. It changes
// nothing.
func OpenToLook(ctx context.Context, c config.Database, warn func(string)) (*sqlstore.Store, error) {
	if err := c.Understood(); err != nil {
		return nil, err
	}
	if !c.IsPostgres() {
		return sqlite.OpenReadOnly(ctx, c.Database)
	}
	return openPostgres(ctx, c, postgres.ReadOnly(), postgres.Warn(warn))
}

// Check looks whether a server would work with a configuration. It starts nothing,
// and changes nothing.
func Check(ctx context.Context, c config.Server) []Finding {
	r := &report{}
	store, err := OpenToLook(ctx, c.Database, func(why string) { r.tell(Doubtful, "database", "%s", why) })
	switch {
	case errors.Is(err, fs.ErrNotExist) && canBeMade(c.Database.Database) != nil:
		r.tell(Bad, "database", "%s cannot be made: %v", c.Shown(), canBeMade(c.Database.Database))
	case errors.Is(err, fs.ErrNotExist):
		r.tell(Doubtful, "database", "%s is not there yet: the first start makes it", c.Shown())
		r.beforeTheFirstStart(c)
	case err != nil && strings.Contains(err.Error(), c.Shown()):
		r.bad("database", err)
	case err != nil:
		r.tell(Bad, "database", "%s: %v", c.Shown(), err)
	default:
		r.database(ctx, c, store)
		r.bad("database", store.Close())
	}
	r.addresses(c)
	r.certificate(c)
	r.traces()
	return r.found
}

// report gathers findings.
type report struct{ found []Finding }

func (r *report) tell(g Grade, about, text string, args ...any) {
	r.found = append(r.found, Finding{g, about, fmt.Sprintf(text, args...)})
}

// bad tells of an error, and reports whether there is one.
func (r *report) bad(about string, err error) bool {
	if err != nil {
		r.tell(Bad, about, "%v", err)
	}
	return err != nil
}

// database looks at a database that answers.
func (r *report) database(ctx context.Context, c config.Server, store *sqlstore.Store) {
	content, err := store.Content(ctx)
	if r.bad("database", err) {
		return
	}
	switch content {
	case sqlstore.Foreign:
		r.tell(Bad, "database", "%s holds tables that are not Vitrine's", c.Shown())
		return
	case sqlstore.Empty:
		r.tell(Doubtful, "database", "%s is empty: the first start makes the tables", c.Shown())
		r.beforeTheFirstStart(c)
		return
	case sqlstore.Ours:
		r.tell(Good, "database", "%s answers", c.Shown())
	}
	r.clocks(ctx, store)
	if !r.damage(ctx, c, store) || !r.schema(ctx, c.Database, store) {
		return
	}
	r.secrets(ctx, c, store)
	r.timeZones(ctx, store)
	r.photos(ctx, c, store)
}

// clocksApart is how far two clocks may be apart that somebody sets.
const clocksApart = 3 * time.Second

// clocks compares the clock of a database server with that of this machine.
func (r *report) clocks(ctx context.Context, store *sqlstore.Store) {
	before := time.Now()
	at, err := store.Clock(ctx)
	if !r.bad("clocks", err) && !at.IsZero() {
		r.compare(at, before, time.Now())
	}
}

// compare judges what a server's clock said between two moments.
func (r *report) compare(said, before, after time.Time) {
	early, late := before.Sub(said), said.Sub(after)
	switch {
	case early > clocksApart:
		r.tell(Doubtful, "clocks", "that of the database server is %s behind that of this machine: set both by the same time server", early.Round(time.Second))
	case late > clocksApart:
		r.tell(Doubtful, "clocks", "that of the database server is %s ahead of that of this machine: set both by the same time server", late.Round(time.Second))
	default:
		r.tell(Good, "clocks", "those of the database server and of this machine agree")
	}
}

// damage reports whether the engine finds its file as it ought to be.
func (r *report) damage(ctx context.Context, c config.Server, store *sqlstore.Store) bool {
	found, err := store.Damage(ctx)
	if r.bad("database", err) {
		return false
	}
	for _, what := range found {
		r.tell(Bad, "database", "%s is damaged: %s", c.Shown(), what)
	}
	return len(found) == 0
}

// beforeTheFirstStart looks at what a database needs that holds nothing yet.
func (r *report) beforeTheFirstStart(c config.Server) {
	if c.SecretKey == "" {
		r.bad("secret key", errNoKey)
	}
	_, err := c.Place(c.Database)
	r.bad("pictures", err)
}

// schema reports whether the tables can be read by this program.
func (r *report) schema(ctx context.Context, c config.Database, store *sqlstore.Store) bool {
	all, err := store.Migrations(ctx)
	if r.bad("schema", err) {
		return false
	}
	pending, unknown := 0, 0
	for _, m := range all {
		if m.Pending() {
			pending++
		}
		if !m.Known() {
			unknown++
		}
	}
	switch {
	case unknown > 0:
		r.tell(Bad, "schema", "a later version of Vitrine made it: %d migrations are not known to this one", unknown)
	case pending > 0:
		r.tell(Doubtful, "schema", "%d migrations are pending: the next start applies them, or vitrine migrate. What the tables hold was not looked at", pending)
	default:
		r.tell(Good, "schema", "up to date: %s", AllApplied(c, all))
		return true
	}
	return false
}

// AllApplied returns which migrations a database has that has all of them. Numbers that are left
// out, or are the other engine's, are none that it missed.
func AllApplied(c config.Database, all []sqlstore.Migration) string {
	engine, other := "SQLite", "PostgreSQL"
	if c.IsPostgres() {
		engine, other = other, engine
	}
	last := all[len(all)-1].Version
	text := fmt.Sprintf("all %d migrations for %s are applied, the last is %05d", len(all), engine, last)
	if newest := sqlstore.SchemaVersion(); newest != last {
		text += fmt.Sprintf("; %05d is for %s", newest, other)
	}
	return text
}

func (r *report) secrets(ctx context.Context, c config.Server, store *sqlstore.Store) {
	if r.bad("secret key", CheckKey(ctx, store, c.Secrets)) {
		return
	}
	keys, err := keysThatAre(ctx, store, c.Secrets)
	if r.bad("secret key", err) {
		return
	}
	sqlstore.Sealed(keys)(store)
	if err := store.CheckSecrets(ctx); err != nil {
		r.tell(Bad, "secret key", "it does not open what is sealed: %v", err)
		return
	}
	r.tell(Good, "secret key", "opens everything that is sealed")
}

func (r *report) timeZones(ctx context.Context, store *sqlstore.Store) {
	zones := map[string]bool{"Europe/Paris": true}
	err := store.View(ctx, func(tx port.Tx) error {
		sites, err := tx.Sites().All()
		for _, s := range sites {
			zones[s.Settings.TimeZone] = true
			agencies, err := tx.Agencies().Of(s.ID)
			if err != nil {
				return err
			}
			for _, a := range agencies {
				zones[cmp.Or(a.TimeZone, s.Settings.TimeZone)] = true
			}
		}
		return err
	})
	if r.bad("time zones", err) {
		return
	}
	var missing []string
	for zone := range zones {
		if _, err := time.LoadLocation(zone); err != nil {
			missing = append(missing, zone)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		r.tell(Bad, "time zones", "there are no data of %v", missing)
		return
	}
	r.tell(Good, "time zones", "there are data of every zone that is used")
}

func (r *report) photos(ctx context.Context, c config.Server, store *sqlstore.Store) {
	place, err := placeOf(ctx, c.Photos, c.Database, store)
	if r.bad("pictures", err) {
		return
	}
	if place.Folder != "" {
		if _, err := os.Stat(place.Folder); errors.Is(err, fs.ErrNotExist) {
			if err := canBeMade(place.Folder); err != nil {
				r.bad("pictures", unwritable(c.Photos, place, err))
				return
			}
			r.tell(Doubtful, "pictures", "%s is not there yet: the next start makes it", place.Shown())
			return
		}
	}
	p, err := openPlace(ctx, place)
	if err == nil {
		err = tryPlace(ctx, p)
	}
	if err != nil {
		r.bad("pictures", unwritable(c.Photos, place, err))
		return
	}
	if err := errors.Join(checkOwner(ctx, p, store), p.Close()); err != nil {
		r.tell(Bad, "pictures", "%s: %v", place.Shown(), err)
		return
	}
	r.tell(Good, "pictures", "%s can be read and written", place.Shown())
}

// canBeMade reports why a file or folder that is not there cannot be made. It leaves nothing behind.
func canBeMade(name string) error {
	above := filepath.Dir(name)
	if _, err := os.Stat(above); errors.Is(err, fs.ErrNotExist) && above != name {
		return canBeMade(above)
	}
	tried, err := os.MkdirTemp(above, ".vitrine-check-")
	if err == nil {
		err = os.Remove(tried)
	}
	return err
}

// checkPrefix begins the keys of what a check writes for a moment.
const checkPrefix = "check/"

// tryPlace writes something, reads it back and removes it.
func tryPlace(ctx context.Context, p port.Blobs) error {
	key, content := checkPrefix+rand.Text(), []byte("written by vitrine check")
	if err := p.Put(ctx, key, content); err != nil {
		return err
	}
	r, err := p.Open(ctx, key)
	if err == nil {
		err = r.Close()
	}
	return errors.Join(err, p.Delete(ctx, key))
}

// addresses looks at what others are told.
func (r *report) addresses(c config.Server) {
	told := c.PublicURL
	u, err := url.Parse(told)
	switch {
	case told == "":
		r.tell(Doubtful, "public URL", "there is none: tokens tell clients to call %s, which only this machine reaches", c.Listen)
	case err != nil:
		r.bad("public URL", err)
	case u.Scheme == "http" && !config.IsLoopback(net.JoinHostPort(u.Hostname(), "80")):
		r.tell(Doubtful, "public URL", "%s is not encrypted: secrets and tokens can be read on their way", told)
	case !config.IsLoopback(c.Listen) && config.IsLoopback(net.JoinHostPort(u.Hostname(), "80")):
		r.tell(Doubtful, "public URL", "%s is this machine for every client", told)
	default:
		r.tell(Good, "public URL", "%s", told)
	}
	if c.AdminListen == "" && (told != "" || !config.IsLoopback(c.Listen)) {
		r.tell(Doubtful, "metrics", "whoever reaches the API reads /metrics: give them an address of their own with --admin-listen")
	}
}

// renewWithin is how long before its end a certificate should have been renewed.
const renewWithin = 14 * 24 * time.Hour

func (r *report) certificate(c config.Server) {
	if !c.Encrypted() {
		return
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		r.tell(Bad, "certificate", "%s: %v", filepath.Base(c.TLSCert), err)
		return
	}
	leaf := pair.Leaf
	u, _ := url.Parse(c.PublicURL)
	switch left := time.Until(leaf.NotAfter); {
	case left < 0:
		r.tell(Bad, "certificate", "it ended on %s", leaf.NotAfter.Format(time.DateOnly))
	case time.Now().Before(leaf.NotBefore):
		r.tell(Bad, "certificate", "it does not begin until %s", leaf.NotBefore.Format(time.DateOnly))
	case c.PublicURL != "" && leaf.VerifyHostname(u.Hostname()) != nil:
		r.tell(Bad, "certificate", "it is not for %s", u.Hostname())
	case left < renewWithin:
		r.tell(Doubtful, "certificate", "it ends on %s", leaf.NotAfter.Format(time.DateOnly))
	default:
		r.tell(Good, "certificate", "good until %s", leaf.NotAfter.Format(time.DateOnly))
	}
}

func (r *report) traces() {
	to, err := config.TracesEndpoint()
	if !r.bad("traces", err) && to != "" {
		r.tell(Good, "traces", "sent to %s, if it answers", to)
	}
}
