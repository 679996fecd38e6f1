package mirror_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/mirror"
	"github.com/vitrine-crm/vitrine/core/mirror/mirrortest"
)

// mistake is one that a mirror could make. The laws must notice each.
type mistake string

const (
	none               mistake = ""
	answersBeforeStore mistake = "a delivery is answered before its mark is stored"
	endsAnyMark        mistake = "a read ends a mark that was made after it began"
	readsFirst         mistake = "the webhook is kept after the catalogue was read"
	comparesNothing    mistake = "a sweep reads what was modified, and compares no ids"
	believesPayload    mistake = "a delivery about a deletion is believed"
	storesAnything     mistake = "a record is stored though a later one is there"
	goesOn             mistake = "a database that was set back is taken for one that lost nothing"
)

// play is a mirror that is played against a server, step by step.
type play struct {
	t      *rapid.T
	server *server
	copy   *mirrortest.Model
	policy mirror.Policy
	wrong  mistake
	// answer is what the server answered to the task under way; it has not arrived yet.
	answer mirror.Observation
	// reads are those of marked records under way, with what the server answered.
	reads []mirror.Answered
	// unstored are deliveries that were answered and are stored later, by a mistake.
	unstored []mirror.Key
	// answered is the number of the last write of each product that a delivery told of, and known
	// that of the last that was stored.
	answered, known map[mirror.Key]int64
	// fast is how much the clock of the mirror is before that of the server.
	fast time.Duration
	// undone reports that the server's database was set back.
	undone bool
}

// violation is a law that was broken.
type violation string

func (v violation) Error() string { return string(v) }

func (p *play) fail(format string, args ...any) { panic(violation(fmt.Sprintf(format, args...))) }

// violated keeps the violation that a play ended with.
func violated(into *error) {
	switch broken := recover().(type) {
	case nil:
	case violation:
		*into = broken
	default:
		panic(broken)
	}
}

func newPlay(t *rapid.T, wrong mistake) *play {
	offers := mirror.Abilities{Events: rapid.Bool().Draw(t, "events"), Hooks: rapid.Bool().Draw(t, "hooks")}
	p := &play{
		t: t, server: newServer(offers), copy: mirrortest.NewModel(), wrong: wrong,
		answered: map[mirror.Key]int64{}, known: map[mirror.Key]int64{},
		fast:   time.Duration(rapid.SampledFrom([]int{0, 0, 1, 50}).Draw(t, "days the clock is fast")) * 24 * time.Hour,
		policy: mirror.DefaultPolicy(func(after time.Time) time.Time { return after.Truncate(24 * time.Hour).Add(27 * time.Hour) }),
	}
	return p
}

func (p *play) state() mirror.State {
	s, _ := p.copy.State(context.Background())
	return s
}

// at is the moment, by the clock of the mirror.
func (p *play) at() time.Time { return p.server.now.Add(p.fast) }

// task is what is done next.
func (p *play) task() mirror.Task {
	s := p.state()
	if keep, is := s.Task(p.policy, p.at()).(mirror.Keep); is && p.wrong == readsFirst && !s.Read && s.Hook == 0 {
		s.Kept = true
		if s.Stage == mirror.Idle {
			s.Stage = mirror.Catalogue
		}
		if task := s.Task(p.policy, p.at()); !s.Read {
			return task
		}
		return keep
	}
	return s.Task(p.policy, p.at())
}

func (p *play) observe(o mirror.Observation) {
	s := p.state()
	if events, is := o.(mirror.EventsRead); is && p.wrong == goesOn {
		events.Page.Skipped = false
		o = events
	}
	if p.wrong == readsFirst && !s.Kept && s.Known && s.Stage == mirror.Idle && !s.Read {
		s.Stage = mirror.Catalogue
	}
	c := s.After(p.policy, o, p.at())
	switch p.wrong {
	case endsAnyMark:
		marks, _ := p.copy.Marks(context.Background(), 1000)
		for i := range c.End {
			for _, one := range marks {
				if one.Key == c.End[i].Key {
					c.End[i] = one
				}
			}
		}
	case comparesNothing:
		c.Compare = nil
	case storesAnything:
		c.Asked = c.State.Revision
	case none, answersBeforeStore, readsFirst, believesPayload, goesOn: // are made elsewhere
	}
	_ = p.copy.Store(context.Background(), c)
	p.forward(c)
}

// forward: what is stored is never older than what was stored before.
func (p *play) forward(c mirror.Change) {
	for _, one := range c.Put {
		stored, _ := p.copy.Record(context.Background(), one.Key)
		version := int64(-1)
		if stored.Shown {
			version, _ = strconv.ParseInt(string(stored.Body), 10, 64)
		} else if was := p.server.unshown(one.ID); len(was) > 0 {
			version = slices.Max(was)
		}
		if one.Kind == mirror.Product && version < p.known[one.Key] {
			p.fail("%v is as the write %d made it, after it was as %d did", one.Key, version, p.known[one.Key])
		}
		if stored.Shown {
			p.known[one.Key] = version
		}
	}
}

// acknowledged: what was told of and answered is marked, or was read since.
func (p *play) acknowledged() {
	marked := map[mirror.Key]bool{}
	marks, _ := p.copy.Marks(context.Background(), 1000)
	for _, one := range marks {
		marked[one.Key] = true
	}
	for key, version := range p.answered {
		if now := p.server.products[key.ID].version; now == version && !marked[key] && !p.same(key.ID) {
			p.fail("%v was told of by the write %d and is neither marked nor read", key, version)
		}
	}
}

// same reports that the copy has a product as the server has it.
func (p *play) same(id int64) bool {
	stored, _ := p.copy.Record(context.Background(), mirror.Key{Kind: mirror.Product, ID: id})
	is := p.server.record(id)
	return stored.Shown == is.Shown && bytes.Equal(stored.Body, is.Body)
}

// start is what a process does first.
func (p *play) start() { p.observe(mirror.Doubted{Began: true}) }

// kill ends the process: what is under way is lost.
func (p *play) kill() {
	p.answer, p.reads, p.unstored = nil, nil, nil
	p.acknowledged()
	p.start()
}

// beginTask has the server answer the next task.
func (p *play) beginTask() {
	if p.answer == nil {
		if task := p.task(); !waits(task) {
			p.answer = p.server.answer(task)
		}
	}
}

func waits(t mirror.Task) bool {
	_, is := t.(mirror.Wait)
	return is
}

func (p *play) endTask() {
	if p.answer != nil {
		answer := p.answer
		p.answer = nil
		p.observe(answer)
	}
}

// beginRead has the server answer the read of a mark that is due and not being read.
func (p *play) beginRead() bool {
	marks, _ := p.copy.Marks(context.Background(), 1000)
	for _, one := range marks {
		if one.IsDue(p.at()) && !slices.ContainsFunc(p.reads, func(r mirror.Answered) bool { return r.Mark.Key == one.Key }) {
			record := mirror.Record{Key: one.Key, Body: []byte("whole"), Shown: true}
			if one.Kind == mirror.Product {
				record = p.server.record(one.ID)
			}
			p.server.asked["read"]++
			p.reads = append(p.reads, mirror.Answered{Mark: one, Record: record})
			return true
		}
	}
	return false
}

func (p *play) endRead(i int) {
	if len(p.reads) > 0 {
		i %= len(p.reads)
		read := p.reads[i]
		p.reads = slices.Delete(p.reads, i, i+1)
		p.observe(read)
	}
}

// deliver delivers what is in the bag. Its writes of the same product stand in any order.
func (p *play) deliver(i int, again bool) {
	if len(p.server.bag) == 0 {
		return
	}
	i %= len(p.server.bag)
	told := p.server.bag[i]
	key := told.Key
	if !again {
		p.server.bag = slices.Delete(p.server.bag, i, i+1)
	}
	if p.wrong == answersBeforeStore {
		p.unstored = append(p.unstored, key)
	} else {
		p.observe(mirror.Delivered{Keys: []mirror.Key{key}})
	}
	if p.wrong == believesPayload && told.deleted {
		state := p.state()
		state.Revision++
		c := mirror.Change{State: state, At: p.at(), Put: []mirror.Record{{Key: key, Gone: true}}, Asked: state.Revision}
		_ = p.copy.Store(context.Background(), c)
		p.forward(c)
	}
	if !slices.ContainsFunc(p.server.bag, func(n notice) bool { return n.Key == key }) {
		p.answered[key] = p.server.products[key.ID].version
	}
}

// step does one thing that may happen.
func (p *play) step() {
	draw := rapid.IntRange(0, 11).Draw(p.t, "pick")
	switch rapid.SampledFrom([]string{
		"write", "write", "write", "task", "task", "task", "answer", "answer", "answer", "read", "read", "read back", "read back",
		"deliver", "deliver", "deliver", "deliver again", "lose", "kill", "suspend", "delete hook", "fail", "fail read", "store", "wait", "rebuild", "set back",
		"set the clock", "offer less",
	}).Draw(p.t, "step") {
	case "write":
		p.server.write(int64(draw%5+1), rapid.Bool().Draw(p.t, "shown"), rapid.IntRange(0, 3).Draw(p.t, "deleted") == 0)
	case "task":
		p.beginTask()
	case "answer":
		p.endTask()
	case "read":
		p.beginRead()
	case "read back":
		p.endRead(draw)
	case "deliver":
		p.deliver(draw, false)
	case "deliver again":
		p.deliver(draw, true)
	case "lose":
		if len(p.server.bag) > 0 {
			p.server.bag = slices.Delete(p.server.bag, 0, 1)
		}
	case "kill":
		p.kill()
	case "suspend":
		for id := range p.server.hooks {
			p.server.hooks[id] = false
		}
	case "delete hook":
		if draw == 0 {
			clear(p.server.hooks)
		}
	case "fail":
		if p.answer != nil {
			p.answer = nil
			p.observe(mirror.Failed{Wait: time.Duration(draw) * time.Second, Refused: draw%2 == 0, Problem: "no"})
		}
	case "fail read":
		if len(p.reads) > 0 {
			mark := p.reads[0].Mark
			p.reads = p.reads[1:]
			p.observe(mirror.Unanswered{Mark: mark, Wait: time.Duration(draw) * time.Second})
		}
	case "store":
		if len(p.unstored) > 0 {
			p.observe(mirror.Delivered{Keys: p.unstored})
			p.unstored = nil
		}
	case "wait":
		p.server.now = p.server.now.Add(time.Duration(draw) * 7 * time.Minute)
	case "set back":
		// Where there is no log of events, nothing tells of it.
		if draw < 4 && p.server.offers.Events {
			p.undone = true
			p.server.setBack(rapid.IntRange(1, 5).Draw(p.t, "undone"))
			p.endTask()
			for len(p.reads) > 0 {
				p.endRead(0)
			}
			clear(p.known)
			clear(p.answered)
		}
	case "set the clock":
		if draw < 4 {
			p.fast = 0
		}
	case "offer less":
		// Without the log, nothing tells that a database was set back.
		if draw == 0 && !p.undone {
			p.server.offers = mirror.Abilities{}
		}
	case "rebuild":
		if draw == 0 && p.answer == nil {
			p.observe(mirror.Doubted{Rebuild: true})
		}
	}
}

// rest carries out what is under way and what is due, until there is nothing to do until a later moment.
func (p *play) rest() time.Time {
	for range 10_000 {
		p.endTask()
		for len(p.reads) > 0 {
			p.endRead(0)
		}
		if p.beginRead() {
			continue
		}
		task := p.task()
		wait, is := task.(mirror.Wait)
		if !is {
			p.answer = p.server.answer(task)
			continue
		}
		until := wait.Until
		if marks, _ := p.copy.Marks(context.Background(), 1); len(marks) > 0 && marks[0].Due.Before(until) {
			until = marks[0].Due
		}
		return until.Add(-p.fast)
	}
	panic(violation("the mirror does not come to rest"))
}

// converge lets a quiet day pass in which nothing is delivered any more, and the clock is right.
func (p *play) converge() {
	p.server.bag, p.unstored, p.fast = nil, nil, 0
	for end := p.server.now.Add(26 * time.Hour); p.server.now.Before(end); {
		p.server.now = p.rest()
	}
	for range 10 { // what began at the end of the day, and was refused once
		if p.state().Mode() != mirror.Live {
			p.server.now = p.rest()
		}
	}
	for id := range int64(13) {
		if !p.same(id) {
			stored, _ := p.copy.Record(context.Background(), mirror.Key{Kind: mirror.Product, ID: id})
			p.fail("after a quiet day the server has %v, the copy %v; %+v", p.server.record(id), stored, p.state())
		}
	}
	if marks, _ := p.copy.Marks(context.Background(), 1); len(marks) > 0 {
		p.fail("after a quiet day %+v is marked", marks)
	}
	if p.state().Mode() != mirror.Live {
		p.fail("after a quiet day the mirror is %s: %+v", p.state().Mode(), p.state())
	}
}

// lawful plays a program of any steps, and returns the law that it broke.
func lawful(wrong mistake) func(*rapid.T) error {
	return func(t *rapid.T) (broken error) {
		defer violated(&broken)
		p := newPlay(t, wrong)
		p.start()
		for range rapid.IntRange(30, 90).Draw(t, "steps") {
			p.step()
			if p.wrong != answersBeforeStore || len(p.unstored) == 0 {
				p.acknowledged()
			}
		}
		p.converge()
		// Where webhooks cannot be looked for, one that was subscribed while the process was killed is lost.
		if hooks := len(p.server.hooks); hooks == 0 || hooks > 1 && p.server.finds {
			p.fail("there are %d webhooks", hooks)
		}
		return nil
	}
}

// reliable plays programs in which nothing is lost, killed or suspended: when the mirror is live
// for the first time, each product that the copy has otherwise is marked, or will be delivered.
func reliable(wrong mistake) func(*rapid.T) error {
	return func(t *rapid.T) (broken error) {
		defer violated(&broken)
		p := newPlay(t, wrong)
		p.start()
		for range 200 {
			if p.state().Mode() == mirror.Live || p.wrong == readsFirst && p.state().Kept {
				break
			}
			if rapid.IntRange(0, 2).Draw(t, "write") == 0 {
				p.server.write(int64(rapid.IntRange(1, 12).Draw(t, "id")), rapid.Bool().Draw(t, "shown"), false)
			}
			p.beginTask()
			if rapid.Bool().Draw(t, "slow") {
				p.server.write(int64(rapid.IntRange(1, 12).Draw(t, "id")), rapid.Bool().Draw(t, "shown"), false)
			}
			p.endTask()
		}
		for len(p.server.bag) > 0 {
			p.deliver(0, false)
		}
		for p.beginRead() {
			p.endRead(0)
		}
		for id := range int64(13) {
			if !p.same(id) {
				p.fail("%d is not as the server has it, though all was delivered", id)
			}
		}
		return nil
	}
}

func TestMirror_ConvergesWhateverHappens(t *testing.T) { check(t, lawful(none)) }

func TestMirror_MissesNothingBetweenSubscribingAndReading(t *testing.T) { check(t, reliable(none)) }

func check(t *testing.T, law func(*rapid.T) error) {
	rapid.Check(t, func(t *rapid.T) {
		if err := law(t); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMirror_TheLawsNoticeMistakes(t *testing.T) {
	for _, wrong := range []mistake{answersBeforeStore, endsAnyMark, comparesNothing, believesPayload, storesAnything, goesOn, readsFirst} {
		t.Run(string(wrong), func(t *testing.T) {
			law := lawful(wrong)
			if wrong == readsFirst {
				law = reliable(wrong)
			}
			plays := rapid.Custom(law)
			for seed := range 20_000 {
				if err := plays.Example(seed); err != nil {
					t.Logf("program %d: %v", seed, err)
					return
				}
			}
			t.Error("no law notices it")
		})
	}
}
