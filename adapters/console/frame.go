package console

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// failureTemplate shows what went wrong.
const failureTemplate = "failure"

// failure is a page that says what went wrong.
type failure struct{ Title, Text, Code string }

// statusOf returns what a fault is in HTTP.
func statusOf(err error) int {
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

// tellWait says after how many seconds what was refused can be tried again.
func tellWait(w http.ResponseWriter, err error) {
	if wait := fault.From(err).Wait; wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
}

// failureOf returns what went wrong in words for a person who did something, or wanted to
// see it.
func failureOf(err error, did bool) failure {
	known := fault.From(err)
	if errors.Is(err, errNoSite) {
		return failure{Title: "There is no site yet", Text: known.Message.String()}
	}
	f := failure{Text: toOperators(known.Code, known.Message), Code: string(known.Code)}
	switch known.Kind {
	case fault.NotFound, fault.Gone:
		f.Title = "This is not here"
	case fault.Forbidden:
		f.Title = "You may not see this"
		if did {
			f.Title = "You may not do this"
		}
	case fault.Unavailable:
		f.Title, f.Text = "Not now", "Something that this needs does not answer. Try again in a moment."
	case fault.Internal:
		f.Title, f.Text = "Something went wrong", "That was not foreseen. The log of the server says more."
	default:
		f.Title = "This was not done"
	}
	return f
}

// toOperators returns a message of the API for somebody who has a role in place of a token.
func toOperators(code fault.Code, text fault.Text) string {
	message := text.String()
	about := []fault.Code{fault.CodePackMissing, fault.CodePermissionMissing, fault.CodeRightMissing}
	if slices.Contains(about, code) && strings.HasPrefix(message, "this ") {
		return "your role does not allow this"
	}
	return strings.NewReplacer("the token's agencies", "the agencies of this site", "the token's scope", "this site").Replace(message)
}

// fail shows what went wrong in place of a page.
func (v *pageRequest) fail(err error) {
	status := statusOf(err)
	if status >= http.StatusInternalServerError {
		v.Logger.Error("a page of the console failed", "method", v.r.Method, "path", v.r.URL.Path, "error", err)
	}
	tellWait(v.w, err)
	f, broken := v.frame(page{})
	if broken != nil {
		f = v.bare(v.r)
	}
	said := failureOf(err, v.r.Method == http.MethodPost)
	f.Title, f.Page = said.Title, said
	v.send(v.w, status, failureTemplate, f)
}

// send is write for pages that nothing can be put in place of.
func (c *Console) send(w http.ResponseWriter, status int, name string, f frame) {
	if err := c.write(w, status, name, f); err != nil {
		c.Logger.Error("a page of the console cannot be shown", "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

// bare returns the frame of a page for somebody who has not signed in.
func (c *Console) bare(r *http.Request) frame {
	return frame{prefix: c.Prefix, assets: c.assets, Nonce: nonceOf(r.Context()), Environment: c.Environment}
}

// frame returns what stands around a page.
func (v *pageRequest) frame(p page) (frame, error) {
	f := v.bare(v.r)
	f.site, f.Title = int64(v.site), p.title
	f.Operator, f.Role = v.actor.Operator.Name, string(v.actor.Operator.Role)
	f.Sites = v.siteChoices()
	for i, s := range v.sites {
		f.Sites[i].Chosen = s.ID == v.site
	}
	f.JumpsTo, f.Flash = v.jumpsTo(), v.takeFlash()
	var err error
	f.Menu, err = v.menu(cmp.Or(p.under, p.path))
	return f, err
}

// takeFlash returns what is to be said on this page, which is said once.
func (v *pageRequest) takeFlash() *flash {
	sealed := cookie(v.r, flashCookie)
	if sealed == "" || v.r.Method != http.MethodGet || isRefresh(v.r) {
		return nil
	}
	setCookie(v.w, v.r, flashCookie, "")
	said, err := openFlash(sealed, v.secret)
	if err != nil {
		return nil
	}
	return said
}

// menu returns the pages that the operator's role can see.
func (v *pageRequest) menu(current string) ([]section, error) {
	var shown []section
	for _, label := range sections() {
		s := section{Label: label}
		for _, p := range table() {
			if p.menu == nil || p.menu.section != label || !v.may(p) {
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

// may reports whether the operator's role can see a page.
func (v *pageRequest) may(p page) bool {
	return v.actor.May(p.powers) && p.rule.Check(v.actor.Operator.Role.Grant(v.site)) == nil
}

// item returns a line of the menu. What needs attention behind it is counted, unless the
// operator may not look there.
func (v *pageRequest) item(p page, current string) (item, error) {
	line := item{Label: p.menu.label, Href: v.Prefix + p.path, Icon: p.menu.icon, Current: p.path == current}
	if p.menu.badge == nil || v.site == 0 {
		return line, nil
	}
	n, err := p.menu.badge(v)
	if errors.Is(err, fault.Forbidden) {
		return line, nil
	}
	if n > 0 {
		line.Badge = strconv.Itoa(n)
	}
	return line, err
}
