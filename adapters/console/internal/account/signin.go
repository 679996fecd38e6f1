package account

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
)

// entrance answers those who have not signed in.
type entrance struct{ *kit.Console }

// doors adds the pages for those who have not signed in.
func doors(in *kit.Console, mux *http.ServeMux) {
	c := entrance{in}
	mux.HandleFunc("GET "+c.Prefix+"/sign-in", c.showSignIn)
	mux.HandleFunc("POST "+c.Prefix+"/sign-in", c.signIn)
	mux.HandleFunc("POST "+c.Prefix+"/sign-out", func(w http.ResponseWriter, r *http.Request) { c.SignedIn(w, r, signOut) })
	if c.Portal {
		return
	}
	for _, path := range []string{"/set-up/{secret}", "/invitations/{secret}"} {
		mux.HandleFunc("GET "+c.Prefix+path, c.showInvitation)
		mux.HandleFunc("POST "+c.Prefix+path, c.accept)
	}
	c.passkeyDoors(mux)
	c.openIDDoors(mux)
}

// signInPage is the form for signing in.
type signInPage struct {
	Form            *kit.Form
	Email, Password kit.Field
	// Passkeys reports that a passkey is taken in place of a password.
	Passkeys bool
	// To is the page to go to then.
	To   string
	Said kit.Text
	// Provider leads to the provider of OpenID Connect; nil for none.
	Provider *kit.Ref
}

func (c entrance) newSignInPage(l kit.Language, typed url.Values, refused error, to string) signInPage {
	f := kit.NewForm(l, typed, refused)
	if c.Portal {
		return signInPage{
			Form: &f, To: to,
			Email:    f.Text("client_id", "Client id", "", "").Filled("username").MustFill(),
			Password: f.Password("client_secret", "Client secret", "That with which you obtain tokens.", "current-password"),
		}
	}
	return signInPage{
		Form: &f, To: to, Passkeys: true, Provider: c.provider(l, kit.Link(c.Prefix, "sign-in", "openid")+"?"+url.Values{"to": {to}}.Encode()),
		Email:    f.Text("email", "E-mail", "", "").As("email").Filled("username").MustFill(),
		Password: f.Password("password", "Password", "", "current-password"),
	}
}

func (c entrance) showSignIn(w http.ResponseWriter, r *http.Request) {
	p := c.newSignInPage(c.LanguageOf(r), nil, nil, r.URL.Query().Get("to"))
	if r.URL.Query().Has("out") {
		p.Said = "You are signed out."
	}
	c.ShowAlone(w, r, http.StatusOK, "sign-in", "Sign in", p)
}

func (c entrance) signIn(w http.ResponseWriter, r *http.Request) {
	err := kit.ReadForm(r)
	var in backoffice.SignedIn
	switch {
	case err != nil:
	case c.Portal:
		in, err = c.Backoffice.SignInClient(r.Context(), backoffice.SignInClient{
			ID: strings.TrimSpace(r.PostForm.Get("client_id")), Secret: strings.TrimSpace(r.PostForm.Get("client_secret")),
			Former: c.Cookie(r, cookies.Session), Peer: c.Peer(r), Agent: r.UserAgent(),
		})
	default:
		in, err = c.Backoffice.SignIn(r.Context(), backoffice.SignIn{
			Email: r.PostForm.Get("email"), Password: r.PostForm.Get("password"),
			Former: c.Cookie(r, cookies.Session), Browser: c.Cookie(r, cookies.Browser), Peer: c.Peer(r), Agent: r.UserAgent(), Origin: c.OriginOf(r),
		})
	}
	c.letIn(w, r, in, err)
}

// letIn starts the session of an operator who has signed in, or shows the error.
func (c entrance) letIn(w http.ResponseWriter, r *http.Request, in backoffice.SignedIn, err error) {
	switch {
	case err != nil:
		c.LogUnforeseen(r, err)
		kit.TellWait(w, err)
		c.ShowAlone(w, r, kit.StatusOf(err), "sign-in", "Sign in", c.newSignInPage(c.LanguageOf(r), r.PostForm, err, r.PostForm.Get("to")))
		return
	case in.Passkey != nil:
		c.showPasskey(w, r, *in.Passkey)
		return
	}
	c.SetSession(w, r, in)
	http.Redirect(w, r, c.inside(r.PostForm.Get("to")), http.StatusSeeOther)
}

// inside returns an address if it is one of the console, and that of the overview otherwise.
func (c entrance) inside(named string) string {
	to, err := url.Parse(named)
	if err != nil || to.IsAbs() || to.Host != "" || to.User != nil || !strings.HasPrefix(to.Path, c.Prefix+"/") || strings.ContainsAny(named, "\\\r\n\t") ||
		path.Clean(to.Path) != strings.TrimSuffix(to.Path, "/") { // dots would lead out
		return kit.Link(c.Prefix)
	}
	return to.RequestURI()
}

// enterPage is the form for those who come by a link.
type enterPage struct {
	Form                  *kit.Form
	Heading, Button       kit.Text
	Lead                  string
	Email, Name, Password kit.Field
	// Provider is that of signInPage.
	Provider *kit.Ref
}

func (c entrance) showInvitation(w http.ResponseWriter, r *http.Request) {
	c.showEnter(w, r, http.StatusOK, nil, nil)
}

// showEnter shows what a link invites to, or that it does not any more.
func (c entrance) showEnter(w http.ResponseWriter, r *http.Request, status int, typed url.Values, refused error) {
	l := c.LanguageOf(r)
	invited, err := c.Backoffice.Invitation(r.Context(), r.PathValue("secret"))
	if err != nil {
		c.LogUnforeseen(r, err)
		said := l.FailureOf(err, r.Method == http.MethodPost)
		c.ShowAlone(w, r, kit.StatusOf(err), kit.FailureTemplate, said.Title, said)
		return
	}
	f := kit.NewForm(l, typed, refused)
	p := enterPage{
		Form: &f, Heading: "Welcome", Lead: l.Say("You are invited as %s. Choose a password to sign in.", kit.Text(invited.Role)), Button: "Come in",
		Email:    f.Text("email", "E-mail", "You sign in with it. Nothing is ever sent there.", invited.Email).As("email").Filled("username").MustFill(),
		Name:     f.Text("name", "Name", "As others see it in the audit.", invited.Name).Filled("name").MustFill(),
		Password: f.Password("password", "Password", "At least 12 characters. A sentence is easy to remember.", "new-password"),
		Provider: c.provider(l, r.URL.Path+"/openid"),
	}
	if invited.SetUp {
		p.Heading, p.Lead, p.Button = "Set up", l.Say("You are the first. You will be the administrator of everything, and can invite others."), "Begin"
	} else {
		p.Email.ReadOnly, p.Name.ReadOnly = true, true
	}
	if invited.Known {
		p.Heading, p.Lead = "Welcome back", l.Say("Choose a new password. You are signed out everywhere else.")
	}
	c.ShowAlone(w, r, status, "enter", p.Heading, p)
}

func (c entrance) accept(w http.ResponseWriter, r *http.Request) {
	err := kit.ReadForm(r)
	var in backoffice.SignedIn
	if err == nil {
		in, err = c.Backoffice.Accept(r.Context(), backoffice.Accept{
			Secret: r.PathValue("secret"), Email: r.PostForm.Get("email"), Name: r.PostForm.Get("name"), Password: r.PostForm.Get("password"),
			Peer: c.Peer(r), Agent: r.UserAgent(),
		})
	}
	if err != nil {
		c.LogUnforeseen(r, err)
		c.showEnter(w, r, kit.StatusOf(err), r.PostForm, err)
		return
	}
	c.SetSession(w, r, in)
	http.Redirect(w, r, kit.Link(c.Prefix), http.StatusSeeOther)
}
