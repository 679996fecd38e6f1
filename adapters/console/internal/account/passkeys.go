package account

import (
	"encoding/json"
	"net/http"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// The fields of forms that a passkey is sent with, by passkeys.js: the challenge and
// the answer to it.
const (
	challengeField = "passkey_challenge"
	answerField    = "passkey_answer"
)

// passkeyDoors answer with what a browser is asked, as JSON for passkeys.js, and let
// in who shows a passkey.
func (c entrance) passkeyDoors(mux *http.ServeMux) {
	mux.HandleFunc("POST "+c.Prefix+"/sign-in/passkey/ask", c.askPasskey)
	mux.HandleFunc("POST "+c.Prefix+"/sign-in/passkey", c.signInWithPasskey)
	for path, ask := range map[string]func(*kit.Request) (backoffice.Asked, error){"/me/passkeys/ask": askNewPasskey, "/me/passkeys/confirm": askConfirm} {
		mux.HandleFunc("POST "+c.Prefix+path, func(w http.ResponseWriter, r *http.Request) {
			c.SignedIn(w, r, func(v *kit.Request) error {
				asked, err := ask(v)
				c.tell(w, r, asked, err)
				return nil
			})
		})
	}
}

func (c entrance) askPasskey(w http.ResponseWriter, r *http.Request) {
	asked, err := c.Backoffice.AskPasskey(r.Context(), backoffice.AskPasskey{Origin: c.OriginOf(r), Peer: c.Peer(r), Browser: c.Cookie(r, cookies.Browser)})
	c.tell(w, r, asked, err)
}

func askNewPasskey(v *kit.Request) (backoffice.Asked, error) {
	return v.Backoffice.AskNewPasskey(v.Ctx, v.Actor, backoffice.AskNewPasskey{Origin: v.OriginOf(v.HTTP)})
}

func askConfirm(v *kit.Request) (backoffice.Asked, error) {
	return v.Backoffice.AskConfirm(v.Ctx, v.Actor, backoffice.AskConfirm{Origin: v.OriginOf(v.HTTP)})
}

// tell writes what a browser is asked, or why it is not asked anything.
func (c entrance) tell(w http.ResponseWriter, r *http.Request, asked backoffice.Asked, err error) {
	status, body := http.StatusOK, map[string]any{"challenge": asked.Challenge, "question": json.RawMessage(asked.Question)}
	if err != nil {
		c.LogUnforeseen(r, err)
		kit.TellWait(w, err)
		status, body = kit.StatusOf(err), map[string]any{"message": fault.From(err).Message.In(c.LanguageOf(r).API)}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the browser may be gone
}

// passkeyPage asks for a passkey after the password.
type passkeyPage struct {
	To, Challenge, Question string
}

// showPasskey asks somebody whose password is right for their passkey.
func (c entrance) showPasskey(w http.ResponseWriter, r *http.Request, asked backoffice.Asked) {
	c.ShowAlone(w, r, http.StatusOK, "passkey", "Your passkey", passkeyPage{r.PostForm.Get("to"), asked.Challenge, asked.Question})
}

func (c entrance) signInWithPasskey(w http.ResponseWriter, r *http.Request) {
	err := kit.ReadForm(r)
	var in backoffice.SignedIn
	if err == nil {
		in, err = c.Backoffice.SignInWithPasskey(r.Context(), backoffice.SignInWithPasskey{
			Answered: c.Answered(r, challengeField, answerField),
			Former:   c.Cookie(r, cookies.Session), Browser: c.Cookie(r, cookies.Browser), Peer: c.Peer(r), Agent: r.UserAgent(),
		})
	}
	c.letIn(w, r, in, err)
}

// passkeyRow is a passkey in the list of its operator.
type passkeyRow struct {
	ID, Name    string
	Added, Used kit.Moment
	// Copied is set where the passkey is good for nothing any more.
	Copied *kit.State
}

// passkeysPage is the passkeys of the operator, with a form for another one.
type passkeysPage struct {
	Form        *kit.Form
	Passkeys    []passkeyRow
	PasskeyName kit.Field
	PasskeyLead kit.Text
}

func newPasskeysPage(v *kit.Request, f *kit.Form) (p passkeysPage, err error) {
	p = passkeysPage{Form: f, PasskeyName: passkeyName(f), PasskeyLead: "A passkey is shown after the password, or alone. Once you have one, the password alone does not let you in."}
	switch {
	case v.Actor.LacksPasskey:
		p.PasskeyLead = "This server requires a passkey. Add one to go on. From then on it is shown after the password, or alone."
	case v.Actor.Operator.ByProvider():
		p.PasskeyLead = "With a passkey you can show again who you are, while you are signed in."
	}
	p.Passkeys, err = passkeyRows(v)
	return p, err
}

func showPasskeys(v *kit.Request) (any, error) { return newPasskeysPage(v, v.Form()) }

// passkeyRows returns the passkeys of the operator.
func passkeyRows(v *kit.Request) ([]passkeyRow, error) {
	all, err := v.Backoffice.ListPasskeys(v.Ctx, v.Actor, kernel.Nothing{})
	var rows []passkeyRow
	for _, p := range all {
		row := passkeyRow{ID: p.ID, Name: p.Name, Added: v.When(p.Added.Time), Used: v.Instant(p.Used)}
		if p.Copied {
			row.Copied = &kit.State{Tone: kit.Broken, Word: "perhaps copied"}
		}
		rows = append(rows, row)
	}
	return rows, err
}

// passkeyName returns the field in which a new passkey gets its name. What is wrong with the
// passkey is said there, too.
func passkeyName(f *kit.Form) kit.Field {
	name := f.Text("name", "Name of the device", "So that you know which one to remove when it is lost.", "").Filled("off").MustFill()
	if name.Wrong == nil {
		name.Wrong = f.Problem("passkey")
	}
	return name
}

func addPasskey(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.AddPasskey(v.Ctx, v.Actor, backoffice.AddPasskey{Answered: v.Answered(v.HTTP, challengeField, answerField), Name: v.Sent("name")})
	return kit.Went("me").Saying("The passkey is added. You are asked for one from now on."), err
}

func removePasskey(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.RemovePasskey(v.Ctx, v.Actor, backoffice.RemovePasskey{ID: v.Sent("passkey")})
	return kit.Went("me").Saying("The passkey is removed."), err
}
