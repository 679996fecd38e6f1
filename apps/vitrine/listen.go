package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/receiver"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

type listen struct {
	Addr   string        `default:"127.0.0.1:9000" placeholder:"ADDRESS" help:"Address to receive on."`
	Secret string        `placeholder:"whsec_…" help:"Signing secret of the webhook, to verify deliveries with."`
	Answer string        `default:"200" placeholder:"STATUS,…" help:"Answers, each given once in turn, and the last one from then on; 422:reason gives a reason."`
	Delay  time.Duration `help:"How long to wait before answering."`
}

// Run receives deliveries until told to stop.
func (c *listen) Run(ctx context.Context) error {
	script, err := receiver.ParseScript(c.Answer)
	if err != nil {
		return fmt.Errorf("--answer: %w", err)
	}
	if c.Secret != "" {
		if _, err := webhook.Secret(c.Secret).Sign("", time.Time{}, nil); err != nil {
			return fmt.Errorf("--secret: %w", err)
		}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	url := "http://" + config.Reachable(listener.Addr().String())
	fmt.Printf("Subscribe %s/hook with POST /hooks; GET %s/ shows what came. Ctrl-C ends it.\n", url, url)
	trial := receiver.NewTrial(receiver.TrialOptions{
		Secret: webhook.Secret(c.Secret), Script: script, Delay: c.Delay, Out: os.Stdout,
	})
	return trial.Serve(ctx, listener)
}
