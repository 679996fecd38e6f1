package kit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Request is one request of an operator, or of a client in its portal, who has signed in, with everything that a page
// needs to answer it.
type Request struct {
	*Console
	// Language is what the answer is in.
	Language
	Answer http.ResponseWriter
	HTTP   *http.Request
	// Ctx is that of the request.
	Ctx context.Context
	// Time is the time for everything on the page, in the time zone of the sites that it is about; in UTC
	// where they have none, or several.
	Time  time.Time
	Actor backoffice.Actor
	// secret is that of the session.
	secret string
	// Sites are the sites of the operator; SiteID is the chosen one, 0 for none.
	Sites  []site.Site
	SiteID site.ID
	// All reports that the page is about all of them. SiteID is 0 then, but for a request that On returned.
	All bool
	// Typed are the values of a form and refused its error when the page with the form
	// is shown again; both are nil otherwise.
	Typed   url.Values
	Refused error
}

// Enter returns the caller with the operator's grant on the chosen site.
func (v *Request) Enter() (kernel.Caller, error) {
	if err := v.Siteless(); err != nil {
		return kernel.Caller{}, err
	}
	return v.Backoffice.Enter(v.Ctx, v.Actor, v.SiteID)
}

// errNoSite is the cause of errors of pages that need a site before there is one.
var errNoSite = errors.New("there is no site")

// errWhichSite is the cause of errors of pages about one site while all of them are looked at.
var errWhichSite = errors.New("no site is chosen")

// Messages for an operator without a site.
const (
	noSiteYet  = "There is no site yet. An administrator makes the first one on the overview, or “vitrine init” on the command line of the server."
	noSiteHeld = "Your role holds for no site. An administrator can change that."
)

// Siteless returns the error of a request without a site, nil when there is one.
func (v *Request) Siteless() error {
	switch {
	case v.SiteID != 0:
		return nil
	case len(v.Sites) > 0:
		return fault.New(fault.NotFound, fault.CodeNotFound, "this is about one site: choose it first").Because(errWhichSite)
	case v.Actor.Operator.Everywhere:
		return fault.New(fault.NotFound, fault.CodeNotFound, noSiteYet).Because(errNoSite)
	}
	return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, noSiteHeld)
}

// Form returns the form of the page, with the values that were sent and their errors.
func (v *Request) Form() *Form {
	f := NewForm(v.Language, v.Typed, v.Refused)
	return &f
}

// At returns a request about the chosen site.
func At[In any](v *Request, in In) backoffice.At[In] {
	return backoffice.At[In]{Site: int64(v.SiteID), In: in}
}

// ID returns a parameter of the path that is a number, and NotFound if it is none.
func (v *Request) ID(name string) (int64, error) {
	id, err := strconv.ParseInt(v.HTTP.PathValue(name), 10, 64)
	if err != nil || id < 1 {
		return 0, kernel.Unknown("there is no such page")
	}
	return id, nil
}

// Query returns a parameter of the query.
func (v *Request) Query(name string) string { return v.HTTP.URL.Query().Get(name) }

// Sent returns a field of the form that was sent.
func (v *Request) Sent(name string) string { return v.HTTP.PostForm.Get(name) }

// Link returns the address of a page, given the parts of its path.
func (v *Request) Link(parts ...any) string { return Link(v.Prefix, parts...) }

// LinkOn returns the address of a page about a site, which is named where the page is about several.
func (v *Request) LinkOn(id site.ID, parts ...any) string {
	if !v.All {
		return v.Link(parts...)
	}
	return fmt.Sprintf("%s?site=%d", v.Link(parts...), id)
}

// When returns a time relative to now.
func (v *Request) When(at time.Time) Moment { return v.when(v.Time, at) }

// Instant returns when for a time that may be null.
func (v *Request) Instant(at *kernel.Instant) Moment {
	if at == nil {
		return Moment{Ago: v.Say("never")}
	}
	return v.When(at.Time)
}

// absent is the page for unknown addresses.
func (v *Request) absent() error { return kernel.Unknown("there is no such page") }

// SignedIn answers a request with a session, and redirects one without to the sign-in page.
func (c *Console) SignedIn(w http.ResponseWriter, r *http.Request, answer func(*Request) error) {
	v := &Request{Console: c, Language: c.LanguageOf(r), Answer: w, HTTP: r, Ctx: r.Context(), Time: c.Now().UTC(), secret: c.Cookie(r, cookies.Session)}
	err := v.begin()
	switch {
	case errors.Is(err, fault.Unauthenticated):
		c.toSignIn(w, r)
		return
	case v.Actor.LacksPasskey && !strings.HasPrefix(r.URL.Path, Link(c.Prefix, "me", "passkeys")) && r.URL.Path != Link(c.Prefix, "sign-out"):
		http.Redirect(w, r, Link(c.Prefix, "me", "passkeys"), http.StatusSeeOther)
		return
	}
	if err == nil {
		err = answer(v)
	}
	if err != nil {
		v.fail(err)
	}
}

// begin identifies the operator and the chosen site.
func (v *Request) begin() (err error) {
	identify := v.Backoffice.Identify
	if isRefresh(v.HTTP) {
		identify = v.Backoffice.Look
	}
	if v.Actor, err = identify(v.Ctx, v.secret, v.Peer(v.HTTP)); err != nil {
		return err
	}
	if v.Portal != (v.Actor.Client() != "") {
		return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "sign in first")
	}
	if v.Sites, err = v.Backoffice.Sites(v.Ctx, v.Actor); err != nil {
		return err
	}
	err = v.chooseSite()
	v.Time = v.Time.In(zoneOf(v.Shown()))
	return err
}

// zoneOf returns the time zone of sites, UTC where they have none in common or this machine does not know it.
func zoneOf(sites []site.Site) *time.Location {
	var names []string
	for _, s := range sites {
		names = append(names, s.Settings.WithDefaults().TimeZone)
	}
	if names = slices.Compact(names); len(names) != 1 {
		return time.UTC
	}
	zone, err := time.LoadLocation(names[0])
	if err != nil {
		return time.UTC
	}
	return zone
}

// isRefresh reports whether a live part of a page reloads itself.
func isRefresh(r *http.Request) bool { return r.Header.Get("HX-Request") != "" }

// allSites stands in place of the number of a site for all of the operator's.
const allSites = "all"

// chooseSite sets the site in the query, or else the last one that was chosen, or else all of them. The
// query of a form has the site for which it was shown, if it is about one. An operator with one site has
// that one in place of all.
func (v *Request) chooseSite() error {
	named := v.Query("site")
	if named == "" && v.HTTP.Method == http.MethodPost {
		return nil
	}
	chosen := cmp.Or(named, v.Cookie(v.HTTP, cookies.Site), allSites)
	id, _ := strconv.ParseInt(chosen, 10, 64)
	switch known := v.knows(site.ID(id)); {
	case known:
		v.SiteID = site.ID(id)
	case named != "" && named != allSites && (id != 0 || len(v.Sites) > 0 && v.HTTP.Method == http.MethodGet):
		if v.Actor.Operator.Everywhere {
			return kernel.Unknown("there is no such site")
		}
		return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "your role does not hold for this site")
	case named == "0" || len(v.Sites) == 0:
		return nil
	case len(v.Sites) == 1:
		v.SiteID = v.Sites[0].ID
	default:
		v.All = true
	}
	// A part of a page that is read again tells nothing of what the operator looks at now.
	if named != "" && v.HTTP.Method == http.MethodGet && !isRefresh(v.HTTP) {
		v.SetCookie(v.Answer, v.HTTP, cookies.Site, named)
	}
	return nil
}

// SiteParameter returns the value of the parameter site of addresses that stand for what is looked at.
func (v *Request) SiteParameter() string {
	if v.All && v.SiteID == 0 {
		return allSites
	}
	return strconv.FormatInt(int64(v.SiteID), 10)
}

// Shown returns the sites that the page is about.
func (v *Request) Shown() []site.Site {
	return slices.DeleteFunc(slices.Clone(v.Sites), func(s site.Site) bool { return !v.All && s.ID != v.SiteID })
}

// On returns the request for one of the sites that the page is about.
func (v *Request) On(id site.ID) *Request {
	on := *v
	on.SiteID = id
	return &on
}

// EachSite calls do for each site that the page is about, with the operator's grant there. Of several, those that
// cannot be entered, because they are disabled, are left out.
func (v *Request) EachSite(do func(*Request, kernel.Caller) error) error {
	if !v.All {
		c, err := v.Enter()
		if err != nil {
			return err
		}
		return do(v, c)
	}
	for _, s := range v.Shown() {
		on := v.On(s.ID)
		c, err := on.Enter()
		if errors.Is(err, fault.Forbidden) {
			continue
		}
		if err == nil {
			err = do(on, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether a site is one of the operator.
func (v *Request) knows(id site.ID) bool {
	return slices.ContainsFunc(v.Sites, func(s site.Site) bool { return s.ID == id })
}

// showing answers GET with a page.
func (c *Console) showing(p Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.SignedIn(w, r, func(v *Request) error { return v.show(p, http.StatusOK) })
	}
}

// show shows a page.
func (v *Request) show(p Page, status int) error {
	err := v.admit(p)
	if errors.Is(err, errWhichSite) && v.All {
		return v.askWhichSite(p)
	}
	if err != nil {
		return err
	}
	model, err := p.Show(v)
	if to, away := errors.AsType[Redirect](err); away {
		http.Redirect(v.Answer, v.HTTP, string(to), http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	if list := v.parameter(p, csvQuery); list != "" && v.hasLists(p) {
		return v.handList(p, model, list)
	}
	f, err := v.frame(p)
	if err != nil {
		return err
	}
	f.Page = model
	if named, ok := model.(interface{ TabTitle() string }); ok {
		f.Title = named.TabTitle()
	} else if variable := path.Base(p.Path); strings.HasPrefix(variable, "{") {
		f.Title += " " + v.HTTP.PathValue(strings.Trim(variable, "{}"))
	}
	if f.Content, err = v.contentOf(p.Template, f); err != nil {
		return err
	}
	if err = v.addLists(p, &f); err != nil {
		return err
	}
	return v.write(v.Answer, status, p.Template, f)
}

// WhichSite asks for which site a page about one site is to be shown.
type WhichSite struct {
	Heading string
	Sites   []Ref
}

func (v *Request) askWhichSite(p Page) error {
	asked := v.HTTP.URL.Query()
	w := WhichSite{Heading: v.Show(p.Title)}
	for _, s := range v.Sites {
		asked.Set("site", strconv.FormatInt(int64(s.ID), 10))
		w.Sites = append(w.Sites, Ref{Label: s.Name, Href: v.HTTP.URL.Path + "?" + asked.Encode()})
	}
	f, err := v.frame(p)
	if err != nil {
		return err
	}
	f.Page = w
	return v.write(v.Answer, http.StatusOK, WhichSiteTemplate, f)
}

// Redirect is the error of a page in whose place another one is shown: its address.
type Redirect string

// Error names the address.
func (e Redirect) Error() string { return "redirect to " + string(e) }

// handing answers GET with a file.
func (c *Console) handing(p Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.SignedIn(w, r, func(v *Request) error {
			if err := v.admit(p); err != nil {
				return err
			}
			made, err := p.File(v)
			if err != nil {
				return err
			}
			v.hand(made)
			return nil
		})
	}
}

// hand sends a file.
func (v *Request) hand(file Download) {
	v.Answer.Header().Set("Content-Type", file.Type)
	v.Answer.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}))
	_, _ = v.Answer.Write(file.Content)
}

// admit returns an error if the operator's role does not have the page.
func (v *Request) admit(p Page) error {
	switch {
	case !v.Actor.May(p.Powers) || v.All && !p.Siteless && !p.Several && !v.May(p):
		return fault.New(fault.Forbidden, fault.CodeForbidden, "your role does not allow this")
	case p.Siteless || p.Several && v.All:
		return nil
	}
	return v.Siteless()
}

// doing answers POST: it carries a form out and redirects to a page. Errors of the form are
// shown on its own page, with the values that were sent.
func (c *Console) doing(p Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.SignedIn(w, r, func(v *Request) error {
			if err := v.admit(p); err != nil {
				return err
			}
			read := r.ParseForm
			if p.Uploads {
				read = v.readUpload
				defer v.forgetUpload()
			}
			if err := unreadable(read()); err != nil {
				return err
			}
			if p.Asks {
				return v.ask(p)
			}
			return v.do(p)
		})
	}
}

// ask answers a form with its own page, with its errors if there are any.
func (v *Request) ask(p Page) error {
	v.Typed = v.HTTP.PostForm
	err := v.show(p, http.StatusOK)
	if err == nil || !IsMendable(err) {
		return err
	}
	v.Refused = err
	return v.show(p, StatusOf(err))
}

// uploadWithin is the time limit for receiving a file.
const uploadWithin = time.Hour

// readUpload reads a form with a file, which is stored on the disk.
func (v *Request) readUpload() error {
	wait := http.NewResponseController(v.Answer)
	until := time.Now().Add(uploadWithin)
	// Where a connection has no deadlines, there is nothing to extend.
	_, _ = wait.SetReadDeadline(until), wait.SetWriteDeadline(until)
	err := v.HTTP.ParseMultipartForm(maxForm)
	if errors.Is(err, http.ErrNotMultipart) {
		return v.HTTP.ParseForm()
	}
	return err
}

// forgetUpload removes the file from the disk.
func (v *Request) forgetUpload() {
	if v.HTTP.MultipartForm != nil {
		_ = v.HTTP.MultipartForm.RemoveAll()
	}
}

func (v *Request) do(p Page) error {
	if err := v.confirm(); err != nil {
		return v.reauthenticate(err)
	}
	became, err := p.Do(v)
	switch {
	case err == nil:
		return v.goOn(became)
	case errors.Is(err, backoffice.ErrNotProved):
		return v.reauthenticate(nil)
	case !IsMendable(err) && !errors.Is(err, fault.Forbidden):
		return err
	}
	shown := v.Pages[p.Path]
	if p.On != "" {
		shown = v.Pages[p.On]
	}
	v.Typed, v.Refused = v.HTTP.PostForm, err
	TellWait(v.Answer, err)
	if shown.Show == nil {
		return err
	}
	return v.show(shown, StatusOf(err))
}

// IsMendable reports whether changing the form can avoid the error.
func IsMendable(err error) bool {
	for _, kind := range []fault.Kind{fault.Invalid, fault.Unrecognised, fault.Conflict, fault.Stale, fault.Limited} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// goOn redirects to the page that follows, or sends a file.
func (v *Request) goOn(became Done) error {
	if became.file != nil {
		v.hand(*became.file)
		return nil
	}
	if became.say != "" {
		const longest = 1000
		said := []rune(became.say)
		sealed, err := cookies.Seal(Flash{Tone: Well, Text: Text(said[:min(longest, len(said))]), Secret: became.secret, Keep: became.keep}, v.secret)
		if err != nil {
			return err
		}
		v.SetCookie(v.Answer, v.HTTP, cookies.Flash, sealed)
	}
	to := Link(v.Prefix, became.to...)
	if became.Query != "" {
		to += "?" + became.Query
	}
	if became.fragment != "" {
		to += "#" + became.fragment
	}
	http.Redirect(v.Answer, v.HTTP, to, http.StatusSeeOther)
	return nil
}

// ReadNamed returns the record with the id in the path of the page, and the caller that read
// it.
func ReadNamed[In, Out any](v *Request, use kernel.UseCase[In, Out], in func(id int64) In) (id int64, c kernel.Caller, found Out, err error) {
	if id, err = v.ID("id"); err != nil {
		return id, c, found, err
	}
	if c, err = v.Enter(); err != nil {
		return id, c, found, err
	}
	found, err = use(v.Ctx, c, in(id))
	return id, c, found, err
}

// FilterOf returns the parameters of an address that narrow the list of a page or sort it, as filters.Query does.
func (v *Request) FilterOf(p Page, asked url.Values) string {
	site := v.SiteParameter()
	if p.Siteless {
		site = ""
	}
	return filters.Query(asked, append(slices.Clone(p.Filters), sortQuery), site)
}

// IsHidden reports whether an error says that there is nothing to be seen.
func IsHidden(err error) bool {
	return errors.Is(err, fault.NotFound) || errors.Is(err, fault.Forbidden)
}

// MayMakeSites reports whether the operator makes sites: their role holds for all of them.
func (v *Request) MayMakeSites() bool {
	return v.Actor.Operator.Everywhere && v.May(v.Pages[NewSitePath])
}

// IfStill holds a write to the version of the site that its form was shown for.
func (v *Request) IfStill() kernel.IfMatch {
	version, err := strconv.ParseInt(v.Query("version"), 10, 64)
	if err != nil {
		return kernel.IfMatch{}
	}
	return kernel.IfMatch{Given: true, Versions: []kernel.Version{kernel.Version(version)}}
}

// ActionOn is action for a form that is about a version of the site.
func (v *Request) ActionOn(version kernel.Version, parts ...any) string {
	return v.Action(parts...) + "&" + url.Values{"version": {strconv.FormatInt(int64(version), 10)}}.Encode()
}
