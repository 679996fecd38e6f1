package kit

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// APICurl returns a command that asks the API, without a token.
func APICurl(method, path, body string) string {
	lines := []string{"curl -X " + method + " " + ShellQuoted("https://YOUR-HOST"+kernel.BasePath+path), "-H 'Authorization: Bearer '\"$TOKEN\""}
	if body != "" {
		lines = append(lines, "-H 'Content-Type: application/json'", "-d "+ShellQuoted(body))
	}
	return strings.Join(lines, " \\\n  ")
}

// ShellQuoted returns a text as one word of a shell.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Indented returns JSON with a line for each value, and any other text as it is.
func Indented(text string) string {
	var pretty bytes.Buffer
	if json.Indent(&pretty, []byte(text), "", "  ") != nil {
		return text
	}
	return pretty.String()
}
