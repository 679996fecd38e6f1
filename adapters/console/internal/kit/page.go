package kit

import (
	"io/fs"
	"net/http"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/tables"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// Page is a line of the table of pages: all that routes, menu and tests need.
type Page struct {
	// Path is below the prefix, with parameters in braces, as http.ServeMux reads it.
	Path string
	// Title is in the browser's tab.
	Title Text
	// Template shows what Show returns. It is empty for what can only be done.
	Template string
	// Show reads what the page shows, for GET.
	Show func(*Request) (any, error)
	// Asks reports that a form sent to the page, by POST, is a question whose words must be
	// in no address, such as an e-mail address: the page itself is the answer, with what
	// was typed.
	Asks bool
	// File makes a file to be downloaded, for GET, in place of a page.
	File func(*Request) (Download, error)
	// Do is what a form sent to the page does, for POST; nil for a page without one.
	Do func(*Request) (Done, error)
	// Siteless reports that the page is about no site: it is shown where there is none yet.
	Siteless bool
	// Several reports that the page is shown for all sites of the operator, too.
	Several bool
	// Filters are the parameters of the address that narrow the list of the page: operators can save them.
	Filters []string
	// Clients reports that the portal of clients of the API has the page, too.
	Clients bool
	// Uploads reports that the form has a file in it.
	Uploads bool
	// On is the path of the page that shows what went wrong with Do; by default its
	// own. It has the same parameters.
	On string
	// Menu is the line of the menu, for the first page of a subject.
	Menu *Menu
	// Under is the path of the page whose line of the menu is marked; by default its own.
	Under string
	// Powers are those one of which the operator needs to see the page, 0 none: for
	// the menu, and for pages that call no use case before a form is sent. What is read
	// and done is decided by the use cases.
	Powers operator.Powers
	// Rule is what the grant of the operator's role needs for the page to be in the menu.
	Rule access.Rule
}

// Menu is a line of the menu.
type Menu struct {
	Section, Label Text
	Icon           string
	// Badge counts what needs attention there; nil for nothing ever.
	Badge func(*Request) (int, error)
}

// The sections of the menu, in their order. What stands before them has none.
const (
	NoSection    Text = ""
	Integrations Text = "Integrations"
	Data         Text = "Data"
	Network      Text = "Network"
)

func sections() []Text { return []Text{NoSection, Integrations, Data, Network} }

// Download is a file that browsers keep.
type Download struct {
	// Name is what it is called, Type its media type.
	Name, Type string
	Content    []byte
}

// CSV returns rows as a file to be downloaded.
func CSV(name string, rows [][]string) (Download, error) {
	content, err := tables.CSV(rows)
	return Download{Name: name, Type: "text/csv; charset=utf-8", Content: content}, err
}

// Done is what became of a form.
type Done struct {
	// to is the page to go to, as parts of its path.
	to []any
	// Query follows it, such as "status=failed"; fragment names a place in it.
	Query, fragment string
	// say is told there, and secret shown that once, with what is to be done with it.
	say, keep Text
	secret    string
	// file is downloaded, in place of going anywhere; nil for none.
	file *Download
}

// Flash is what is said once, on the page after a form was sent. It travels in a
// cookie that is gone when it has been shown, so that any process can show it. The
// cookie is sealed with a key made of the session's secret: nobody else can put
// something there, and it is worth nothing by itself.
type Flash struct {
	Tone Tone
	Text Text
	// Secret is something that is shown on that page alone, such as that of a new client,
	// and Keep what is to be done with it.
	Secret string
	Keep   Text
}

// Went is done with a page to go to.
func Went(to ...any) Done { return Done{to: to} }

// Handing is done with a file to download.
func Handing(file Download) Done { return Done{file: &file} }

// Saying is done with something to tell.
func (d Done) Saying(text Text) Done {
	d.say = text
	return d
}

// What is to be done with a secret that is shown.
const (
	KeepIt   Text = "It is shown this once. Keep it where secrets are kept."
	KeepHook Text = "Keep it where secrets are kept. It can be looked up again on this page."
	HandOn   Text = "It is shown this once. It is not mailed: hand it on yourself, to nobody else."
)

// Showing is done with something to tell, and a secret that is shown on the next page
// alone.
func (d Done) Showing(text Text, secret string, keep Text) Done {
	d.say, d.secret, d.keep = text, secret, keep
	return d
}

// NewSitePath is the path of the page on which a site is made.
const NewSitePath = "/sites/new"

// Room is a subject of the console: its pages, with their templates.
type Room struct {
	Pages []Page
	// Templates are files that define the templates of the pages; nil for a room that has
	// none of its own.
	Templates fs.FS
	// Doors adds what is answered besides pages; nil for nothing.
	Doors func(*Console, *http.ServeMux)
	// Others names the templates that Doors show.
	Others []string
	// French has the texts of the room, FrenchPhrases the phrases of its templates.
	French        map[Text]Text
	FrenchPhrases map[string]string
}
