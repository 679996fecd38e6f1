package backoffice

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// SignedInByProviderEntry is the name under which the audit knows a sign-in by OpenID Connect.
const SignedInByProviderEntry = "session.start.openid"

// Provider is where operators sign in by OpenID Connect, and who gets a role by that.
type Provider struct {
	port.Provider
	// Name is what the sign-in page calls it.
	Name string
	// Groups are the groups that give a role. Each sign-in sets the role anew.
	Groups []operator.GroupRole
}

// OpenID has operators sign in at a provider of OpenID Connect, too.
func OpenID(p Provider) Option { return func(s *Service) { s.provider = p } }

// ProviderName returns the name of the provider where operators sign in; empty for none.
func (s *Service) ProviderName() string { return s.provider.Name }

func (s *Service) hasProvider() error {
	if s.provider.Provider == nil {
		return kernel.Unknown("there is no such page")
	}
	return nil
}

// BeginOpenID is somebody who goes to the provider.
type BeginOpenID struct {
	// Redirect is the address of the console to which the browser comes back.
	Redirect string
	// To is for FinishOpenID to return.
	To string
	// Invitation is the secret of the link by which they come in; empty for none.
	Invitation string
	// Again reports that the operator of Session shows again who they are.
	Again   bool
	Session string
	// Browser and Peer are those of SignIn.
	Browser, Peer string
}

// OpenIDBegun is the address at the provider where a browser goes, and the state that it keeps
// until it comes back, within operator.BackWithin.
type OpenIDBegun struct{ Address, State string }

// maxTo bounds the address of a page to go to, in bytes.
const maxTo = 2000

// BeginOpenID begins a sign-in at the provider. It fails as NotFound without a provider, as
// Unavailable when it does not answer, and as Limited when it is begun too often.
func (s *Service) BeginOpenID(ctx context.Context, in BeginOpenID) (OpenIDBegun, error) {
	if err := s.hasProvider(); err != nil {
		return OpenIDBegun{}, err
	}
	asking := s.passkeyBound(in.Peer, in.Browser)
	asking.Name = "asking " + asking.Name
	if err := s.try(s.k.Moment(), asking); err != nil {
		return OpenIDBegun{}, err
	}
	begun := operator.Challenge{Purpose: operator.ToSignInAtProvider, State: in.To}
	switch {
	case in.Again:
		a, err := s.Look(ctx, in.Session, in.Peer)
		if err != nil {
			return OpenIDBegun{}, err
		}
		begun.Purpose, begun.Operator = operator.ToConfirmAtProvider, a.Operator.ID
	case in.Invitation != "":
		if _, err := s.Invitation(ctx, in.Invitation); err != nil {
			return OpenIDBegun{}, err
		}
		begun.Purpose, begun.State = operator.ToAcceptAtProvider, string(s.k.Options.Pepper.Hash(in.Invitation))
	case len(in.To) > maxTo:
		begun.State = ""
	}
	state, hash, err := s.secret()
	if err != nil {
		return OpenIDBegun{}, err
	}
	flow := s.flow(in.Redirect, state)
	flow.Again = in.Again
	address, err := s.provider.Begin(ctx, flow)
	if err != nil {
		return OpenIDBegun{}, err
	}
	_, err = write(ctx, s, nil, func(u unit) (kernel.None, error) {
		begun.Hash, begun.Expires = hash, u.Now.Add(operator.BackWithin)
		return kernel.None{}, u.Challenges().Put(begun)
	})
	return OpenIDBegun{address, state}, err
}

// flow returns what is sent to the provider with a state. Whoever sees the state on its way does
// not know the verifier.
func (s *Service) flow(redirect, state string) port.ProviderFlow {
	derived := func(what string) string { return string(s.k.Options.Pepper.Hash(what + " " + state)) }
	return port.ProviderFlow{Redirect: redirect, State: state, Nonce: derived("nonce"), Verifier: derived("verifier")}
}

// FinishOpenID is a browser that comes back from the provider.
type FinishOpenID struct {
	// State and Code are what it brings; Code is empty where the provider has refused. Kept is
	// the state that the browser was given.
	State, Code, Kept string
	// Redirect is that of BeginOpenID.
	Redirect string
	// Former, Browser, Peer and Agent are those of SignIn.
	Former, Browser, Peer, Agent string
}

// OpenIDFinished is a new session, or one whose operator has shown again who they are.
type OpenIDFinished struct {
	// SignedIn has no secret where it was the latter.
	SignedIn
	// To is that of BeginOpenID.
	To string
}

// errOut is the cause of refusals that end the sessions of the operator.
var errOut = errors.New("the operator is not let in any more")

// FinishOpenID signs somebody in who comes back from the provider: the operator of their account
// there, a new one by their groups, or the one of an invitation. It fails as Unauthenticated when
// the provider does not say who they are, or none of their groups gives a role, and as Limited
// after too many failures.
func (s *Service) FinishOpenID(ctx context.Context, in FinishOpenID) (OpenIDFinished, error) {
	if err := s.hasProvider(); err != nil {
		return OpenIDFinished{}, err
	}
	now, bound := s.k.Moment(), s.passkeyBound(in.Peer, in.Browser)
	if err := s.try(now, bound); err != nil {
		return OpenIDFinished{}, err
	}
	begun, err := s.back(ctx, in)
	if err != nil {
		return OpenIDFinished{}, err
	}
	claims, err := s.claims(ctx, in)
	var known operator.ID
	var out OpenIDFinished
	if err == nil {
		out, known, err = s.arrive(ctx, begun, claims, in)
	}
	if errors.Is(err, fault.Unauthenticated) {
		return OpenIDFinished{}, s.refuseArrival(ctx, known, in.Peer, err)
	}
	if err != nil {
		return OpenIDFinished{}, err
	}
	s.succeeded(now, bound)
	return out, nil
}

// back returns what was begun in the browser that comes back. It can be used once.
func (s *Service) back(ctx context.Context, in FinishOpenID) (operator.Challenge, error) {
	if in.State == "" || !access.Hash(in.State).Matches(access.Hash(in.Kept)) {
		return operator.Challenge{}, refusal("that was not begun in this browser; begin again")
	}
	c, err := write(ctx, s, nil, func(u unit) (operator.Challenge, error) {
		return u.Challenges().Take(u.Options.Pepper.Hash(in.State))
	})
	ours := []operator.Purpose{operator.ToSignInAtProvider, operator.ToAcceptAtProvider, operator.ToConfirmAtProvider}
	if err == nil && (!slices.Contains(ours, c.Purpose) || !c.Admits(c.Purpose, 0, s.k.Moment())) {
		err = fault.NotFound
	}
	return c, kernel.AbsentIs(err, refusal("that took too long; begin again"))
}

// claims returns what the provider says of who comes back.
func (s *Service) claims(ctx context.Context, in FinishOpenID) (port.ProviderClaims, error) {
	if in.Code == "" {
		return port.ProviderClaims{}, refusal("%s did not let you in", s.provider.Name)
	}
	claims, err := s.provider.Finish(ctx, s.flow(in.Redirect, in.State), in.Code)
	if errors.Is(err, fault.Unauthenticated) {
		err = refusal("%s did not say who you are; begin again", s.provider.Name).Because(err)
	}
	return claims, err
}

func refusal(format string, args ...any) *fault.Error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, format, args...)
}

// refuseArrival stores that somebody was refused, and ends the sessions of an operator who is not
// let in any more.
func (s *Service) refuseArrival(ctx context.Context, known operator.ID, peer string, cause error) error {
	note := kernel.NewNote(operator.Entry{Operator: known, Peer: peer, Operation: RefusedEntry})
	_, err := write(ctx, s, note, func(u unit) (kernel.None, error) {
		if !errors.Is(cause, errOut) {
			return kernel.None{}, nil
		}
		return kernel.None{}, u.endAll(known, "")
	})
	if err != nil {
		return err
	}
	return cause
}

// arrive lets in who comes back from the provider. known is the operator of the account, 0 if
// there is none yet.
func (s *Service) arrive(ctx context.Context, begun operator.Challenge, c port.ProviderClaims, in FinishOpenID) (out OpenIDFinished, known operator.ID, err error) {
	secret, hash, err := s.secret()
	if err != nil {
		return out, 0, err
	}
	confirms := begun.Purpose == operator.ToConfirmAtProvider
	note := kernel.NewNote(operator.Entry{Peer: in.Peer, Operation: SignedInByProviderEntry})
	switch {
	case confirms:
		note = nil
	case begun.Purpose == operator.ToAcceptAtProvider:
		note = kernel.NewNote(operator.Entry{Peer: in.Peer, Operation: AcceptedEntry})
	}
	actor, err := write(ctx, s, note, func(u unit) (Actor, error) {
		before, err := u.identified(c)
		known = before.ID
		if err == nil && known != 0 && begun.Purpose == operator.ToAcceptAtProvider {
			err = refusal("your account is an operator's already: sign in without the link")
		}
		if err != nil {
			return Actor{}, err
		}
		after, err := s.withRole(before, c)
		if err != nil {
			return Actor{}, err
		}
		if confirms {
			return Actor{}, u.confirmAtProvider(before, after, begun, c, in.Former)
		}
		if before.ID == 0 {
			if before, err = u.newcomer(after, begun, c); err != nil {
				return Actor{}, err
			}
		}
		if err := u.takeRole(before, after); err != nil {
			return Actor{}, err
		}
		u.As(before.ID)
		if err := u.end(in.Former); err != nil {
			return Actor{}, err
		}
		return u.start(before, operator.Session{Hash: hash, Operator: before.ID, Peer: in.Peer, Agent: clipped(in.Agent)})
	})
	if err != nil || confirms {
		return out, known, err
	}
	out = OpenIDFinished{SignedIn: SignedIn{Secret: secret, Actor: actor}}
	if begun.Purpose == operator.ToSignInAtProvider {
		out.To = begun.State
	}
	out.Browser, err = s.proofFor(actor.Operator.ID, in.Browser)
	return out, known, err
}

// identified returns the operator of an account at the provider, or nobody.
func (u unit) identified(c port.ProviderClaims) (operator.Operator, error) {
	identity, err := u.Identities().Get(operator.IdentityID(c.Issuer, c.Subject))
	if err != nil {
		return operator.Operator{}, kernel.AbsentIs(err, nil)
	}
	known, err := u.Operators().Get(identity.Operator)
	if err == nil && known.Disabled {
		err = refusal("the operator is disabled").Because(errOut)
	}
	return known, err
}

// withRole returns an operator with the role that their groups give.
func (s *Service) withRole(o operator.Operator, c port.ProviderClaims) (operator.Operator, error) {
	var ok bool
	if o.Role, o.Sites, o.Everywhere, ok = operator.RoleOf(s.provider.Groups, c.Groups); ok {
		return o, nil
	}
	var names []string
	for _, line := range s.provider.Groups {
		if !slices.Contains(names, line.Group) {
			names = append(names, line.Group)
		}
	}
	return o, refusal("you are in none of the groups that have a role here: %s", strings.Join(names, ", ")).Because(errOut)
}

func sameRole(a, b operator.Operator) bool {
	return a.Role == b.Role && a.Everywhere == b.Everywhere && slices.Equal(a.Sites, b.Sites)
}

// takeRole gives an operator the role that their groups give.
func (u unit) takeRole(before, after operator.Operator) error {
	if sameRole(before, after) {
		return nil
	}
	if err := u.holdAll(); err != nil {
		return err
	}
	changed := before
	changed.Role, changed.Sites, changed.Everywhere = after.Role, after.Sites, after.Everywhere
	err := u.replace(before, changed)
	if errors.Is(err, fault.Conflict) {
		err = refusal("your groups give you less than before, and nobody else could manage operators everywhere").Because(errOut)
	}
	return err
}

// newcomer makes an operator of somebody with an account that is nobody's yet: by an invitation,
// or with the role of their groups and an e-mail that is no other operator's.
func (u unit) newcomer(with operator.Operator, begun operator.Challenge, c port.ProviderClaims) (made operator.Operator, err error) {
	if begun.Purpose == operator.ToAcceptAtProvider {
		made, err = u.acceptAtProvider(access.Hash(begun.State), c)
	} else {
		made, err = u.join(with, c)
	}
	if err == nil {
		err = u.Identities().Add(operator.Identity{ID: operator.IdentityID(c.Issuer, c.Subject), Operator: made.ID, Added: u.Now})
	}
	if errors.Is(err, port.ErrTaken) {
		err = emailTaken()
	}
	return made, err
}

func emailTaken() error {
	return refusal("there is an operator with your e-mail: an administrator makes them a new link, by which you come in")
}

// join adds an operator with a role by groups.
func (u unit) join(made operator.Operator, c port.ProviderClaims) (operator.Operator, error) {
	var err error
	if made.Email, made.Name, err = personOf(c); err != nil {
		return made, err
	}
	everybody, err := u.Operators().All()
	switch {
	case err != nil:
		return made, err
	case len(everybody) == 0 && !made.CanAll():
		return made, refusal("the first operator is an administrator of all sites, which your groups do not give")
	case slices.ContainsFunc(everybody, func(o operator.Operator) bool { return o.Email == made.Email }):
		return made, emailTaken()
	}
	made.Added = u.Now
	if made.ID, err = kernel.NextID[operator.ID](u, port.OperatorIDs); err != nil {
		return made, err
	}
	u.About(about("operator", int64(made.ID)))
	u.Changed(operatorState{}, stateOf(made))
	return made, u.Operators().Add(made)
}

// acceptAtProvider spends an invitation. Its operator has no password from then on.
func (u unit) acceptAtProvider(hash access.Hash, c port.ProviderClaims) (operator.Operator, error) {
	i, err := u.invited(hash)
	if err != nil {
		return operator.Operator{}, err
	}
	var in Accept
	if i.IsSetUp() {
		if in.Email, in.Name, err = personOf(c); err != nil {
			return operator.Operator{}, err
		}
	}
	return u.accept(hash, in, "")
}

// personOf returns the e-mail and the name of somebody as the provider says.
func personOf(c port.ProviderClaims) (email, name string, err error) {
	if _, valid := operator.ParseEmail(c.Email); !valid || !c.EmailVerified {
		return "", "", refusal("your e-mail is not said to be verified: ask an administrator for an invitation")
	}
	var problems fault.Problems
	if email, name = checkPerson(c.Email, c.Name, &problems); problems.Err() != nil {
		runes := []rune(email)
		name = string(runes[:min(len(runes), operator.MaxName)])
	}
	return email, name, nil
}

// clocksDiffer bounds how far the clock of the provider may be behind.
const clocksDiffer = time.Minute

// confirmAtProvider marks a session as reauthenticated.
func (u unit) confirmAtProvider(before, after operator.Operator, begun operator.Challenge, c port.ProviderClaims, secret string) error {
	hash := u.Options.Pepper.Hash(secret)
	session, err := u.Sessions().Get(hash)
	switch {
	case err != nil:
		return kernel.AbsentIs(err, signedOut())
	case before.ID != begun.Operator || session.Operator != begun.Operator || !session.Valid(u.Now):
		return refusal("that is another account than the one you are signed in with")
	case !sameRole(before, after):
		return refusal("your groups have changed: sign in anew").Because(errOut)
	case c.Authenticated.Before(begun.Expires.Add(-operator.BackWithin - clocksDiffer)):
		return refusal("you were not asked there who you are; begin again")
	}
	return u.prove(hash)
}

// forgetIdentities removes the accounts elsewhere of an operator.
func (u unit) forgetIdentities(of operator.ID) error {
	all, err := u.Identities().Of(of)
	if err != nil {
		return err
	}
	for _, i := range all {
		if err := u.Identities().Discard(i.ID); err != nil {
			return err
		}
	}
	return nil
}
