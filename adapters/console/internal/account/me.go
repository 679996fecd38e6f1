package account

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// mePages returns what operators see of themselves.
func mePages() []kit.Page {
	return []kit.Page{
		{Path: "/me", Siteless: true, Title: "You", Template: "me", Show: showMe, Do: changePassword},
		{Path: "/me/sessions", Siteless: true, Do: endSession, On: "/me"},
		{Path: "/me/sign-out-everywhere", Siteless: true, Do: endEverySession, On: "/me"},
		{Path: "/me/passkeys", Siteless: true, Title: "Your passkeys", Template: "my-passkeys", Show: showPasskeys, Do: addPasskey},
		{Path: "/me/passkeys/remove", Siteless: true, Do: removePasskey, On: "/me"},
		{Path: "/me/filters", Siteless: true, Do: saveFilter},
		{Path: "/me/filters/remove", Siteless: true, Do: removeFilter},
	}
}

// mePage is the operator who looks at it.
type mePage struct {
	Name, Email, Sites string
	Role               kit.Text
	Sessions           []sessionRow
	Password           kit.Field
	// Provider says where the operator signs in, who has no password; empty for one who has.
	Provider string
	Filters  []filterRow
	passkeysPage
}

type sessionRow struct {
	ID, Agent, Peer string
	Started, Seen   kit.Moment
	Current         bool
	State           kit.State
}

func showMe(v *kit.Request) (any, error) {
	sessions, err := v.Backoffice.ListSessions(v.Ctx, v.Actor, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	f, o := v.Form(), v.Actor.Operator
	p := mePage{
		Name: o.Name, Email: o.Email, Role: kit.Text(o.Role), Sites: v.Plural(int64(len(o.Sites)), "site", "sites") + " " + v.SitesInWords(o.Sites, false),
		Password: f.Password("password", "New password", "At least 12 characters. You are signed out everywhere else.", "new-password"),
		Filters:  filterRows(v),
	}
	if o.Everywhere {
		p.Sites = v.Say("all sites")
	}
	if o.ByProvider() {
		p.Provider = v.Say("You sign in with %s, which decides what you may do here.", v.Backoffice.ProviderName())
	}
	if p.passkeysPage, err = newPasskeysPage(v, f); err != nil {
		return nil, err
	}
	for _, s := range sessions {
		p.Sessions = append(p.Sessions, sessionRow{
			ID: s.ID, Agent: browserName(v.Language, s.Agent), Peer: s.Peer, Started: v.When(s.Started.Time), Seen: v.When(s.Seen.Time), Current: s.Current, State: kit.State{Tone: kit.Well, Word: "this one"},
		})
	}
	return p, nil
}

// browserName says in words what a browser calls itself.
func browserName(l kit.Language, agent string) string {
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
	system := l.Show(kit.Text(find("Android", "Android", "iPhone", "an iPhone", "iPad", "an iPad", "Windows", "Windows", "Mac OS X", "a Mac", "Linux", "Linux")))
	switch {
	case name != "" && system != "":
		return l.Say("%s on %s", name, system)
	case name != "" || agent == "":
		return cmp.Or(name, l.Say("unknown"))
	}
	return agent
}

func changePassword(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.ChangePassword(v.Ctx, v.Actor, backoffice.ChangePassword{Password: v.Sent("password")})
	return kit.Went("me").Saying("Your password is changed."), err
}

func endSession(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.EndSession(v.Ctx, v.Actor, backoffice.EndSession{ID: v.Sent("session")})
	return kit.Went("me").Saying("You are signed out there."), err
}

func endEverySession(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.EndEverySession(v.Ctx, v.Actor, kernel.Nothing{})
	if err == nil {
		v.SetCookie(v.Answer, v.HTTP, cookies.Session, "")
	}
	return kit.Went("sign-in"), err
}

// signOut ends the session.
func signOut(v *kit.Request) error {
	if _, err := v.Backoffice.EndSession(v.Ctx, v.Actor, backoffice.EndSession{ID: string(v.Actor.Session.Hash)}); err != nil {
		return err
	}
	v.SetCookie(v.Answer, v.HTTP, cookies.Session, "")
	http.Redirect(v.Answer, v.HTTP, v.Link("sign-in")+"?out", http.StatusSeeOther)
	return nil
}
