-- What visitors entered is nowhere else: these tables stay when the copy is emptied, and a change of
-- them has to keep their rows. Bodies are sealed. Times are microseconds since 1970.
-- lead is what must be sent. A row without a body was accepted, and says that the same one does not count again.
CREATE TABLE IF NOT EXISTS lead (
	id TEXT PRIMARY KEY,
	body BLOB,
	kept_at INTEGER NOT NULL,
	tries INTEGER NOT NULL,
	due INTEGER NOT NULL,
	problem TEXT NOT NULL
) WITHOUT ROWID;
-- booking is what the page of a visitor's booking is made of.
CREATE TABLE IF NOT EXISTS booking (
	id TEXT PRIMARY KEY,
	body BLOB NOT NULL,
	until INTEGER NOT NULL
) WITHOUT ROWID;
