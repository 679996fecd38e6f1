package operator

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Location is where files come from, or go to.
type Location struct {
	// Folder is a folder below the one of the server for these files, URL an address with https, or http
	// where that is allowed. A location has one of them.
	Folder, URL string
}

// check adds what is wrong with the location. The address, which may have a password, is not shown.
func (l Location) check(problems *fault.Problems) {
	switch {
	case (l.Folder == "") == (l.URL == ""):
		problems.Add("folder", fault.CodeExactlyOneOf, "give a folder or an address, and not both")
	case path.IsAbs(l.Folder) || path.Clean("/" + l.Folder)[1:] != strings.TrimSuffix(l.Folder, "/") || strings.Contains(l.Folder, `\`):
		problems.Wrong("folder", fault.CodeInvalidFormat, l.Folder, "a folder is written below that of the server, such as agence/nantes")
	}
	if u, err := url.Parse(l.URL); l.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		problems.Add("url", fault.CodeInvalidURL, "an address begins with https:// and the name of a server")
	}
}

// With returns the location at an address that is given as Place shows it. The user and the password that
// it does not give stay, unless it is of another server; so does what Place does not show behind the path, unless that is another one.
func (l Location) With(address string) Location {
	given, err := url.Parse(address)
	before, broken := url.Parse(l.URL)
	switch {
	case err != nil || broken != nil || given.Scheme != before.Scheme || given.Host != before.Host || given.Host == "":
		return Location{URL: address}
	case address == l.Place():
		return Location{URL: l.URL}
	}
	given.User = userOf(given.User, before.User)
	if given.Path == before.Path && given.RawQuery == "" {
		given.RawQuery = before.RawQuery
	}
	return Location{URL: given.String()}
}

// userOf returns a user with a password, either of which is that of another user where it is not given.
func userOf(given, before *url.Userinfo) *url.Userinfo {
	if given == nil || before == nil {
		return cmp.Or(given, before)
	}
	password, is := given.Password()
	if password == "" {
		password, is = before.Password()
	}
	name := cmp.Or(given.Username(), before.Username())
	if !is {
		return url.User(name)
	}
	return url.UserPassword(name, password)
}

// Place returns the location without a password or a query.
func (l Location) Place() string {
	u, err := url.Parse(l.URL)
	if l.URL == "" || err != nil {
		return l.Folder
	}
	return u.Scheme + "://" + u.Host + u.Path
}
