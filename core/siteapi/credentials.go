package siteapi

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

var (
	credentialName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	permissionName = regexp.MustCompile(`^(all|SITE_[A-Z]+(:READ|:WRITE)?)$`)
	rightName      = regexp.MustCompile(`^(all|RS:[A-Z_]+)$`)
)

func (p provisioner) credential(in SetupCredential) error {
	wanted, err := in.credential()
	if err != nil {
		return err
	}
	if in.Secret == "" {
		return errors.New("it needs a secret")
	}
	wanted.Secret, wanted.Added = p.service.options.Pepper.Hash(in.Secret), p.now
	for _, id := range wanted.Sites {
		if _, err := p.tx.Sites().Get(id); err != nil {
			return absentIs(err, fmt.Errorf("there is no site %d", id))
		}
	}
	existing, err := p.tx.Credentials().All()
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
	changed, err := keep(p, existing, func(c access.Credential) bool { return c.ID == wanted.ID }, wanted, p.tx.Credentials().Put)
	if err != nil || !changed {
		return err
	}
	return touchAccess(p.tx, touch)
}

func touchAccess(tx port.Tx, sites []site.ID) error {
	sites = slices.Clone(sites)
	slices.Sort(sites)
	for _, id := range slices.Compact(sites) {
		if err := tx.Ledger().Touch(id, port.AspectAccess); err != nil {
			return err
		}
	}
	return nil
}

func (in SetupCredential) credential() (access.Credential, error) {
	c := access.Credential{ID: access.CredentialID(in.ID), Name: in.Name, Disabled: in.Disabled}
	if !credentialName.MatchString(in.ID) {
		return c, errors.New("the id has 1 to 100 of the characters A-Z a-z 0-9 . _ -, the first one a letter or digit")
	}
	for _, id := range in.Sites {
		c.Sites = append(c.Sites, site.ID(id))
	}
	slices.Sort(c.Sites)
	for _, name := range in.Packs {
		pack, err := access.ParsePack(name)
		if err != nil {
			return c, err
		}
		c.Packs |= pack
	}
	for _, name := range in.Permissions {
		if !permissionName.MatchString(name) {
			return c, fmt.Errorf("%q is not a permission such as SITE_PRODUCT:READ", name)
		}
		c.Permissions = append(c.Permissions, access.Permission(name))
	}
	for _, name := range in.Rights {
		if !rightName.MatchString(name) {
			return c, fmt.Errorf("%q is not a right such as RS:PRODUCT_GET", name)
		}
		c.Rights = append(c.Rights, access.Right(name))
	}
	return c, nil
}

// CreateCredential adds a client of the API and draws its secret, which is
// returned once and never stored. The id must be free.
func (s *Service) CreateCredential(ctx context.Context, described SetupCredential) (secret string, err error) {
	wanted, err := described.credential()
	if err != nil {
		return "", err
	}
	if secret, err = access.NewSecret(s.ports.Rand); err != nil {
		return "", err
	}
	wanted.Secret, wanted.Added = s.options.Pepper.Hash(secret), s.now()
	return secret, s.ports.Store.Update(ctx, func(tx port.Tx) error {
		if _, err := tx.Credentials().Get(wanted.ID); !errors.Is(err, fault.NotFound) {
			if err == nil {
				err = fmt.Errorf("the credential %q exists", wanted.ID)
			}
			return err
		}
		for _, id := range wanted.Sites {
			if _, err := tx.Sites().Get(id); err != nil {
				return absentIs(err, fmt.Errorf("there is no site %d", id))
			}
		}
		if err := tx.Credentials().Put(wanted); err != nil {
			return err
		}
		return touchAccess(tx, wanted.Sites)
	})
}

// Credentials lists the clients of the API by id.
func (s *Service) Credentials(ctx context.Context) ([]access.Credential, error) {
	var all []access.Credential
	err := s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		all, err = tx.Credentials().All()
		return err
	})
	return all, err
}

// RevokeCredential ends a client of the API for good, with all its tokens, from
// the next request on.
func (s *Service) RevokeCredential(ctx context.Context, id access.CredentialID) error {
	return s.ports.Store.Update(ctx, func(tx port.Tx) error {
		c, err := tx.Credentials().Get(id)
		if err != nil {
			return absentIs(err, fmt.Errorf("there is no credential %q", id))
		}
		if c.Revoked() {
			return nil
		}
		c.RevokedAt = s.now()
		if err := tx.Credentials().Put(c); err != nil {
			return err
		}
		return touchAccess(tx, c.Sites)
	})
}
