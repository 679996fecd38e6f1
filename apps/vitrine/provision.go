package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

// data is what commands that work on the database have in common.
type data struct {
	config.Database
	config.Logging
	config.Secrets
}

// existing runs a task on the service over a database that must be there: a
// mistyped name is not the beginning of a new one.
func (d data) existing(ctx context.Context, task func(*siteapi.Service) error) error {
	return d.with(ctx, task, d.notEmpty)
}

func (d data) notEmpty(c sqlstore.Content) error {
	if c == sqlstore.Empty {
		return fmt.Errorf("there is nothing in %s yet: run vitrine migrate or vitrine provision first", d.Shown())
	}
	return nil
}

// with runs a task on the service over the database, its schema up to date,
// unless check objects to what the database holds.
func (d data) with(ctx context.Context, task func(*siteapi.Service) error, check func(sqlstore.Content) error) error {
	return d.withStore(ctx, check, func(store *sqlstore.Store) error {
		service, err := wire.Service(ctx, store, d.Secrets, api.Options{})
		if err != nil {
			return err
		}
		return task(service)
	})
}

// withStore is with, for tasks that make a service of their own.
func (d data) withStore(ctx context.Context, check func(sqlstore.Content) error, task func(*sqlstore.Store) error) error {
	store, err := wire.OpenStore(ctx, d.Database, wire.Logger(d.Logging, os.Stderr))
	if err != nil {
		return err
	}
	defer store.Close()
	content, err := store.Content(ctx)
	if err != nil {
		return err
	}
	if err := check(content); err != nil {
		return err
	}
	if err := wire.CheckKey(ctx, store, d.Secrets); err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	return task(store)
}

func printJSON(v any) error {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

type provision struct {
	data
	File string `arg:"" type:"existingfile" help:"YAML file; docs/operating.md describes it."`
}

// Run carries out the file and prints what changed.
func (c *provision) Run(ctx context.Context) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	described, err := setup.Decode(file)
	if err != nil {
		return err
	}
	return c.with(ctx, func(s *siteapi.Service) error {
		done, err := s.Transfer.Provision(ctx, described)
		if err != nil {
			return err
		}
		return printJSON(map[string]int{"added": done.Added, "changed": done.Changed, "unchanged": done.Unchanged})
	}, func(sqlstore.Content) error { return nil })
}

type credential struct {
	Create createCredential `cmd:"" help:"Add a client and print its secret, which is shown this once."`
	List   listCredentials  `cmd:"" help:"List the clients."`
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
		secret, err := s.Tokens.CreateCredential(ctx, transfer.SetupCredential{
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

type listCredentials struct{ data }

// Run prints the clients.
func (c *listCredentials) Run(ctx context.Context) error {
	return c.existing(ctx, func(s *siteapi.Service) error {
		all, err := s.Tokens.Credentials(ctx)
		if err != nil {
			return err
		}
		records := []credentialRecord{}
		for _, client := range all {
			records = append(records, recordOf(client))
		}
		return printJSON(records)
	})
}

func recordOf(c access.Credential) credentialRecord {
	r := credentialRecord{
		ID: string(c.ID), Name: c.Name, Sites: []int64{}, Packs: c.Packs.Names(), Permissions: listed(c.Permissions),
		Rights: listed(c.Rights), Disabled: c.Disabled, DateAdded: &c.Added,
	}
	for _, id := range c.Sites {
		r.Sites = append(r.Sites, int64(id))
	}
	if c.Revoked() {
		r.DateRevoked = &c.RevokedAt
	}
	return r
}

type revokeCredential struct {
	data
	ID string `arg:"" help:"Client id."`
}

// Run ends the client.
func (c *revokeCredential) Run(ctx context.Context) error {
	return c.existing(ctx, func(s *siteapi.Service) error {
		if err := s.Tokens.RevokeCredential(ctx, access.CredentialID(c.ID)); err != nil {
			return err
		}
		return printJSON(map[string]any{"id": c.ID, "revoked": true})
	})
}

type openapiDocument struct{}

// Run prints the document, which depends on nothing but the table.
func (openapiDocument) Run() error {
	service, err := wire.Describe(memstore.New())
	if err != nil {
		return err
	}
	document, err := wire.Document(service)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(document)
	return err
}
