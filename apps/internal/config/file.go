package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// File names a file with options.
type File struct {
	Config string `env:"VITRINE_CONFIG" type:"existingfile" placeholder:"FILE" help:"YAML file with options, by their names. Flags and variables win over it."`
}

// fileFlag is the one option that cannot be in a file.
const fileFlag = "config"

// BeforeResolve has the command line read from the file what neither flags nor
// variables say. One file may be for all commands: options that others take are let
// pass, those that none takes are refused.
func (File) BeforeResolve(ctx *kong.Context) error {
	known, path := options(ctx)
	if path == "" {
		return nil
	}
	said, err := readFile(path, known)
	if err != nil {
		return err
	}
	ctx.AddResolver(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		entry, ok := said[flag.Name]
		if !ok || len(flag.Envs) == 0 || fromEnvironment(flag) {
			return nil, nil
		}
		// Kong would say what is wrong, but not where.
		scratch := reflect.New(flag.Target.Type()).Elem()
		if err := flag.Parse(kong.Scan().PushTyped(entry.text, kong.FlagValueToken), scratch); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, entry.line, err)
		}
		return entry.text, nil
	}))
	return nil
}

// options returns the names of all options that have a variable, of whichever command,
// and the file that is to be read.
func options(ctx *kong.Context) (known map[string]bool, path string) {
	known = map[string]bool{}
	_ = kong.Visit(ctx.Model.Node, func(node kong.Visitable, next kong.Next) error {
		flag, ok := node.(*kong.Flag)
		switch {
		case !ok || len(flag.Envs) == 0:
		case flag.Name == fileFlag:
			path, _ = ctx.FlagValue(flag).(string)
		default:
			known[flag.Name] = true
		}
		return next(nil)
	})
	return known, path
}

// entry is what a file says of an option, as a flag would say it.
type entry struct {
	text string
	line int
}

func readFile(path string, known map[string]bool) (map[string]entry, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(content, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	said := map[string]entry{}
	for _, document := range file.Docs {
		if err := readOptions(document.Body, known, said); err != nil {
			return nil, fmt.Errorf("%s:%w", path, err)
		}
	}
	return said, nil
}

// readOptions reads a document. Its errors begin with the line.
func readOptions(document ast.Node, known map[string]bool, said map[string]entry) error {
	var all []*ast.MappingValueNode
	switch node := document.(type) {
	case nil, *ast.CommentGroupNode, *ast.NullNode:
		return nil
	case *ast.MappingNode:
		all = node.Values
	case *ast.MappingValueNode:
		all = []*ast.MappingValueNode{node}
	default:
		return fmt.Errorf("%d: this is not a list of options such as listen: 127.0.0.1:8080", lineOf(node))
	}
	for _, option := range all {
		name, line := option.Key.GetToken().Value, lineOf(option.Key)
		if !known[name] {
			return fmt.Errorf("%d: there is no option %s", line, name)
		}
		if before, twice := said[name]; twice {
			return fmt.Errorf("%d: %s is already said in line %d", line, name, before.line)
		}
		text, err := flagText(option.Value)
		if err != nil {
			return fmt.Errorf("%d: %s %w", line, name, err)
		}
		said[name] = entry{text, line}
	}
	return nil
}

func lineOf(node ast.Node) int { return node.GetToken().Position.Line }

// flagText returns a value as it is written behind a flag: the items of a list with commas
// between them.
func flagText(value ast.Node) (string, error) {
	switch node := value.(type) {
	case *ast.StringNode:
		return node.Value, nil
	case *ast.LiteralNode:
		return strings.TrimSpace(node.Value.Value), nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node.GetToken().Value, nil
	case *ast.SequenceNode:
		var items []string
		for _, item := range node.Values {
			if _, nested := item.(*ast.SequenceNode); nested {
				return "", errors.New("must be one value, or a list of them")
			}
			text, err := flagText(item)
			if err != nil {
				return "", err
			}
			items = append(items, strings.ReplaceAll(text, ",", `\,`))
		}
		return strings.Join(items, ","), nil
	}
	return "", errors.New("must be one value, or a list of them")
}
