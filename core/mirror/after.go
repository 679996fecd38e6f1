package mirror

import "time"

// Observation is what was seen. What answers a task is observed before the next task, and before
// the next Doubted; Delivered, Answered and Unanswered may come at any time.
type Observation interface{ observation() }

type (
	// Doubted says that the webhook may not have told of everything. Began reports that the process was
	// started, and the server may be another by now. Sweep asks for a sweep as well, and Rebuild for reading the whole
	// catalogue again.
	Doubted struct{ Began, Sweep, Rebuild bool }
	// Learned answers Learn.
	Learned struct{ Abilities Abilities }
	// HeadRead answers ReadHead with the number of the last event.
	HeadRead struct{ Last int64 }
	// WasKept answers Keep.
	WasKept struct {
		Hook int64
		Anew bool
	}
	// Looked answers Look.
	Looked struct{ Suspended bool }
	// EventsRead answers ReadEvents.
	EventsRead struct{ Page EventPage }
	// ProductsRead answers ReadProducts, with its Asked.
	ProductsRead struct {
		Page  Page
		Asked int64
	}
	// IDsRead answers ReadIDs.
	IDsRead struct{ Page IDPage }
	// Failed says that a task could not be done. It is tried again after Wait. Refused reports that the
	// server says the request is wrong, as it does of a cursor that it does not know any more. Lacking
	// reports that the server has no such operation, or no more for this credential.
	Failed struct {
		Wait             time.Duration
		Refused, Lacking bool
		Problem          string
	}

	// Delivered says that the server told of records.
	Delivered struct{ Keys []Key }
	// Answered says that what is marked was read.
	Answered struct {
		Mark   Mark
		Record Record
	}
	// Unanswered says that what is marked could not be read. It is tried again after Wait.
	Unanswered struct {
		Mark Mark
		Wait time.Duration
	}
)

func (Doubted) observation()      {}
func (Learned) observation()      {}
func (HeadRead) observation()     {}
func (WasKept) observation()      {}
func (Looked) observation()       {}
func (EventsRead) observation()   {}
func (ProductsRead) observation() {}
func (IDsRead) observation()      {}
func (Failed) observation()       {}
func (Delivered) observation()    {}
func (Answered) observation()     {}
func (Unanswered) observation()   {}

// After returns what follows from an observation at a moment.
func (s State) After(p Policy, o Observation, at time.Time) Change {
	c := Change{State: s, At: at}
	n := &c.State
	n.Revision++
	switch o := o.(type) {
	case Delivered:
		n.Delivered, c.Mark = at, o.Keys
		return c
	case Answered:
		c.End, c.Put, c.Asked = []Mark{o.Mark}, []Record{o.Record}, o.Mark.Asked
		if o.Record.Gone && o.Record.Kind == Product {
			c.MarkLots = []int64{o.Record.ID}
		}
		return c
	case Unanswered:
		o.Mark.Tries, o.Mark.Due = o.Mark.Tries+1, at.Add(o.Wait)
		c.Postpone = []Mark{o.Mark}
		return c
	case Failed:
		n.Failures, n.NotBefore, n.Problem = n.Failures+1, at.Add(o.Wait), o.Problem
		if o.Refused || o.Lacking {
			// What succeeds in between does not make it sooner: a server that never knows its cursors is not asked for the
			// first pages over and over.
			n.NotBefore = at.Add(max(o.Wait, Backoff(n.Refusals, 1, 0)))
			n.Refusals++
		}
		if o.Refused {
			n.enter(n.Stage)
		}
		if o.Lacking {
			n.Known, n.Kept = false, false
		}
		return c
	}
	n.Failures, n.NotBefore, n.Problem = 0, time.Time{}, ""
	switch o := o.(type) {
	case Doubted:
		n.Kept, n.Known = false, n.Known && !o.Began
		n.Delivered = earlier(n.Delivered, at) // the clock may have been set back
		n.Sweep = n.Sweep || o.Sweep
		if o.Rebuild {
			n.rebuild()
		}
	case Learned:
		n.Known, n.Abilities = true, o.Abilities
		n.Numbered = n.Numbered && o.Abilities.Events
	case HeadRead:
		// What happened before is not known from the log; a catalogue that was read must be compared.
		n.Numbered, n.LastEvent, n.Sweep = true, o.Last, n.Sweep || n.Read
	case WasKept:
		if n.Hook != 0 && (o.Anew || n.Hook != o.Hook) {
			// Somebody deleted the webhook, or the server has another database.
			n.Numbered = false
			n.rebuild()
		}
		n.Kept, n.Hook, n.Looked = true, o.Hook, at
		switch {
		case !n.Read && n.Stage != Catalogue:
			n.enter(Catalogue)
			c.Mark = wholes()
		case n.Stage != Catalogue:
			c.Mark = n.catchUp()
		}
	case Looked:
		n.Looked = at
		if o.Suspended {
			n.Kept, n.Known = false, false
		}
	case EventsRead:
		c.Mark = n.afterEvents(p, o.Page, at)
	case ProductsRead:
		c.Put, c.Asked = o.Page.Records, o.Asked
		c.Mark = n.afterProducts(o.Page)
	case IDsRead:
		c.Compare = n.afterIDs(p, o.Page, at)
	}
	return c
}

// enter begins a stage.
func (s *State) enter(stage Stage) {
	s.Stage, s.Cursor, s.Passed = stage, "", 0
}

// rebuild reads the whole catalogue again, and compares it.
func (s *State) rebuild() {
	s.Sweep = true
	s.enter(Catalogue)
}

// catchUp begins to catch up, and returns what to mark.
func (s *State) catchUp() []Key {
	if s.Abilities.Events {
		s.enter(Events)
		return nil
	}
	return s.sweep()
}

// sweep begins a sweep, and returns what to mark.
func (s *State) sweep() []Key {
	s.Sweep = true
	s.enter(Modified)
	return wholes()
}

// wholes are the records that are read as a whole. No event may tell of them.
func wholes() []Key { return []Key{{Kind: Agencies}, {Kind: Vocabulary}} }

func (s *State) afterEvents(p Policy, page EventPage, at time.Time) []Key {
	mark := page.Keys
	s.Missed = s.Missed || len(mark) > 0 && !s.Delivered.After(s.CaughtUp)
	setBack := page.Skipped || page.Last < s.LastEvent
	s.LastEvent = min(max(s.LastEvent, page.Read), page.Last)
	switch {
	case setBack:
		// Products are as they were before, and nothing says which.
		s.rebuild()
	case page.More:
	case s.Sweep:
		mark = append(mark, s.sweep()...)
	default:
		s.caughtUp(p, at)
	}
	return mark
}

func (s *State) afterProducts(page Page) []Key {
	if s.Cursor == "" {
		s.Began = page.Date
	}
	s.Cursor = page.Next
	switch {
	case page.Next != "":
	case s.Stage == Catalogue:
		s.Read, s.Watermark = true, s.Began
		return s.catchUp()
	default:
		s.enter(IDs)
	}
	return nil
}

func (s *State) afterIDs(p Policy, page IDPage, at time.Time) *Stretch {
	stretch := Stretch{After: s.Passed, IDs: page.IDs}
	if page.Next != "" {
		s.Cursor = page.Next
		if len(page.IDs) == 0 {
			return nil
		}
		s.Passed = page.IDs[len(page.IDs)-1]
		stretch.UpTo = s.Passed
		return &stretch
	}
	s.Watermark, s.Sweep, s.Night = s.Began, false, p.Night(at)
	s.caughtUp(p, at)
	return &stretch
}

// caughtUp ends catching up.
func (s *State) caughtUp(p Policy, at time.Time) {
	s.enter(Idle)
	s.Refusals = 0
	switch {
	case s.Quiet == 0 || s.Missed || s.Delivered.After(s.CaughtUp):
		s.Quiet = p.Quiet
	default:
		s.Quiet = min(2*s.Quiet, p.QuietMost)
	}
	s.Missed, s.CaughtUp = false, at
	if s.Night.IsZero() {
		s.Night = p.Night(at)
	}
}
