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

// visit is one request of an operator who has signed in: all that a page needs to
// answer it.
type visit struct {
	*Console
	w http.ResponseWriter
	r *http.Request
	// ctx is that of the request.
	ctx context.Context
	// now is the one moment at which the page is as it shows.
	now   time.Time
	actor backoffice.Actor
	// secret is that of the session.
	secret string
	// sites are those the operator may look at; site the one they look at, 0 for none.
	sites []site.Site
	site  site.ID
	// typed is what a form sent, and refused why it was not done, when the page with
	// the form is shown again; both are nil otherwise.
	typed   url.Values
	refused error
}

// enter is the caller with the operator's grant on the site that is looked at.
func (v *visit) enter() (kernel.Caller, error) {
	if err := v.siteless(); err != nil {
		return kernel.Caller{}, err
	}
	return v.Backoffice.Enter(v.ctx, v.actor, v.site)
}

// errNoSite is the cause of what cannot be done before there is a site.
var errNoSite = errors.New("there is no site")

// What somebody is told who has no site to look at.
const (
	noSiteYet  = "There is no site yet. Make one with “vitrine provision”, on the command line of the server."
	noSiteHeld = "Your role holds for no site. An administrator can change that."
)

// siteless says why the operator looks at no site; nil when they do, or could.
func (v *visit) siteless() error {
	switch {
	case len(v.sites) > 0:
		return nil
	case v.actor.Operator.Everywhere:
		return fault.New(fault.NotFound, fault.CodeNotFound, noSiteYet).Because(errNoSite)
	}
	return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, noSiteHeld)
}

// form is the form of the page, with what was typed and what is wrong with it.
func (v *visit) form() *form {
	f := newForm(v.typed, v.refused)
	return &f
}

// at is a request about the site that is looked at.
func at[In any](v *visit, in In) backoffice.At[In] {
	return backoffice.At[In]{Site: int64(v.site), In: in}
}

// id is a parameter of the path that is a number. One that is none names nothing.
func (v *visit) id(name string) (int64, error) {
	id, err := strconv.ParseInt(v.r.PathValue(name), 10, 64)
	if err != nil || id < 1 {
		return 0, kernel.Unknown("there is no such page")
	}
	return id, nil
}

// query is a parameter of the address, as far as it may be long.
func (v *visit) query(name string) string { return v.r.URL.Query().Get(name) }

// sent is a field of the form that was sent.
func (v *visit) sent(name string) string { return v.r.PostForm.Get(name) }

// when shows a time as of this visit.
func (v *visit) when(at time.Time) moment { return when(v.now, at) }

// instant is when, for a time of an answer, which may be absent.
func (v *visit) instant(at *kernel.Instant) moment {
	if at == nil {
		return moment{Ago: "never"}
	}
	return v.when(at.Time)
}

// absent is the page for addresses that name nothing.
func (v *visit) absent() error { return kernel.Unknown("there is no such page") }

// signedIn answers a request of somebody who has signed in, and shows others the
// way to the door.
func (c *Console) signedIn(w http.ResponseWriter, r *http.Request, answer func(*visit) error) {
	v := &visit{Console: c, w: w, r: r, ctx: r.Context(), now: c.Now().UTC(), secret: cookie(r, sessionCookie)}
	err := v.begin()
	if errors.Is(err, fault.Unauthenticated) {
		c.toDoor(w, r)
		return
	}
	if err == nil {
		err = answer(v)
	}
	if err != nil {
		v.fail(err)
	}
}

// begin finds out who visits, and which site they look at.
func (v *visit) begin() (err error) {
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
	v.site, err = v.looksAt()
	return err
}

// isRefresh reports whether a live part of a page asks for itself anew.
func isRefresh(r *http.Request) bool { return r.Header.Get("HX-Request") != "" }

// looksAt is the site that the address names, or the one that was looked at last, or
// the first. A form names the one it was shown for, if it is about one.
func (v *visit) looksAt() (site.ID, error) {
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

func (v *visit) knows(id site.ID) bool {
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
		c.signedIn(w, r, func(v *visit) error { return v.show(p, http.StatusOK) })
	}
}

// show shows a page.
func (v *visit) show(p page, status int) error {
	if err := v.admit(p); err != nil {
		return err
	}
	model, err := p.show(v)
	if to, away := errors.AsType[elsewhere](err); away {
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

// elsewhere is, in place of a page, the address of one that the operator has more of.
type elsewhere string

// Error names the address.
func (e elsewhere) Error() string { return "look at " + string(e) }

// handing answers GET with a file.
func (c *Console) handing(p page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.signedIn(w, r, func(v *visit) error {
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
func (v *visit) hand(file download) {
	v.w.Header().Set("Content-Type", file.Type)
	v.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}))
	_, _ = v.w.Write(file.Content)
}

// admit refuses a page that the operator's role has no use for.
func (v *visit) admit(p page) error {
	switch {
	case !v.actor.May(p.powers):
		return fault.New(fault.Forbidden, fault.CodeForbidden, "your role does not allow this")
	case p.siteless:
		return nil
	}
	return v.siteless()
}

// doing answers POST: it does what a form asks for, and sends the browser on to a
// page. What is wrong with a form is shown on the page it came from, with what was
// typed.
func (c *Console) doing(p page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.signedIn(w, r, func(v *visit) error {
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

// ask answers a question with the page that asked it, which says what is wrong with it
// if something is.
func (v *visit) ask(p page) error {
	v.typed = v.r.PostForm
	err := v.show(p, http.StatusOK)
	if err == nil || !isMendable(err) {
		return err
	}
	v.refused = err
	return v.show(p, statusOf(err))
}

// uploadWithin is how long a file may take to arrive.
const uploadWithin = time.Hour

// readUpload reads a form with a file in it, which waits on the disk.
func (v *visit) readUpload() error {
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

// forgetUpload removes what waited on the disk.
func (v *visit) forgetUpload() {
	if v.r.MultipartForm != nil {
		_ = v.r.MultipartForm.RemoveAll()
	}
}

func (v *visit) do(p page) error {
	if err := v.confirm(); err != nil {
		return v.askAgain(err)
	}
	became, err := p.do(v)
	switch {
	case err == nil:
		return v.goOn(became)
	case errors.Is(err, backoffice.ErrNotProved):
		return v.askAgain(nil)
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

// isMendable reports whether whoever filled in a form can do something about it.
func isMendable(err error) bool {
	for _, kind := range []fault.Kind{fault.Invalid, fault.Unrecognised, fault.Conflict, fault.Stale, fault.Limited} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// goOn sends the browser to the page that follows, or a file.
func (v *visit) goOn(became done) error {
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

// readNamed reads the record with the number that the path of the page names, and says who
// reads it.
func readNamed[In, Out any](v *visit, use kernel.UseCase[In, Out], in func(id int64) In) (id int64, c kernel.Caller, found Out, err error) {
	if id, err = v.id("id"); err != nil {
		return id, c, found, err
	}
	if c, err = v.enter(); err != nil {
		return id, c, found, err
	}
	found, err = use(v.ctx, c, in(id))
	return id, c, found, err
}
