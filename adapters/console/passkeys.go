package console

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// The fields of forms that a passkey is sent with, by passkeys.js: the challenge and
// the answer to it. The others are for one that is shown again next to what a form sent.
const (
	challengeField  = "passkey_challenge"
	answerField     = "passkey_answer"
	reauthChallenge = "again_challenge"
	reauthAnswer    = "again_answer"
)

// passkeyDoors answer with what a browser is asked, as JSON for passkeys.js, and let
// in who shows a passkey.
func (c *Console) passkeyDoors(mux *http.ServeMux) {
	mux.HandleFunc("POST "+c.Prefix+"/sign-in/passkey/ask", c.askPasskey)
	mux.HandleFunc("POST "+c.Prefix+"/sign-in/passkey", c.signInWithPasskey)
	for path, ask := range map[string]func(*pageRequest) (backoffice.Asked, error){"/me/passkeys/ask": askNewPasskey, "/me/passkeys/confirm": askConfirm} {
		mux.HandleFunc("POST "+c.Prefix+path, func(w http.ResponseWriter, r *http.Request) {
			c.signedIn(w, r, func(v *pageRequest) error {
				asked, err := ask(v)
				c.tell(w, r, asked, err)
				return nil
			})
		})
	}
}

// origin returns where the browser is: scheme, host and port.
func (c *Console) origin(r *http.Request) string {
	if c.Origin != "" {
		return c.Origin
	}
	scheme := "http"
	if isSecure(r) {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: r.Host}).String()
}

// answered returns the passkey that a form was sent with.
func (c *Console) answered(r *http.Request, challenge, answer string) backoffice.Answered {
	return backoffice.Answered{Challenge: r.PostForm.Get(challenge), Answer: r.PostForm.Get(answer), Origin: c.origin(r)}
}

func (c *Console) askPasskey(w http.ResponseWriter, r *http.Request) {
	asked, err := c.Backoffice.AskPasskey(r.Context(), backoffice.AskPasskey{Origin: c.origin(r), Peer: c.Peer(r), Browser: cookie(r, browserCookie)})
	c.tell(w, r, asked, err)
}

func askNewPasskey(v *pageRequest) (backoffice.Asked, error) {
	return v.Backoffice.AskNewPasskey(v.ctx, v.actor, backoffice.AskNewPasskey{Origin: v.origin(v.r)})
}

func askConfirm(v *pageRequest) (backoffice.Asked, error) {
	return v.Backoffice.AskConfirm(v.ctx, v.actor, backoffice.AskConfirm{Origin: v.origin(v.r)})
}

// tell writes what a browser is asked, or why it is not asked anything.
func (c *Console) tell(w http.ResponseWriter, r *http.Request, asked backoffice.Asked, err error) {
	status, body := http.StatusOK, map[string]any{"challenge": asked.Challenge, "question": json.RawMessage(asked.Question)}
	if err != nil {
		c.logUnforeseen(r, err)
		tellWait(w, err)
		status, body = statusOf(err), map[string]any{"message": fault.From(err).Message.String()}
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
func (c *Console) showPasskey(w http.ResponseWriter, r *http.Request, asked backoffice.Asked) {
	c.showAlone(w, r, http.StatusOK, "passkey", "Your passkey", passkeyPage{r.PostForm.Get("to"), asked.Challenge, asked.Question})
}

func (c *Console) signInWithPasskey(w http.ResponseWriter, r *http.Request) {
	err := readForm(r)
	var in backoffice.SignedIn
	if err == nil {
		in, err = c.Backoffice.SignInWithPasskey(r.Context(), backoffice.SignInWithPasskey{
			Answered: c.answered(r, challengeField, answerField),
			Former:   cookie(r, sessionCookie), Browser: cookie(r, browserCookie), Peer: c.Peer(r), Agent: r.UserAgent(),
		})
	}
	c.letIn(w, r, in, err)
}

// passkeyRow is a passkey in the list of its operator.
type passkeyRow struct {
	ID, Name    string
	Added, Used moment
	// Copied is set where the passkey is good for nothing any more.
	Copied *state
}

// passkeyRows returns the passkeys of the operator.
func (v *pageRequest) passkeyRows() ([]passkeyRow, error) {
	all, err := v.Backoffice.ListPasskeys(v.ctx, v.actor, kernel.Nothing{})
	var rows []passkeyRow
	for _, p := range all {
		row := passkeyRow{ID: p.ID, Name: p.Name, Added: v.when(p.Added.Time), Used: v.instant(p.Used)}
		if p.Copied {
			row.Copied = &state{broken, "perhaps copied"}
		}
		rows = append(rows, row)
	}
	return rows, err
}

// passkeyName returns the field in which a new passkey gets its name. What is wrong with the
// passkey is said there, too.
func passkeyName(f *form) field {
	name := f.text("name", "Name of the device", "So that you know which one to remove when it is lost.", "").filled("off").required()
	if name.Wrong == nil {
		name.Wrong = f.problem("passkey")
	}
	return name
}

func addPasskey(v *pageRequest) (done, error) {
	_, err := v.Backoffice.AddPasskey(v.ctx, v.actor, backoffice.AddPasskey{Answered: v.answered(v.r, challengeField, answerField), Name: v.sent("name")})
	return went("me").saying("The passkey is added. You are asked for one from now on."), err
}

func removePasskey(v *pageRequest) (done, error) {
	_, err := v.Backoffice.RemovePasskey(v.ctx, v.actor, backoffice.RemovePasskey{ID: v.sent("passkey")})
	return went("me").saying("The passkey is removed."), err
}
