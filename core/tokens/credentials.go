package tokens

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

var (
	credentialName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	permissionName = regexp.MustCompile(`^(all|SITE_[A-Z]+(:READ|:WRITE)?)$`)
	rightName      = regexp.MustCompile(`^(all|RS:[A-Z_]+)$`)
)

// CredentialInput describes a client of the API. In each of packs, permissions
// and rights the word all stands for every one.
type CredentialInput struct {
	ID string `yaml:"id"`
	// Secret is what the client authenticates with. CreateCredential does not look
	// at it, but draws one.
	Secret      string   `yaml:"secret"`
	Name        string   `yaml:"name"`
	Disabled    bool     `yaml:"disabled"`
	Sites       []int64  `yaml:"sites"`
	Packs       []string `yaml:"packs"`
	Permissions []string `yaml:"permissions"`
	Rights      []string `yaml:"rights"`
}

// Credential is the client that is described, with neither the hash of its
// secret nor times, or what is wrong with the description.
func (in CredentialInput) Credential() (access.Credential, error) {
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
func (s *Service) CreateCredential(ctx context.Context, described CredentialInput) (secret string, err error) {
	wanted, err := described.Credential()
	if err != nil {
		return "", err
	}
	if secret, err = access.NewSecret(s.k.Rand); err != nil {
		return "", err
	}
	wanted.Secret = s.k.Options.Pepper.Hash(secret)
	_, err = writes(s, unit.addCredential)(ctx, api.Caller{}, wanted)
	return secret, err
}

func (u unit) addCredential(wanted access.Credential) (api.None, error) {
	if _, err := u.Credentials().Get(wanted.ID); !api.IsAbsent(err) {
		if err == nil {
			err = fmt.Errorf("the credential %q exists", wanted.ID)
		}
		return api.None{}, err
	}
	for _, id := range wanted.Sites {
		if _, err := u.Sites().Get(id); err != nil {
			return api.None{}, api.AbsentIs(err, fmt.Errorf("there is no site %d", id))
		}
	}
	wanted.Added = u.Now
	if err := u.Credentials().Put(wanted); err != nil {
		return api.None{}, err
	}
	return api.None{}, TouchAccess(u, wanted.Sites)
}

// Credentials lists the clients of the API by id.
func (s *Service) Credentials(ctx context.Context) ([]access.Credential, error) {
	return reads(s, unit.listCredentials)(ctx, api.Caller{}, api.Nothing{})
}

func (u unit) listCredentials(api.Nothing) ([]access.Credential, error) { return u.Credentials().All() }

// RevokeCredential ends a client of the API for good, with all its tokens, from
// the next request on.
func (s *Service) RevokeCredential(ctx context.Context, id access.CredentialID) error {
	_, err := writes(s, unit.revokeCredential)(ctx, api.Caller{}, id)
	return err
}

func (u unit) revokeCredential(id access.CredentialID) (api.None, error) {
	c, err := u.Credentials().Get(id)
	if err != nil {
		return api.None{}, api.AbsentIs(err, fmt.Errorf("there is no credential %q", id))
	}
	if c.Revoked() {
		return api.None{}, nil
	}
	c.RevokedAt = u.Now
	if err := u.Credentials().Put(c); err != nil {
		return api.None{}, err
	}
	return api.None{}, TouchAccess(u, c.Sites)
}

// TouchAccess has the tokens of some sites read again, because what they stand for
// may have changed.
func TouchAccess(tx port.Tx, sites []site.ID) error {
	sites = slices.Clone(sites)
	slices.Sort(sites)
	for _, id := range slices.Compact(sites) {
		if err := tx.Ledger().Touch(id, port.AspectAccess); err != nil {
			return err
		}
	}
	return nil
}
