package tokens

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

var (
	credentialName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	permissionName = regexp.MustCompile(`^(all|SITE_[A-Z]+(:READ|:WRITE)?)$`)
	rightName      = regexp.MustCompile(`^(all|RS:[A-Z_]+)$`)
)

// CredentialInput describes a client of the API. In each of packs, permissions
// and rights the word all means every one.
type CredentialInput struct {
	ID string `yaml:"id"`
	// Secret is what the client authenticates with. Only provisioning looks at it:
	// CreateCredential draws one, and UpdateCredential leaves it as it is.
	Secret      string   `yaml:"secret"`
	Name        string   `yaml:"name"`
	Disabled    bool     `yaml:"disabled"`
	Sites       []int64  `yaml:"sites"`
	Packs       []string `yaml:"packs"`
	Permissions []string `yaml:"permissions"`
	Rights      []string `yaml:"rights"`
}

// Credential returns the client that is described, with neither the hash of its
// secret nor times. Its error is Invalid, and names every field that is wrong.
func (in CredentialInput) Credential() (access.Credential, error) {
	c := access.Credential{ID: access.CredentialID(in.ID), Name: in.Name, Disabled: in.Disabled}
	var problems fault.Problems
	if !credentialName.MatchString(in.ID) {
		problems.Add("id", fault.CodeInvalidFormat, "the id has 1 to 100 of the characters A-Z a-z 0-9 . _ -, the first one a letter or digit")
	}
	kernel.CheckText("name", in.Name, kernel.MaxText, &problems)
	for _, id := range in.Sites {
		c.Sites = append(c.Sites, site.ID(id))
	}
	slices.Sort(c.Sites)
	c.Packs = readPacks(in.Packs, &problems)
	c.Permissions = readNames[access.Permission]("permissions", in.Permissions, permissionName, fault.Textf("a permission such as SITE_PRODUCT:READ"), &problems)
	c.Rights = readNames[access.Right]("rights", in.Rights, rightName, fault.Textf("a right such as RS:PRODUCT_GET"), &problems)
	return c, problems.Err()
}

func readPacks(names []string, problems *fault.Problems) (packs access.Packs) {
	for i, name := range names {
		pack, err := access.ParsePack(name)
		if err != nil {
			problems.Append(fault.Detail{
				Field: fmt.Sprintf("packs[%d]", i), Code: fault.CodeInvalidFormat, Message: fault.Textf("%v", err), Value: name, Accepted: access.Packs(access.AllPacks).Names(),
			})
		}
		packs |= pack
	}
	return packs
}

func readNames[T ~string](field string, names []string, shape *regexp.Regexp, what fault.Text, problems *fault.Problems) (read []T) {
	for i, name := range names {
		if !shape.MatchString(name) {
			problems.Wrong(fmt.Sprintf("%s[%d]", field, i), fault.CodeInvalidFormat, name, "%q is not %s", name, what)
		}
		read = append(read, T(name))
	}
	return read
}

// CreateCredential adds a client of the API and draws its secret, which is
// returned once and never stored. It is Invalid, with the fields that are wrong,
// also when the id is taken or a site is not there.
func (s *Service) CreateCredential(ctx context.Context, c kernel.Caller, described CredentialInput) (secret string, err error) {
	wanted, err := described.Credential()
	if err != nil {
		return "", err
	}
	if secret, err = access.NewSecret(s.k.Rand); err != nil {
		return "", err
	}
	wanted.Secret = s.k.Options.Pepper.Hash(secret)
	if _, err = writes(s, unit.addCredential)(ctx, c, wanted); err != nil {
		return "", err
	}
	return secret, nil
}

func (u unit) addCredential(wanted access.Credential) (kernel.None, error) {
	var problems fault.Problems
	switch _, err := u.Credentials().Get(wanted.ID); {
	case err == nil:
		problems.Wrong("id", fault.CodeNameTaken, string(wanted.ID), "the credential %q exists", wanted.ID)
	case !kernel.IsAbsent(err):
		return kernel.None{}, err
	}
	if err := u.checkSites(wanted.Sites, &problems); err != nil {
		return kernel.None{}, err
	}
	if err := problems.Err(); err != nil {
		return kernel.None{}, err
	}
	wanted.Added = u.Now
	u.Changed(access.Credential{}, wanted)
	return kernel.None{}, u.putCredential(wanted, nil)
}

// checkSites reports sites that are not there.
func (u unit) checkSites(ids []site.ID, problems *fault.Problems) error {
	for i, id := range ids {
		_, err := u.Sites().Get(id)
		if kernel.IsAbsent(err) {
			problems.Wrong(fmt.Sprintf("sites[%d]", i), fault.CodeUnknownSite, int64(id), "there is no site %d", id)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// putCredential stores a credential, and has what depends on it read again at its
// sites and at those it had.
func (u unit) putCredential(c access.Credential, had []site.ID) error {
	if err := u.Credentials().Put(c); err != nil {
		return err
	}
	return TouchAccess(u.Tx, slices.Concat(c.Sites, had))
}

// Credentials lists the clients of the API by id.
func (s *Service) Credentials(ctx context.Context, c kernel.Caller) ([]access.Credential, error) {
	return reads(s, unit.listCredentials)(ctx, c, kernel.Nothing{})
}

func (u unit) listCredentials(kernel.Nothing) ([]access.Credential, error) {
	return u.Credentials().All()
}

// Credential returns a client of the API, or NotFound.
func (s *Service) Credential(ctx context.Context, c kernel.Caller, id access.CredentialID) (access.Credential, error) {
	return reads(s, unit.credential)(ctx, c, id)
}

func (u unit) credential(id access.CredentialID) (access.Credential, error) {
	found, err := u.Credentials().Get(id)
	return found, kernel.AbsentIs(err, unknownCredential(id))
}

func unknownCredential(id access.CredentialID) error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "there is no credential %q", id)
}

// changing returns a credential that is locked to be changed: NotFound when there is
// none, and Conflict when it was revoked.
func (u unit) changing(id access.CredentialID) (access.Credential, error) {
	c, err := u.Credentials().Held(id)
	switch {
	case err != nil:
		return c, kernel.AbsentIs(err, unknownCredential(id))
	case c.Revoked():
		return c, fault.New(fault.Conflict, fault.CodeConflict, "the credential %q is revoked", id)
	}
	return c, nil
}

// UpdateCredential returns a client of the API another name, other sites, packs,
// permissions and rights, and disables or enables it, all as described; its
// secret stays. It holds from the next request on. It is NotFound when there is
// no such client, Conflict when it is revoked, and Invalid with the fields that
// are wrong.
func (s *Service) UpdateCredential(ctx context.Context, c kernel.Caller, described CredentialInput) (access.Credential, error) {
	return writes(s, unit.updateCredential)(ctx, c, described)
}

func (u unit) updateCredential(in CredentialInput) (access.Credential, error) {
	known, err := u.changing(access.CredentialID(in.ID))
	if err != nil {
		return access.Credential{}, err
	}
	wanted, err := in.Credential()
	if err != nil {
		return access.Credential{}, err
	}
	var problems fault.Problems
	if err := u.checkSites(wanted.Sites, &problems); err != nil {
		return access.Credential{}, err
	}
	if err := problems.Err(); err != nil {
		return access.Credential{}, err
	}
	wanted.Secret, wanted.Former, wanted.Added = known.Secret, known.Former, known.Added
	u.Changed(known, wanted)
	return wanted, u.putCredential(wanted, known.Sites)
}

// RevokeCredential ends a client of the API for good, with all its tokens and
// keys, from the next request on. It is NotFound when there is no such client;
// one that is revoked stays so.
func (s *Service) RevokeCredential(ctx context.Context, c kernel.Caller, id access.CredentialID) error {
	_, err := writes(s, unit.revokeCredential)(ctx, c, id)
	return err
}

func (u unit) revokeCredential(id access.CredentialID) (kernel.None, error) {
	c, err := u.Credentials().Held(id)
	if err != nil {
		return kernel.None{}, kernel.AbsentIs(err, unknownCredential(id))
	}
	if c.Revoked() {
		return kernel.None{}, nil
	}
	before := c
	c.RevokedAt = u.Now
	u.Changed(before, c)
	return kernel.None{}, u.putCredential(c, nil)
}

// RotateSecret asks for another secret of a client.
type RotateSecret struct {
	Credential access.CredentialID
	// AtOnce ends the present secret now, because somebody else may know it.
	AtOnce bool
}

// RotatedSecret is another secret of a client.
type RotatedSecret struct {
	// Secret is shown this once and never stored.
	Secret string
	// Former is the secret before, with how long it is good; none when it ended.
	Former access.Former
}

// RotateSecret draws another secret of a client. The present one stays good for
// Lifetimes.Former, unless it is to end at once; one before that ends now. Tokens
// stay. It is NotFound when there is no such client, and Conflict when it is
// revoked.
func (s *Service) RotateSecret(ctx context.Context, c kernel.Caller, in RotateSecret) (RotatedSecret, error) {
	secret, err := access.NewSecret(s.k.Rand)
	if err != nil {
		return RotatedSecret{}, err
	}
	rotated, err := writes(s, unit.rotateSecret)(ctx, c, rotating{in, s.k.Options.Pepper.Hash(secret)})
	if err != nil {
		return RotatedSecret{}, err
	}
	return RotatedSecret{secret, rotated.Former}, nil
}

type rotating struct {
	RotateSecret
	hash access.Hash
}

func (u unit) rotateSecret(in rotating) (access.Credential, error) {
	c, err := u.changing(in.Credential)
	if err != nil {
		return access.Credential{}, err
	}
	until := u.Now
	if !in.AtOnce {
		until = u.Now.Add(u.Options.Lifetimes.Former)
	}
	before := c
	c = c.Rotated(in.hash, until, u.Now)
	u.Changed(rotation{}, rotation{in.AtOnce})
	u.Changed(before, c)
	return c, u.Credentials().Put(c)
}

// rotation is what the audit says of a rotation besides the secrets.
type rotation struct{ AtOnce bool }

// LiveTokens returns how many access tokens of a client are good now.
func (s *Service) LiveTokens(ctx context.Context, c kernel.Caller, id access.CredentialID) (int, error) {
	return reads(s, unit.liveTokens)(ctx, c, id)
}

func (u unit) liveTokens(id access.CredentialID) (int, error) {
	return u.Tokens().Live(id, u.Now)
}

// RevokeTokens ends all tokens of a client from the next request on, and reports
// how many chains of tokens that were. Its secrets and keys stay. It is NotFound
// when there is no such client.
func (s *Service) RevokeTokens(ctx context.Context, c kernel.Caller, id access.CredentialID) (int, error) {
	return writes(s, unit.revokeTokens)(ctx, c, id)
}

func (u unit) revokeTokens(id access.CredentialID) (int, error) {
	c, err := u.credential(id)
	if err != nil {
		return 0, err
	}
	ended, err := u.Tokens().Revoke(id)
	if err != nil || ended == 0 {
		return 0, err
	}
	return ended, TouchAccess(u.Tx, c.Sites)
}

// TouchAccess has the tokens and keys of some sites read again, because what they
// stand for may have changed.
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
