package port

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Alerts holds what stands, the channels, and what each has yet to be told.
type Alerts struct {
	boards   InstallationTable[alert.BoardID, alert.Board]
	Channels AlertChannels
	notices  InstallationTable[alert.NoticeID, alert.Notice]
}

// Board returns what stands.
func (a Alerts) Board() (alert.Board, error) {
	board, err := a.boards.Get(alert.TheBoard)
	if !errors.Is(err, fault.NotFound) {
		return board, err
	}
	return alert.Board{ID: alert.TheBoard}, nil
}

// Hold returns what stands, and holds it until the unit ends; it makes it if there is nothing.
func (a Alerts) Hold() (alert.Board, error) {
	err := a.boards.add(alert.Board{ID: alert.TheBoard})
	if err != nil && !errors.Is(err, ErrTaken) {
		return alert.Board{}, err
	}
	return a.boards.Get(alert.TheBoard)
}

// PutBoard stores what stands, which was held.
func (a Alerts) PutBoard(b alert.Board) error { return a.boards.Put(b) }

// Notify stores something that a channel has yet to be told.
func (a Alerts) Notify(n alert.Notice) error { return a.notices.Put(n) }

// Waiting lists at most n notices that a channel has yet to be told, by id.
func (a Alerts) Waiting(id alert.ChannelID, n int) ([]alert.Notice, error) {
	return a.notices.find(Query{Where: []Condition{{Field: "channel_id", Is: Equal, Value: int64(id)}}, Limit: max(n, 0)})
}

// Forget removes notices.
func (a Alerts) Forget(gone []alert.Notice) error {
	for _, n := range gone {
		if err := a.notices.Discard(n.ID); err != nil {
			return err
		}
	}
	return nil
}

// AlertChannels holds where operators hear of what stands.
type AlertChannels struct {
	InstallationTable[alert.ChannelID, alert.Channel]
}

// Due lists at most n channels that are to be sent something, the first due first.
func (c AlertChannels) Due(at time.Time, n int) ([]alert.Channel, error) { return c.due(at, n) }

// Messenger brings messages to channels. It must bound an attempt by the context.
type Messenger interface {
	// Sends reports whether messages can be sent to channels of a kind. Send is not called for others.
	Sends(alert.ChannelKind) bool
	// Send sends a message once and returns what came back, in words for operators without secrets. An
	// error says in such words why the message was not taken.
	Send(context.Context, alert.Channel, alert.Message) (reply string, err error)
}
