package backoffice

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// PortalSignIn is what the request log calls a sign-in of a client to its portal.
const PortalSignIn = "portal.sign-in"

// SignInClient is a client of the API that signs in to its portal.
type SignInClient struct {
	ID, Secret string
	// Former is the secret of a session of the same browser, which ends.
	Former string
	// Peer is the address it is asked from, Agent what the browser calls itself.
	Peer, Agent string
}

// SignInClient begins a session of a client of the API, which has the client's own grant. It fails as a call
// for tokens does: as Unauthenticated when id or secret are wrong, as Limited when that happened too often
// from the address, as Forbidden when the client is disabled. The request log has each sign-in.
func (s *Service) SignInClient(ctx context.Context, in SignInClient) (SignedIn, error) {
	client, err := s.authenticate(ctx, in)
	if err != nil {
		return SignedIn{}, err
	}
	secret, hash, err := s.secret()
	if err != nil {
		return SignedIn{}, err
	}
	note := kernel.NewNote(operator.Entry{Client: client.ID, Peer: in.Peer, Operation: SignedInEntry})
	session := operator.Session{Hash: hash, Client: client.ID, Secret: client.Secret, Peer: in.Peer, Agent: clipped(in.Agent)}
	actor, err := write(ctx, s, note, func(u unit) (Actor, error) {
		if err := u.end(in.Former); err != nil {
			return Actor{}, err
		}
		session.Started, session.Seen, session.Proved = u.Now, u.Now, u.Now
		a, err := u.clientOf(session)
		if err != nil {
			return Actor{}, err
		}
		a.Peer = in.Peer
		return a, u.Sessions().Put(session)
	})
	return SignedIn{Secret: secret, Actor: actor}, err
}

// clientOf returns the client of a session. It is Unauthenticated when the session is over, and when the client is
// disabled, revoked or has another secret.
func (u unit) clientOf(session operator.Session) (Actor, error) {
	c, err := u.Credentials().Get(session.Client)
	if err != nil {
		return Actor{}, kernel.AbsentIs(err, signedOut())
	}
	if c.Disabled || c.Revoked() || !c.Secret.Matches(session.Secret) || !session.Valid(u.Now) {
		return Actor{}, signedOut()
	}
	known := operator.Operator{Name: cmp.Or(c.Name, string(c.ID)), Role: operator.Client, Sites: c.Sites}
	return Actor{Operator: known, Session: session, client: &c}, nil
}

// confirmClient is confirm for a client, which gives its secret again.
func (s *Service) confirmClient(ctx context.Context, a Actor, secret string) (kernel.None, error) {
	now, bound := s.k.Moment(), sessionBound(a)
	if err := s.try(now, bound); err != nil {
		return kernel.None{}, err
	}
	in := SignInClient{ID: string(a.client.ID), Secret: secret, Peer: a.Peer, Agent: a.Session.Agent}
	if _, err := s.authenticate(ctx, in); err != nil {
		return kernel.None{}, err
	}
	s.succeeded(now, bound)
	return s.confirmed(ctx, a)
}

// authenticate checks who a client says it is. As with calls for tokens, those from an address that was wrong too
// often are Limited while they are wrong: a right secret is always taken.
func (s *Service) authenticate(ctx context.Context, in SignInClient) (access.Credential, error) {
	began := s.k.Moment()
	client, err := s.site.Tokens.Authenticate(ctx, tokens.Basic{ClientID: in.ID, ClientSecret: in.Secret})
	claimed, _ := errors.AsType[tokens.Claimed](err)
	if errors.Is(err, fault.Unauthenticated) {
		bound := operator.Bound{Name: "client from " + access.PeerNetwork(in.Peer), Most: operator.MaxFailures}
		if limited := s.try(began, bound); limited != nil {
			err = limited
		}
	}
	if failed := s.recordSignIn(in, cmp.Or(claimed.Credential, client.ID), began, err); failed != nil {
		return access.Credential{}, failed
	}
	return client, err
}

// signInStatuses are those that the request log has of sign-ins that failed.
var signInStatuses = map[fault.Kind]int{fault.Unauthenticated: 401, fault.Forbidden: 403, fault.Limited: 429}

// recordSignIn tells the request log of a sign-in of a client, which is only claimed if it was refused, as of a call
// for tokens.
func (s *Service) recordSignIn(in SignInClient, by access.CredentialID, began time.Time, refused error) error {
	if !s.site.Requests.Kept() {
		return nil
	}
	id, err := s.k.RandomName(16)
	if err != nil {
		return err
	}
	kept := trace.Request{
		ID: id, At: began, Operation: PortalSignIn, Method: "POST", Credential: by, Status: 200,
		Took: s.k.Moment().Sub(began), Peer: in.Peer, Agent: clipped(in.Agent),
	}
	if refused != nil {
		known := fault.From(refused)
		kept.Credential, kept.Claimed, kept.Code, kept.Status = "", by, known.Code, cmp.Or(signInStatuses[known.Kind], 500)
		if by == access.UnknownClient {
			kept.UnknownClient = trace.ShownClientID(in.ID)
		}
	}
	kept.OneIn = s.site.Requests.Seen(requests.Seen{
		Kind: trace.Kind{Operation: PortalSignIn, Credential: by, Class: trace.Class(kept.Status)},
		ID:   id, At: began, Took: kept.Took, Important: true,
	})
	if kept.OneIn > 0 {
		s.site.Requests.Record(kept)
	}
	return nil
}

// ownSignIn returns a sign-in that was refused and says it is from the client; c is the client at a site.
func (s *Service) ownSignIn(ctx context.Context, a Actor, c kernel.Caller, id string) (trace.Request, error) {
	c.Grant.Credential = ""
	r, err := s.site.Requests.Get(ctx, c, id)
	if err == nil && (!r.FailedSignIn() || r.Claimed != a.client.ID) {
		return trace.Request{}, kernel.Unknown("no request with this id is kept")
	}
	return r.WithoutBodies(), err
}
