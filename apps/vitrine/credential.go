package main

import (
	"context"
	"os"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

type credential struct {
	Create createCredential `cmd:"" help:"Add a client and print its secret, which is shown this once."`
	List   listCredentials  `cmd:"" help:"List the clients."`
	Rotate rotateCredential `cmd:"" help:"Print another secret of a client, which is shown this once; the present one stays good for a while."`
	Revoke revokeCredential `cmd:"" help:"End a client and all its tokens for good."`
}

// credentialRecord is a client as commands print it.
type credentialRecord struct {
	ID          string     `json:"id"`
	Secret      string     `json:"secret,omitempty"`
	Name        string     `json:"name"`
	Sites       []int64    `json:"sites"`
	Packs       []string   `json:"packs"`
	Permissions []string   `json:"permissions"`
	Rights      []string   `json:"rights"`
	Disabled    bool       `json:"disabled"`
	DateAdded   *time.Time `json:"date_added,omitempty"`
	DateRevoked *time.Time `json:"date_revoked,omitempty"`
	FormerUntil *time.Time `json:"former_secret_until,omitempty"`
	LastUsed    *time.Time `json:"last_used,omitempty"`
}

type createCredential struct {
	data
	ID          string   `arg:"" help:"Client id."`
	Name        string   `help:"What the client is."`
	Sites       []int64  `name:"site" required:"" help:"Site the client may obtain tokens for; repeat for several."`
	Packs       []string `name:"pack" required:"" help:"Pack, or all; repeat for several."`
	Permissions []string `name:"permission" help:"Permission such as SITE_PRODUCT:READ, or all; repeat for several."`
	Rights      []string `name:"right" help:"Right such as RS:PRODUCT_GET, or all; repeat for several."`
}

// Run adds the client.
func (c *createCredential) Run(ctx context.Context) error {
	return c.existing(ctx, func(s *siteapi.Service) error {
		secret, err := s.Tokens.CreateCredential(ctx, kernel.Caller{}, tokens.CredentialInput{
			ID: c.ID, Name: c.Name, Sites: c.Sites, Packs: c.Packs, Permissions: c.Permissions, Rights: c.Rights,
		})
		if err != nil {
			return err
		}
		return printJSON(credentialRecord{
			ID: c.ID, Secret: secret, Name: c.Name, Sites: c.Sites, Packs: c.Packs,
			Permissions: listed(c.Permissions), Rights: listed(c.Rights),
		})
	})
}

// listed is never null in JSON.
func listed[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}

type listCredentials struct {
	data
	terminal.Listing
}

// credentialColumns leave out what fills lines: packs, permissions and rights.
var credentialColumns = []terminal.Column[credentialRecord]{
	{Title: "id", Of: func(r credentialRecord) string { return r.ID }},
	{Title: "name", Of: func(r credentialRecord) string { return r.Name }},
	{Title: "sites", Of: func(r credentialRecord) string { return numbers(r.Sites) }},
	{Title: "state", Of: func(r credentialRecord) string { return ended(r.DateRevoked != nil, r.Disabled) }},
	{Title: "added", Of: func(r credentialRecord) string { return minute(r.DateAdded) }},
	{Title: "last used", Of: func(r credentialRecord) string { return minute(r.LastUsed) }},
}

// Run prints the clients.
func (c *listCredentials) Run(ctx context.Context) error {
	return c.existing(ctx, func(s *siteapi.Service) error {
		all, err := s.Tokens.Credentials(ctx, kernel.Caller{})
		if err != nil {
			return err
		}
		used, err := lastUses(ctx, s)
		if err != nil {
			return err
		}
		records := []credentialRecord{}
		for _, client := range all {
			r := recordOf(client)
			r.LastUsed = used.of(client.ID)
			records = append(records, r)
		}
		return terminal.List(c.Listing, os.Stdout, records, credentialColumns...)
	})
}

func recordOf(c access.Credential) credentialRecord {
	r := credentialRecord{
		ID: string(c.ID), Name: c.Name, Sites: []int64{}, Packs: c.Packs.Names(), Permissions: listed(c.Permissions),
		Rights: listed(c.Rights), Disabled: c.Disabled, DateAdded: &c.Added, DateRevoked: moment(c.RevokedAt),
	}
	for _, id := range c.Sites {
		r.Sites = append(r.Sites, int64(id))
	}
	if c.Former.Until.After(time.Now()) {
		r.FormerUntil = &c.Former.Until
	}
	return r
}

// uses are when credentials and their keys were last used.
type uses []access.Use

func lastUses(ctx context.Context, s *siteapi.Service) (uses, error) {
	return s.Tokens.Uses(ctx, kernel.Caller{})
}

// of returns the last use of a credential, with a token or a key; nil if there is none.
func (u uses) of(id access.CredentialID) *time.Time {
	return u.last(func(a access.Use) bool { return a.Credential == id })
}

// ofKey returns the last use of a key.
func (u uses) ofKey(k access.Key) *time.Time {
	return u.last(func(a access.Use) bool { return a.Credential == k.Credential && a.Key == k.ID })
}

func (u uses) last(among func(access.Use) bool) (at *time.Time) {
	for _, a := range u {
		if among(a) && (at == nil || a.At.After(*at)) {
			at = &a.At
		}
	}
	return at
}

type rotateCredential struct {
	data
	config.Rotation
	ID     string `arg:"" help:"Client id."`
	AtOnce bool   `help:"End the present secret at once, because somebody else may know it."`
}

// Run draws another secret.
func (c *rotateCredential) Run(ctx context.Context) error {
	lifetimes := access.DefaultLifetimes()
	lifetimes.Former = c.FormerSecretLifetime
	return c.existingWith(ctx, func(string) kernel.Options { return kernel.Options{Lifetimes: lifetimes} }, func(s *siteapi.Service) error {
		rotated, err := s.Tokens.RotateSecret(ctx, kernel.Caller{}, tokens.RotateSecret{Credential: access.CredentialID(c.ID), AtOnce: c.AtOnce})
		if err != nil {
			return err
		}
		return printJSON(rotatedRecord{c.ID, rotated.Secret, moment(rotated.Former.Until)})
	})
}

// rotatedRecord is a client with another secret, as the command prints it.
type rotatedRecord struct {
	ID          string     `json:"id"`
	Secret      string     `json:"secret"`
	FormerUntil *time.Time `json:"former_secret_until,omitempty"`
}

// moment returns a time that JSON leaves out if it never came.
func moment(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

type revokeCredential struct {
	data
	ID string `arg:"" help:"Client id."`
}

// Run ends the client.
func (c *revokeCredential) Run(ctx context.Context) error {
	return c.existing(ctx, func(s *siteapi.Service) error {
		if err := s.Tokens.RevokeCredential(ctx, kernel.Caller{}, access.CredentialID(c.ID)); err != nil {
			return err
		}
		return printJSON(map[string]any{"id": c.ID, "revoked": true})
	})
}
