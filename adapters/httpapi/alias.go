package httpapi

import (
	"fmt"
	"strings"
)

// spellings are the names under which the fields of a record are accepted:
// the snake_case name, the aliases of its tag, and the camelCase of both.
type spellings map[string]spelling

// spelling is what one name stands for.
type spelling struct {
	field int
	// snake is the snake_case name it is, or is the camelCase of. Two different
	// ones for the same field in one request contradict each other; a snake_case
	// and a camelCase of the same one do not, the first wins.
	snake string
	camel bool
	// quiet: the camelCase is documented, hence not deprecated.
	quiet bool
}

// add gives a field its names. Aliases are as in the tag, separated by commas.
func (s spellings) add(field int, name, aliases string) {
	s.put(name, spelling{field: field, snake: name})
	for alias := range strings.SplitSeq(aliases, ",") {
		switch {
		case alias == "":
		case snakeCase(alias) == name:
			s.put(alias, spelling{field: field, snake: name, camel: true, quiet: true})
		default:
			s.put(alias, spelling{field: field, snake: alias})
		}
	}
}

func (s spellings) put(name string, to spelling) {
	if _, taken := s[name]; taken {
		panic(fmt.Sprintf("two fields of a request are called %q", name))
	}
	s[name] = to
}

// find returns what a name of a request stands for.
func (s spellings) find(name string) (spelling, bool) {
	if found, ok := s[name]; ok {
		return found, true
	}
	snake := snakeCase(name)
	if snake == "" {
		return spelling{}, false
	}
	found, ok := s[snake]
	if !ok {
		return spelling{}, false
	}
	found.camel = true
	return found, true
}

// snakeCase returns the snake_case of a camelCase name: an underscore before each
// upper-case letter that follows a lower-case letter or a digit, and all in
// lower case. It is empty for names that are not camelCase, such as AGENCY_ID:
// every spelling beyond the documented ones would be one to support forever.
func snakeCase(name string) string {
	uppers := 0
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z':
		case '0' <= c && c <= '9' && i > 0:
		case 'A' <= c && c <= 'Z' && i > 0:
			uppers++
		default:
			return ""
		}
	}
	if uppers == 0 {
		return ""
	}
	snake := make([]byte, 0, len(name)+uppers)
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			if before := name[i-1]; before < 'A' || before > 'Z' {
				snake = append(snake, '_')
			}
			c += 'a' - 'A'
		}
		snake = append(snake, c)
	}
	return string(snake)
}

// pick is the value chosen for a field among the members that spell it.
type pick struct {
	node     *node
	spelling spelling
	// name is the member's name as it was written.
	name string
	// contradicted: two snake_case spellings of the field are present.
	contradicted bool
}

// choose lets a member compete for its field: snake_case wins over camelCase
// whole, even when it is null; among equals the last one wins. The loser is
// ignored, which the answer tells.
func (b *binding) choose(picks []pick, found spelling, member *node) {
	if found.camel && !found.quiet {
		b.deprecate(member.name)
	}
	old := &picks[found.field]
	switch {
	case old.node == nil:
	case old.spelling.snake != found.snake:
		old.contradicted = true
		return
	case found.camel && !old.spelling.camel:
		b.ignore(member.name)
		return
	case old.name != member.name:
		b.ignore(old.name)
	}
	picks[found.field] = pick{node: member, spelling: found, name: member.name, contradicted: old.contradicted}
}
