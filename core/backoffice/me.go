package backoffice

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Confirm is the password of an operator who has signed in, or the secret of a client, given again.
type Confirm struct{ Password string }

// confirm lets the session do for a while what needs a fresh password.
func (s *Service) confirm(ctx context.Context, a Actor, in Confirm) (kernel.None, error) {
	if a.client != nil {
		return s.confirmClient(ctx, a, in.Password)
	}
	if err := s.prove(ctx, a.Operator, in.Password, a.Peer, sessionBound(a)); err != nil {
		return kernel.None{}, err
	}
	return s.confirmed(ctx, a)
}

// SessionRecord is a session as its operator sees it.
type SessionRecord struct {
	ID            string
	Started, Seen kernel.Instant
	Peer, Agent   string
	// Current reports that it is the session of this request.
	Current bool
}

func (s *Service) listSessions(ctx context.Context, a Actor, _ kernel.Nothing) ([]SessionRecord, error) {
	return view(ctx, s, func(u unit) ([]SessionRecord, error) {
		found, err := u.Sessions().Of(a.Operator.ID)
		records := []SessionRecord{}
		for _, session := range found {
			if session.Valid(u.Now) {
				records = append(records, SessionRecord{
					ID: string(session.Hash), Started: kernel.Instant{Time: session.Started}, Seen: kernel.Instant{Time: session.Seen},
					Peer: session.Peer, Agent: session.Agent, Current: session.Hash == a.Session.Hash,
				})
			}
		}
		return records, err
	})
}

// EndSession names one of the actor's own sessions.
type EndSession struct{ ID string }

func (s *Service) endSession(ctx context.Context, a Actor, in EndSession) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		session, err := u.Sessions().Get(access.Hash(in.ID))
		if err == nil && (session.Operator != a.Operator.ID || session.Client != a.Client()) {
			err = fault.NotFound
		}
		if err != nil {
			return kernel.None{}, kernel.AbsentIs(err, kernel.Unknown("you have no such session"))
		}
		return kernel.None{}, u.Sessions().Discard(session.Hash)
	})
}

// endEverySession signs the actor out everywhere, here too.
func (s *Service) endEverySession(ctx context.Context, a Actor, _ kernel.Nothing) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) { return kernel.None{}, u.endAll(a.Operator.ID, "") })
}

// endAll removes the sessions of an operator, but for one that is to stay.
func (u unit) endAll(of operator.ID, but access.Hash) error {
	found, err := u.Sessions().Of(of)
	if err != nil {
		return err
	}
	for _, session := range found {
		if session.Hash == but {
			continue
		}
		if err := u.Sessions().Discard(session.Hash); err != nil {
			return err
		}
	}
	return nil
}

// ChangePassword is a new password of the actor.
type ChangePassword struct{ Password string }

// changePassword ends every other session of the actor.
func (s *Service) changePassword(ctx context.Context, a Actor, in ChangePassword) (kernel.None, error) {
	if a.Operator.ByProvider() {
		return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "you sign in with your organisation and have no password here")
	}
	hash, err := s.newPassword("password", in.Password, a.Operator)
	if err != nil {
		return kernel.None{}, err
	}
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		known, err := u.Operators().Get(a.Operator.ID)
		if err != nil {
			return kernel.None{}, err
		}
		known.Password = hash
		return kernel.None{}, kernel.FirstError(u.Operators().Replace(known), u.endAll(known.ID, a.Session.Hash))
	})
}

// newPassword returns the hash of a password that an operator chose.
func (s *Service) newPassword(field, password string, of operator.Operator) (string, error) {
	var problems fault.Problems
	operator.CheckPassword(field, password, of, s.passwords.IsCommon, &problems)
	if err := problems.Err(); err != nil {
		return "", err
	}
	return s.passwords.Hash(password)
}
