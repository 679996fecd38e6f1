package alerts

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
)

const (
	// LookEvery is how often conditions are looked for.
	LookEvery = time.Minute
	// atOnce is how many channels a process sends something to at the same time.
	atOnce = 4
	// endWithin is how long a server that stops tries to store what became of a message.
	endWithin = 5 * time.Second
)

// Run looks for conditions, and tells channels of them, until ctx ends. Any number of processes may do so:
// each look and each message is the work of one. Links lead to the console at an address; empty for none.
func (s *Service) Run(ctx context.Context, console string, o lease.Options) {
	lease.Engine[alert.ChannelID, *job]{
		AtOnce: atOnce, Trouble: o.Trouble, Due: s.due,
		Take: func(ctx context.Context, id alert.ChannelID) (*job, bool, error) {
			j := &job{service: s, console: console, options: o}
			if id == theLook {
				mine, err := kernel.Writes(s.k, newUnit, unit.takeLook)(ctx, kernel.Caller{}, kernel.Nothing{})
				return j, mine, err
			}
			message, err := s.messageID()
			if err != nil {
				return j, false, err
			}
			j.sending, err = kernel.Writes(s.k, newUnit, unit.takeChannel)(ctx, kernel.Caller{}, taking{id, message})
			return j, len(j.waiting) > 0, err
		},
	}.Run(ctx, o.Tick)
}

// theLook stands among the channels that are due for the look at conditions. No channel has this id.
const theLook alert.ChannelID = 0

// due lists what is to be done, at most n of it.
func (s *Service) due(ctx context.Context, n int) (due []alert.ChannelID, err error) {
	now := s.k.Moment()
	err = s.k.Store.View(ctx, func(tx port.Tx) error {
		due = nil
		board, err := tx.Alerts().Board()
		if err != nil {
			return err
		}
		if !board.Due.After(now) {
			due = append(due, theLook)
		}
		channels, err := tx.Alerts().Channels.Due(now, n)
		for _, c := range channels {
			due = append(due, c.ID)
		}
		return err
	})
	return due, err
}

// takeLook reports whether the look is for this process: others find that it was taken.
func (u unit) takeLook(kernel.Nothing) (mine bool, err error) {
	board, err := u.Alerts().Hold()
	if err != nil || board.Due.After(u.Now) {
		return false, err
	}
	board.Due = u.Now.Add(LookEvery)
	return true, u.Alerts().PutBoard(board)
}

// taking asks for a channel to be sent what waits, as a message with this id unless one was begun.
type taking struct {
	channel alert.ChannelID
	message string
}

// sending is a message of a channel under way.
type sending struct {
	channel alert.Channel
	waiting []alert.Notice
}

func (u unit) takeChannel(in taking) (s sending, err error) {
	s.channel, err = u.Alerts().Channels.Get(in.channel)
	if errors.Is(err, fault.NotFound) {
		return s, nil
	}
	if err != nil || s.channel.State.Due.IsZero() || s.channel.State.Due.After(u.Now) {
		return s, err
	}
	s.waiting, err = u.Alerts().Waiting(in.channel, alert.MaxNotices)
	if err != nil {
		return s, err
	}
	if s.channel.State.Message != "" {
		s.waiting = slices.DeleteFunc(s.waiting, func(n alert.Notice) bool { return n.ID > s.channel.State.Upto })
	}
	if len(s.waiting) == 0 {
		return s, u.Alerts().Channels.Put(s.channel.Took(false, u.Now))
	}
	s.channel = s.channel.Begins(s.waiting, in.message, u.Now)
	return s, u.Alerts().Channels.Put(s.channel)
}

// job is a look at conditions, or a message to a channel, that this process does.
type job struct {
	service *Service
	console string
	options lease.Options
	sending
}

// Extend implements lease.Job: an attempt ends before its lease.
func (*job) Extend(context.Context) {}

// CarryOut implements lease.Job.
func (j *job) CarryOut(ctx context.Context) {
	var err error
	outcome := Looked
	if len(j.waiting) > 0 {
		outcome, err = j.send(ctx)
	} else {
		err = j.service.Look(ctx)
	}
	if err != nil && ctx.Err() == nil {
		j.options.Trouble(err)
	} else if err == nil && j.options.Ended != nil {
		j.options.Ended(outcome)
	}
}

// What a job comes to.
const (
	Looked = "looked"
	Sent   = "sent"
	Failed = "failed"
)

// send sends the message, and stores and returns what became of it.
func (j *job) send(ctx context.Context) (outcome string, err error) {
	outcome = Sent
	m := alert.Message{ID: j.channel.State.Message, Language: languageOf(j.channel)}
	for _, n := range j.waiting {
		c := causeOf(n.Cause)
		line := alert.Line{Told: n.Told, Words: c.words(n.Args), Mend: c.mend}
		if j.console != "" {
			line.Page = j.console + c.pageOf(n.Key)
		}
		m.Lines = append(m.Lines, line)
	}
	trying, cancel := context.WithTimeout(ctx, alert.SendWithin)
	_, failed := j.service.deliver(trying, j.channel, m)
	cancel()
	ended := ended{j.sending, "", failed != nil && ctx.Err() != nil}
	if failed != nil {
		outcome, ended.problem = Failed, failed.Error()
	}
	ending, end := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer end()
	_, err = kernel.Writes(j.service.k, newUnit, unit.settle)(ending, kernel.Caller{}, ended)
	return outcome, err
}

// ended is how an attempt ended.
type ended struct {
	sending
	problem string
	// interrupted reports that this process ends.
	interrupted bool
}

// settle stores what became of a message, unless its channel was taken by another process since.
func (u unit) settle(in ended) (kernel.None, error) {
	a := u.Alerts()
	c, err := a.Channels.Get(in.channel.ID)
	if errors.Is(err, fault.NotFound) || err == nil && (c.State.Message != in.channel.State.Message || c.State.Tries != in.channel.State.Tries) {
		return kernel.None{}, nil
	}
	if err != nil {
		return kernel.None{}, err
	}
	switch {
	case in.interrupted:
		c.State.Due = u.Now
	case in.problem != "":
		c = c.Failed(in.problem, u.Now)
	default:
		if err := a.Forget(in.waiting); err != nil {
			return kernel.None{}, err
		}
		rest, err := a.Waiting(c.ID, 1)
		if err != nil {
			return kernel.None{}, err
		}
		c = c.Took(len(rest) > 0, u.Now)
	}
	return kernel.None{}, a.Channels.Put(c)
}

// found is what a look found, of the causes that could be looked at.
type found struct {
	conditions []alert.Condition
	looked     []alert.Cause
}

// Look looks for conditions once, and stores what is to be told of them.
func (s *Service) Look(ctx context.Context) error {
	counts, unread := s.traffic(ctx)
	if unread != nil && !errors.Is(unread, errUnread) {
		return unread
	}
	seen, err := kernel.Reads(s.k, newUnit, unit.find)(ctx, kernel.Caller{}, look{counts: counts, unread: unread})
	if err != nil {
		return err
	}
	_, err = kernel.Writes(s.k, newUnit, unit.tell)(ctx, kernel.Caller{}, seen)
	return errors.Join(err, unread)
}

// find looks for the conditions of all causes.
func (u unit) find(l look) (seen found, err error) {
	l.Unit = u.Unit
	if l.sites, err = u.Sites().All(); err != nil {
		return seen, err
	}
	if l.clients, err = u.Credentials().All(); err != nil {
		return seen, err
	}
	for _, c := range causes {
		add := func(of site.ID, subject string, args ...string) {
			key := alert.Key{Cause: c.name, Site: of, Subject: subject}
			seen.conditions = append(seen.conditions, alert.Condition{Key: key, Severity: c.severity, Args: args})
		}
		switch err := c.read(&l, add); {
		case errors.Is(err, errUnread):
		case err != nil:
			return seen, err
		default:
			seen.looked = append(seen.looked, c.name)
		}
	}
	return seen, nil
}

// tell stores what stands after a look, and what channels are to be told.
func (u unit) tell(seen found) (kernel.None, error) {
	a := u.Alerts()
	board, err := a.Hold()
	if err != nil {
		return kernel.None{}, err
	}
	var before, others []alert.Standing
	for _, s := range board.Standing {
		if slices.Contains(seen.looked, s.Cause) {
			before = append(before, s)
		} else {
			others = append(others, s)
		}
	}
	stands, tell := alert.Step(before, seen.conditions, u.Now)
	board.Standing = slices.Concat(others, stands)
	slices.SortFunc(board.Standing, func(a, b alert.Standing) int { return a.Compare(b.Key) })
	if len(tell) > 0 { // mostly nothing changes: no channel needs to be read
		channels, err := a.Channels.All()
		if err != nil {
			return kernel.None{}, err
		}
		for _, listed := range channels {
			if err := u.notify(&board, listed.ID, tell); err != nil {
				return kernel.None{}, err
			}
		}
	}
	return kernel.None{}, a.PutBoard(board)
}

// notify adds what a channel is to be told.
func (u unit) notify(board *alert.Board, id alert.ChannelID, tell []alert.Told) error {
	c, err := u.Alerts().Channels.Get(id)
	if errors.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	tell = slices.DeleteFunc(slices.Clone(tell), func(t alert.Told) bool { return !c.Wants(t.Severity) })
	if len(tell) == 0 {
		return nil
	}
	for _, t := range tell {
		if err := u.Alerts().Notify(alert.Notice{ID: alert.NoticeID(board.Number()), Channel: id, Told: t}); err != nil {
			return err
		}
	}
	return u.Alerts().Channels.Put(c.Awaits(u.Now))
}
