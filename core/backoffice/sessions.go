package backoffice

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// The names under which the audit knows what is no line of the table, because whoever
// does it has not signed in yet.
const (
	SignedInEntry = "session.start"
	RefusedEntry  = "session.refused"
	AcceptedEntry = "invitation.accept"
)

// SignIn is somebody who says who they are.
type SignIn struct {
	Email, Password string
	// Former is the secret of a session of the same browser, which ends.
	Former string
	// Browser is what SignedIn.Browser was in the same browser, if it was ever.
	Browser string
	// Peer is the address it is asked from, Agent what the browser calls itself.
	Peer, Agent string
	// Origin is where the browser is: scheme, host and port.
	Origin string
}

// SignedIn is a new session, or what stands before it.
type SignedIn struct {
	// Passkey is what the browser has to answer first, see SignInWithPasskey; nil where
	// there is a session.
	Passkey *Asked
	// Secret is what the browser keeps; it is known to nobody else.
	Secret string
	// Browser is for the browser to keep for good: the next time it fails to sign in,
	// that counts for itself alone.
	Browser string
	Actor   Actor
}

// SignIn begins a session, or asks an operator who has passkeys for one. An unknown e-mail and a wrong password get the same
// answer, Unauthenticated, at the same price. It is Limited after too many failures
// in the browser where the operator signed in before, or else from the address or of the account.
func (s *Service) SignIn(ctx context.Context, in SignIn) (SignedIn, error) {
	email, _ := operator.ParseEmail(in.Email)
	known, err := view(ctx, s, func(u unit) (operator.Operator, error) { return u.byEmail(email) })
	if err != nil {
		return SignedIn{}, err
	}
	if err := s.prove(ctx, known, in.Password, in.Peer, s.passwordBounds(known.ID, email, in.Peer, in.Browser)...); err != nil {
		return SignedIn{}, err
	}
	mine, err := s.holder(ctx, known.ID)
	if err != nil {
		return SignedIn{}, err
	}
	if len(mine.Passkeys) == 0 {
		return s.begin(ctx, known, in)
	}
	if err := s.hasPasskeys(); err != nil {
		return SignedIn{}, err
	}
	asked, err := s.ask(ctx, operator.ToSignIn, in.Origin, mine, s.webAuthn.Ask)
	if err != nil {
		return SignedIn{}, err
	}
	return SignedIn{Passkey: &asked}, nil
}

// prove checks the password of who somebody says they are; nobody has none.
func (s *Service) prove(ctx context.Context, claimed operator.Operator, password, peer string, bounds ...operator.Bound) error {
	now := s.k.Moment()
	if err := s.try(now, bounds...); err != nil {
		return err
	}
	hash := claimed.Password
	if claimed.Disabled {
		hash = ""
	}
	right, err := s.passwords.Verify(hash, password)
	if err != nil {
		return err
	}
	if !right {
		return s.refuse(ctx, claimed, peer, "the e-mail or the password is wrong")
	}
	s.succeeded(now, bounds...)
	return nil
}

// byEmail returns the operator with an e-mail, or nobody.
func (u unit) byEmail(email string) (operator.Operator, error) {
	known, err := u.Operators().ByEmail(email)
	return known, kernel.AbsentIs(err, nil)
}

// refuse writes down that somebody failed to sign in: whom they said they were, if
// there is such an operator, never what they typed.
func (s *Service) refuse(ctx context.Context, claimed operator.Operator, peer, format string, args ...any) error {
	note := kernel.NewNote(operator.Entry{Operator: claimed.ID, Peer: peer, Operation: RefusedEntry})
	if err := s.leave(ctx, note); err != nil {
		return err
	}
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, format, args...)
}

// begin starts a session of an operator who has shown who they are.
func (s *Service) begin(ctx context.Context, of operator.Operator, in SignIn) (SignedIn, error) {
	secret, hash, err := s.secret()
	if err != nil {
		return SignedIn{}, err
	}
	proof, err := s.proofFor(of.ID, in.Browser)
	if err != nil {
		return SignedIn{}, err
	}
	note := kernel.NewNote(operator.Entry{Operator: of.ID, Peer: in.Peer, Operation: SignedInEntry})
	session := operator.Session{Hash: hash, Operator: of.ID, Peer: in.Peer, Agent: clipped(in.Agent)}
	actor, err := write(ctx, s, note, func(u unit) (Actor, error) {
		if err := u.end(in.Former); err != nil {
			return Actor{}, err
		}
		return u.start(of, session)
	})
	return SignedIn{Secret: secret, Browser: proof, Actor: actor}, err
}

// maxAgent bounds what a browser calls itself, in bytes.
const maxAgent = 200

func clipped(agent string) string {
	clean := []rune{}
	for _, r := range agent {
		if r >= ' ' && r < 0x7f && len(clean) < maxAgent {
			clean = append(clean, r)
		}
	}
	return string(clean)
}

// start stores a session, unless the operator was disabled or got another password
// meanwhile.
func (u unit) start(proved operator.Operator, session operator.Session) (Actor, error) {
	present, err := u.Operators().Get(proved.ID)
	if err != nil {
		return Actor{}, err
	}
	if present.Disabled || present.Password != proved.Password {
		return Actor{}, signedOut()
	}
	present.SignedIn = u.Now
	session.Started, session.Seen, session.Proved = u.Now, u.Now, u.Now
	if err := kernel.FirstError(u.Operators().Replace(present), u.Sessions().Put(session)); err != nil {
		return Actor{}, err
	}
	return Actor{Operator: present, Session: session, Peer: session.Peer}, nil
}

// end removes the session with a secret, if there is one.
func (u unit) end(secret string) error {
	if secret == "" {
		return nil
	}
	return u.Sessions().Discard(u.Options.Pepper.Hash(secret))
}

func signedOut() error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the session has ended; sign in again")
}

// Identify returns whose session a secret is of, and counts as use of it. It is
// Unauthenticated when the session is unknown or over, and when the operator is
// disabled.
func (s *Service) Identify(ctx context.Context, secret, peer string) (Actor, error) {
	a, err := s.Look(ctx, secret, peer)
	if err != nil {
		return Actor{}, err
	}
	if used, changed := a.Session.Used(s.k.Moment()); changed {
		if a.Session, err = s.use(ctx, used); err != nil {
			return Actor{}, err
		}
	}
	return a, nil
}

// Look is Identify for what a page asks by itself, with nobody at the keyboard: the
// session ends as if it had not been used.
func (s *Service) Look(ctx context.Context, secret, peer string) (Actor, error) {
	if secret == "" {
		return Actor{}, signedOut()
	}
	hash := s.k.Options.Pepper.Hash(secret)
	a, err := view(ctx, s, func(u unit) (Actor, error) {
		known, err := u.actor(hash)
		if err == nil && known.client == nil {
			known.LacksPasskey, err = s.lacksPasskey(u, known.Operator, "")
		}
		return known, err
	})
	if err != nil {
		return Actor{}, err
	}
	a.Peer = peer
	return a, nil
}

func (u unit) actor(hash access.Hash) (Actor, error) {
	session, err := u.Sessions().Get(hash)
	if err != nil {
		return Actor{}, kernel.AbsentIs(err, signedOut())
	}
	if session.Client != "" {
		return u.clientOf(session)
	}
	known, err := u.Operators().Get(session.Operator)
	if err != nil {
		return Actor{}, kernel.AbsentIs(err, signedOut())
	}
	if known.Disabled || !session.Valid(u.Now) {
		return Actor{}, signedOut()
	}
	return Actor{Operator: known, Session: session}, nil
}

// use stores that a session was used, unless it has ended meanwhile.
func (s *Service) use(ctx context.Context, used operator.Session) (operator.Session, error) {
	return write(ctx, s, nil, func(u unit) (operator.Session, error) {
		present, err := u.Sessions().Get(used.Hash)
		if err != nil {
			return present, kernel.AbsentIs(err, signedOut())
		}
		present.Seen = kernel.Latest(present.Seen, used.Seen)
		return present, u.Sessions().Put(present)
	})
}
