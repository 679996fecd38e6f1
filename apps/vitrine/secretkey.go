package main

import (
	"context"
	"fmt"
	"os"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

type secretKey struct {
	Rotate rotateKey `cmd:"" help:"Keep every secret under the configured key from now on. Stop servers and dispatchers first."`
}

type rotateKey struct {
	data
	oldKeys
}

// oldKeys are keys that were in use before the configured one.
type oldKeys struct {
	Old []string `name:"old-key" env:"VITRINE_OLD_SECRET_KEYS" secret:"" placeholder:"BASE64" help:"Key that secrets or an archive may be kept under until now; repeat for several."`
}

func (k oldKeys) parse() (keys [][]byte, err error) {
	for _, text := range k.Old {
		key, err := config.ParseKey("--old-key", text)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// Run seals everything anew and prints how many records there were.
func (c *rotateKey) Run(ctx context.Context) error {
	older, err := c.parse()
	if err != nil {
		return err
	}
	store, err := wire.OpenStore(ctx, c.Database, wire.Logger(c.Logging, os.Stderr))
	if err != nil {
		return err
	}
	defer store.Close()
	content, err := store.Content(ctx)
	if err != nil {
		return err
	}
	if content == sqlstore.Empty {
		return fmt.Errorf("there is nothing in %s", c.Shown())
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	sealed, err := wire.RotateKey(ctx, store, c.Secrets, older...)
	if err != nil {
		return err
	}
	return printJSON(map[string]int{"sealed": sealed})
}
