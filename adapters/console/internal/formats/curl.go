// Package formats writes what pages of the console show in the formats of other programs.
package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

// Curl returns a command that asks the API, given the path with its query and the body, which may be empty. A
// shell that has a token in TOKEN runs it. FromFile in place of the body has it read from BodyFile.
func Curl(v *kit.Request, method, path, body string) string {
	host := cmp.Or(v.Site.Kernel().Options.Domain, "https://YOUR-HOST")
	lines := []string{"curl -X " + method + " " + quoted(host+path), `-H "Authorization: Bearer $TOKEN"`}
	if body != "" {
		how := "--data-raw "
		if body == FromFile {
			how = "-d "
		}
		lines = append(lines, "-H 'Content-Type: application/json'", how+quoted(body))
	}
	return strings.Join(lines, " \\\n  ")
}

const (
	// BodyFile is the name of the file with the body of a command of which the body is not known.
	BodyFile = "body.json"
	// FromFile stands in place of a body that is read from BodyFile.
	FromFile = "@" + BodyFile
)

// quoted returns a text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Indented returns JSON with a line for each value, and any other text as it is.
func Indented(text string) string {
	var pretty bytes.Buffer
	if json.Indent(&pretty, []byte(text), "", "  ") != nil {
		return text
	}
	return pretty.String()
}
