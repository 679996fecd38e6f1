package wire

import (
	_ "embed"
	"encoding/json"

	"github.com/vitrine-crm/vitrine/adapters/openapi"
)

// examplesJSON is what a test of the whole server wrote down (apps/e2e/examples_test.go).
//
//go:embed examples.json
var examplesJSON []byte

// examples returns what the API document shows of each operation.
func examples() (all map[string]openapi.Example) {
	if err := json.Unmarshal(examplesJSON, &all); err != nil {
		panic(err) // it is a part of the program, and tested
	}
	return all
}
