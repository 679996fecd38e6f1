package mirror

import "time"

// Task is what a mirror does next, besides reading what is marked.
type Task interface{ task() }

type (
	// Wait is nothing until a moment.
	Wait struct{ Until time.Time }
	// Doubt is done by observing Doubted. Each of the tasks below is one call of the Remote.
	Doubt struct{ Sweep bool }
	// Learn asks for the abilities of the server.
	Learn struct{}
	// ReadHead asks for the number of the last event.
	ReadHead struct{}
	// Keep sees to it that the webhook is there and active.
	Keep struct{ Hook int64 }
	// Look asks whether the webhook is suspended.
	Look struct{ Hook int64 }
	// ReadEvents reads the events after a number.
	ReadEvents struct{ After int64 }
	// ReadProducts reads a page of the catalogue, or of what of it was modified since a moment. Asked
	// is the revision at which the page is asked for.
	ReadProducts struct {
		Since  time.Time
		Cursor string
		Asked  int64
	}
	// ReadIDs reads a page of the ids of the catalogue.
	ReadIDs struct{ Cursor string }
)

func (Wait) task()         {}
func (Doubt) task()        {}
func (Learn) task()        {}
func (ReadHead) task()     {}
func (Keep) task()         {}
func (Look) task()         {}
func (ReadEvents) task()   {}
func (ReadProducts) task() {}
func (ReadIDs) task()      {}

// Task returns what to do at a moment.
func (s State) Task(p Policy, at time.Time) Task {
	switch {
	case !due(s.NotBefore, at):
		return Wait{s.NotBefore}
	case !s.Known:
		return Learn{}
	case s.Abilities.Events && !s.Numbered:
		return ReadHead{}
	case !s.Kept:
		return Keep{s.Hook}
	}
	switch s.Stage {
	case Catalogue:
		return ReadProducts{Cursor: s.Cursor, Asked: s.Revision}
	case Events:
		return ReadEvents{s.LastEvent}
	case Modified:
		return ReadProducts{Since: s.Watermark.Add(-p.Margin), Cursor: s.Cursor, Asked: s.Revision}
	case IDs:
		return ReadIDs{s.Cursor}
	case Idle:
	}
	silent := later(s.Delivered, s.CaughtUp).Add(s.Quiet)
	look := s.Looked.Add(p.LookEvery)
	switch {
	// What is beyond the next night was set before the clock was set back.
	case !at.Before(s.Night) || s.Night.After(p.Night(at)):
		return Doubt{Sweep: true}
	case !at.Before(silent):
		return Doubt{}
	case s.Abilities.Hooks && !at.Before(look):
		return Look{s.Hook}
	}
	until := earlier(silent, s.Night)
	if s.Abilities.Hooks {
		until = earlier(until, look)
	}
	return Wait{until}
}

// due reports that a moment has come, or is further away than it can be: the clock was set back.
func due(moment, at time.Time) bool {
	return !at.Before(moment) || moment.Sub(at) > LongestWait
}

// IsDue reports that a mark may be read.
func (m Mark) IsDue(at time.Time) bool { return due(m.Due, at) }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
