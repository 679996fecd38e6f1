package sqlstore

import (
	"context"
	"database/sql"
)

// Observer is told of units of work. Several may be under way at once.
type Observer interface {
	// Begin is told that a unit begins, which may write or only reads. It works within
	// the context that is returned; end is told how it went. again says that it was
	// undone because of another one, and will be tried anew.
	Begin(ctx context.Context, writes bool) (within context.Context, end func(again bool, err error))
}

// Observed has an observer told of every unit of work.
func Observed(o Observer) Option { return func(s *Store) { s.observer = o } }

// observed is unit, told of to the observer, if there is one.
func (s *Store) observed(ctx context.Context, writes bool, unit func(context.Context) (again bool, err error)) (again bool, err error) {
	if s.observer == nil {
		return unit(ctx)
	}
	ctx, end := s.observer.Begin(ctx, writes)
	defer func() { end(again, err) }()
	return unit(ctx)
}

// Pools are the connections of the store, by what they are for.
func (s *Store) Pools() map[string]*sql.DB {
	if s.read == s.write {
		return map[string]*sql.DB{"all": s.read.DB}
	}
	return map[string]*sql.DB{"read": s.read.DB, "write": s.write.DB}
}
