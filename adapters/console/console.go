package console

import (
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/account"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/alerts"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/catalogue"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/clients"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/feeds"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/operators"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/overview"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/people"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/requests"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/sites"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/webhooks"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// Options are what a console is made of. Backoffice, Site, Now and Rand are required.
type Options struct {
	// Backoffice is what operators do, Site what they read.
	Backoffice *backoffice.Service
	Site       *siteapi.Service
	Now        func() time.Time
	// Rand is a source of unpredictable bytes.
	Rand io.Reader
	// Prefix is the path under which the console is mounted, without a slash at the
	// end; by default /console.
	Prefix string
	// Portal has clients of the API sign in, in place of operators: each has the pages about what is its own. The
	// prefix is /portal by default then.
	Portal bool
	// Locates reports that this server looks up addresses.
	Locates bool
	// Environment is shown on each page, such as sandbox; empty for nothing.
	Environment string
	// Origin is the scheme and host under which browsers reach the console, shown
	// in links, and to which passkeys belong; by default those of each request.
	Origin string
	// Peer tells from which address a request came; by default that of the connection.
	Peer func(*http.Request) string
	// Logger hears of pages that failed; nil for nobody.
	Logger *slog.Logger
}

// rooms returns the subjects of the console, in the order of the menu.
func rooms() []kit.Room {
	return []kit.Room{
		overview.Room(), clients.Room(), catalogue.Room(), webhooks.Room(), requests.Room(), people.Room(), sites.Room(), feeds.Room(),
		operators.Room(), alerts.Room(), account.Room(),
	}
}

// Pages returns the paths of the pages, such as /webhooks/{id}, below the prefix, so that checks can look at each.
func Pages() []string {
	var paths []string
	for _, r := range rooms() {
		for _, p := range r.Pages {
			if p.Show != nil {
				paths = append(paths, p.Path)
			}
		}
	}
	return paths
}

// prepare reads templates and assets, once for all consoles of a process.
var prepare = sync.OnceValues(func() (kit.Material, error) { return kit.Prepare(rooms()) })

// New returns a console, which answers the requests of browsers below its prefix, or says
// what is missing.
func New(o Options) (http.Handler, error) {
	prepared, err := prepare()
	if err != nil {
		return nil, err
	}
	return kit.New(kit.Options(o), rooms(), prepared)
}
