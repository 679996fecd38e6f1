package kernel_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

type noteID int64

// note is a record of a made-up kind.
type note struct {
	ID              noteID
	Agency          site.AgencyID
	Text            string
	Version         int64
	Added, Modified time.Time
}

// notes are a table in memory that also keeps what was done, in order.
type notes struct {
	kept map[noteID]note
	done []string
}

func (n *notes) Get(_ site.ID, id noteID) (note, error) {
	found, ok := n.kept[id]
	if !ok {
		return note{}, fault.NotFound
	}
	return found, nil
}

func (n *notes) GetUnlocked(of site.ID, id noteID) (note, error) { return n.Get(of, id) }

func (n *notes) Put(changed note) error {
	n.done = append(n.done, fmt.Sprintf("put %d", changed.ID))
	n.kept[changed.ID] = changed
	return nil
}

func (n *notes) Delete(_ site.ID, id noteID) error {
	n.done = append(n.done, fmt.Sprintf("delete %d", id))
	delete(n.kept, id)
	return nil
}

// resource is the life of these notes.
func (n *notes) resource() kernel.Resource[noteID, note] {
	return kernel.Resource[noteID, note]{
		Unknown: fault.Textf("no note has this id"),
		IDs:     port.SearchIDs,
		Table:   func(port.Tx) kernel.Table[noteID, note] { return n },
		Created: event.SearchCreate, Updated: event.SearchUpdate, Deleted: event.SearchDelete,
		Stamp: func(r *note) kernel.Stamp[noteID] {
			return kernel.Stamp[noteID]{ID: &r.ID, Version: &r.Version, Added: &r.Added, Modified: &r.Modified}
		},
		Agency: func(r note) site.AgencyID { return r.Agency },
		Same:   func(a, b note) bool { return a.Text == b.Text },
		Changing: func(_ kernel.Unit, before, after note) error {
			n.done = append(n.done, before.Text+" becomes "+after.Text)
			if after.Text == "forbidden" {
				return errForbidden
			}
			return nil
		},
	}
}

var errForbidden = errors.New("not this text")

// lasting is a world of notes with one of them, which has version 3.
func lasting(t *testing.T) (ownKernel, *notes) {
	t.Helper()
	n := &notes{kept: map[noteID]note{}}
	k := newKernel(t)
	err := k.write(func(u kernel.Unit) error {
		_, err := n.resource().Create(u, note{ID: 7, Agency: 11, Text: "old"})
		return err
	})
	if err != nil || n.kept[7].Version != 3 {
		t.Fatalf("the note is %+v, %v", n.kept[7], err)
	}
	n.done = nil
	return k, n
}

func TestARecordIsCreated(t *testing.T) {
	n, k := &notes{kept: map[noteID]note{}}, newKernel(t)
	var drawn, given note
	seq := k.world.Seq(1)
	err := k.write(func(u kernel.Unit) (err error) {
		if drawn, err = n.resource().Create(u, note{Agency: 11, Text: "a"}); err == nil {
			given, err = n.resource().Create(u, note{ID: 500, Agency: 12, Text: "b"})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	now := k.Moment()
	if drawn.ID == 0 || drawn != n.kept[drawn.ID] || drawn.Version != seq+1 || !drawn.Added.Equal(now) || !drawn.Modified.Equal(now) {
		t.Errorf("without an id it becomes %+v", drawn)
	}
	if given.ID != 500 || given.Version != seq+2 {
		t.Errorf("with an id it becomes %+v", given)
	}
	var events []event.Event
	k.world.View(func(tx port.Tx) (err error) {
		events, err = tx.Ledger().After(1, seq, 10)
		return err
	})
	if len(events) != 2 || events[0].Type != event.SearchCreate || events[0].Resource != int64(drawn.ID) || events[0].Agency != 11 || events[1].Agency != 12 {
		t.Errorf("the events are %+v", events)
	}
}

// What is wrong with the request comes before sameness, which comes before the condition, which
// comes before any effect.
func TestAChangeHasOneOrder(t *testing.T) {
	wrong := kernel.Invalid("text", fault.CodeRequired, "wrong")
	match := func(versions ...kernel.Version) kernel.IfMatch {
		return kernel.IfMatch{Given: true, Versions: versions}
	}
	for name, c := range map[string]struct {
		match   kernel.IfMatch
		text    string
		problem error
		want    error
		version kernel.Version
		done    []string
		events  []string
	}{
		"wrong and stale":     {match(2), "new", wrong, fault.Invalid, 0, nil, nil},
		"wrong and the same":  {match(3), "old", wrong, fault.Invalid, 0, nil, nil},
		"stale and the same":  {match(2), "old", nil, nil, 3, nil, nil},
		"stale and forbidden": {match(), "forbidden", nil, fault.Stale, 0, nil, nil},
		"the same":            {match(2, 3), "old", nil, nil, 3, nil, nil},
		"forbidden":           {match(3), "forbidden", nil, errForbidden, 0, []string{"old becomes forbidden"}, nil},
		"changed":             {match(3), "new", nil, nil, 4, []string{"old becomes new", "put 7"}, []string{"SEARCH_UPDATE"}},
		"whatever it was":     {kernel.IfMatch{Given: true, Any: true}, "new", nil, nil, 4, []string{"old becomes new", "put 7"}, []string{"SEARCH_UPDATE"}},
		"no condition":        {kernel.IfMatch{}, "new", nil, nil, 4, []string{"old becomes new", "put 7"}, []string{"SEARCH_UPDATE"}},
	} {
		t.Run(name, func(t *testing.T) {
			k, n := lasting(t)
			k.world.Clock.Advance(time.Minute)
			var changed kernel.Changed
			err := k.write(func(u kernel.Unit) (err error) {
				changed, err = n.resource().Change(u, n.kept[7], c.match, func(r note) (note, error) {
					r.Text = c.text
					return r, c.problem
				})
				return err
			})
			if !errors.Is(err, c.want) || err == nil && changed.Version != c.version {
				t.Errorf("got %+v, %v, want version %d, %v", changed, err, c.version, c.want)
			}
			if events := k.world.Events(1, 3); !slices.Equal(n.done, c.done) || !slices.Equal(events, c.events) {
				t.Errorf("done: %q, events %q", n.done, events)
			}
			if kept := n.kept[7]; c.version == 4 && (kept.Text != c.text || kept.Version != 4 || !kept.Modified.Equal(k.Moment()) || !kept.Added.Before(kept.Modified)) {
				t.Errorf("kept is %+v", kept)
			}
		})
	}
}

func TestARecordIsRemovedUnderItsCondition(t *testing.T) {
	k, n := lasting(t)
	remove := func(match kernel.IfMatch) error {
		return k.write(func(u kernel.Unit) error { return n.resource().Remove(u, n.kept[7], match) })
	}
	apitest.Refused(t, remove(kernel.IfMatch{Given: true, Versions: []kernel.Version{1}}), fault.Stale, fault.CodePreconditionFailed)
	if len(n.done) > 0 || k.world.Seq(1) != 3 {
		t.Errorf("a stale removal does %q", n.done)
	}
	if err := remove(kernel.IfMatch{Given: true, Versions: []kernel.Version{3}}); err != nil {
		t.Fatal(err)
	}
	if events := k.world.Events(1, 3); !slices.Equal(n.done, []string{"delete 7"}) || !slices.Equal(events, []string{"SEARCH_DELETE"}) {
		t.Errorf("done: %q, events %q", n.done, events)
	}
}

func TestARecordIsReadInScope(t *testing.T) {
	k, n := lasting(t)
	n.kept[8] = note{ID: 8, Agency: 13}
	get := func(id noteID) error {
		return kernel.View(t.Context(), k.Kernel, k.caller(1), func(u kernel.Unit) error {
			_, err := n.resource().Get(u, id)
			return err
		})
	}
	if err := get(7); err != nil {
		t.Error(err)
	}
	apitest.Refused(t, get(8), fault.Forbidden, fault.CodeResourceOutOfScope)
	apitest.Refused(t, get(9), fault.NotFound, fault.CodeNotFound)
	if told := fault.From(get(9)); told.Message.String() != "no note has this id" {
		t.Errorf("told %q", told.Message)
	}
}

// A field may refer to what is there and in scope. What is not and what is out of
// scope look alike.
func TestReferencesToRecords(t *testing.T) {
	k, n := lasting(t)
	n.kept[8] = note{ID: 8, Agency: 13}
	for id, want := range map[noteID]string{0: "note_id", 7: "", 8: "note_id", 9: "note_id"} {
		var problems fault.Problems
		err := kernel.View(t.Context(), k.Kernel, k.caller(1), func(u kernel.Unit) error {
			found, err := n.resource().Reference(u, "note_id", id, fault.CodeUnknownProduct, fault.Textf("there is none"), &problems)
			if (found.ID == 7) != (id == 7) {
				t.Errorf("%d refers to %+v", id, found)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if want != "" {
			apitest.RefusedField(t, problems.Err(), fault.CodeUnknownProduct, want)
		} else if problems.Err() != nil {
			t.Errorf("%d: %v", id, problems.Err())
		}
	}
}

// Whatever is done to records, each version is the sequence of the last event about
// the record, events are about what differs, and times of modification grow, even
// when clocks go back.
func TestVersionsAreSequencesWhateverIsDone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, k := &notes{kept: map[noteID]note{}}, newKernel(t)
		model := map[noteID]note{}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			k.world.Clock.Advance(time.Duration(rapid.IntRange(-5, 5).Draw(rt, "seconds")) * time.Second)
			seq, text := k.world.Seq(1), rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "text")
			var id noteID
			if len(model) > 0 {
				id = rapid.SampledFrom(slices.Sorted(maps.Keys(model))).Draw(rt, "note")
			}
			before, kind := model[id], rapid.SampledFrom([]string{"create", "change", "remove"}).Draw(rt, "kind")
			effect := true
			err := k.write(func(u kernel.Unit) (err error) {
				switch {
				case kind == "create" || id == 0:
					var made note
					made, err = n.resource().Create(u, note{Agency: 11, Text: text})
					id = made.ID
				case kind == "change":
					effect = before.Text != text
					_, err = n.resource().Change(u, n.kept[id], kernel.IfMatch{}, func(r note) (note, error) {
						r.Text = text
						return r, nil
					})
				default:
					err = n.resource().Remove(u, n.kept[id], kernel.IfMatch{})
				}
				return err
			})
			if err != nil {
				rt.Fatal(err)
			}
			after, kept := n.kept[id]
			switch news := k.world.Seq(1) - seq; {
			case news != 0 && !effect, news != 1 && effect:
				rt.Fatalf("%s of %+v makes %d events", kind, before, news)
			case kept && effect && (after.Version != seq+1 || after.Text != text):
				rt.Fatalf("%s of %+v after event %d leaves %+v", kind, before, seq, after)
			case kept && !effect && after != before:
				rt.Fatalf("%+v becomes %+v", before, after)
			case after.Modified.Before(before.Modified) && kept:
				rt.Fatalf("modified at %s, after %s", after.Modified, before.Modified)
			case !kept:
				delete(model, id)
			default:
				model[id] = after
			}
		}
	})
}

func TestAConditionIsMetByItsVersions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := kernel.IfMatch{
			Given: rapid.Bool().Draw(t, "given"), Any: rapid.Bool().Draw(t, "any"),
			Versions: rapid.SliceOf(rapid.Custom(func(t *rapid.T) kernel.Version { return kernel.Version(rapid.IntRange(1, 4).Draw(t, "version")) })).Draw(t, "versions"),
		}
		present := kernel.Version(rapid.IntRange(1, 4).Draw(t, "present"))
		met := !m.Given || m.Any || slices.Contains(m.Versions, present)
		if err := m.Check(present); (err == nil) != met || !met && !errors.Is(err, fault.Stale) {
			t.Fatalf("%+v at %d: %v", m, present, err)
		}
	})
}
