package trace

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Filter selects requests of a site, or those that belong to none. A zero field but Site
// selects all.
type Filter struct {
	Site site.ID
	// Credential is who asked, or of requests without a site, who they say they are from.
	Credential access.CredentialID
	// SignIns selects the failed ones among those without a site, and Claimed those that say
	// they are from one of some clients.
	SignIns bool
	Claimed []access.CredentialID
	// Operation is one id of the table.
	Operation string
	// Status is a whole one such as 404, or a class such as 4.
	Status int
	Code   fault.Code
	// From is included, Until is not.
	From, Until time.Time
	// Deprecated selects those that used a deprecated name.
	Deprecated bool
	// Customer selects those about one customer.
	Customer customer.ID
}

// Matches specifies what stores find.
func (f Filter) Matches(r Request) bool {
	switch {
	case r.Site != f.Site,
		f.Credential != "" && r.Credential != f.Credential && (f.Site != 0 || r.Claimed != f.Credential),
		f.SignIns && !r.FailedSignIn(),
		len(f.Claimed) > 0 && !slices.Contains(f.Claimed, r.Claimed),
		f.Operation != "" && r.Operation != f.Operation,
		f.Status >= 10 && r.Status != f.Status,
		f.Status > 0 && f.Status < 10 && Class(r.Status) != f.Status,
		f.Code != "" && r.Code != f.Code,
		!f.From.IsZero() && r.At.Before(f.From),
		!f.Until.IsZero() && !r.At.Before(f.Until),
		f.Deprecated && len(r.Deprecated) == 0,
		f.Customer != 0 && !slices.Contains(r.Customers, f.Customer):
		return false
	}
	return true
}

// Page is a part of what was found, the latest first.
type Page struct {
	Requests []Request
	// Next is the cursor of the next page, empty on the last one.
	Next string
}

// With returns the first n requests of two pages of different lists, of which neither has more than n, as a
// page of both.
func (p Page) With(other Page, n int) Page {
	all := slices.Concat(p.Requests, other.Requests)
	slices.SortFunc(all, Later)
	both := Page{Requests: all[:min(n, len(all))]}
	if len(all) > n || p.Next != "" || other.Next != "" {
		both.Next = CursorAt(both.Requests[len(both.Requests)-1]).String()
	}
	return both
}

// Cursor is a place in a list: what follows comes after the request with this time
// and id. The zero Cursor is the beginning.
type Cursor struct {
	At time.Time
	ID string
}

// CursorAt returns the place right behind a request.
func CursorAt(r Request) Cursor { return Cursor{At: r.At, ID: r.ID} }

// Before reports whether a request comes after the place.
func (c Cursor) Before(r Request) bool {
	return c.ID == "" || Later(Request{At: c.At, ID: c.ID}, r) < 0
}

// String returns the cursor as text that clients hand back.
func (c Cursor) String() string {
	if c.ID == "" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.At.UnixMicro(), 10) + " " + c.ID))
}

// ParseCursor reads what String wrote. The empty text is the beginning.
func ParseCursor(text string) (Cursor, bool) {
	if text == "" {
		return Cursor{}, true
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return Cursor{}, false
	}
	number, id, _ := strings.Cut(string(b), " ")
	at, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id == "" {
		return Cursor{}, false
	}
	return Cursor{At: time.UnixMicro(at).UTC(), ID: id}, true
}

// Limits are what requests are kept within.
type Limits struct {
	// Before is when the oldest requests that are kept came, RefusedBefore the oldest
	// of those that were refused.
	Before, RefusedBefore time.Time
	// Most is how many are kept in all.
	Most int
}
