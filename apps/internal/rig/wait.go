package rig

import (
	"context"
	"net"
	"time"
)

// Wait waits, unless ctx ends first.
func Wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Until looks every so often whether something is so. It reports whether it came
// to be so within a time, before ctx ended.
func Until(ctx context.Context, within, every time.Duration, is func() bool) bool {
	for deadline := time.Now().Add(within); ; Wait(ctx, every) {
		switch {
		case is():
			return true
		case ctx.Err() != nil || time.Now().After(deadline):
			return false
		}
	}
}

// FreeAddress is one of this machine that nobody listens on at the moment.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
