package kit

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// OriginOf returns where the browser is: scheme, host and port.
func (c *Console) OriginOf(r *http.Request) string {
	if c.Origin != "" {
		return c.Origin
	}
	scheme := "http"
	if cookies.IsSecure(r) {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: r.Host}).String()
}

// Answered returns the passkey that a form was sent with.
func (c *Console) Answered(r *http.Request, challenge, answer string) backoffice.Answered {
	return backoffice.Answered{Challenge: r.PostForm.Get(challenge), Answer: r.PostForm.Get(answer), Origin: c.OriginOf(r)}
}

// ShowAlone shows a page without menu.
func (c *Console) ShowAlone(w http.ResponseWriter, r *http.Request, status int, name string, title Text, model any) {
	f := c.bare(r)
	f.Title, f.Page = f.Language.Show(title), model
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
	to := Link(c.Prefix, "sign-in")
	if r.Method == http.MethodGet && r.URL.Path != Link(c.Prefix) {
		to += "?" + url.Values{"to": {r.URL.RequestURI()}}.Encode()
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// LogUnforeseen logs an error that nobody but the operator of the server can mend.
func (c *Console) LogUnforeseen(r *http.Request, err error) {
	if StatusOf(err) >= http.StatusInternalServerError {
		c.Logger.Error("a page of the console failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
}

// The fields of a form that is sent again with the password, or with a passkey: the
// challenge and the answer to it.
const (
	passwordField   = "password_again"
	reauthChallenge = "again_challenge"
	reauthAnswer    = "again_answer"
)

// confirm checks the password or passkey for reauthentication, if the form has one.
func (v *Request) confirm() (err error) {
	switch {
	case v.Sent(reauthAnswer) != "":
		_, err = v.Backoffice.ConfirmWithPasskey(v.Ctx, v.Actor, v.Answered(v.HTTP, reauthChallenge, reauthAnswer))
	case v.HTTP.PostForm.Has(passwordField):
		_, err = v.Backoffice.Confirm(v.Ctx, v.Actor, backoffice.Confirm{Password: v.Sent(passwordField)})
	default:
		return nil
	}
	if err != nil {
		return err
	}
	proved, err := v.Backoffice.Identify(v.Ctx, v.secret, v.Actor.Peer)
	v.Actor = proved
	return err
}

// ConfirmPage asks for the password again. It has the values of the form that was sent.
type ConfirmPage struct {
	Form     *Form
	Action   string
	Kept     []Choice
	Password Field
	// Provider leads to where the operator signs in, who has no password; nil where they have one.
	Provider *Ref
	// Passkey reports that the operator has one, which can be used instead.
	Passkey bool
}

// reauthenticate shows the page that asks for the password, and then carries on with the
// form. refused is the error of a password that was given, or nil.
func (v *Request) reauthenticate(refused error) error {
	switch {
	case errors.Is(refused, fault.Unauthenticated) && v.Sent(reauthAnswer) == "":
		wrong := fault.Textf("the password is wrong")
		if v.Portal {
			wrong = fault.Textf("the secret is wrong")
		}
		refused = WrongField(passwordField, fault.CodeUnauthenticated, wrong)
	case refused != nil && !errors.Is(refused, fault.Unauthenticated) && !IsMendable(refused):
		return refused
	}
	if refused != nil {
		TellWait(v.Answer, refused)
	}
	f := NewForm(v.Language, nil, refused)
	label, title := Text("Password"), Text("Your password again")
	if v.Portal {
		label, title = "Client secret", "Your client secret again"
	}
	p := ConfirmPage{Form: &f, Action: v.HTTP.URL.RequestURI(), Password: f.Password(passwordField, label, "", "current-password")}
	for _, name := range slices.Sorted(maps.Keys(v.HTTP.PostForm)) {
		if name == passwordField || name == reauthChallenge || name == reauthAnswer {
			continue
		}
		for _, value := range v.HTTP.PostForm[name] {
			p.Kept = append(p.Kept, Choice{Value: name, Label: value})
		}
	}
	if !v.Portal {
		passkeys, err := v.Backoffice.ListPasskeys(v.Ctx, v.Actor, kernel.Nothing{})
		if err != nil {
			return err
		}
		p.Passkey = len(passkeys) > 0
	}
	if !v.Portal && v.Actor.Operator.ByProvider() {
		title = "Show again who you are"
		p.Provider = &Ref{Label: v.Say("Sign in again with %s", v.Backoffice.ProviderName()), Href: v.Link("sign-in", "openid") + "?again"}
	}
	around, err := v.frame(Page{Title: title})
	if err != nil {
		return err
	}
	around.Page = p
	return v.write(v.Answer, http.StatusUnauthorized, "confirm", around)
}

// refuseForeign answers a form that another site sent.
func (c *Console) refuseForeign(w http.ResponseWriter, r *http.Request) {
	c.ShowAlone(w, r, http.StatusForbidden, FailureTemplate, "This was not done", Failure{
		Title: "This was not done", Text: c.LanguageOf(r).Say("The form was not sent from a page of this console."), Code: string(fault.CodeForbidden),
	})
}
