package console

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// mePages returns what operators see of themselves.
func mePages() []page {
	return []page{
		{path: "/me", siteless: true, title: "You", template: "me", show: showMe, do: changePassword},
		{path: "/me/sessions", siteless: true, do: endSession, on: "/me"},
		{path: "/me/sign-out-everywhere", siteless: true, do: endEverySession, on: "/me"},
		{path: "/me/passkeys", siteless: true, do: addPasskey, on: "/me"},
		{path: "/me/passkeys/remove", siteless: true, do: removePasskey, on: "/me"},
	}
}

// mePage is the operator who looks at it.
type mePage struct {
	Form                     *form
	Name, Email, Role, Sites string
	Sessions                 []sessionRow
	Password                 field
	Passkeys                 []passkeyRow
	PasskeyName              field
}

type sessionRow struct {
	ID, Agent, Peer string
	Started, Seen   moment
	Current         bool
	State           state
}

func showMe(v *pageRequest) (any, error) {
	sessions, err := v.Backoffice.ListSessions(v.ctx, v.actor, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	f, o := v.form(), v.actor.Operator
	p := mePage{
		Form: f, Name: o.Name, Email: o.Email, Role: string(o.Role), Sites: plural(len(o.Sites), "site ", "sites ") + sitesInWords(o.Sites, false),
		Password: f.password("password", "New password", "At least 12 characters. You are signed out everywhere else.", "new-password"),
	}
	if o.Everywhere {
		p.Sites = "all sites"
	}
	p.PasskeyName = passkeyName(f)
	if p.Passkeys, err = v.passkeyRows(); err != nil {
		return nil, err
	}
	for _, s := range sessions {
		p.Sessions = append(p.Sessions, sessionRow{
			ID: s.ID, Agent: browserName(s.Agent), Peer: s.Peer, Started: v.when(s.Started.Time), Seen: v.when(s.Seen.Time), Current: s.Current, State: state{well, "this one"},
		})
	}
	return p, nil
}

// browserName says in words what a browser calls itself.
func browserName(agent string) string {
	find := func(names ...string) string {
		for i := 0; i < len(names); i += 2 {
			if strings.Contains(agent, names[i]) {
				return names[i+1]
			}
		}
		return ""
	}
	// Browsers also name those that they want to be taken for: the order matters.
	name := find("Edg", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari")
	system := find("Android", "Android", "iPhone", "an iPhone", "iPad", "an iPad", "Windows", "Windows", "Mac OS X", "a Mac", "Linux", "Linux")
	switch {
	case name != "" && system != "":
		return name + " on " + system
	case name != "" || agent == "":
		return cmp.Or(name, "unknown")
	}
	return agent
}

func changePassword(v *pageRequest) (done, error) {
	_, err := v.Backoffice.ChangePassword(v.ctx, v.actor, backoffice.ChangePassword{Password: v.sent("password")})
	return went("me").saying("Your password is changed."), err
}

func endSession(v *pageRequest) (done, error) {
	_, err := v.Backoffice.EndSession(v.ctx, v.actor, backoffice.EndSession{ID: v.sent("session")})
	return went("me").saying("You are signed out there."), err
}

func endEverySession(v *pageRequest) (done, error) {
	_, err := v.Backoffice.EndEverySession(v.ctx, v.actor, kernel.Nothing{})
	if err == nil {
		setCookie(v.w, v.r, sessionCookie, "")
	}
	return went("sign-in"), err
}

// signOut ends the session.
func (v *pageRequest) signOut() error {
	if _, err := v.Backoffice.EndSession(v.ctx, v.actor, backoffice.EndSession{ID: string(v.actor.Session.Hash)}); err != nil {
		return err
	}
	setCookie(v.w, v.r, sessionCookie, "")
	http.Redirect(v.w, v.r, link(v.Prefix, "sign-in")+"?out", http.StatusSeeOther)
	return nil
}
