package client

import (
	"errors"
	"fmt"
	"iter"

	"github.com/oapi-codegen/nullable"
)

// all iterates over the items of all pages. read returns the page at a cursor, empty for the
// first, and the cursor of the next, empty after the last. A page is read when the items of the one
// before are used up; an error ends the iteration, and so does a cursor that comes again.
func all[Item any](read func(cursor string) (items []Item, next string, err error)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var none Item
		cursor := ""
		for seen := map[string]bool{}; ; seen[cursor] = true {
			items, next, err := read(cursor)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			if seen[next] || next == cursor {
				yield(none, errors.New("client: the server gave the same cursor twice"))
				return
			}
			cursor = next
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
