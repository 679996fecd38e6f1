package sqlstore

import (
	"strings"

	"github.com/Masterminds/squirrel"
)

// search is a query that is put together from what is wanted.
type search[T any] struct {
	m    mapping[T]
	b    squirrel.SelectBuilder
	args []any
}

// searchOf begins a search with a condition.
func searchOf[T any](m mapping[T], condition string, args ...any) *search[T] {
	return &search[T]{m, m.find(condition), args}
}

// narrow adds a condition, if it is wanted.
func (s *search[T]) narrow(wanted bool, condition string, args ...any) {
	if wanted {
		s.b, s.args = s.b.Where(condition), append(s.args, args...)
	}
}

// among adds the condition that an expression, which may have arguments, is one of
// some texts; none is any.
func (s *search[T]) among(expression string, texts []string, args ...any) {
	condition, wanted := oneOf(expression, texts)
	s.narrow(len(texts) > 0, condition, append(args, wanted...)...)
}

// oneOf is the condition that an expression is one of some texts, and its arguments.
func oneOf(expression string, texts []string) (condition string, args []any) {
	for _, text := range texts {
		args = append(args, text)
	}
	return expression + " IN (" + squirrel.Placeholders(len(texts)) + ")", args
}

// order sorts by some columns, all in the same direction.
func (s *search[T]) order(desc bool, columns ...string) {
	direction := ""
	if desc {
		direction = " DESC"
	}
	s.b = s.b.OrderBy(strings.Join(columns, direction+", ") + direction)
}

// page runs the search for at most limit records behind the first ones.
func (s *search[T]) page(t *tx, limit, skip int) ([]T, error) {
	statement := t.store.text(s.b.Suffix("LIMIT ? OFFSET ?"))
	return list(t, s.m, statement, append(s.args, max(limit, 0), max(skip, 0))...)
}
