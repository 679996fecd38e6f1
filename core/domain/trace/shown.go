package trace

import (
	"regexp"
	"unicode/utf8"
)

// maxClientID is how long a client id is at most that no client has and that is shown. Secrets
// that are drawn are longer.
const maxClientID = 40

var clientID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ShownClientID returns what is shown of a client id that no client has. What no client could
// have for its id is shown by its length.
func ShownClientID(id string) string {
	if len(id) <= maxClientID && clientID.MatchString(id) {
		return id
	}
	return Hidden("client id", utf8.RuneCountInString(id))
}
