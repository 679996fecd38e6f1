package sqlstore

import (
	"database/sql"
	"errors"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Statements run in the transaction of a unit of work: those of an embedding system,
// whose own tables are in the same database.
type Statements struct{ tx *tx }

// StatementsOf are the statements of a unit of work of a Store, of one that wraps it,
// or of a use case (kernel.Caller.WithinSameCommit). They are good until the unit ends.
func StatementsOf(unit port.Tx) (Statements, error) {
	for roles := unit.Roles; ; {
		switch u := roles.(type) {
		case *tx:
			return Statements{u}, nil
		case interface{ Unwrap() port.Roles }:
			roles = u.Unwrap()
		default:
			return Statements{}, errors.New("sqlstore: the unit of work is not that of a Store")
		}
	}
}

// Exec runs a statement that writes, in the language of the engine and with its
// placeholders, and reports how many rows it touched. After one that fails the unit
// cannot succeed any more: return its error. One that met another unit is tried again
// with the whole unit. In a view it fails.
func (s Statements) Exec(statement string, args ...any) (int64, error) {
	return s.tx.exec(statement, args...)
}

// Query runs a statement that reads. Close its rows before the next statement.
func (s Statements) Query(statement string, args ...any) (*sql.Rows, error) {
	return s.tx.query(statement, args...)
}

// Taken reports whether an error of Exec says that something is there already under a
// unique key.
func (s Statements) Taken(err error) bool { return s.tx.store.dialect.trouble(err) == Duplicate }

// Fail makes the unit one that cannot succeed any more, and returns the error to return:
// for an error of rows, which it tells in the words of the ports, and where these say
// that the unit cannot go on. If the error of rows is that it met another unit, it is
// tried again, as after Exec and Query.
func (s Statements) Fail(err error) error { return s.tx.fail(err) }

// Held is the suffix of a query whose rows are held until the unit ends. It is empty in a view,
// and where units that write take turns anyway.
func (s Statements) Held() string {
	if !s.tx.writes || s.tx.store.dialect.Held == "" {
		return ""
	}
	return " " + s.tx.store.dialect.Held
}

// Writing returns why nothing can be written. Exec returns it by itself; this is for what may
// have nothing to write.
func (s Statements) Writing() error { return s.tx.writing() }
