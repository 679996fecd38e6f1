// Package setup reads what transfer.Service.Provision carries out from YAML
// files.
package setup

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Decode reads one YAML document. Unknown keys, duplicate keys and values of
// the wrong type are errors that show the place in the file.
func Decode(r io.Reader) (transfer.Setup, error) {
	var s transfer.Setup
	text, err := io.ReadAll(r)
	if err != nil {
		return s, fmt.Errorf("reading the setup: %w", err)
	}
	file, err := parser.ParseBytes(text, 0)
	if err == nil {
		err = checkNumbers(file)
	}
	if err != nil {
		return s, fmt.Errorf("reading the setup: %w", err)
	}
	documents := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	switch {
	case len(documents) == 0:
		return s, errors.New("the setup is empty")
	case len(documents) > 1:
		return s, errors.New("a setup is one YAML document, and the file holds another one")
	}
	if err := yaml.NodeToValue(documents[0].Body, &s, yaml.Strict()); err != nil {
		return s, fmt.Errorf("reading the setup: %w", err)
	}
	return s, nil
}

// plainNumber is a whole number that can be read in one way only.
var plainNumber = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)

// checkNumbers refuses whole numbers that are not written plainly. To YAML a
// telephone number or a postal code without quotes that begins with 0 is an octal
// number, and would become another one.
func checkNumbers(file *ast.File) error {
	var found numbers
	for _, document := range file.Docs {
		ast.Walk(&found, document)
	}
	return found.wrong
}

// numbers looks for the first number that is not written plainly.
type numbers struct{ wrong error }

// Visit implements ast.Visitor.
func (v *numbers) Visit(node ast.Node) ast.Visitor {
	number, ok := node.(*ast.IntegerNode)
	if ok && v.wrong == nil && !plainNumber.MatchString(number.Token.Value) {
		at := number.Token.Position
		v.wrong = fmt.Errorf("line %d, column %d: %s is not read as it is written: put it in quotes", at.Line, at.Column, number.Token.Value)
	}
	return v
}
