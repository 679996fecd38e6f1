// Package completion completes command lines. Shells ask the program itself, so that
// there is one answer for all of them, and it is never out of date.
package completion

import (
	"embed"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

//go:embed scripts
var scripts embed.FS

// Script makes a shell ask the program: bash, zsh or fish.
func Script(shell string) ([]byte, error) { return scripts.ReadFile("scripts/vitrine." + shell) }

// Files is the line by which shells complete names of files themselves.
const Files = ":files"

// Complete lists how the last of some words can go on, given those before it: a line
// each, with a tab and what it means where there is something to say.
func Complete(app *kong.Application, words []string) []string {
	if len(words) == 0 {
		return nil
	}
	at := &position{node: app.Node}
	for _, word := range words[:len(words)-1] {
		at.pass(word)
	}
	return at.complete(words[len(words)-1])
}

// position is how far a command line has come.
type position struct {
	node *kong.Node
	// flag still needs its value; arguments have been given; plain words are no flags.
	flag      *kong.Flag
	arguments int
	plain     bool
}

func (p *position) pass(word string) {
	switch name, _, given := strings.Cut(word, "="); {
	case p.flag != nil && word == "=": // bash takes it for a word
	case p.flag != nil:
		p.flag = nil
	case word == "--":
		p.plain = true
	case !p.plain && strings.HasPrefix(word, "-"):
		if flag := p.known(name); flag != nil && !given && !flag.IsBool() {
			p.flag = flag
		}
	default:
		if child := p.child(word); child != nil {
			p.node = child
		} else {
			p.arguments++
		}
	}
}

func (p *position) child(name string) *kong.Node {
	i := slices.IndexFunc(p.node.Children, func(n *kong.Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	return p.node.Children[i]
}

// flags returns those that can be given here.
func (p *position) flags() (all []*kong.Flag) {
	for _, level := range p.node.AllFlags(true) {
		all = append(all, level...)
	}
	return all
}

func (p *position) known(name string) *kong.Flag {
	for _, flag := range p.flags() {
		if "--"+flag.Name == name {
			return flag
		}
	}
	return nil
}

func (p *position) complete(word string) []string {
	if p.flag != nil {
		return values(p.flag.Value, "", strings.TrimPrefix(word, "="))
	}
	if name, value, ok := strings.Cut(word, "="); ok && !p.plain && p.known(name) != nil {
		return values(p.known(name).Value, name+"=", value)
	}
	if !p.plain && strings.HasPrefix(word, "-") {
		return p.named(word)
	}
	var found []string
	for _, child := range p.node.Children {
		if !child.Hidden && strings.HasPrefix(child.Name, word) {
			found = append(found, described(child.Name, child.Help))
		}
	}
	if p.arguments < len(p.node.Positional) {
		found = append(found, values(p.node.Positional[p.arguments], "", word)...)
	}
	return found
}

// named returns the flags that begin with a word.
func (p *position) named(word string) (found []string) {
	for _, flag := range p.flags() {
		if name := "--" + flag.Name; strings.HasPrefix(name, word) {
			found = append(found, described(name, flag.Help))
		}
		if name := "--no-" + flag.Name; flag.Tag.Negatable != "" && strings.HasPrefix(name, word) {
			found = append(found, name)
		}
	}
	return found
}

// values returns what an option or argument can be, behind something that stays.
func values(of *kong.Value, before, begun string) (found []string) {
	switch of.Tag.Type {
	case "path", "existingfile", "existingdir":
		return []string{Files}
	}
	if of.Enum == "" {
		return nil
	}
	for _, value := range of.EnumSlice() {
		if strings.HasPrefix(value, begun) {
			found = append(found, before+value)
		}
	}
	return found
}

// described returns a word and the first sentence about it.
func described(name, help string) string {
	sentence, _, _ := strings.Cut(help, "; ")
	return name + "\t" + strings.TrimSuffix(strings.ReplaceAll(sentence, "\n", " "), ".")
}
