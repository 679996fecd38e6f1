CREATE TABLE state (
	only INTEGER PRIMARY KEY CHECK (only = 0),
	document TEXT NOT NULL
);
-- record is what was read. A row without a body says that the server does not show or have it.
CREATE TABLE record (
	kind TEXT NOT NULL,
	id INTEGER NOT NULL,
	body TEXT,
	shown INTEGER NOT NULL,
	gone INTEGER NOT NULL,
	parent INTEGER NOT NULL,
	revision INTEGER NOT NULL,
	stored_at INTEGER NOT NULL,
	PRIMARY KEY (kind, id)
) WITHOUT ROWID;
-- shown is in the index, so that counting and leaving out read no bodies.
CREATE INDEX record_shown ON record (kind, id, shown) WHERE shown;
CREATE INDEX record_revision ON record (kind, revision);
CREATE INDEX record_parent ON record (parent) WHERE parent <> 0;
CREATE INDEX record_hidden ON record (stored_at) WHERE NOT shown;
-- mark is what must be read. Times are microseconds since 1970.
CREATE TABLE mark (
	kind TEXT NOT NULL,
	id INTEGER NOT NULL,
	generation INTEGER NOT NULL,
	since INTEGER NOT NULL,
	tries INTEGER NOT NULL,
	due INTEGER NOT NULL,
	PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX mark_due ON mark (due, kind, id);
