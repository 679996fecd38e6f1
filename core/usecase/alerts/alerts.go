// Package alerts tells operators of what wants their attention, by mail and webhook, without that
// somebody looks. The table of causes says what is looked for; domain/alert decides what is told.
package alerts

import (
	"context"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Service looks for what is wrong, and tells channels of it. Its use cases check no rights: their
// caller has made sure that the caller may.
type Service struct {
	// List lists what stands and the channels.
	List kernel.UseCase[kernel.Nothing, Overview]
	// Silence keeps a condition from being told. It is NotFound when none such stands.
	Silence kernel.UseCase[Silence, kernel.None]
	// DeleteChannel removes a channel with what it was yet to be told.
	DeleteChannel kernel.UseCase[ChannelPath, kernel.None]

	k *kernel.Kernel
}

// Overview is what stands, by site, and the channels, without secrets.
type Overview struct {
	Standing []Stands
	Channels []alert.Channel
}

// Stands is a condition that stands, in words.
type Stands struct {
	alert.Standing
	Words, Mend fault.Text
	// Page is where the console shows it, below its prefix.
	Page string
	// Sees are the powers one of which it takes to see what it is about; 0 is none.
	Sees operator.Powers
	// Client is the client that it is about, if it is about one.
	Client access.CredentialID
}

// Silence asks to tell nothing of a condition: until a moment, or without one until it is over.
type Silence struct {
	Key   alert.Key
	Until time.Time
}

// ChannelPath names a channel.
type ChannelPath struct{ ID int64 }

// ChannelInput describes a channel.
type ChannelInput struct {
	Kind, Address, Least, Digest string
	// Signed makes a webhook have a secret.
	Signed, French bool
}

// UpdateChannel describes a channel anew. Its kind stays, whatever the input says, and so does the secret of
// one that is signed unless NewSecret is set.
type UpdateChannel struct {
	ID int64
	ChannelInput
	NewSecret bool
}

// SavedChannel is a channel that was made or changed, with its secret where that was drawn.
type SavedChannel struct {
	ID     alert.ChannelID
	Secret string
}

// New makes the area on a kernel.
func New(k *kernel.Kernel) *Service {
	s := &Service{k: k}
	s.List = kernel.Reads(k, newUnit, unit.list)
	s.Silence, s.DeleteChannel = kernel.Writes(k, newUnit, unit.silence), kernel.Writes(k, newUnit, unit.deleteChannel)
	return s
}

// unit is a unit of work about alerts.
type unit struct{ kernel.Unit }

func newUnit(u kernel.Unit) unit { return unit{u} }

func (u unit) list(kernel.Nothing) (o Overview, err error) {
	board, err := u.Alerts().Board()
	if err != nil {
		return o, err
	}
	for _, s := range board.Standing {
		if s.Stands() {
			c := causeOf(s.Cause)
			stands := Stands{Standing: s, Words: c.words(s.Args), Mend: c.mend, Page: c.pageOf(s.Key), Sees: c.sees}
			if c.ofClient {
				stands.Client = access.CredentialID(clientOf(s.Subject))
			}
			o.Standing = append(o.Standing, stands)
		}
	}
	o.Channels, err = u.Alerts().Channels.All()
	for i := range o.Channels {
		if o.Channels[i].Secret != "" {
			o.Channels[i].Secret = "…"
		}
	}
	return o, err
}

func (u unit) silence(in Silence) (kernel.None, error) {
	board, err := u.Alerts().Hold()
	if err != nil {
		return kernel.None{}, err
	}
	board, found := board.Silence(in.Key, in.Until)
	if !found {
		return kernel.None{}, kernel.Unknown("nothing of this kind stands any more")
	}
	return kernel.None{}, u.Alerts().PutBoard(board)
}

func (u unit) deleteChannel(in ChannelPath) (kernel.None, error) {
	a := u.Alerts()
	c, err := a.Channels.Get(alert.ChannelID(in.ID))
	if err != nil {
		return kernel.None{}, kernel.AbsentIs(err, noChannel())
	}
	u.Changed(shownChannel(c), channelShown{})
	waiting, err := a.Waiting(c.ID, port.All)
	if err != nil {
		return kernel.None{}, err
	}
	if err := a.Forget(waiting); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, a.Channels.Delete(c.ID)
}

// channelShown is what the audit shows of a channel. Of its address, which may be a person's or a secret,
// and of what it signs with it shows the lengths.
type channelShown struct {
	Kind, Least, Digest string `trace:"keep"`
	Address, Secret     string
	French              bool
}

func shownChannel(c alert.Channel) channelShown {
	return channelShown{string(c.Kind), string(c.Least), string(c.Digest), c.Address, c.Secret, c.French}
}

func noChannel() error { return kernel.Unknown("no channel has this id") }

// CreateChannel makes a channel. Its secret is drawn, and returned this once.
func (s *Service) CreateChannel(ctx context.Context, c kernel.Caller, in ChannelInput) (SavedChannel, error) {
	return s.save(ctx, c, UpdateChannel{ChannelInput: in}, func(u unit) (alert.Channel, error) {
		board, err := u.Alerts().Hold()
		if err != nil {
			return alert.Channel{}, err
		}
		made := alert.Channel{ID: alert.ChannelID(board.Number()), Kind: alert.ChannelKind(in.Kind)}
		return made, u.Alerts().PutBoard(board)
	})
}

// UpdateChannel changes a channel. A secret that is drawn is returned this once.
func (s *Service) UpdateChannel(ctx context.Context, c kernel.Caller, in UpdateChannel) (SavedChannel, error) {
	return s.save(ctx, c, in, func(u unit) (alert.Channel, error) { return u.channel(alert.ChannelID(in.ID)) })
}

// save stores a channel, which is read or made, as the input describes it.
func (s *Service) save(ctx context.Context, c kernel.Caller, in UpdateChannel, known func(unit) (alert.Channel, error)) (SavedChannel, error) {
	drawn, err := webhook.NewSecret(s.k.Rand)
	if err != nil {
		return SavedChannel{}, err
	}
	return kernel.Writes(s.k, newUnit, func(u unit, in UpdateChannel) (SavedChannel, error) {
		channel, err := known(u)
		if err != nil {
			return SavedChannel{}, err
		}
		before := shownChannel(channel)
		if in.ID == 0 {
			before = channelShown{}
		}
		saved := SavedChannel{ID: channel.ID}
		channel.Address, channel.Least, channel.Digest, channel.French = in.Address, alert.Severity(in.Least), alert.Digest(in.Digest), in.French
		switch {
		case !in.Signed || channel.Kind != alert.Webhook:
			channel.Secret = ""
		case in.NewSecret || channel.Secret == "":
			channel.Secret, saved.Secret = string(drawn), string(drawn)
		}
		if err := s.check(channel, in.ID == 0); err != nil {
			return SavedChannel{}, err
		}
		u.Changed(before, shownChannel(channel))
		return saved, u.Alerts().Channels.Put(channel.Changed(u.Now))
	})(ctx, c, in)
}

// noMail is why a channel of the kind alert.Mail is not made, nor sent anything.
const noMail = "this server sends no mail: --smtp-url is not given"

// check returns what is wrong with a channel; a new one must be of a kind that this server can send to.
func (s *Service) check(c alert.Channel, isNew bool) error {
	var problems fault.Problems
	if isNew && s.k.Messenger != nil && !s.k.Messenger.Sends(c.Kind) {
		problems.Add("kind", fault.CodeOutOfRange, noMail)
	}
	switch c.Kind {
	case alert.Mail:
		if _, ok := operator.ParseEmail(c.Address); !ok {
			problems.Add("address", fault.CodeOutOfRange, "address is that of a mailbox, such as a.martin@example.org")
		}
	case alert.Webhook:
		if err := s.k.Options.Hooks.CheckURL(c.Address); err != nil {
			problems.Add("address", fault.CodeOutOfRange, "address is a URL that webhooks may have")
		}
	default:
		problems.Add("kind", fault.CodeOutOfRange, "kind is mail or webhook")
	}
	if !slices.Contains(alert.Severities(), c.Least) {
		problems.Add("least", fault.CodeOutOfRange, "least is warning or critical")
	}
	if !slices.Contains(alert.Digests(), c.Digest) {
		problems.Add("digest", fault.CodeOutOfRange, "digest is at once, hourly or daily")
	}
	return problems.Err()
}

// TestResult is what became of a message that was sent to try a channel.
type TestResult struct {
	// Taken reports that the channel took it; Answer is what came back.
	Taken  bool
	Answer string
}

// TestChannel sends a message now that says that nothing is wrong, stores when the channel took it, and returns what came back.
func (s *Service) TestChannel(ctx context.Context, c kernel.Caller, in ChannelPath) (TestResult, error) {
	channel, err := kernel.Reads(s.k, newUnit, unit.channel)(ctx, c, alert.ChannelID(in.ID))
	if err != nil {
		return TestResult{}, err
	}
	id, err := s.messageID()
	if err != nil {
		return TestResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, alert.SendWithin)
	defer cancel()
	answer, err := s.deliver(ctx, channel, alert.Message{ID: id, Language: languageOf(channel), Test: true})
	if err != nil {
		return TestResult{Answer: err.Error()}, nil
	}
	_, err = kernel.Writes(s.k, newUnit, unit.tookTest)(ctx, c, channel.ID)
	return TestResult{true, answer}, err
}

// tookTest stores that a channel took a test, if there still is one.
func (u unit) tookTest(id alert.ChannelID) (kernel.None, error) {
	c, err := u.Alerts().Channels.Get(id)
	if err != nil {
		return kernel.None{}, kernel.AbsentIs(err, nil)
	}
	c.State.Sent = u.Now
	return kernel.None{}, u.Alerts().Channels.Put(c)
}

func (u unit) channel(id alert.ChannelID) (alert.Channel, error) {
	c, err := u.Alerts().Channels.Get(id)
	return c, kernel.AbsentIs(err, noChannel())
}

// deliver sends a message to a channel.
func (s *Service) deliver(ctx context.Context, c alert.Channel, m alert.Message) (string, error) {
	if s.k.Messenger == nil {
		return "", fault.Textf("this server tells nobody")
	}
	if !s.k.Messenger.Sends(c.Kind) {
		return "", fault.Textf(noMail)
	}
	return s.k.Messenger.Send(ctx, c, m)
}

func languageOf(c alert.Channel) fault.Language {
	if c.French {
		return fault.French
	}
	return fault.English
}

// messageID draws the id of a message.
func (s *Service) messageID() (string, error) { return s.k.RandomName(16) }
