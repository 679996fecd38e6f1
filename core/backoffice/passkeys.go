package backoffice

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Asked is a challenge for a browser to answer with a passkey, within operator.AskedFor.
type Asked struct {
	// Challenge is sent back with the answer.
	Challenge string
	// Question is JSON: the argument publicKey of navigator.credentials.
	Question string
}

// Answered is the answer of a browser.
type Answered struct {
	// Challenge is that of Asked, and Answer the credential of navigator.credentials, as JSON.
	Challenge, Answer string
	// Origin is the origin of the page: scheme, host and port.
	Origin string
}

// hasPasskeys returns an error if there is no port that can check passkeys.
func (s *Service) hasPasskeys() error {
	if s.webAuthn == nil {
		return fault.New(fault.Forbidden, fault.CodeForbidden, "this server takes no passkeys")
	}
	return nil
}

// RequirePasskey has operators who sign in with a password do nothing until they have a passkey.
// Those who sign in at a provider are exempt: it decides what they show there.
func RequirePasskey() Option { return func(s *Service) { s.requirePasskey = true } }

// lacksPasskey reports whether an operator has to add a passkey first: one that is good, but for
// the one with an id.
func (s *Service) lacksPasskey(u unit, of operator.Operator, but string) (bool, error) {
	if !s.requirePasskey || of.ByProvider() {
		return false, nil
	}
	all, err := u.Passkeys().Of(of.ID)
	return !slices.ContainsFunc(all, func(p operator.Passkey) bool { return !p.Copied && p.ID != but }), err
}

func passkeyFirst() error {
	return fault.New(fault.Forbidden, fault.CodeForbidden, "add a passkey first")
}

// question makes the question for a browser, and the state to check its answer.
type question func(at string, of port.PasskeyHolder) (question, state string, err error)

// ask stores a challenge and returns it with its question.
func (s *Service) ask(ctx context.Context, p operator.Purpose, at string, of port.PasskeyHolder, with question) (Asked, error) {
	asked, state, err := with(at, of)
	if err != nil {
		return Asked{}, err
	}
	secret, hash, err := s.secret()
	if err != nil {
		return Asked{}, err
	}
	challenge := operator.Challenge{Hash: hash, Purpose: p, Operator: of.Operator.ID, State: state}
	_, err = write(ctx, s, nil, func(u unit) (kernel.None, error) {
		challenge.Expires = u.Now.Add(operator.AskedFor)
		return kernel.None{}, u.Challenges().Put(challenge)
	})
	return Asked{secret, asked}, err
}

// taken removes and returns the challenge of an answer, which can be used once.
func (s *Service) taken(ctx context.Context, p operator.Purpose, by operator.ID, secret string) (operator.Challenge, error) {
	c, err := write(ctx, s, nil, func(u unit) (operator.Challenge, error) {
		return u.Challenges().Take(u.Options.Pepper.Hash(secret))
	})
	if err == nil && !c.Admits(p, by, s.k.Moment()) {
		err = fault.NotFound
	}
	return c, kernel.AbsentIs(err, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "that took too long; begin again"))
}

// holder returns an operator with their passkeys.
func (u unit) holder(id operator.ID) (h port.PasskeyHolder, err error) {
	if h.Operator, err = u.Operators().Get(id); err != nil {
		return h, err
	}
	h.Passkeys, err = u.Passkeys().Of(id)
	return h, err
}

func (s *Service) holder(ctx context.Context, id operator.ID) (port.PasskeyHolder, error) {
	return view(ctx, s, func(u unit) (port.PasskeyHolder, error) { return u.holder(id) })
}

// AskPasskey asks for a challenge to sign in with a passkey alone.
type AskPasskey struct {
	Origin, Peer string
	// Browser is that of SignIn.
	Browser string
}

// AskPasskey returns a challenge for any passkey of the browser, to sign in without a password.
// It fails as Limited when an address, or a browser with former sessions, asks too often.
func (s *Service) AskPasskey(ctx context.Context, in AskPasskey) (Asked, error) {
	if err := s.hasPasskeys(); err != nil {
		return Asked{}, err
	}
	asking := s.passkeyBound(in.Peer, in.Browser)
	asking.Name = "asking " + asking.Name
	if err := s.try(s.k.Moment(), asking); err != nil {
		return Asked{}, err
	}
	return s.ask(ctx, operator.ToSignIn, in.Origin, port.PasskeyHolder{}, s.webAuthn.Ask)
}

// SignInWithPasskey is the answer to a challenge, of somebody who signs in with a passkey alone
// or after the password.
type SignInWithPasskey struct {
	Answered
	// Former, Browser, Peer and Agent are those of SignIn.
	Former, Browser, Peer, Agent string
}

// SignInWithPasskey begins a session. It fails as Unauthenticated when the passkey is not
// accepted, and as Limited after too many failures from the address, or in a browser with
// former sessions.
func (s *Service) SignInWithPasskey(ctx context.Context, in SignInWithPasskey) (SignedIn, error) {
	by, err := s.shown(ctx, operator.ToSignIn, 0, in.Answered, in.Peer, s.passkeyBound(in.Peer, in.Browser))
	if err != nil {
		return SignedIn{}, err
	}
	if by.ByProvider() {
		return SignedIn{}, s.refuse(ctx, by, in.Peer, "you sign in with your organisation, not with a passkey")
	}
	return s.begin(ctx, by, SignIn{Former: in.Former, Browser: in.Browser, Peer: in.Peer, Agent: in.Agent})
}

// shown checks a passkey and returns its operator: any one, or the given one.
func (s *Service) shown(ctx context.Context, p operator.Purpose, who operator.ID, in Answered, peer string, bound operator.Bound) (operator.Operator, error) {
	var nobody operator.Operator
	if err := s.hasPasskeys(); err != nil {
		return nobody, err
	}
	now := s.k.Moment()
	if err := s.try(now, bound); err != nil {
		return nobody, err
	}
	challenge, err := s.taken(ctx, p, who, in.Challenge)
	if err != nil {
		return nobody, err
	}
	by, err := s.answerer(ctx, challenge, in.Answer)
	if err == nil {
		var used operator.Passkey
		if used, err = s.webAuthn.Check(in.Origin, by, challenge.State, in.Answer); err == nil {
			err = s.used(ctx, by, used)
		}
	}
	switch {
	case errors.Is(err, fault.Unauthenticated):
		return nobody, s.refuse(ctx, by.Operator, peer, "the passkey was not accepted")
	case err != nil:
		return nobody, err
	}
	s.succeeded(now, bound)
	return by.Operator, nil
}

// answerer returns the operator whose passkey is named in an answer.
func (s *Service) answerer(ctx context.Context, c operator.Challenge, answer string) (port.PasskeyHolder, error) {
	id, err := s.webAuthn.Named(answer)
	if err != nil {
		return port.PasskeyHolder{}, err
	}
	return view(ctx, s, func(u unit) (port.PasskeyHolder, error) {
		known, err := u.Passkeys().Get(id)
		if err != nil {
			return port.PasskeyHolder{}, kernel.AbsentIs(err, signedOut())
		}
		if c.Operator != 0 && c.Operator != known.Operator {
			return port.PasskeyHolder{}, signedOut()
		}
		h, err := u.holder(known.Operator)
		if err == nil && h.Operator.Disabled {
			err = signedOut()
		}
		return h, kernel.AbsentIs(err, signedOut())
	})
}

// used stores the use of a passkey. It fails as Unauthenticated when somebody may have a copy
// of it, which is stored too, and when it was removed or used meanwhile.
func (s *Service) used(ctx context.Context, by port.PasskeyHolder, used operator.Passkey) error {
	before := ""
	for _, p := range by.Passkeys {
		if p.ID == used.ID {
			before = p.Record
		}
	}
	kept, err := write(ctx, s, nil, func(u unit) (operator.Passkey, error) {
		present, err := u.Passkeys().Get(used.ID)
		if err != nil {
			return present, kernel.AbsentIs(err, signedOut())
		}
		if present.Record != before {
			return present, signedOut()
		}
		present.Record, present.Copied, present.Used = used.Record, present.Copied || used.Copied, u.Now
		return present, u.Passkeys().Put(present)
	})
	if err == nil && kept.Copied {
		err = signedOut()
	}
	return err
}

// AskConfirm asks for a challenge for reauthentication.
type AskConfirm struct{ Origin string }

func (s *Service) askConfirm(ctx context.Context, a Actor, in AskConfirm) (Asked, error) {
	if err := s.hasPasskeys(); err != nil {
		return Asked{}, err
	}
	mine, err := s.holder(ctx, a.Operator.ID)
	if err != nil {
		return Asked{}, err
	}
	if len(mine.Passkeys) == 0 {
		return Asked{}, fault.New(fault.Conflict, fault.CodeConflict, "you have no passkey")
	}
	return s.ask(ctx, operator.ToConfirm, in.Origin, mine, s.webAuthn.Ask)
}

func (s *Service) confirmWithPasskey(ctx context.Context, a Actor, in Answered) (kernel.None, error) {
	if _, err := s.shown(ctx, operator.ToConfirm, a.Operator.ID, in, a.Peer, sessionBound(a)); err != nil {
		return kernel.None{}, err
	}
	return s.confirmed(ctx, a)
}

// PasskeyRecord is a passkey as its operator sees it.
type PasskeyRecord struct {
	ID, Name string
	Added    kernel.Instant
	Used     *kernel.Instant
	// Copied reports that somebody may have a copy: it is not accepted any more.
	Copied bool
}

func (s *Service) listPasskeys(ctx context.Context, a Actor, _ kernel.Nothing) ([]PasskeyRecord, error) {
	return view(ctx, s, func(u unit) ([]PasskeyRecord, error) {
		found, err := u.Passkeys().Of(a.Operator.ID)
		records := []PasskeyRecord{}
		for _, p := range found {
			records = append(records, PasskeyRecord{ID: p.ID, Name: p.Name, Added: kernel.Instant{Time: p.Added}, Used: kernel.When(p.Used), Copied: p.Copied})
		}
		return records, err
	})
}

// AskNewPasskey asks for a challenge to add a passkey.
type AskNewPasskey struct{ Origin string }

func (s *Service) askNewPasskey(ctx context.Context, a Actor, in AskNewPasskey) (Asked, error) {
	if err := s.hasPasskeys(); err != nil {
		return Asked{}, err
	}
	mine, err := s.holder(ctx, a.Operator.ID)
	if err != nil {
		return Asked{}, err
	}
	return s.ask(ctx, operator.ToRegister, in.Origin, mine, s.webAuthn.AskNew)
}

// AddPasskey is a new passkey of the actor.
type AddPasskey struct {
	Answered
	Name string
}

func (s *Service) addPasskey(ctx context.Context, a Actor, in AddPasskey) (kernel.None, error) {
	if err := s.hasPasskeys(); err != nil {
		return kernel.None{}, err
	}
	name := strings.TrimSpace(in.Name)
	var problems fault.Problems
	if kernel.CheckText("name", name, operator.MaxPasskeyName, &problems) && name == "" {
		problems.Add("name", fault.CodeRequired, "a passkey needs a name")
	}
	if err := problems.Err(); err != nil {
		return kernel.None{}, err
	}
	challenge, err := s.taken(ctx, operator.ToRegister, a.Operator.ID, in.Challenge)
	if err != nil {
		return kernel.None{}, unaccepted(err)
	}
	mine, err := s.holder(ctx, a.Operator.ID)
	if err != nil {
		return kernel.None{}, err
	}
	made, err := s.webAuthn.New(in.Origin, mine, challenge.State, in.Answer)
	if err != nil {
		return kernel.None{}, unaccepted(err)
	}
	made.Name = name
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) { return kernel.None{}, u.addPasskey(made) })
}

// unaccepted returns the error for an operator whose new passkey was not accepted.
func unaccepted(err error) error {
	if errors.Is(err, fault.Unauthenticated) {
		return kernel.Invalid("passkey", fault.CodeInvalidFormat, "%s", fault.From(err).Message)
	}
	return err
}

// addPasskey stores a new passkey. It locks the operator, so that the limit of passkeys holds.
func (u unit) addPasskey(made operator.Passkey) error {
	if _, err := u.Operators().Get(made.Operator); err != nil {
		return err
	}
	mine, err := u.Passkeys().Of(made.Operator)
	if err != nil {
		return err
	}
	if len(mine) >= operator.MaxPasskeys {
		return kernel.Invalid("passkey", fault.CodeOutOfRange, "you have as many passkeys as you may")
	}
	switch _, err := u.Passkeys().Get(made.ID); {
	case err == nil:
		return kernel.Invalid("passkey", fault.CodeNameTaken, "there is such a passkey")
	case !kernel.IsAbsent(err):
		return err
	}
	made.Added = u.Now
	return u.Passkeys().Put(made)
}

// RemovePasskey is the id of one of the actor's passkeys.
type RemovePasskey struct{ ID string }

func (s *Service) removePasskey(ctx context.Context, a Actor, in RemovePasskey) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		known, err := u.Passkeys().Get(in.ID)
		if err == nil && known.Operator != a.Operator.ID {
			err = fault.NotFound
		}
		if err != nil {
			return kernel.None{}, kernel.AbsentIs(err, kernel.Unknown("you have no such passkey"))
		}
		mine, err := u.Operators().Get(a.Operator.ID) // of two that are removed at once, one is the last
		if err != nil {
			return kernel.None{}, err
		}
		switch lacks, err := s.lacksPasskey(u, mine, known.ID); {
		case err != nil:
			return kernel.None{}, err
		case lacks && !known.Copied:
			return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "this is your last passkey, and this server requires one: add another one first")
		}
		return kernel.None{}, u.Passkeys().Discard(known.ID)
	})
}

// forgetPasskeys removes all passkeys of an operator who recovers access by a link, because
// the device may be lost.
func (u unit) forgetPasskeys(of operator.ID) error {
	all, err := u.Passkeys().Of(of)
	if err != nil {
		return err
	}
	for _, p := range all {
		if err := u.Passkeys().Discard(p.ID); err != nil {
			return err
		}
	}
	return nil
}

// confirmed marks the session as reauthenticated.
func (s *Service) confirmed(ctx context.Context, a Actor) (kernel.None, error) {
	return write(ctx, s, nil, func(u unit) (kernel.None, error) { return kernel.None{}, u.prove(a.Session.Hash) })
}

func (u unit) prove(hash access.Hash) error {
	session, err := u.Sessions().Get(hash)
	if err != nil {
		return kernel.AbsentIs(err, signedOut())
	}
	session.Proved = u.Now
	return u.Sessions().Put(session)
}
