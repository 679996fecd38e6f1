// Package setup reads what transfer.Service.Provision carries out from YAML
// files.
package setup

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Decode reads one YAML document. Unknown keys, duplicate keys and values of
// the wrong type are errors that show the place in the file.
func Decode(r io.Reader) (s transfer.Setup, err error) {
	defer explainPanic(&err)
	text, err := io.ReadAll(r)
	if err != nil {
		return transfer.Setup{}, wrong(err)
	}
	document, err := parse(lexer.Tokenize(string(text)))
	if err != nil {
		return transfer.Setup{}, err
	}
	if s, err = decode[transfer.Setup](document); err != nil {
		return s, err
	}
	return withVocabularies(s)
}

// Encode writes a setup as YAML that Decode reads, without what is empty.
func Encode(w io.Writer, s transfer.Setup) error {
	text, err := yaml.MarshalWithOptions(s, yaml.OmitZero(), yaml.IndentSequence(true))
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// explainPanic is for the YAML library, which panics over some files that are wrong, such as one
// that ends with a tag.
func explainPanic(err *error) {
	if cause := recover(); cause != nil {
		*err = wrong(fmt.Errorf("the file is no YAML: %v", cause))
	}
}

// parse puts together the only document of some tokens.
func parse(tokens token.Tokens) (ast.Node, error) {
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, wrong(err)
	}
	documents := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	switch {
	case len(documents) == 0:
		return nil, errors.New("the setup is empty")
	case len(documents) > 1:
		return nil, errors.New("a setup is one YAML document, and the file holds another one")
	}
	return documents[0].Body, nil
}

// decode reads what a document describes.
func decode[T any](document ast.Node) (described T, err error) {
	if err = checkNumbers(document); err == nil {
		err = yaml.NodeToValue(document, &described, yaml.Strict())
	}
	if err != nil {
		return described, wrong(err)
	}
	return described, nil
}

// wrong returns what is wrong with a file: the words of the YAML library in those of its users,
// with the place.
func wrong(err error) error {
	if found, ok := errors.AsType[yaml.Error](err); ok {
		err = &yaml.SyntaxError{Message: plain(found), Token: found.GetToken()}
	}
	return fmt.Errorf("reading the setup: %w", err)
}

func plain(err yaml.Error) string {
	switch err := err.(type) {
	case *yaml.TypeError:
		return fmt.Sprintf("%s is expected, not %s", kindOf(err.DstType), kindOf(err.SrcType))
	case *yaml.OverflowError:
		return err.SrcNum + " is out of range"
	case *yaml.UnexpectedNodeTypeError:
		return fmt.Sprintf("%s is expected, not %s", nodeKind(err.Expected), nodeKind(err.Actual))
	case *yaml.SyntaxError:
		return err.Message + ": indent with spaces, and what belongs together alike"
	}
	return err.GetMessage()
}

func kindOf(t reflect.Type) string {
	if t == nil {
		return "nothing"
	}
	switch t.Kind() { //nolint:exhaustive // the others are in no setup
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return nodeKind(ast.SequenceType)
	}
	return nodeKind(ast.MappingType)
}

func nodeKind(t ast.NodeType) string {
	switch t { //nolint:exhaustive // the others have names of their own
	case ast.MappingType, ast.MappingValueType:
		return "a map of keys to values"
	case ast.SequenceType:
		return "a list"
	case ast.StringType, ast.LiteralType:
		return "a text"
	}
	return "a " + t.YAMLName()
}

// plainNumber is a whole number that can be read in one way only.
var plainNumber = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)

// checkNumbers refuses whole numbers that are not written plainly. To YAML a
// telephone number or a postal code without quotes that begins with 0 is an octal
// number, and would become another one.
func checkNumbers(document ast.Node) error {
	var found numbers
	ast.Walk(&found, document)
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
