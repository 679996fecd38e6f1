package mirror

import "time"

// Kind says what a record is of.
type Kind string

// The kinds of record. A product has the id that the server gave it. The others are read as a
// whole, and their id is 0.
const (
	Product    Kind = "product"
	Agencies   Kind = "agencies"
	Vocabulary Kind = "vocabulary"
)

// Key names a record.
type Key struct {
	Kind Kind
	ID   int64
}

// Record is what a server answers about something.
type Record struct {
	Key
	// Body is the JSON of the record. There is none when the record is not shown.
	Body []byte
	// Shown reports that the record belongs to the active published catalogue. Gone reports that
	// the server has no such record.
	Shown, Gone bool
	// Parent is the product that a lot belongs to, or 0.
	Parent int64
}

// Mark says that a record must be read.
type Mark struct {
	Key
	// Generation is raised by each notification.
	Generation int64
	// Since is when the oldest notification came that has not been followed.
	Since time.Time
	// Tries counts the reads that failed, and Due is when the next one may be made.
	Tries int
	Due   time.Time
	// Asked is the revision of the state when the mark was looked up.
	Asked int64
}

// Change is all that follows from an observation. It is stored whole or not at all.
type Change struct {
	State State
	// At is the moment of the observation.
	At time.Time
	// Mark are records that must be read. The generation of one that is marked already is raised,
	// and its mark is due at once.
	Mark []Key
	// MarkLots are products whose lots must be read.
	MarkLots []int64
	// End are marks that are deleted, unless their generation is another by now.
	End []Mark
	// Postpone are marks that have other tries and another due time, under the same condition.
	Postpone []Mark
	// Put are records as they were at the revision Asked or later. One that was stored after it is
	// left as it is, and marked.
	Put   []Record
	Asked int64
	// Compare is a stretch of the catalogue. It is nil when there is none.
	Compare *Stretch
}

// Stretch is a part of the catalogue by ascending id: the products that are active and published
// with an id after After, up to UpTo, or to the end when UpTo is 0. Products that are shown though
// they are not in it, and those in it that are not shown, are marked.
type Stretch struct {
	After, UpTo int64
	IDs         []int64
}
