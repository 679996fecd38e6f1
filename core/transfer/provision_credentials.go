package transfer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/tokens"
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
			return api.AbsentIs(err, fmt.Errorf("there is no site %d", id))
		}
	}
	existing, err := p.Credentials().All()
	if err != nil {
		return err
	}
	touch := wanted.Sites
	for _, old := range existing {
		if old.ID == wanted.ID {
			wanted.Added, wanted.RevokedAt = old.Added, old.RevokedAt
			touch = append(slices.Clone(touch), old.Sites...)
		}
	}
	changed, err := keep(p, existing, func(c access.Credential) bool { return c.ID == wanted.ID }, wanted, p.Credentials().Put)
	if err != nil || !changed {
		return err
	}
	return tokens.TouchAccess(p, touch)
}
