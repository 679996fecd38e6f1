package sqlstore

import (
	"context"
	"database/sql"
	"errors"
)

// Observer is told of units of work. Several may be under way at once.
type Observer interface {
	// Begin is told that a unit begins, which may write or only reads. It works within
	// the context that is returned; end is told how it went. again says that it was
	// undone because of another one, and will be tried anew.
	Begin(ctx context.Context, writes bool) (within context.Context, end func(again bool, err error))
}

// StatementObserver is an Observer that is told of statements as well.
type StatementObserver interface {
	Observer
	// Statement is told of a statement, without the values of its parameters, in the
	// context of its unit of work. end is told that it was carried out or, if it
	// reads, that the database began to answer; to find nothing is no error.
	Statement(ctx context.Context, text string) (end func(error))
}

// Observed has one more observer told of every unit of work and, if it is a
// StatementObserver, of every statement.
func Observed(o Observer) Option {
	return func(s *Store) {
		s.observers = append(s.observers, o)
		if of, ok := o.(StatementObserver); ok {
			s.statements = append(s.statements, of)
		}
	}
}

// observed is unit, told of to observers.
func observed(ctx context.Context, observers []Observer, writes bool, unit func(context.Context) (again bool, err error)) (again bool, err error) {
	if len(observers) == 0 {
		return unit(ctx)
	}
	within, end := observers[0].Begin(ctx, writes)
	defer func() { end(again, err) }()
	return observed(within, observers[1:], writes, unit)
}

// observedStatement is a statement, told of to observers, for which its request waits no longer than
// it has patience.
func observedStatement[T any](ctx context.Context, s *Store, text string, statement func(context.Context) (T, error)) (T, error) {
	return observing(ctx, s, text, func() (T, error) { return within(ctx, prompt, statement) })
}

// observing is a statement, told of to observers.
func observing[T any](ctx context.Context, s *Store, text string, statement func() (T, error)) (out T, err error) {
	for _, o := range s.statements {
		end := o.Statement(ctx, text)
		defer func() {
			if errors.Is(err, sql.ErrNoRows) {
				end(nil)
			} else {
				end(err)
			}
		}()
	}
	return statement()
}

// Pools are the connections of the store, by what they are for.
func (s *Store) Pools() map[string]*sql.DB {
	if s.read == s.write {
		return map[string]*sql.DB{"all": s.read.DB}
	}
	return map[string]*sql.DB{"read": s.read.DB, "write": s.write.DB}
}
