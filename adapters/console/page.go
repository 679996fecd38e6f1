package console

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// page is a line of the table of pages: all that routes, menu and tests need.
type page struct {
	// path is below the prefix, with parameters in braces, as http.ServeMux reads it.
	path string
	// title is in the browser's tab.
	title string
	// template shows what show returns. It is empty for what can only be done.
	template string
	// show reads what the page shows, for GET.
	show func(*pageRequest) (any, error)
	// asks reports that a form sent to the page, by POST, is a question whose words must be
	// in no address, such as an e-mail address: the page itself is the answer, with what
	// was typed.
	asks bool
	// file makes a file to be downloaded, for GET, in place of a page.
	file func(*pageRequest) (download, error)
	// do is what a form sent to the page does, for POST; nil for a page without one.
	do func(*pageRequest) (done, error)
	// siteless reports that the page is about no site: it is shown where there is none yet.
	siteless bool
	// uploads reports that the form has a file in it.
	uploads bool
	// on is the path of the page that shows what went wrong with do; by default its
	// own. It has the same parameters.
	on string
	// menu is the line of the menu, for the first page of a subject.
	menu *menu
	// under is the path of the page whose line of the menu is marked; by default its own.
	under string
	// powers are those one of which the operator needs to see the page, 0 none: for
	// the menu, and for pages that call no use case before a form is sent. What is read
	// and done is decided by the use cases.
	powers operator.Powers
	// rule is what the grant of the operator's role needs for the page to be in the menu.
	rule access.Rule
}

// menu is a line of the menu.
type menu struct {
	section, label, icon string
	// badge counts what needs attention there; nil for nothing ever.
	badge func(*pageRequest) (int, error)
}

// The sections of the menu, in their order. What stands before them has none.
const (
	noSection    = ""
	integrations = "Integrations"
	data         = "Data"
	network      = "Network"
)

func sections() []string { return []string{noSection, integrations, data, network} }

// download is a file that browsers keep.
type download struct {
	// Name is what it is called, Type its media type.
	Name, Type string
	Content    []byte
}

// done is what became of a form.
type done struct {
	// to is the page to go to, as parts of its path.
	to []any
	// query follows it, such as "status=failed"; fragment names a place in it.
	query, fragment string
	// say is told there, and secret shown that once, with what is to be done with it.
	say, secret, keep string
	// file is downloaded, in place of going anywhere; nil for none.
	file *download
}

// went is done with a page to go to.
func went(to ...any) done { return done{to: to} }

// handing is done with a file to download.
func handing(file download) done { return done{file: &file} }

// saying is done with something to tell.
func (d done) saying(text string) done {
	d.say = text
	return d
}

// What is to be done with a secret that is shown.
const (
	keepIt   = "It is shown this once. Keep it where secrets are kept."
	keepHook = "Keep it where secrets are kept. It can be looked up again on this page."
	handOn   = "It is shown this once. Nothing sends mail: hand it on yourself, to nobody else."
)

// showing is done with something to tell, and a secret that is shown on the next page
// alone.
func (d done) showing(text, secret, keep string) done {
	d.say, d.secret, d.keep = text, secret, keep
	return d
}

// table returns the pages, each subject's in its own file.
func table() []page {
	return slices.Concat(
		overviewPages(), credentialPages(), webhookPages(), requestPages(), productPages(), eventPages(), peoplePages(), leadPages(),
		privacyPages(), sitePages(), staffPages(), importPages(), targetPages(), operatorPages(), auditPages(), mePages(),
	)
}
