package alert

import (
	"time"
)

// ChannelID identifies a channel.
type ChannelID int64

// ChannelKind is how a channel reaches people.
type ChannelKind string

// The kinds.
const (
	Mail    ChannelKind = "mail"
	Webhook ChannelKind = "webhook"
)

// Digest is how long a channel gathers what it tells.
type Digest string

// The digests.
const (
	AtOnce Digest = "at once"
	Hourly Digest = "hourly"
	Daily  Digest = "daily"
)

// Digests lists the digests.
func Digests() []Digest { return []Digest{AtOnce, Hourly, Daily} }

// Channel is where operators hear of what stands.
type Channel struct {
	ID   ChannelID
	Kind ChannelKind
	// Address is that of a mailbox, or the URL of a receiver.
	Address string
	// Secret signs what a webhook gets, as those of package webhook do; empty for none.
	Secret string
	// Least is the least severity that is told.
	Least  Severity
	Digest Digest
	// French reports that the words are in French, and otherwise in English.
	French bool
	State  ChannelState
}

// ChannelState is what is known of a channel from what it was sent.
type ChannelState struct {
	// Due is when something is to be sent; zero when nothing waits. While it is sent, it is when its
	// process counts as ended.
	Due time.Time
	// Message identifies what is being sent, or was not taken: the notices up to Upto. It stays until
	// they are taken. Tries counts the attempts; it is the lease, too.
	Message string
	Upto    NoticeID
	Tries   int64
	// Sent is when the channel last took something, Problem why the last attempt failed; empty if it
	// did not.
	Sent    time.Time
	Problem string
}

// NoticeID identifies a notice.
type NoticeID int64

// Notice is something that a channel has yet to be told.
type Notice struct {
	ID      NoticeID
	Channel ChannelID
	Told
}

// MaxNotices is how many notices one message has at most.
const MaxNotices = 200

// Wants reports whether the channel is told of conditions of a severity.
func (c Channel) Wants(s Severity) bool {
	return s.Compare(c.Least) >= 0
}

// dailyAt is the hour of the day, in UTC, at which daily digests are sent.
const dailyAt = 6

// Awaits returns the channel when notices were added.
func (c Channel) Awaits(now time.Time) Channel {
	if !c.State.Due.IsZero() {
		return c
	}
	switch c.State.Due = now; c.Digest {
	case AtOnce:
	case Hourly:
		c.State.Due = now.Truncate(time.Hour).Add(time.Hour)
	case Daily:
		today := now.UTC().Truncate(24 * time.Hour).Add(dailyAt * time.Hour)
		if c.State.Due = today; !now.Before(today) {
			c.State.Due = today.Add(24 * time.Hour)
		}
	}
	return c
}

// Changed returns the channel after it was described anew: what waits is due as its digest now says, and what was
// not taken is sent again at once.
func (c Channel) Changed(now time.Time) Channel {
	switch {
	case c.State.Problem != "":
		c.State.Due, c.State.Problem = now, ""
	case c.State.Message == "" && !c.State.Due.IsZero():
		c.State.Due = time.Time{}
		return c.Awaits(now)
	}
	return c
}

// SendWithin bounds the time of an attempt, and leaseFor that after which its process counts as ended.
const (
	SendWithin = 30 * time.Second
	leaseFor   = 2 * time.Minute
)

// Begins returns the channel when an attempt begins to send the waiting notices, which are ordered by
// id. What was not taken before is sent again as the same message.
func (c Channel) Begins(waiting []Notice, message string, now time.Time) Channel {
	if c.State.Message == "" {
		c.State.Message, c.State.Upto = message, waiting[len(waiting)-1].ID
	}
	c.State.Tries++
	c.State.Due = now.Add(leaseFor)
	return c
}

// Took returns the channel after the message was taken; more reports that other notices wait.
func (c Channel) Took(more bool, now time.Time) Channel {
	c.State = ChannelState{Sent: now}
	if more {
		return c.Awaits(now)
	}
	return c
}

// Failed returns the channel after the message was not taken. It is tried again after a minute, two,
// four and so on, an hour at most.
func (c Channel) Failed(problem string, now time.Time) Channel {
	const most = 6
	c.State.Problem = problem
	c.State.Due = now.Add(min(time.Hour, time.Minute<<min(c.State.Tries-1, most)))
	return c
}
