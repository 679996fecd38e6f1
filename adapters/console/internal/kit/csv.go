package kit

import (
	"bytes"
	"encoding/csv"
	"strings"
)

// CSV returns rows as a file to be downloaded.
func CSV(name string, rows [][]string) (Download, error) {
	var text bytes.Buffer
	err := csv.NewWriter(&text).WriteAll(rows)
	return Download{Name: name, Type: "text/csv; charset=utf-8", Content: text.Bytes()}, err
}

// AsText marks a cell as text, if a spreadsheet would otherwise run it as a formula.
func AsText(cell string) string {
	if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
		return "'" + cell
	}
	return cell
}
