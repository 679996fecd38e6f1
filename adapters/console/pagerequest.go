package console

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// pageRequest is one request of an operator who has signed in, with everything that a page
// needs to answer it.
type pageRequest struct {
	*Console
	w http.ResponseWriter
	r *http.Request
	// ctx is that of the request.
	ctx context.Context
	// now is the time for everything on the page.
	now   time.Time
	actor backoffice.Actor
	// secret is that of the session.
	secret string
	// sites are the sites of the operator; site is the chosen one, 0 for none.
	sites []site.Site
	site  site.ID
	// typed are the values of a form and refused its error when the page with the form
	// is shown again; both are nil otherwise.
	typed   url.Values
	refused error
}

// enter returns the caller with the operator's grant on the chosen site.
func (v *pageRequest) enter() (kernel.Caller, error) {
	if err := v.siteless(); err != nil {
		return kernel.Caller{}, err
	}
	return v.Backoffice.Enter(v.ctx, v.actor, v.site)
}

// errNoSite is the cause of errors of pages that need a site before there is one.
var errNoSite = errors.New("there is no site")

// Messages for an operator without a site.
const (
	noSiteYet  = "There is no site yet. An administrator makes the first one on the overview, or “vitrine init” on the command line of the server."
	noSiteHeld = "Your role holds for no site. An administrator can change that."
)

// siteless returns the error of an operator without a site, nil when there is one.
func (v *pageRequest) siteless() error {
	switch {
	case len(v.sites) > 0:
		return nil
	case v.actor.Operator.Everywhere:
		return fault.New(fault.NotFound, fault.CodeNotFound, noSiteYet).Because(errNoSite)
	}
	return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, noSiteHeld)
}

// form returns the form of the page, with the values that were sent and their errors.
func (v *pageRequest) form() *form {
	f := newForm(v.typed, v.refused)
	return &f
}

// at returns a request about the chosen site.
func at[In any](v *pageRequest, in In) backoffice.At[In] {
	return backoffice.At[In]{Site: int64(v.site), In: in}
}

// id returns a parameter of the path that is a number, and NotFound if it is none.
func (v *pageRequest) id(name string) (int64, error) {
	id, err := strconv.ParseInt(v.r.PathValue(name), 10, 64)
	if err != nil || id < 1 {
		return 0, kernel.Unknown("there is no such page")
	}
	return id, nil
}

// query returns a parameter of the query.
func (v *pageRequest) query(name string) string { return v.r.URL.Query().Get(name) }

// sent returns a field of the form that was sent.
func (v *pageRequest) sent(name string) string { return v.r.PostForm.Get(name) }

// when returns a time relative to now.
func (v *pageRequest) when(at time.Time) moment { return when(v.now, at) }

// instant returns when for a time that may be null.
func (v *pageRequest) instant(at *kernel.Instant) moment {
	if at == nil {
		return moment{Ago: "never"}
	}
	return v.when(at.Time)
}

// absent is the page for unknown addresses.
func (v *pageRequest) absent() error { return kernel.Unknown("there is no such page") }

// signedIn answers a request with a session, and redirects one without to the sign-in page.
func (c *Console) signedIn(w http.ResponseWriter, r *http.Request, answer func(*pageRequest) error) {
	v := &pageRequest{Console: c, w: w, r: r, ctx: r.Context(), now: c.Now().UTC(), secret: cookie(r, sessionCookie)}
	err := v.begin()
	if errors.Is(err, fault.Unauthenticated) {
		c.toSignIn(w, r)
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
func (v *pageRequest) begin() (err error) {
	identify := v.Backoffice.Identify
	if isRefresh(v.r) {
		identify = v.Backoffice.Look
	}
	if v.actor, err = identify(v.ctx, v.secret, v.Peer(v.r)); err != nil {
		return err
	}
	if v.sites, err = v.Backoffice.Sites(v.ctx, v.actor); err != nil {
		return err
	}
	v.site, err = v.chosenSite()
	return err
}

// isRefresh reports whether a live part of a page reloads itself.
func isRefresh(r *http.Request) bool { return r.Header.Get("HX-Request") != "" }

// chosenSite returns the site in the query, or else the last one, or else the first. The
// query of a form has the site for which it was shown, if it is about one.
func (v *pageRequest) chosenSite() (site.ID, error) {
	if named := v.query("site"); named != "" {
		id, _ := strconv.ParseInt(named, 10, 64)
		if id == 0 && len(v.sites) == 0 {
			return 0, nil
		}
		if !v.knows(site.ID(id)) {
			if v.actor.Operator.Everywhere {
				return 0, kernel.Unknown("there is no such site")
			}
			return 0, fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "your role does not hold for this site")
		}
		if v.r.Method == http.MethodGet {
			setCookie(v.w, v.r, siteCookie, named)
		}
		return site.ID(id), nil
	}
	if v.r.Method == http.MethodPost {
		return 0, nil
	}
	if id, err := strconv.ParseInt(cookie(v.r, siteCookie), 10, 64); err == nil && v.knows(site.ID(id)) {
		return site.ID(id), nil
	}
	if len(v.sites) > 0 {
		return v.sites[0].ID, nil
	}
	return 0, nil
}

func (v *pageRequest) knows(id site.ID) bool {
	for _, s := range v.sites {
		if s.ID == id {
			return true
		}
	}
	return false
}

// showing answers GET with a page.
func (c *Console) showing(p page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.signedIn(w, r, func(v *pageRequest) error { return v.show(p, http.StatusOK) })
	}
}

// show shows a page.
func (v *pageRequest) show(p page, status int) error {
	if err := v.admit(p); err != nil {
		return err
	}
	model, err := p.show(v)
	if to, away := errors.AsType[redirect](err); away {
		http.Redirect(v.w, v.r, string(to), http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	f, err := v.frame(p)
	if err != nil {
		return err
	}
	f.Page = model
	if named, ok := model.(interface{ title() string }); ok {
		f.Title = named.title()
	}
	return v.write(v.w, status, p.template, f)
}

// redirect is the error of a page in whose place another one is shown: its address.
type redirect string

// Error names the address.
func (e redirect) Error() string { return "redirect to " + string(e) }

// handing answers GET with a file.
func (c *Console) handing(p page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.signedIn(w, r, func(v *pageRequest) error {
			if err := v.admit(p); err != nil {
				return err
			}
			made, err := p.file(v)
			if err != nil {
				return err
			}
			v.hand(made)
			return nil
		})
	}
}

// hand sends a file.
func (v *pageRequest) hand(file download) {
	v.w.Header().Set("Content-Type", file.Type)
	v.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}))
	_, _ = v.w.Write(file.Content)
}

// admit returns an error if the operator's role does not have the page.
func (v *pageRequest) admit(p page) error {
	switch {
	case !v.actor.May(p.powers):
		return fault.New(fault.Forbidden, fault.CodeForbidden, "your role does not allow this")
	case p.siteless:
		return nil
	}
	return v.siteless()
}

// doing answers POST: it carries a form out and redirects to a page. Errors of the form are
// shown on its own page, with the values that were sent.
func (c *Console) doing(p page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.signedIn(w, r, func(v *pageRequest) error {
			if err := v.admit(p); err != nil {
				return err
			}
			read := r.ParseForm
			if p.uploads {
				read = v.readUpload
				defer v.forgetUpload()
			}
			if err := unreadable(read()); err != nil {
				return err
			}
			if p.asks {
				return v.ask(p)
			}
			return v.do(p)
		})
	}
}

// ask answers a form with its own page, with its errors if there are any.
func (v *pageRequest) ask(p page) error {
	v.typed = v.r.PostForm
	err := v.show(p, http.StatusOK)
	if err == nil || !isMendable(err) {
		return err
	}
	v.refused = err
	return v.show(p, statusOf(err))
}

// uploadWithin is the time limit for receiving a file.
const uploadWithin = time.Hour

// readUpload reads a form with a file, which is stored on the disk.
func (v *pageRequest) readUpload() error {
	wait := http.NewResponseController(v.w)
	until := time.Now().Add(uploadWithin)
	// Where a connection has no deadlines, there is nothing to extend.
	_, _ = wait.SetReadDeadline(until), wait.SetWriteDeadline(until)
	err := v.r.ParseMultipartForm(maxForm)
	if errors.Is(err, http.ErrNotMultipart) {
		return v.r.ParseForm()
	}
	return err
}

// forgetUpload removes the file from the disk.
func (v *pageRequest) forgetUpload() {
	if v.r.MultipartForm != nil {
		_ = v.r.MultipartForm.RemoveAll()
	}
}

func (v *pageRequest) do(p page) error {
	if err := v.confirm(); err != nil {
		return v.reauthenticate(err)
	}
	became, err := p.do(v)
	switch {
	case err == nil:
		return v.goOn(became)
	case errors.Is(err, backoffice.ErrNotProved):
		return v.reauthenticate(nil)
	case !isMendable(err) && !errors.Is(err, fault.Forbidden):
		return err
	}
	shown := v.pages[p.path]
	if p.on != "" {
		shown = v.pages[p.on]
	}
	v.typed, v.refused = v.r.PostForm, err
	tellWait(v.w, err)
	if shown.show == nil {
		return err
	}
	return v.show(shown, statusOf(err))
}

// isMendable reports whether changing the form can avoid the error.
func isMendable(err error) bool {
	for _, kind := range []fault.Kind{fault.Invalid, fault.Unrecognised, fault.Conflict, fault.Stale, fault.Limited} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// goOn redirects to the page that follows, or sends a file.
func (v *pageRequest) goOn(became done) error {
	if became.file != nil {
		v.hand(*became.file)
		return nil
	}
	if became.say != "" {
		const longest = 1000
		said := []rune(became.say)
		sealed, err := flash{Tone: well, Text: string(said[:min(longest, len(said))]), Secret: became.secret, Keep: became.keep}.seal(v.secret)
		if err != nil {
			return err
		}
		setCookie(v.w, v.r, flashCookie, sealed)
	}
	to := link(v.Prefix, became.to...)
	if became.query != "" {
		to += "?" + became.query
	}
	if became.fragment != "" {
		to += "#" + became.fragment
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

// readNamed returns the record with the id in the path of the page, and the caller that read
// it.
func readNamed[In, Out any](v *pageRequest, use kernel.UseCase[In, Out], in func(id int64) In) (id int64, c kernel.Caller, found Out, err error) {
	if id, err = v.id("id"); err != nil {
		return id, c, found, err
	}
	if c, err = v.enter(); err != nil {
		return id, c, found, err
	}
	found, err = use(v.ctx, c, in(id))
	return id, c, found, err
}
