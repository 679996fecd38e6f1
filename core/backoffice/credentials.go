package backoffice

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// CredentialPath names a client of the API.
type CredentialPath struct{ ID string }

// CredentialRecord is a client of the API without its secrets.
type CredentialRecord struct {
	ID, Name            string
	Sites               []site.ID
	Packs               access.Packs
	Permissions         []access.Permission
	Rights              []access.Right
	Disabled            bool
	Added               kernel.Instant
	Revoked, FormerEnds *kernel.Instant
	// LastUsed is when it last sent a request; nil if it never did.
	LastUsed *kernel.Instant
	// LiveTokens is how many access tokens are good now.
	LiveTokens int
	// Managed reports that the actor may change it.
	Managed bool
}

// KeyRecord is an API key without the key.
type KeyRecord struct {
	access.Key
	LastUsed *kernel.Instant
}

// CredentialDetail is a client with its API keys.
type CredentialDetail struct {
	CredentialRecord
	Keys []KeyRecord
}

// listCredentials lists the clients that reach a site of the actor's.
func (s *Service) listCredentials(ctx context.Context, a Actor, _ kernel.Nothing) ([]CredentialRecord, error) {
	return view(ctx, s, func(u unit) ([]CredentialRecord, error) {
		records := []CredentialRecord{}
		all, err := u.Credentials().All()
		if err != nil {
			return records, err
		}
		used, err := u.lastUses()
		if err != nil {
			return records, err
		}
		for _, c := range all {
			if !a.knows(c) {
				continue
			}
			live, err := u.Tokens().Live(c.ID, u.Now)
			if err != nil {
				return records, err
			}
			records = append(records, recordOf(a, c, used, live))
		}
		return records, nil
	})
}

// lastUses returns when clients and their keys were last used.
func (u unit) lastUses() (map[access.Use]*kernel.Instant, error) {
	all, err := u.Credentials().LastUses()
	used := make(map[access.Use]*kernel.Instant, len(all))
	for _, use := range all {
		used[access.Use{Credential: use.Credential, Key: use.Key}] = kernel.When(use.At)
	}
	return used, err
}

func recordOf(a Actor, c access.Credential, used map[access.Use]*kernel.Instant, live int) CredentialRecord {
	r := CredentialRecord{
		ID: string(c.ID), Name: c.Name, Sites: c.Sites, Packs: c.Packs, Permissions: c.Permissions, Rights: c.Rights, Disabled: c.Disabled,
		Added: kernel.Instant{Time: c.Added}, Revoked: kernel.When(c.RevokedAt), FormerEnds: kernel.When(c.Former.Until), LiveTokens: live,
		Managed: manages(a, c) == nil,
	}
	for use, at := range used {
		if use.Credential == c.ID && at != nil && (r.LastUsed == nil || at.After(r.LastUsed.Time)) {
			r.LastUsed = at
		}
	}
	return r
}

func (s *Service) getCredential(ctx context.Context, a Actor, in CredentialPath) (CredentialDetail, error) {
	return view(ctx, s, func(u unit) (CredentialDetail, error) {
		c, err := u.Credentials().Get(access.CredentialID(in.ID))
		if err == nil && !a.knows(c) {
			err = fault.NotFound
		}
		if err != nil {
			return CredentialDetail{}, kernel.AbsentIs(err, kernel.Unknown("there is no such client"))
		}
		live, err := u.Tokens().Live(c.ID, u.Now)
		if err != nil {
			return CredentialDetail{}, err
		}
		used, err := u.lastUses()
		if err != nil {
			return CredentialDetail{}, err
		}
		keys, err := u.Keys().OfCredential(c.ID)
		detail := CredentialDetail{CredentialRecord: recordOf(a, c, used, live), Keys: []KeyRecord{}}
		for _, k := range keys {
			k.Hash = ""
			detail.Keys = append(detail.Keys, KeyRecord{k, used[access.Use{Credential: c.ID, Key: k.ID}]})
		}
		return detail, err
	})
}

// knows reports whether the actor may know of a client: of one that reaches a site of theirs, or of itself.
func (a Actor) knows(c access.Credential) bool {
	if a.client != nil {
		return c.ID == a.client.ID
	}
	return a.Operator.Everywhere || a.Operator.ReachesAny(c.Sites)
}

// manages refuses a client that can more than the actor may give, or reaches sites
// that their role does not hold for.
func manages(a Actor, c access.Credential) error {
	switch {
	case a.client != nil && !a.knows(c):
		return kernel.Unknown("there is no such client")
	case a.client != nil:
		return nil
	}
	if !a.Operator.ReachesAll(c.Sites) || len(c.Sites) == 0 && !a.Operator.Everywhere {
		return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "the client reaches sites that your role does not hold for")
	}
	return a.Operator.Role.MayGive(access.Grant{Packs: c.Packs, Permissions: c.Permissions, Rights: c.Rights})
}

// onCredential returns the caller who changes a client on behalf of the actor, provided the
// actor may do so with what the client is when it is changed.
func onCredential(a Actor, id access.CredentialID) kernel.Caller {
	a.note.Provided(func(u kernel.Unit) error {
		known, err := u.Credentials().Held(id)
		if err != nil {
			return kernel.AbsentIs(err, kernel.Unknown("there is no such client"))
		}
		return manages(a, known)
	})
	return kernel.Caller{}.Audited(a.note)
}

// Secret is a secret that was just drawn. It is shown once.
type Secret struct {
	Secret string
	// FormerEnds is until when the secret before is good; nil when it is not.
	FormerEnds *kernel.Instant
}

func (s *Service) createCredential(ctx context.Context, a Actor, in tokens.CredentialInput) (Secret, error) {
	if _, err := mayMake(a, in); err != nil {
		return Secret{}, err
	}
	secret, err := s.site.Tokens.CreateCredential(ctx, kernel.Caller{}.Audited(a.note), in)
	return Secret{Secret: secret}, err
}

func (s *Service) updateCredential(ctx context.Context, a Actor, in tokens.CredentialInput) (kernel.None, error) {
	id, err := mayMake(a, in)
	if err != nil {
		return kernel.None{}, err
	}
	_, err = s.site.Tokens.UpdateCredential(ctx, onCredential(a, id), in)
	return kernel.None{}, err
}

// mayMake refuses a client that is not valid, or that the actor may not manage.
func mayMake(a Actor, in tokens.CredentialInput) (access.CredentialID, error) {
	wanted, err := in.Credential()
	if err != nil {
		return "", err
	}
	if len(wanted.Sites) == 0 {
		return "", kernel.Invalid("sites", fault.CodeRequired, "choose at least one site")
	}
	return wanted.ID, manages(a, wanted)
}

// DisableCredential keeps a client out for the time being, or lets it in again.
type DisableCredential struct {
	ID       string
	Disabled bool
}

func (s *Service) disableCredential(ctx context.Context, a Actor, in DisableCredential) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		before, err := u.Credentials().Held(access.CredentialID(in.ID))
		if err != nil {
			return kernel.None{}, kernel.AbsentIs(err, kernel.Unknown("there is no such client"))
		}
		if err := manages(a, before); err != nil {
			return kernel.None{}, err
		}
		if before.Revoked() {
			return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "the client has ended for good")
		}
		after := before
		after.Disabled = in.Disabled
		u.Changed(before, after)
		return kernel.None{}, kernel.FirstError(u.Credentials().Put(after), tokens.TouchAccess(u.Tx, after.Sites))
	})
}

func (s *Service) rotateCredential(ctx context.Context, a Actor, in tokens.RotateSecret) (Secret, error) {
	drawn, err := s.site.Tokens.RotateSecret(ctx, onCredential(a, in.Credential), in)
	return Secret{drawn.Secret, kernel.When(drawn.Former.Until)}, err
}

func (s *Service) revokeCredential(ctx context.Context, a Actor, in CredentialPath) (kernel.None, error) {
	id := access.CredentialID(in.ID)
	return kernel.None{}, s.site.Tokens.RevokeCredential(ctx, onCredential(a, id), id)
}

func (s *Service) revokeTokens(ctx context.Context, a Actor, in CredentialPath) (int, error) {
	id := access.CredentialID(in.ID)
	return s.site.Tokens.RevokeTokens(ctx, onCredential(a, id), id)
}

func (s *Service) createKey(ctx context.Context, a Actor, in tokens.KeyInput) (tokens.CreatedKey, error) {
	made, err := s.site.Tokens.CreateKey(ctx, onCredential(a, access.CredentialID(in.Credential)), in)
	made.Hash = ""
	return made, err
}

func (s *Service) revokeKey(ctx context.Context, a Actor, in tokens.NamedKey) (kernel.None, error) {
	_, err := s.site.Tokens.RevokeKey(ctx, onCredential(a, in.Credential), in)
	return kernel.None{}, err
}
