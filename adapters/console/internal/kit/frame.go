package kit

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// FailureTemplate shows what went wrong.
const FailureTemplate = "failure"

// WhichSiteTemplate asks for which site a page is to be shown.
const WhichSiteTemplate = "which-site"

// Failure is a page that says what went wrong.
type Failure struct {
	Title      Text
	Text, Code string
}

// StatusOf returns what a fault is in HTTP.
func StatusOf(err error) int {
	if errors.Is(err, errUnreadable) {
		return http.StatusBadRequest
	}
	switch fault.From(err).Kind {
	case fault.Forbidden:
		return http.StatusForbidden
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Gone:
		return http.StatusGone
	case fault.NotAllowed:
		return http.StatusMethodNotAllowed
	case fault.Conflict, fault.Stale:
		return http.StatusConflict
	case fault.TooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.Invalid, fault.Unrecognised, fault.Unsupported:
		return http.StatusUnprocessableEntity
	case fault.Limited:
		return http.StatusTooManyRequests
	case fault.Unavailable, fault.Moved:
		return http.StatusServiceUnavailable
	case fault.Unauthenticated:
		return http.StatusUnauthorized
	case fault.Internal, fault.Kinds:
	}
	return http.StatusInternalServerError
}

// TellWait says after how many seconds what was refused can be tried again.
func TellWait(w http.ResponseWriter, err error) {
	if wait := fault.From(err).Wait; wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
}

// FailureOf returns what went wrong in words for a person who did something, or wanted to
// see it.
func (l Language) FailureOf(err error, did bool) Failure {
	known := fault.From(err)
	if errors.Is(err, errNoSite) {
		return Failure{Title: "There is no site yet", Text: known.Message.In(l.API)}
	}
	f := Failure{Text: l.toOperators(known.Code, known.Message), Code: string(known.Code)}
	switch known.Kind {
	case fault.NotFound, fault.Gone:
		f.Title = "This is not here"
	case fault.Forbidden:
		f.Title = "You may not see this"
		if did {
			f.Title = "You may not do this"
		}
	case fault.Unavailable:
		f.Title, f.Text = "Not now", l.Say("Something that this needs does not answer. Try again in a moment.")
	case fault.Internal:
		f.Title, f.Text = "Something went wrong", l.Say("That was not foreseen. The log of the server says more.")
	default:
		f.Title = "This was not done"
	}
	return f
}

// toOperators returns a message of the API for somebody who has a role in place of a token.
func (l Language) toOperators(code fault.Code, text fault.Text) string {
	about := []fault.Code{fault.CodePackMissing, fault.CodePermissionMissing, fault.CodeRightMissing}
	if slices.Contains(about, code) && strings.HasPrefix(text.String(), "this ") {
		return l.Say("your role does not allow this")
	}
	return strings.NewReplacer(
		"the token's agencies", "the agencies of this site", "the token's scope", "this site",
		"les agences du jeton", "les agences de ce site", "le périmètre du jeton", "ce site",
	).Replace(text.In(l.API))
}

// fail shows what went wrong in place of a page.
func (v *Request) fail(err error) {
	status := StatusOf(err)
	v.LogUnforeseen(v.HTTP, err)
	TellWait(v.Answer, err)
	f, broken := v.frame(Page{})
	if broken != nil {
		f = v.bare(v.HTTP)
	}
	said := v.FailureOf(err, v.HTTP.Method == http.MethodPost)
	if v.Portal && errors.Is(err, fault.Forbidden) { // a client has a token, and no role
		said.Text = fault.From(err).Message.In(v.API)
	}
	f.Title, f.Page = v.Show(said.Title), said
	v.send(v.Answer, status, FailureTemplate, f)
}

// send is write for pages that nothing can be put in place of.
func (c *Console) send(w http.ResponseWriter, status int, name string, f Frame) {
	if err := c.write(w, status, name, f); err != nil {
		c.Logger.Error("a page of the console cannot be shown", "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

// bare returns the frame of a page for somebody who has not signed in.
func (c *Console) bare(r *http.Request) Frame {
	l := c.LanguageOf(r)
	return Frame{Prefix: c.Prefix, Site: "0", Nonce: nonceOf(r.Context()), Environment: c.Environment, Language: l, Languages: c.others(r, l)}
}

// frame returns what stands around a page.
func (v *Request) frame(p Page) (Frame, error) {
	f := v.bare(v.HTTP)
	f.Site, f.All, f.Title = v.SiteParameter(), v.All, v.Show(p.Title)
	f.Zone = v.Time.Location().String()
	f.Operator, f.Role, f.Self = v.Actor.Operator.Name, v.Show(Text(v.Actor.Operator.Role)), v.Link("me")
	if v.Portal {
		f.Role, f.Self = v.Show("Credential"), v.Link("credentials", v.Actor.Client())
	}
	f.Sites = v.SiteChoices()
	for i, s := range v.Sites {
		f.Sites[i].Chosen = s.ID == v.SiteID
	}
	f.JumpsTo, f.Flash = v.jumpsTo(), v.takeFlash()
	if v.Actor.LacksPasskey {
		return f, nil
	}
	if len(p.Filters) > 0 && v.May(v.Pages["/me/filters"]) {
		f.Filters = filters.On(v.Prefix, p.Path, v.FilterOf(p, v.HTTP.URL.Query()), v.Actor.Operator.Filters)
	}
	var err error
	f.Menu, err = v.menu(cmp.Or(p.Under, p.Path))
	return f, err
}

// takeFlash returns what is to be said on this page, which is said once.
func (v *Request) takeFlash() *Flash {
	sealed := v.Cookie(v.HTTP, cookies.Flash)
	if sealed == "" || v.HTTP.Method != http.MethodGet || isRefresh(v.HTTP) {
		return nil
	}
	v.SetCookie(v.Answer, v.HTTP, cookies.Flash, "")
	said := &Flash{}
	if cookies.Open(sealed, v.secret, said) != nil {
		return nil
	}
	return said
}

// menu returns the pages that the operator's role can see. Without a site, those about one are left out.
func (v *Request) menu(current string) ([]Section, error) {
	var shown []Section
	for _, label := range sections() {
		s := Section{Label: label}
		for _, p := range v.table {
			if p.Menu == nil || p.Menu.Section != label || !v.May(p) || len(v.Sites) == 0 && !p.Siteless {
				continue
			}
			line, err := v.item(p, current)
			if err != nil {
				return nil, err
			}
			s.Items = append(s.Items, line)
		}
		if len(s.Items) > 0 {
			shown = append(shown, s)
		}
	}
	return shown, nil
}

// May reports whether the operator's role can see a page. Nobody sees one that there is not.
func (v *Request) May(p Page) bool {
	return p.Path != "" && v.Actor.May(p.Powers) && p.Rule.Check(v.Actor.Grant(v.SiteID)) == nil
}

// item returns a line of the menu. What needs attention behind it is counted, unless the
// operator may not look there.
func (v *Request) item(p Page, current string) (Item, error) {
	line := Item{Label: p.Menu.Label, Href: v.Prefix + p.Path, Icon: p.Menu.Icon, Current: p.Path == current}
	if p.Menu.Badge == nil || v.SiteID == 0 && (!v.All || !p.Siteless) {
		return line, nil
	}
	n, err := p.Menu.Badge(v)
	if errors.Is(err, fault.Forbidden) {
		return line, nil
	}
	if n > 0 {
		line.Badge = strconv.Itoa(n)
	}
	return line, err
}

// jumpsTo names what the box on top finds for the operator; empty where there is no box.
func (v *Request) jumpsTo() string {
	if !v.May(v.Pages["/jump"]) {
		return ""
	}
	if v.May(v.Pages["/products"]) {
		return v.Say("Number, name or request id…")
	}
	return v.Say("Number or name of a customer…")
}
