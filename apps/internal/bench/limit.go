package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

const (
	// stepLimit is how long each step of a run may take.
	stepLimit = 20 * time.Minute
	// closeLimit is how long it may take to end what a run started.
	closeLimit = 2 * time.Minute
	// graceLimit is how long something may take to end once its time is up.
	graceLimit = 15 * time.Second
	// jobLimit is how long the client may be busy with one job.
	jobLimit = 5 * time.Minute
)

// bounded runs something whose context ends after a limit. What has not ended
// then, nor a grace later, is left behind, with a look at where it hangs.
func bounded(ctx context.Context, limit, grace time.Duration, run func(context.Context) error) error {
	ctx, stop := context.WithTimeoutCause(ctx, limit, fmt.Errorf("took longer than %s", limit))
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	select {
	case err := <-ended:
		return withCause(ctx, err)
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return withCause(ctx, err)
	case <-time.After(grace):
		err := pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		return errors.Join(fmt.Errorf("%w, and does not end", context.Cause(ctx)), err)
	}
}

// withCause is an error with the reason for which its context ended.
func withCause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w: %w", context.Cause(ctx), err)
}
