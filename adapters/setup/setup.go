// Package setup reads what siteapi.Service.Provision carries out from YAML
// files.
package setup

import (
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"

	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// Decode reads one YAML document. Unknown keys, duplicate keys and values of
// the wrong type are errors that show the place in the file.
func Decode(r io.Reader) (siteapi.Setup, error) {
	var s siteapi.Setup
	decoder := yaml.NewDecoder(r, yaml.Strict())
	err := decoder.Decode(&s)
	var rest any
	switch {
	case errors.Is(err, io.EOF):
		return s, errors.New("the setup is empty")
	case err != nil:
		return s, fmt.Errorf("reading the setup: %w", err)
	case !errors.Is(decoder.Decode(&rest), io.EOF):
		return s, errors.New("a setup is one YAML document, and the file holds another one")
	}
	return s, nil
}
