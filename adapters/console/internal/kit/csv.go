package kit

import (
	"bytes"
	"encoding/csv"
)

// CSV returns rows as a file to be downloaded.
func CSV(name string, rows [][]string) (Download, error) {
	var text bytes.Buffer
	err := csv.NewWriter(&text).WriteAll(rows)
	return Download{Name: name, Type: "text/csv; charset=utf-8", Content: text.Bytes()}, err
}
