package transfer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

func (p provisioner) credential(in SetupCredential) error {
	wanted, err := in.Credential()
	if err != nil {
		return err
	}
	if in.Secret == "" {
		return errors.New("it needs a secret")
	}
	wanted.Secret, wanted.Added = p.Options.Pepper.Hash(in.Secret), p.Now
	for _, id := range wanted.Sites {
		if _, err := p.Sites().Get(id); err != nil {
			return kernel.AbsentIs(err, fmt.Errorf("there is no site %d", id))
		}
	}
	touch := wanted.Sites
	var existing []access.Credential
	switch old, err := p.Credentials().Held(wanted.ID); {
	case err == nil:
		existing = append(existing, old)
		wanted.Added, wanted.RevokedAt = old.Added, old.RevokedAt
		if wanted.Secret == old.Secret {
			wanted.Former = old.Former
		}
		touch = slices.Concat(touch, old.Sites)
	case !kernel.IsAbsent(err):
		return err
	}
	changed, err := keep(p, existing, func(access.Credential) bool { return true }, wanted, p.Credentials().Put)
	if err != nil || !changed {
		return err
	}
	return tokens.TouchAccess(p.Tx, touch)
}

// key brings an API key to what is described. One that was revoked stays so.
func (p provisioner) key(in SetupKey) error {
	wanted, err := in.Given(p.Options.Pepper)
	if err != nil {
		return err
	}
	owner, err := p.Credentials().Held(wanted.Credential)
	if err != nil {
		return kernel.AbsentIs(err, fmt.Errorf("there is no credential %q", wanted.Credential))
	}
	if !owner.Reaches(wanted.Site) {
		return fmt.Errorf("the credential %q does not reach a site %d", owner.ID, wanted.Site)
	}
	existing, err := p.knownKey(wanted)
	if err != nil {
		return err
	}
	if len(existing) > 0 {
		wanted.ID, wanted.Added, wanted.RevokedAt = existing[0].ID, existing[0].Added, existing[0].RevokedAt
	} else if wanted.ID, err = kernel.NextID[access.KeyID](p, port.KeyIDs); err != nil {
		return err
	} else {
		wanted.Added = p.Now
	}
	changed, err := keep(p, existing, func(access.Key) bool { return true }, wanted, p.Keys().Put)
	if err != nil || !changed {
		return err
	}
	return tokens.TouchAccess(p.Tx, []site.ID{wanted.Site})
}

// knownKey returns the key that a described one stands for, if there is one: that with
// the same secret, or else the living one of its name.
func (p provisioner) knownKey(wanted access.Key) ([]access.Key, error) {
	switch same, err := p.Keys().ByHash(wanted.Hash); {
	case err == nil && (same.Credential != wanted.Credential || same.Site != wanted.Site):
		return nil, errors.New("the key is that of another credential or site")
	case err == nil:
		return []access.Key{same}, nil
	case !kernel.IsAbsent(err):
		return nil, err
	}
	all, err := p.Keys().OfCredential(wanted.Credential)
	return slices.DeleteFunc(all, func(k access.Key) bool {
		return k.Site != wanted.Site || k.Name != wanted.Name || k.Revoked()
	}), err
}
