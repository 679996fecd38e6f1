package backoffice

import (
	"context"
	"errors"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Link is an invitation that was just made: its secret belongs into a link, is shown
// once, and is known to nobody else.
type Link struct {
	Secret  string
	Expires kernel.Instant
}

// Post is what an operator is there for: a role, and the sites it holds for.
type Post struct {
	Role       string
	Sites      []int64
	Everywhere bool
}

// read returns the post that a request describes, which the actor must be able to give.
func (u unit) read(p Post, by operator.Operator, problems *fault.Problems) (operator.Role, []site.ID, error) {
	role, known := operator.ParseRole(p.Role)
	if !known {
		problems.Wrong("role", fault.CodeInvalidFormat, p.Role, "role is one of %v", operator.Roles())
	}
	var sites []site.ID
	for _, id := range p.Sites {
		if _, err := u.Sites().Get(site.ID(id)); err != nil {
			if !kernel.IsAbsent(err) {
				return role, nil, err
			}
			problems.Wrong("sites", fault.CodeUnknownSite, id, "there is no such site")
		}
		sites = append(sites, site.ID(id))
	}
	if len(sites) == 0 && !p.Everywhere {
		problems.Add("sites", fault.CodeRequired, "choose at least one site")
	}
	if known && !by.Outranks(role, sites, p.Everywhere) {
		return role, nil, fault.New(fault.Forbidden, fault.CodeForbidden, "you cannot give somebody more than you have yourself")
	}
	return role, sites, nil
}

// InviteOperator invites somebody who is no operator yet.
type InviteOperator struct {
	Email, Name string
	Post
}

func (s *Service) inviteOperator(ctx context.Context, a Actor, in InviteOperator) (Link, error) {
	return s.invite(ctx, a, func(u unit) (operator.Invitation, error) { return u.invitation(a, in) })
}

// invite stores an invitation that a unit of work makes.
func (s *Service) invite(ctx context.Context, a Actor, made func(unit) (operator.Invitation, error)) (Link, error) {
	secret, hash, err := s.secret()
	if err != nil {
		return Link{}, err
	}
	return write(ctx, s, a.note, func(u unit) (Link, error) {
		invitation, err := made(u)
		if err != nil {
			return Link{}, err
		}
		invitation.Hash, invitation.By, invitation.Added = hash, a.Operator.ID, u.Now
		if invitation.Expires.IsZero() {
			invitation.Expires = u.Now.Add(operator.InvitedFor)
		}
		if err := u.replaceInvitations(a, invitation); err != nil {
			return Link{}, err
		}
		if invitation.Operator == 0 {
			u.About(invitationOf(hash))
		}
		u.Changed(InvitationState{}, InvitationState{Role: string(invitation.Role), Sites: invitation.Sites, Everywhere: invitation.Everywhere})
		return Link{secret, kernel.Instant{Time: invitation.Expires}}, u.Invitations().Put(invitation)
	})
}

// replaceInvitations removes the former invitations of whom a new one is for, so that
// the link that was made last is the one that is good.
func (u unit) replaceInvitations(a Actor, by operator.Invitation) error {
	return u.forgetInvitations(func(i operator.Invitation) (bool, error) {
		if !i.IsFor(by) {
			return false, nil
		}
		if !a.Operator.Outranks(i.Role, i.Sites, i.Everywhere) {
			return false, kernel.Invalid("email", fault.CodeConflict, "somebody with this e-mail is invited already, to more than you may give")
		}
		return true, nil
	})
}

// forgetInvitations removes the invitations that are picked.
func (u unit) forgetInvitations(picked func(operator.Invitation) (bool, error)) error {
	every, err := u.Invitations().All()
	if err != nil {
		return err
	}
	for _, i := range every {
		goes, err := picked(i)
		if err != nil {
			return err
		}
		if !goes {
			continue
		}
		if err := u.Invitations().Discard(i.Hash); err != nil {
			return err
		}
	}
	return nil
}

// InvitationState is what the audit says of an invitation.
type InvitationState struct {
	Role       string `trace:"keep"`
	Sites      []site.ID
	Everywhere bool
}

func (u unit) invitation(a Actor, in InviteOperator) (operator.Invitation, error) {
	var problems fault.Problems
	email, name := checkPerson(in.Email, in.Name, &problems)
	role, sites, err := u.read(in.Post, a.Operator, &problems)
	if err != nil {
		return operator.Invitation{}, err
	}
	known, err := u.byEmail(email)
	if err != nil {
		return operator.Invitation{}, err
	}
	if known.ID != 0 {
		problems.Add("email", fault.CodeConflict, "there is an operator with this e-mail")
	}
	return operator.Invitation{Email: email, Name: name, Role: role, Sites: sites, Everywhere: in.Everywhere}, problems.Err()
}

// checkPerson reads who somebody is.
func checkPerson(typedEmail, typedName string, problems *fault.Problems) (email, name string) {
	email, ok := operator.ParseEmail(typedEmail)
	if !ok {
		problems.Add("email", fault.CodeInvalidFormat, "email is an address such as a.martin@example.org")
	}
	name = strings.TrimSpace(typedName)
	if length := len([]rune(name)); length == 0 || length > operator.MaxName {
		problems.Add("name", fault.CodeOutOfRange, "a name has 1 to %d characters", operator.MaxName)
	}
	return email, name
}

// recoverOperator makes a link by which an operator chooses a new password.
func (s *Service) recoverOperator(ctx context.Context, a Actor, in OperatorPath) (Link, error) {
	return s.invite(ctx, a, func(u unit) (operator.Invitation, error) {
		known, err := u.managed(a, operator.ID(in.ID))
		if err == nil && known.Disabled {
			err = fault.New(fault.Conflict, fault.CodeConflict, "the operator is disabled")
		}
		return operator.Invitation{
			Operator: known.ID, Email: known.Email, Name: known.Name, Role: known.Role, Sites: known.Sites, Everywhere: known.Everywhere,
		}, err
	})
}

// WithdrawInvitation names an invitation.
type WithdrawInvitation struct{ ID string }

func (s *Service) withdrawInvitation(ctx context.Context, a Actor, in WithdrawInvitation) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		known, err := u.Invitations().Get(access.Hash(in.ID))
		if err != nil {
			return kernel.None{}, kernel.AbsentIs(err, kernel.Unknown("there is no such invitation"))
		}
		if !a.Operator.Outranks(known.Role, known.Sites, known.Everywhere) {
			return kernel.None{}, notYours()
		}
		return kernel.None{}, u.Invitations().Delete(known.Hash)
	})
}

// SetUp makes the link by which the first operator comes in, and the former one
// useless. needed is false when there is an operator already.
func (s *Service) SetUp(ctx context.Context) (link Link, needed bool, err error) {
	secret, hash, err := s.secret()
	if err != nil {
		return Link{}, false, err
	}
	made, err := write(ctx, s, nil, func(u unit) (Link, error) {
		everybody, err := u.Operators().All()
		if err != nil || len(everybody) > 0 {
			return Link{}, err
		}
		if err := u.forgetInvitations(func(i operator.Invitation) (bool, error) { return i.IsSetUp(), nil }); err != nil {
			return Link{}, err
		}
		drawn := operator.SetUp(hash, u.Now)
		return Link{secret, kernel.Instant{Time: drawn.Expires}}, u.Invitations().Put(drawn)
	})
	return made, made.Secret != "", err
}

// Invited is what an invitation offers, for the holder of its link.
type Invited struct {
	Email, Name string
	Role        operator.Role
	// SetUp reports that the first operator comes in by it, who says who they are;
	// Known that an operator comes back by it.
	SetUp, Known bool
	Expires      kernel.Instant
}

// Invitation reads what an invitation offers. It is NotFound when the link was used,
// withdrawn or has expired.
func (s *Service) Invitation(ctx context.Context, secret string) (Invited, error) {
	return view(ctx, s, func(u unit) (Invited, error) {
		i, err := u.invited(u.Options.Pepper.Hash(secret))
		return Invited{i.Email, i.Name, i.Role, i.IsSetUp(), i.Operator != 0, kernel.Instant{Time: i.Expires}}, err
	})
}

// invited finds the invitation of a link by the hash of its secret; in a unit that writes it is
// locked until the unit ends.
func (u unit) invited(hash access.Hash) (operator.Invitation, error) {
	i, err := u.Invitations().Get(hash)
	if err == nil && !i.Valid(u.Now) {
		err = fault.NotFound
	}
	return i, kernel.AbsentIs(err, spent())
}

func spent() error {
	return kernel.Unknown("the link was used before, was replaced by another one or withdrawn, or has expired; ask for a new one")
}

// Accept is somebody who comes in by a link.
type Accept struct {
	// Secret is that of the link.
	Secret string
	// Email and Name count only for the first operator.
	Email, Name string
	Password    string
	Peer, Agent string
	// Outside reports that they do not come in yet: no session is begun.
	Outside bool
}

// Accept makes an operator of the holder of the link of an invitation, or gives one a
// new password, and signs them in. The link is good once.
func (s *Service) Accept(ctx context.Context, in Accept) (SignedIn, error) {
	invitation := s.k.Options.Pepper.Hash(in.Secret)
	offered, err := view(ctx, s, func(u unit) (operator.Invitation, error) { return u.invited(invitation) })
	if err != nil {
		return SignedIn{}, err
	}
	var problems fault.Problems
	if offered.IsSetUp() {
		in.Email, in.Name = checkPerson(in.Email, in.Name, &problems)
		offered.Email, offered.Name = in.Email, in.Name
	}
	whose := operator.Operator{Email: offered.Email, Name: offered.Name}
	operator.CheckPassword("password", in.Password, whose, s.passwords.IsCommon, &problems)
	if err := problems.Err(); err != nil {
		return SignedIn{}, err
	}
	hash, err := s.passwords.Hash(in.Password)
	if err != nil {
		return SignedIn{}, err
	}
	secret, session, err := s.secret()
	if err != nil {
		return SignedIn{}, err
	}
	note := kernel.NewNote(operator.Entry{Operator: offered.Operator, Peer: in.Peer, Operation: AcceptedEntry})
	actor, err := write(ctx, s, note, func(u unit) (Actor, error) {
		came, err := u.accept(invitation, in, hash)
		if err != nil || in.Outside {
			return Actor{Operator: came}, err
		}
		return u.start(came, operator.Session{Hash: session, Operator: came.ID, Peer: in.Peer, Agent: clipped(in.Agent)})
	})
	if err != nil || in.Outside {
		return SignedIn{}, err
	}
	proof, err := s.proofFor(actor.Operator.ID, "")
	return SignedIn{Secret: secret, Browser: proof, Actor: actor}, err
}

// accept spends an invitation.
func (u unit) accept(invitation access.Hash, in Accept, password string) (operator.Operator, error) {
	i, err := u.invited(invitation)
	if err != nil {
		return operator.Operator{}, err
	}
	if err := u.Invitations().Delete(i.Hash); err != nil {
		return operator.Operator{}, kernel.AbsentIs(err, spent())
	}
	// Two that were made at the same moment may both be there.
	if err := u.forgetInvitations(func(other operator.Invitation) (bool, error) { return other.IsFor(i), nil }); err != nil {
		return operator.Operator{}, err
	}
	if i.Operator != 0 {
		return u.comeBack(i, password)
	}
	u.About(invitationOf(i.Hash))
	made := operator.Operator{Email: i.Email, Name: i.Name, Role: i.Role, Sites: i.Sites, Everywhere: i.Everywhere, Password: password, Added: u.Now}
	if i.IsSetUp() {
		// There is one first operator, even if there are several links at the same time.
		made.ID, made.Email, made.Name = firstOperator, in.Email, in.Name
		err = u.ReserveID(port.OperatorIDs, int64(firstOperator))
	} else {
		made.ID, err = kernel.NextID[operator.ID](u, port.OperatorIDs)
	}
	if err != nil {
		return made, err
	}
	if err := u.Operators().Add(made); err != nil {
		if errors.Is(err, port.ErrTaken) {
			err = spent()
		}
		return made, err
	}
	u.As(made.ID)
	return made, nil
}

// firstOperator is the id of the operator who set the console up.
const firstOperator operator.ID = 1

// comeBack returns an operator who lost their password, or a device, a new password and
// no passkey nor account elsewhere. Sessions of the former ones end.
func (u unit) comeBack(i operator.Invitation, password string) (operator.Operator, error) {
	known, err := u.Operators().Get(i.Operator)
	if err != nil {
		return known, kernel.AbsentIs(err, spent())
	}
	if known.Disabled {
		return known, spent()
	}
	known.Password = password
	return known, kernel.FirstError(u.Operators().Replace(known), u.endAll(known.ID, ""), u.forgetPasskeys(known.ID), u.forgetIdentities(known.ID))
}
