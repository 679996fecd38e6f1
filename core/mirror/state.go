package mirror

import (
	"math"
	"time"
)

// State is where a mirror is. It is stored with each change.
type State struct {
	// Revision counts the changes.
	Revision int64

	// Known reports that the abilities of the server were asked for since the webhook was last in doubt.
	Known     bool
	Abilities Abilities
	// Hook is the id of the webhook, 0 before there is one. Kept reports that it was seen to be active
	// since it was last in doubt.
	Hook int64
	Kept bool
	// Numbered reports that LastEvent is known: what all events up to it tell of was marked or read.
	Numbered  bool
	LastEvent int64

	// Stage is what is being read, and Read reports that the catalogue was read to its end once:
	// there is something to show.
	Stage Stage
	Read  bool
	// Sweep reports that catching up ends with a sweep, because the log of events may not be enough.
	Sweep bool
	// Cursor is where the stage is, and Passed the last id that was compared.
	Cursor string
	Passed int64
	// Began is the time of the server when the catalogue or the sweep was begun, and Watermark that of
	// the last one that ended.
	Began, Watermark time.Time

	// Failures counts the tasks that failed one after the other, and NotBefore is when the next may be tried.
	Failures  int
	NotBefore time.Time
	// Refusals counts the tasks that were refused since catching up last ended.
	Refusals int
	// Problem is why the last task failed; "" when it did not.
	Problem string

	// CaughtUp is when catching up last ended, Delivered when something was last delivered, Looked
	// when the webhook was last looked at, and Night when the next sweep of the night is due.
	CaughtUp, Delivered, Looked, Night time.Time
	// Quiet is how long nothing may be delivered before the webhook is in doubt. Missed reports that
	// events were found of which nothing was delivered.
	Quiet  time.Duration
	Missed bool
}

// Stage is what is being read.
type Stage string

// The stages. Catching up is Events where there is a log of them, and Modified and IDs when it
// ends with a sweep.
const (
	Idle      Stage = ""
	Catalogue Stage = "catalogue"
	Events    Stage = "events"
	Modified  Stage = "modified"
	IDs       Stage = "ids"
)

// Mode says in a word what a mirror is doing.
type Mode string

// The modes. There is something to show from CatchingUp on, and while a catalogue is read again.
const (
	Subscribing Mode = "subscribing"
	Reading     Mode = "reading"
	CatchingUp  Mode = "catching up"
	Live        Mode = "live"
)

// Mode returns what the mirror is doing.
func (s State) Mode() Mode {
	switch {
	case s.Stage == Catalogue:
		return Reading
	case !s.Read:
		return Subscribing
	case !s.Kept || s.Stage != Idle:
		return CatchingUp
	}
	return Live
}

// Policy says how often a mirror asks.
type Policy struct {
	// LookEvery is how often the webhook is looked at, where that can be done.
	LookEvery time.Duration
	// Quiet is how long nothing may be delivered before the mirror catches up. It doubles each time
	// nothing was missed, up to QuietMost.
	Quiet, QuietMost time.Duration
	// Night returns the first moment after another at which the sweep of the night is due.
	Night func(after time.Time) time.Time
	// Margin is how long before the beginning of the last sweep the next one looks: writes of that
	// time may have become visible later.
	Margin time.Duration
}

// DefaultPolicy looks at the webhook every five minutes, and tolerates an hour of silence.
func DefaultPolicy(night func(after time.Time) time.Time) Policy {
	return Policy{LookEvery: 5 * time.Minute, Quiet: time.Hour, QuietMost: 24 * time.Hour, Night: night, Margin: 10 * time.Minute}
}

// The waits before something is tried again. A server may ask for more, up to LongestWait.
const (
	firstWait   = time.Second
	longestWait = 5 * time.Minute
	LongestWait = time.Hour
)

// Backoff returns how long to wait before something that failed is tried again: what the server asks for, but an hour at most,
// or a part of a wait that doubles from a second to five minutes. tries is how often it has failed before, and
// draw is a random number from 0 to 1.
func Backoff(tries int, draw float64, asked time.Duration) time.Duration {
	if asked > 0 {
		return min(asked, LongestWait)
	}
	most := min(float64(longestWait), float64(firstWait)*math.Pow(2, float64(tries)))
	return time.Duration(draw * most)
}
