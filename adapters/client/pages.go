package client

import (
	"errors"
	"fmt"
	"iter"

	"github.com/oapi-codegen/nullable"
)

// page is one of an answer. next is the cursor of the page after it, empty after the last; more
// reports that the answer says there is one.
type page[Item any] struct {
	items []Item
	next  string
	more  bool
}

// all iterates over the items of all pages. read returns the page at a cursor, empty for the
// first. A page is read when the items of the one before are used up. An error ends the iteration, and so
// does a page that says there are more and not where, or a cursor that comes again.
func all[Item any](read func(cursor string) (page[Item], error)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var none Item
		cursor := ""
		for seen := map[string]bool{}; ; seen[cursor] = true {
			p, err := read(cursor)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range p.items {
				if !yield(item, nil) {
					return
				}
			}
			switch {
			case p.next == "" && p.more:
				yield(none, errors.New("client: there are more, and the server gives no cursor: it does not for searches with skip, count, sort_type or sort_order"))
				return
			case p.next == "":
				return
			case seen[p.next] || p.next == cursor:
				yield(none, errors.New("client: the server gave the same cursor twice"))
				return
			}
			cursor = p.next
		}
	}
}

// cursorOf returns the cursor of an answer as a text, empty for null.
func cursorOf[T any](next nullable.Nullable[T]) string {
	value, err := next.Get()
	if err != nil {
		return ""
	}
	return fmt.Sprint(value)
}

// placeCursor sets a parameter to a cursor, and leaves it where there is none.
func placeCursor[T string | int64](parameter *T, cursor string) error {
	if cursor == "" {
		return nil
	}
	if _, err := fmt.Sscan(cursor, parameter); err != nil {
		return fmt.Errorf("client: the cursor %q is not of the type of its parameter", cursor)
	}
	return nil
}

// valueAt returns what a pointer points to, the zero value for nil.
func valueAt[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}
