package mirror

import (
	"context"
	"errors"
	"time"
)

// ErrAbsent is returned for what the server does not have, or does not show to this credential.
var ErrAbsent = errors.New("mirror: the server has no such record")

// Abilities says what a server offers beyond searching, reading and subscribing.
type Abilities struct {
	// Events: there is a log of events.
	Events bool
	// Hooks: a webhook can be read, and says whether it is suspended.
	Hooks bool
	// Vocabulary: there are events about agencies, their users and criteria.
	Vocabulary bool
	// Leads and Bookings: what visitors of a website send is taken.
	Leads, Bookings bool
}

// Page is a page of products. Next is the cursor of the page that follows, "" at the end. Date is the
// time of the server when it answered.
type Page struct {
	Records []Record
	Next    string
	Date    time.Time
}

// IDPage is a page of the ids of the active published catalogue, ascending.
type IDPage struct {
	IDs  []int64
	Next string
}

// EventPage is a page of the log of events. Keys are the records that the events are about, each
// once. Read is the number of the last event that was read, and Last of the last there is.
// Skipped reports that so many numbers are missing that the server's database must have been set back.
type EventPage struct {
	Keys       []Key
	Read, Last int64
	More       bool
	Skipped    bool
}

// Remote is the server.
type Remote interface {
	// Abilities finds out by asking what the server offers.
	Abilities(ctx context.Context) (Abilities, error)
	// Keep sees to it that one webhook of this mirror is there and active, and returns its id. hook
	// is the id it had, or 0. One that the server does not have any more is looked for by its
	// address, and made anew if there is none.
	Keep(ctx context.Context, hook int64) (id int64, anew bool, err error)
	// Suspended reports whether a webhook is suspended or deleted.
	Suspended(ctx context.Context, hook int64) (bool, error)
	// Head returns the number of the last event.
	Head(ctx context.Context) (int64, error)
	// Events returns the events after a number.
	Events(ctx context.Context, after int64) (EventPage, error)
	// Products returns the active published catalogue, or what of it was modified since a moment.
	Products(ctx context.Context, since time.Time, cursor string) (Page, error)
	// IDs returns the ids of the active published catalogue.
	IDs(ctx context.Context, cursor string) (IDPage, error)
	// Read returns a record as it is now. A product that the server does not have is Gone.
	Read(ctx context.Context, key Key) (Record, error)
}

// Copy keeps what was read. What a method has stored is on the disk when it returns.
type Copy interface {
	// State returns the state of the last change; the zero State if there was none.
	State(ctx context.Context) (State, error)
	// Store stores a change, whole or not at all.
	Store(ctx context.Context, change Change) error
	// Marks returns up to n marks in the order in which they are due, then of their keys, whether they are due yet or not.
	Marks(ctx context.Context, n int) ([]Mark, error)
	// Record returns a record as it is stored; one without Body, neither Shown nor Gone, if there is none.
	Record(ctx context.Context, key Key) (Record, error)
}
