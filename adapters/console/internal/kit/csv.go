package kit

import (
	"strings"
)

// AsText marks a cell as text, if a spreadsheet would otherwise run it as a formula.
func AsText(cell string) string {
	if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
		return "'" + cell
	}
	return cell
}
