package sqlstore

import (
	"database/sql"

	"github.com/Masterminds/squirrel"
	"github.com/pressly/goose/v3"
)

// Dialect is all that differs between the engines. Packages sqlite and
// postgres each fill one in.
type Dialect struct {
	// Engine selects the migrations: "postgres" or "sqlite".
	Engine string
	// Goose is the migration tool's word for the engine.
	Goose goose.Dialect
	// Placeholder is how statements write their parameters.
	Placeholder squirrel.PlaceholderFormat
	// View and Update are how units of work begin.
	View, Update *sql.TxOptions
	// Held is the suffix of a read that keeps the row until the unit ends;
	// empty where units that write take turns anyway.
	Held string
	// Shared is the suffix of a read that keeps the row from those who hold it, and
	// from nobody else; empty where Held is.
	Shared string
	// RowID is an expression for what tells the rows of a table apart.
	RowID string
	// Among is the condition that a number is one of those in its parameter,
	// such as "= ANY (?)"; Numbers makes that parameter.
	Among   string
	Numbers func([]int64) any
	// AmongThose is the condition that a number is one of those that a query answers with.
	AmongThose func(query string) string
	// AmongTuples is the condition that some columns of whole numbers are together
	// one of the tuples in its parameters; Tuples makes these of what is wanted of
	// each column.
	AmongTuples func(columns ...string) string
	Tuples      func(columns ...[]int64) []any
	// Rows is a query for the columns of records of a table that are given as one
	// parameter, a JSON array of objects.
	Rows func(table string, columns []string) string
	// Bytewise is an expression that sorts text by its bytes.
	Bytewise func(column string) string
	// Like is the condition that text is like a pattern in its parameter of lower case, the case of ASCII
	// letters aside.
	Like func(column string) string
	// Place is an expression of text for where the database is. It is another one after the
	// database was set back, as far as the engine can tell, and fails on a copy that others
	// are promoted from. Cluster is one for whose copies it may be.
	Place, Cluster string
	// Log is an expression of a whole number for how far the log of the engine is kept, which
	// never gets less; '0' where nothing tells.
	Log string
	// Writable is a query that fails where nothing can be written.
	Writable string
	// Tables is a query for the names of all tables in the schema, whoever made
	// them, without those that are a part of another one.
	Tables string
	// NativeSequences tells an engine whose sequences survive a rollback from
	// one where a table has to count.
	NativeSequences bool
	// Plans tells an engine on which units of work that write begin no transaction if they
	// can, see package plan. NativeSequences is set as well.
	Plans bool
	// Leave is a statement that is run before the store closes; empty where there is nothing to do.
	Leave string
	// Damage is a query with a line for each damage of the tables and their indexes; empty where
	// the engine has none.
	Damage string
	// Clock is a query for the time of a server of its own; empty where the engine has the
	// clock of this process.
	Clock string
	// Classify says what kind of trouble an error of the driver is.
	Classify func(error) Trouble

	// known is the schema that this program knows.
	known int64
}

// Trouble is what an error of the engine means to the store.
type Trouble uint8

const (
	// Unknown is everything nobody foresaw.
	Unknown Trouble = iota
	// Refused means that the engine itself said no, and has changed nothing. An engine that
	// is not part of this process has to be told from the way to it: where Plans is set,
	// an Unknown trouble leaves open what became of the statement.
	Refused
	// Again means that the unit of work met another one; it was undone and may be run
	// again.
	Again
	// Duplicate means that a unique key is taken.
	Duplicate
	// Held means that somebody else held for too long what a statement waited for.
	Held
	// Away means that the engine cannot be reached, or cannot serve now.
	Away
	// Standby means that the connection leads to a copy of the database that does not
	// write. It is closed, so that another one is made to where the database is now.
	Standby
)
