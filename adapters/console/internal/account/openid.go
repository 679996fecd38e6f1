package account

import (
	"errors"
	"net/http"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// openIDCookie keeps the state of a sign-in at the provider.
const openIDCookie = "vitrine-openid"

// openIDDoors lead to the provider of OpenID Connect, and let in who comes back. The ways there
// are links: browsers do not follow a form from here to another server.
func (c entrance) openIDDoors(mux *http.ServeMux) {
	mux.HandleFunc("GET "+c.Prefix+"/sign-in/openid", c.beginOpenID)
	mux.HandleFunc("GET "+c.Prefix+"/sign-in/openid/back", c.finishOpenID)
	mux.HandleFunc("GET "+c.Prefix+"/set-up/{secret}/openid", c.beginOpenID)
	mux.HandleFunc("GET "+c.Prefix+"/invitations/{secret}/openid", c.beginOpenID)
}

// provider returns a link to the provider; nil where there is none.
func (c entrance) provider(l kit.Language, to string) *kit.Ref {
	name := c.Backoffice.ProviderName()
	if name == "" {
		return nil
	}
	return &kit.Ref{Label: l.Say("Sign in with %s", name), Href: to}
}

// backFromProvider is the address to which the provider sends browsers back.
func (c entrance) backFromProvider(r *http.Request) string {
	return c.OriginOf(r) + kit.Link(c.Prefix, "sign-in", "openid", "back")
}

func (c entrance) beginOpenID(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	begun, err := c.Backoffice.BeginOpenID(r.Context(), backoffice.BeginOpenID{
		Redirect: c.backFromProvider(r), To: asked.Get("to"), Invitation: r.PathValue("secret"), Again: asked.Has("again"),
		Session: c.Cookie(r, cookies.Session), Browser: c.Cookie(r, cookies.Browser), Peer: c.Peer(r),
	})
	if err != nil {
		c.showRefused(w, r, err)
		return
	}
	c.SetCookie(w, r, openIDCookie, begun.State)
	http.Redirect(w, r, begun.Address, http.StatusSeeOther)
}

func (c entrance) finishOpenID(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	in := backoffice.FinishOpenID{
		State: asked.Get("state"), Kept: c.Cookie(r, openIDCookie), Redirect: c.backFromProvider(r),
		Former: c.Cookie(r, cookies.Session), Browser: c.Cookie(r, cookies.Browser), Peer: c.Peer(r), Agent: r.UserAgent(),
	}
	if !asked.Has("error") {
		in.Code = asked.Get("code")
	}
	c.SetCookie(w, r, openIDCookie, "")
	out, err := c.Backoffice.FinishOpenID(r.Context(), in)
	switch {
	case err != nil:
		c.showRefused(w, r, err)
	case out.Secret == "":
		c.ShowAlone(w, r, http.StatusOK, "shown-again", "You have shown who you are", nil)
	default:
		c.SetSession(w, r, out.SignedIn)
		http.Redirect(w, r, c.inside(out.To), http.StatusSeeOther)
	}
}

// showRefused shows the sign-in page with the error of a sign-in at the provider. What the
// provider said wrongly is for the log.
func (c entrance) showRefused(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, fault.Unauthenticated) {
		c.Logger.Warn("a sign-in by OpenID Connect was refused", "error", err)
	}
	c.LogUnforeseen(r, err)
	kit.TellWait(w, err)
	c.ShowAlone(w, r, kit.StatusOf(err), "sign-in", "Sign in", c.newSignInPage(c.LanguageOf(r), nil, err, r.URL.Query().Get("to")))
}
