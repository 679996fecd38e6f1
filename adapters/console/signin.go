package console

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// doors are the pages for those who have not signed in.
func (c *Console) doors(mux *http.ServeMux) {
	mux.HandleFunc("GET "+c.Prefix+"/sign-in", c.showSignIn)
	mux.HandleFunc("POST "+c.Prefix+"/sign-in", c.signIn)
	mux.HandleFunc("POST "+c.Prefix+"/sign-out", func(w http.ResponseWriter, r *http.Request) { c.signedIn(w, r, (*pageRequest).signOut) })
	for _, path := range []string{"/set-up/{secret}", "/invitations/{secret}"} {
		mux.HandleFunc("GET "+c.Prefix+path, c.showInvitation)
		mux.HandleFunc("POST "+c.Prefix+path, c.accept)
	}
}

// signInPage is the form for signing in.
type signInPage struct {
	Form            *form
	Email, Password field
	// To is the page to go to then.
	To   string
	Said string
}

func newSignInPage(typed url.Values, refused error, to string) signInPage {
	f := newForm(typed, refused)
	return signInPage{
		Form: &f, To: to,
		Email:    f.text("email", "E-mail", "", "").as("email").filled("username").required(),
		Password: f.password("password", "Password", "", "current-password"),
	}
}

func (c *Console) showSignIn(w http.ResponseWriter, r *http.Request) {
	p := newSignInPage(nil, nil, r.URL.Query().Get("to"))
	if r.URL.Query().Has("out") {
		p.Said = "You are signed out."
	}
	c.showAlone(w, r, http.StatusOK, "sign-in", "Sign in", p)
}

// showAlone shows a page without menu.
func (c *Console) showAlone(w http.ResponseWriter, r *http.Request, status int, name, title string, model any) {
	f := c.bare(r)
	f.Title, f.Page = title, model
	c.send(w, status, name, f)
}

// toSignIn redirects to the sign-in page when there is no session, or an expired one. After
// signing in a page is shown; a form has to be sent again.
func (c *Console) toSignIn(w http.ResponseWriter, r *http.Request) {
	if isRefresh(r) {
		// The page as a whole has to go there.
		w.Header().Set("HX-Refresh", "true")
		w.WriteHeader(http.StatusOK)
		return
	}
	to := link(c.Prefix, "sign-in")
	if r.Method == http.MethodGet && r.URL.Path != link(c.Prefix) {
		to += "?" + url.Values{"to": {r.URL.RequestURI()}}.Encode()
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

func (c *Console) signIn(w http.ResponseWriter, r *http.Request) {
	err := readForm(r)
	var in backoffice.SignedIn
	if err == nil {
		in, err = c.Backoffice.SignIn(r.Context(), backoffice.SignIn{
			Email: r.PostForm.Get("email"), Password: r.PostForm.Get("password"),
			Former: cookie(r, sessionCookie), Browser: cookie(r, browserCookie), Peer: c.Peer(r), Agent: r.UserAgent(), Origin: c.origin(r),
		})
	}
	c.letIn(w, r, in, err)
}

// letIn starts the session of an operator who has signed in, or shows the error.
func (c *Console) letIn(w http.ResponseWriter, r *http.Request, in backoffice.SignedIn, err error) {
	switch {
	case err != nil:
		c.logUnforeseen(r, err)
		tellWait(w, err)
		c.showAlone(w, r, statusOf(err), "sign-in", "Sign in", newSignInPage(r.PostForm, err, r.PostForm.Get("to")))
		return
	case in.Passkey != nil:
		c.showPasskey(w, r, *in.Passkey)
		return
	}
	setSession(w, r, in)
	http.Redirect(w, r, c.inside(r.PostForm.Get("to")), http.StatusSeeOther)
}

func (c *Console) logUnforeseen(r *http.Request, err error) {
	if statusOf(err) >= http.StatusInternalServerError {
		c.Logger.Error("a page of the console failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
}

// inside returns an address if it is one of the console, and that of the overview otherwise.
func (c *Console) inside(named string) string {
	to, err := url.Parse(named)
	if err != nil || to.IsAbs() || to.Host != "" || to.User != nil || !strings.HasPrefix(to.Path, c.Prefix+"/") || strings.ContainsAny(named, "\\\r\n\t") ||
		path.Clean(to.Path) != strings.TrimSuffix(to.Path, "/") { // dots would lead out
		return link(c.Prefix)
	}
	return to.RequestURI()
}

// enterPage is the form for those who come by a link.
type enterPage struct {
	Form                  *form
	Heading, Lead, Button string
	Email, Name, Password field
}

func (c *Console) showInvitation(w http.ResponseWriter, r *http.Request) {
	c.showEnter(w, r, http.StatusOK, nil, nil)
}

// showEnter shows what a link invites to, or that it does not any more.
func (c *Console) showEnter(w http.ResponseWriter, r *http.Request, status int, typed url.Values, refused error) {
	invited, err := c.Backoffice.Invitation(r.Context(), r.PathValue("secret"))
	if err != nil {
		c.logUnforeseen(r, err)
		said := failureOf(err, r.Method == http.MethodPost)
		c.showAlone(w, r, statusOf(err), failureTemplate, said.Title, said)
		return
	}
	f := newForm(typed, refused)
	p := enterPage{
		Form: &f, Heading: "Welcome", Lead: "You are invited as " + string(invited.Role) + ". Choose a password to come in.", Button: "Come in",
		Email:    f.text("email", "E-mail", "You sign in with it. Nothing is ever sent there.", invited.Email).as("email").filled("username").required(),
		Name:     f.text("name", "Name", "As others see it in the audit.", invited.Name).filled("name").required(),
		Password: f.password("password", "Password", "At least 12 characters. A sentence is easy to remember.", "new-password"),
	}
	if invited.SetUp {
		p.Heading, p.Lead, p.Button = "Set up", "You are the first. You will be the administrator of everything, and can invite others.", "Begin"
	} else {
		p.Email.ReadOnly, p.Name.ReadOnly = true, true
	}
	if invited.Known {
		p.Heading, p.Lead = "Welcome back", "Choose a new password. You are signed out everywhere else."
	}
	c.showAlone(w, r, status, "enter", p.Heading, p)
}

func (c *Console) accept(w http.ResponseWriter, r *http.Request) {
	err := readForm(r)
	var in backoffice.SignedIn
	if err == nil {
		in, err = c.Backoffice.Accept(r.Context(), backoffice.Accept{
			Secret: r.PathValue("secret"), Email: r.PostForm.Get("email"), Name: r.PostForm.Get("name"), Password: r.PostForm.Get("password"),
			Peer: c.Peer(r), Agent: r.UserAgent(),
		})
	}
	if err != nil {
		c.logUnforeseen(r, err)
		c.showEnter(w, r, statusOf(err), r.PostForm, err)
		return
	}
	setSession(w, r, in)
	http.Redirect(w, r, link(c.Prefix), http.StatusSeeOther)
}

// passwordField is the field of a form with the password for reauthentication.
const passwordField = "password_again"

// confirm checks the password or passkey for reauthentication, if the form has one.
func (v *pageRequest) confirm() (err error) {
	switch {
	case v.sent(reauthAnswer) != "":
		_, err = v.Backoffice.ConfirmWithPasskey(v.ctx, v.actor, v.answered(v.r, reauthChallenge, reauthAnswer))
	case v.r.PostForm.Has(passwordField):
		_, err = v.Backoffice.Confirm(v.ctx, v.actor, backoffice.Confirm{Password: v.sent(passwordField)})
	default:
		return nil
	}
	if err != nil {
		return err
	}
	proved, err := v.Backoffice.Identify(v.ctx, v.secret, v.actor.Peer)
	v.actor = proved
	return err
}

// confirmPage asks for the password again. It has the values of the form that was sent.
type confirmPage struct {
	Form     *form
	Action   string
	Kept     []choice
	Password field
	// Passkey reports that the operator has one, which can be used instead.
	Passkey bool
}

// reauthenticate shows the page that asks for the password, and then carries on with the
// form. refused is the error of a password that was given, or nil.
func (v *pageRequest) reauthenticate(refused error) error {
	switch {
	case errors.Is(refused, fault.Unauthenticated) && v.sent(reauthAnswer) == "":
		refused = wrongField(passwordField, fault.CodeUnauthenticated, fault.Textf("the password is wrong"))
	case refused != nil && !errors.Is(refused, fault.Unauthenticated) && !isMendable(refused):
		return refused
	}
	if refused != nil {
		tellWait(v.w, refused)
	}
	f := newForm(nil, refused)
	p := confirmPage{Form: &f, Action: v.r.URL.RequestURI(), Password: f.password(passwordField, "Password", "", "current-password")}
	for _, name := range slices.Sorted(maps.Keys(v.r.PostForm)) {
		if name == passwordField || name == reauthChallenge || name == reauthAnswer {
			continue
		}
		for _, value := range v.r.PostForm[name] {
			p.Kept = append(p.Kept, choice{Value: name, Label: value})
		}
	}
	passkeys, err := v.Backoffice.ListPasskeys(v.ctx, v.actor, kernel.Nothing{})
	if err != nil {
		return err
	}
	p.Passkey = len(passkeys) > 0
	around, err := v.frame(page{title: "Your password again"})
	if err != nil {
		return err
	}
	around.Page = p
	return v.write(v.w, http.StatusUnauthorized, "confirm", around)
}

// refuseForeign answers a form that another site sent.
func (c *Console) refuseForeign(w http.ResponseWriter, r *http.Request) {
	c.showAlone(w, r, http.StatusForbidden, failureTemplate, "This was not done", failure{
		Title: "This was not done", Text: "The form was not sent from a page of this console.", Code: string(fault.CodeForbidden),
	})
}
