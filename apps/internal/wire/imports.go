package wire

import (
	"context"
	"log/slog"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/core/imports"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

const (
	// signOfLife is how often imports give signs of life, and are told to stop.
	signOfLife = 5 * time.Second
	// uploading is longer than any upload of a file to import takes.
	uploading = 2 * time.Hour
)

// carryOutImports carries out the imports that operators start in this process, until
// ctx ends.
func carryOutImports(ctx context.Context, service *siteapi.Service, log *slog.Logger) {
	ticker := time.NewTicker(signOfLife)
	defer ticker.Stop()
	files := exchange.Uploads{Web: exchange.NewWeb(webhook.Allowance{HTTP: true})}
	service.Imports.Run(ctx, files, imports.Options{Tick: ticker.C, Trouble: func(err error) { log.Error("importing", "error", err) }})
}

// sweepImports removes files that no import has use for any more.
func sweepImports(ctx context.Context, service *siteapi.Service, log *slog.Logger) {
	removed, err := service.Imports.SweepFiles(ctx, uploading)
	if err != nil && ctx.Err() == nil {
		log.Error("sweeping files of imports", "error", err)
	} else if removed > 0 {
		log.Info("swept files of imports", "removed", removed)
	}
}
