// Package backup is the file that a whole installation is kept in: the rows of its
// tables as they are stored, secrets sealed, and its pictures. It is the same for both
// engines, and read by either.
//
// The file is a tar, compressed with gzip if wanted. It holds a manifest, the rows in
// files of one table each (a line of JSON with the columns, then a line per row), the
// last ids drawn, the pictures, and an end with a digest of everything before it.
package backup

import (
	"errors"
	"time"
)

// Version is that of the form of the file.
const Version = 1

const (
	formatName    = "vitrine-backup"
	manifestName  = "manifest.json"
	sequencesName = "sequences.json"
	endName       = "end.json"
	tableDir      = "tables/"
	pictureDir    = "pictures/"
	// fullFile is the size from which on the rows of a table go on in another file.
	fullFile = 4 << 20
)

// ErrDamaged is that a file is no longer the backup it was, or not whole.
var ErrDamaged = errors.New("the file is damaged or cut off; nothing was written")

// Manifest says what a backup is of.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Made    time.Time `json:"made,omitzero"`
	// Program is the version of Vitrine that made it.
	Program string `json:"program,omitempty"`
	// Schema are the migrations, common to both engines, that the tables had.
	Schema []int64 `json:"schema"`
	// Owner is what the place of the pictures is marked with; empty where none is.
	Owner string `json:"owner,omitempty"`
	// Sealed is a fact of the database as it is stored: with the key it shows,
	// before all is read. Empty where nobody said.
	Sealed string `json:"sealed,omitempty"`
	// Site is the only one in it; 0 in a backup of everything.
	Site int64 `json:"site,omitempty"`
}

// End says what a backup holds.
type End struct {
	Rows     int    `json:"rows"`
	Pictures int    `json:"pictures"`
	SHA256   string `json:"sha256"`
	// MAC is a code of SHA256 that only those with a secret key can make; empty where nobody
	// made one.
	MAC string `json:"mac,omitempty"`
}
