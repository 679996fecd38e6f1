package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

type apiKey struct {
	Create createKey `cmd:"" help:"Add an API key of a client and print it; it is shown this once."`
	List   listKeys  `cmd:"" help:"List the API keys of a client."`
	Revoke revokeKey `cmd:"" help:"End an API key for good."`
}

// keyRecord is an API key as commands print it.
type keyRecord struct {
	ID          int64      `json:"id"`
	Key         string     `json:"key,omitempty"`
	Start       string     `json:"start"`
	Credential  string     `json:"credential"`
	Name        string     `json:"name"`
	Site        int64      `json:"site"`
	Packs       []string   `json:"packs"`
	Addresses   []string   `json:"addresses"`
	DateAdded   time.Time  `json:"date_added"`
	DateExpires *time.Time `json:"date_expires,omitempty"`
	DateRevoked *time.Time `json:"date_revoked,omitempty"`
	LastUsed    *time.Time `json:"last_used,omitempty"`
}

func keyRecordOf(k access.Key) keyRecord {
	return keyRecord{
		ID: int64(k.ID), Start: k.Start, Credential: string(k.Credential), Name: k.Name, Site: int64(k.Site), Packs: k.Packs.Names(),
		Addresses: listed(k.Addresses), DateAdded: k.Added, DateExpires: moment(k.Expires), DateRevoked: moment(k.RevokedAt),
	}
}

type createKey struct {
	data
	Credential  string   `arg:"" help:"Client id."`
	Name        string   `arg:"" help:"What the key is for."`
	Site        int64    `required:"" help:"Site the key is good for."`
	Packs       []string `name:"pack" required:"" help:"Pack of the client that the key is good for, or all; repeat for several."`
	Expires     string   `help:"When the key ends by itself: a day, or a date-time such as 2027-01-15T08:30:00Z."`
	Addresses   []string `name:"address" help:"Address, or network such as 192.0.2.0/24, the key may be sent from; repeat for several."`
	Environment string   `env:"VITRINE_ENVIRONMENT" help:"Name of the environment, which is part of the key."`
}

// Run adds the key.
func (c *createKey) Run(ctx context.Context) error {
	options := func(environment string) kernel.Options {
		return kernel.Options{Environment: cmp.Or(c.Environment, environment)}
	}
	return c.existingWith(ctx, options, func(s *siteapi.Service) error {
		made, err := s.Tokens.CreateKey(ctx, kernel.Caller{}, tokens.KeyInput{
			Credential: c.Credential, Name: c.Name, Site: c.Site, Packs: c.Packs, Expires: c.Expires, Addresses: c.Addresses,
		})
		if err != nil {
			return err
		}
		r := keyRecordOf(made.Key)
		r.Key = made.Text
		return printJSON(r)
	})
}

type listKeys struct {
	data
	terminal.Listing
	Credential string `arg:"" help:"Client id."`
}

var keyColumns = []terminal.Column[keyRecord]{
	{Title: "id", Of: func(r keyRecord) string { return fmt.Sprint(r.ID) }},
	{Title: "name", Of: func(r keyRecord) string { return r.Name }},
	{Title: "start", Of: func(r keyRecord) string { return r.Start }},
	{Title: "site", Of: func(r keyRecord) string { return fmt.Sprint(r.Site) }},
	{Title: "packs", Of: func(r keyRecord) string { return strings.Join(r.Packs, ", ") }},
	{Title: "state", Of: func(r keyRecord) string { return ended(r.DateRevoked != nil, false) }},
	{Title: "expires", Of: func(r keyRecord) string { return minute(r.DateExpires) }},
	{Title: "last used", Of: func(r keyRecord) string { return minute(r.LastUsed) }},
}

// Run prints the keys.
func (c *listKeys) Run(ctx context.Context) error {
	return c.existing(ctx, func(s *siteapi.Service) error {
		all, err := s.Tokens.Keys(ctx, kernel.Caller{}, access.CredentialID(c.Credential))
		if err != nil {
			return err
		}
		used, err := lastUses(ctx, s)
		if err != nil {
			return err
		}
		records := []keyRecord{}
		for _, k := range all {
			r := keyRecordOf(k)
			r.LastUsed = used.ofKey(k)
			records = append(records, r)
		}
		return terminal.List(c.Listing, os.Stdout, records, keyColumns...)
	})
}

type revokeKey struct {
	data
	Credential string `arg:"" help:"Client id."`
	ID         int64  `arg:"" help:"Id of the key, as list shows it."`
}

// Run ends the key.
func (c *revokeKey) Run(ctx context.Context) error {
	return c.existing(ctx, func(s *siteapi.Service) error {
		gone, err := s.Tokens.RevokeKey(ctx, kernel.Caller{}, tokens.NamedKey{Credential: access.CredentialID(c.Credential), ID: access.KeyID(c.ID)})
		if err != nil {
			return err
		}
		return printJSON(keyRecordOf(gone))
	})
}
