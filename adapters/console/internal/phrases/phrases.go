// Package phrases puts templates of the console into another language, and has the French that all rooms share.
package phrases

import (
	"html/template"
	"regexp"
	"strings"
	"text/template/parse"
)

// The sources of templates are in English. A phrase is what stands between two tags, with the
// values in it, or in an attribute that people read. Phrases are put into another language
// before a template is parsed; values that are words of the console when it is shown.

var (
	// piece is an action of a template, a tag with the actions in it, or text up to either.
	piece = regexp.MustCompile(`(?s)\{\{.*?\}\}|<(?:[^<>{]|\{\{.*?\}\}|\{[^{])*>|[^<{]+|.`)
	// control is an action that shows nothing by itself: it parts two phrases.
	control  = regexp.MustCompile(`^\{\{-?\s*(?:if|else|end|range|with|define|block|break|continue|/\*|\$\w+\s*:?=)|^\{\{-?\s*template "(?:framed|alone|flash|icon|chart|problems|field|checks|wrong|facts|figures|empty|history|changes)"`)
	anAction = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	// inline are tags that phrases have within them.
	inline = regexp.MustCompile(`^</?(?:code|em|strong|b|kbd)\b`)
	aTag   = regexp.MustCompile(`<[^<>]*>`)
	// read are attributes that people read, or hear.
	read    = regexp.MustCompile(`\b(?:aria-label|title|placeholder|alt)="((?:[^"{]|\{\{.*?\}\})*)"`)
	letters = regexp.MustCompile(`\pL{2}`)
)

// Translated puts the phrases of a template into another language. Those that are not known stay.
func Translated(source string, in func(phrase string) (other string, known bool)) string {
	var out strings.Builder
	var phrase []string
	say := func(english string) string {
		trimmed := strings.TrimSpace(english)
		if !letters.MatchString(aTag.ReplaceAllString(anAction.ReplaceAllString(trimmed, ""), "")) {
			return english
		}
		other, known := in(trimmed)
		if !known {
			return english
		}
		return strings.Replace(english, trimmed, other, 1)
	}
	flush := func() {
		out.WriteString(say(strings.Join(phrase, "")))
		phrase = phrase[:0]
	}
	for _, p := range piece.FindAllString(source, -1) {
		switch {
		case strings.HasPrefix(p, "{{") && control.MatchString(p):
			flush()
			out.WriteString(p)
		case strings.HasPrefix(p, "<") && len(p) > 1 && !inline.MatchString(p):
			flush()
			out.WriteString(read.ReplaceAllStringFunc(p, func(attribute string) string {
				name, value, _ := strings.Cut(attribute, `="`)
				return name + `="` + say(strings.TrimSuffix(value, `"`)) + `"`
			}))
		default:
			phrase = append(phrase, p)
		}
	}
	flush()
	return out.String()
}

// ShowBy has each action of a template that shows a value show it by a function.
func ShowBy(t *template.Template, function string) {
	for _, one := range t.Templates() {
		if one.Tree != nil {
			showIn(one.Tree.Root, function)
		}
	}
}

func showIn(n parse.Node, function string) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, inner := range n.Nodes {
			showIn(inner, function)
		}
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{parse.NewIdentifier(function).SetPos(n.Pos)}})
		}
	case *parse.IfNode:
		showIn(n.List, function)
		showIn(n.ElseList, function)
	case *parse.RangeNode:
		showIn(n.List, function)
		showIn(n.ElseList, function)
	case *parse.WithNode:
		showIn(n.List, function)
		showIn(n.ElseList, function)
	}
}
